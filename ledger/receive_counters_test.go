package ledger

import (
	"testing"
	"time"
)

// The clock of a channel that lowers its own count may be ahead of ours: a sale of which
// it tells before it was made is one of now. One that is hours off says nothing.
func TestSaleByAClockThatIsAhead(t *testing.T) {
	for ahead, want := range map[time.Duration]state{0: settled, 5 * time.Minute: settled, 2 * time.Hour: unknown} {
		f, cell := told(t)
		f.h.clock.move(time.Hour)
		f.sell(f.counters[0], cell.Night)
		f.mail[0].At = f.h.clock.Now().Add(ahead)
		before := f.group(t, cell)
		f.hear(t, 0)
		g := f.group(t, cell)
		if g.state != want || want == settled && *g.held != *before.held-1 {
			t.Errorf("by a clock %v ahead: state %d, and %d are shown of %d", ahead, g.state, *g.held, *before.held)
		}
	}
}
