package dispatch

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/ledger"
)

// guard keeps back prices that look like a slip of the hand. Nothing but prices
// is ever held: a closing of the same night goes on.
func (w *Worker) guard(ctx context.Context, dirty []ledger.DirtyCell) ([]ledger.DirtyCell, error) {
	g := w.Channel.Pricing.Guard
	if g == (hotel.PriceGuard{}) {
		return dirty, nil
	}
	var pass []ledger.DirtyCell
	var held []ledger.HeldPrice
	for _, d := range dirty {
		if d.Cell.Group != hotel.Price {
			pass = append(pass, d)
			continue
		}
		known, err := w.known(ctx, d)
		if err != nil {
			return nil, err
		}
		switch v := price.Guard(g, w.money(d.Cell.Line, d.Want), known); v.Rule {
		case hotel.GuardHold, hotel.GuardClose:
			held = append(held, ledger.HeldPrice{
				SentCell: ledger.SentCell{Cell: d.Cell, Value: d.Want}, Reason: v.Reason, By: v.By, Close: v.Rule == hotel.GuardClose,
			})
		case hotel.GuardSend, "":
			pass = append(pass, d)
		}
	}
	if len(held) == 0 {
		return pass, nil
	}
	return pass, w.Ledger.Hold(ctx, w.Channel.ID, held)
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
