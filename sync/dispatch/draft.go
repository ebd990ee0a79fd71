package dispatch

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/plan"
)

// Draft is what a channel would be told now, were it told anything.
type Draft struct {
	plan.Plan
	Untold ledger.Untold // what it was made from; with the prices that the guard holds
	Raises []hotel.Raise
}

// Draft plans the calls that the worker would make for some nights, as far as the
// ledger knows by now what is to be shown: with all, once everything that the
// channel shows is put in doubt. It sends nothing and stores nothing; the worker
// need not run.
func (w *Worker) Draft(ctx context.Context, nights hotel.Span, all bool) (Draft, error) {
	if err := w.learn(ctx); err != nil {
		return Draft{}, err
	}
	u, err := w.Ledger.Untold(ctx, w.Channel.ID, nights, all)
	if err != nil {
		return Draft{}, err
	}
	var braked int
	if u.Cells, braked, err = w.Ledger.Braked(ctx, w.Channel.ID, u.Cells); err != nil {
		return Draft{}, err
	}
	if braked > 0 {
		u.Held["blast_radius"] += braked
	}
	found, err := w.judge(ctx, u.Cells)
	if err != nil {
		return Draft{}, err
	}
	if len(found.held) > 0 {
		let, err := w.Ledger.LetPass(ctx, w.Channel.ID, found.held)
		if err != nil {
			return Draft{}, err
		}
		found.let(u.Cells, let)
		u.Held["price_guard"] += len(found.held)
	}
	out := Draft{Untold: u}
	cells := w.cells(found.pass)
	for _, c := range cells {
		if c.Ref.Group == hotel.Availability {
			out.Raises = appendRaise(out.Raises, w.rooms[c.Ref.Line], c, mostHeld(c))
		}
	}
	SortRaises(out.Raises)
	out.Raises = joined(out.Raises)
	out.Plan, err = w.encode(cells)
	return out, err
}

// mostHeld is the most rooms that the channel may show; nil: not known.
func mostHeld(c plan.Cell) *int {
	var most *int
	for _, held := range c.Held {
		if most == nil || held.Available > *most {
			most = new(held.Available)
		}
	}
	return most
}
