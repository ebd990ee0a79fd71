package ledger

import (
	"testing"
	"time"
)

// What lies behind an entry is as old as the journal has been behind it, to a tenth of a
// second, and nothing is older than what is remembered.
func TestPaceOfTheJournal(t *testing.T) {
	var p pace
	began := time.Unix(0, 0)
	at := func(d time.Duration) time.Time { return began.Add(d) }
	p.note(10, at(0))
	p.note(11, at(10*time.Second))
	p.note(12, at(10*time.Second+paceStep/2))
	p.note(20, at(20*time.Second))
	for through, want := range map[int64]time.Duration{3: 30 * time.Second, 9: 30 * time.Second, 10: 20 * time.Second, 11: 20 * time.Second, 12: 10 * time.Second, 19: 10 * time.Second, 20: 0} {
		if got := p.age(through, at(30*time.Second)); got != want {
			t.Errorf("behind %d for %v, want %v", through, got, want)
		}
	}
	for i := range int64(3 * mostMarks) {
		p.note(21+i, at(time.Minute+time.Duration(i)*paceStep))
	}
	if n := len(p.marks); n > mostMarks {
		t.Errorf("%d marks are kept", n)
	}
	now := at(time.Minute + time.Duration(3*mostMarks)*paceStep)
	if got := p.age(20, now); got < 30*time.Minute {
		t.Errorf("what is long forgotten is %v old", got)
	}
	if got := p.age(20+int64(3*mostMarks)-11, now); got != 11*paceStep {
		t.Errorf("what is behind the last but ten is %v old", got)
	}
}

// A channel is as it is since it was last changed, whatever the clock did since that was
// noticed.
func TestAChannelIsUnchanged(t *testing.T) {
	var p pace
	wall, steady := time.Unix(1000, 0), time.Unix(0, 0)
	if got := p.unchanged("a", wall.Add(-time.Minute), wall, steady); got != time.Minute {
		t.Errorf("first it is so for %v", got)
	}
	back := wall.Add(-time.Hour) // the clock
	if got := p.unchanged("a", wall.Add(-time.Minute), back, steady.Add(time.Second)); got != 61*time.Second {
		t.Errorf("then for %v", got)
	}
	if got := p.unchanged("a", wall, back, steady.Add(time.Second)); got != 0 {
		t.Errorf("changed by a clock ahead it is so for %v", got)
	}
}
