package dispatch

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/ledger"
)

// judged is what the price guard makes of cells.
type judged struct {
	pass      []ledger.DirtyCell
	held, odd []ledger.HeldPrice // odd is among what passes, and was not noted before
}

// let has those of the cells pass that somebody let.
func (j *judged) let(dirty []ledger.DirtyCell, pass map[hotel.Cell]bool) {
	for _, d := range dirty {
		if pass[d.Cell] {
			j.pass = append(j.pass, d)
		}
	}
	j.held = slices.DeleteFunc(j.held, func(p ledger.HeldPrice) bool { return pass[p.Cell] })
}

// judge looks for prices that look like a slip of the hand. Nothing but prices is
// ever held: a closing of the same night goes on.
func (w *Worker) judge(ctx context.Context, dirty []ledger.DirtyCell) (out judged, err error) {
	g := w.Channel.Pricing.Guard
	if g == (hotel.PriceGuard{}) {
		return judged{pass: dirty}, nil
	}
	for _, d := range dirty {
		if d.Cell.Group != hotel.Price {
			out.pass = append(out.pass, d)
			continue
		}
		known, err := w.known(ctx, d)
		if err != nil {
			return judged{}, err
		}
		v := price.Guard(g, w.money(d.Cell.Line, d.Want), known)
		found := ledger.HeldPrice{SentCell: ledger.SentCell{Cell: d.Cell, Value: d.Want}, Reason: v.Reason, By: v.By, Close: v.Rule == hotel.GuardClose}
		if near, ok := price.Nearest(g, w.money(d.Cell.Line, d.Want), known); ok {
			found.Near = &near.Minor
		}
		switch v.Rule {
		case hotel.GuardHold, hotel.GuardClose:
			out.held = append(out.held, found)
		case hotel.GuardSend:
			if noted, ok := w.odd[d.Cell]; !ok || noted != d.Want { // a price may be planned more than once
				out.odd = append(out.odd, found)
			}
			out.pass = append(out.pass, d)
		case "":
			out.pass = append(out.pass, d)
		}
	}
	return out, nil
}

// guard keeps back the prices that are judged so, and notes what is sent although
// it is odd.
func (w *Worker) guard(ctx context.Context, dirty []ledger.DirtyCell) ([]ledger.DirtyCell, error) {
	found, err := w.judge(ctx, dirty)
	if err != nil {
		return nil, err
	}
	if len(found.held) > 0 {
		let, err := w.Ledger.Hold(ctx, w.Channel.ID, w.Channel.Revision, found.held)
		if err != nil {
			return nil, err
		}
		found.let(dirty, let)
	}
	if len(found.odd) == 0 {
		return found.pass, nil
	}
	for _, p := range found.odd {
		w.odd[p.Cell] = p.Value
	}
	return found.pass, w.Ledger.Odd(ctx, w.Channel.ID, found.odd)
}

// known is what a price is compared with: the last one of the night, or for a
// first price those of the same weekday around it.
func (w *Worker) known(ctx context.Context, d ledger.DirtyCell) (price.Known, error) {
	if d.Last != nil {
		last := w.money(d.Cell.Line, *d.Last)
		return price.Known{Last: &last}, nil
	}
	around, err := w.Ledger.PricesAround(ctx, w.Channel.ID, d.Cell, price.GuardNights)
	if err != nil {
		return price.Known{}, err
	}
	var k price.Known
	for _, minor := range around {
		k.Around = append(k.Around, w.money(d.Cell.Line, minor))
	}
	return k, nil
}
