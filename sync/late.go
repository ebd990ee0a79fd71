package sync

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

const (
	// lateEvery is how often it is looked whether calls without an answer have
	// passed the time in which they may come late.
	lateEvery = 10 * time.Second

	// lateKept is how far back that is looked for after a start.
	lateKept = 24 * time.Hour
)

// late looks again at what was told to a channel by calls that ended without an
// answer, once they can take effect no more. What was told after such a call, and
// confirmed, may have been undone by it: it is read where the channel can be asked,
// and told again where it cannot. Who turns down what comes late needs no look, and
// who promises nothing about it gets one when everything is read, or told again.
func (r *runner) late(ctx context.Context, beat ledger.Beat) error {
	c, _ := r.state()
	if c == nil || !c.Told() {
		return nil
	}
	now := r.e.o.Clock.Now()
	until, comes := c.caps.LateUntil(now)
	if r.lateTill.After(now) {
		r.lateTill = time.Time{} // the clock was set back since: how far was looked is not known
	}
	if !comes || now.Sub(r.lateTill) < lateEvery {
		return nil
	}
	from := now.Add(-lateKept)
	for _, seen := range []time.Time{r.lateTill, beat.LastRead} {
		if seen.After(from) && !seen.After(now) {
			from = seen
		}
	}
	lifetime := until.Sub(now)
	cells, err := r.e.o.Ledger.EndedUnclear(ctx, r.id, from.Add(-lifetime), now.Add(-lifetime))
	if err != nil {
		return err
	}
	if len(cells) > 0 && c.reader != nil {
		nights := hotel.Span{From: cells[0].Night, To: cells[0].Night}
		for _, cell := range cells {
			nights = hotel.Span{From: min(nights.From, cell.Night), To: max(nights.To, cell.Night)}
		}
		c.reader.ReadNights(nights, func(error) {}) // one that fails is made up for when everything is read
	} else if len(cells) > 0 {
		if err := r.e.o.Ledger.DoubtCells(ctx, r.id, cells); err != nil {
			return err
		}
	}
	r.lateTill = now
	return nil
}
