package dispatch

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
	"ostler.example/ledger"
)

// guard keeps back prices that look like a slip of the hand. Nothing but prices
// is ever held: a closing of the same night goes on. What is sent although it is
// odd is noted.
func (w *Worker) guard(ctx context.Context, dirty []ledger.DirtyCell) ([]ledger.DirtyCell, error) {
	g := w.Channel.Pricing.Guard
	if g == (hotel.PriceGuard{}) {
		return dirty, nil
	}
	var pass []ledger.DirtyCell
	var held, odd []ledger.HeldPrice
	for _, d := range dirty {
		if d.Cell.Group != hotel.Price {
			pass = append(pass, d)
			continue
		}
		known, err := w.known(ctx, d)
		if err != nil {
			return nil, err
		}
		v := price.Guard(g, w.money(d.Cell.Line, d.Want), known)
		found := ledger.HeldPrice{SentCell: ledger.SentCell{Cell: d.Cell, Value: d.Want}, Reason: v.Reason, By: v.By, Close: v.Rule == hotel.GuardClose}
		switch v.Rule {
		case hotel.GuardHold, hotel.GuardClose:
			held = append(held, found)
		case hotel.GuardSend:
			if noted, ok := w.odd[d.Cell]; !ok || noted != d.Want { // a price may be planned more than once
				odd = append(odd, found)
			}
			pass = append(pass, d)
		case "":
			pass = append(pass, d)
		}
	}
	if len(held) > 0 {
		let, err := w.Ledger.Hold(ctx, w.Channel.ID, held)
		if err != nil {
			return nil, err
		}
		for _, d := range dirty {
			if let[d.Cell] {
				pass = append(pass, d)
			}
		}
	}
	if len(odd) == 0 {
		return pass, nil
	}
	for _, p := range odd {
		w.odd[p.Cell] = p.Value
	}
	return pass, w.Ledger.Odd(ctx, w.Channel.ID, odd)
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
