package dispatch

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
	"ostler.example/ledger"
)

// derive brings what the channel is to show up to the end of the journal. It
// reports whether there was anything to do.
func (w *Worker) derive(ctx context.Context) (bool, error) {
	for some := false; ; some = true {
		work, err := w.Ledger.Work(ctx, w.Channel.ID)
		if err != nil || work.Empty() {
			return some, err
		}
		if work.Revision != w.Channel.Revision {
			return some, nil // the channel has changed: the worker that follows this one knows how
		}
		if err := w.Ledger.Desire(ctx, w.Channel.ID, work, w.offers(work)); err != nil {
			return some, err
		}
	}
}

// offers is the channel stage: house values and the channel's terms become what
// it is to show. Nights that are over, or further ahead than it takes, are left
// out.
func (w *Worker) offers(work ledger.Work) []ledger.Wanted {
	first, last := w.today(), hotel.Date(1<<31-1)
	if w.Caps.HorizonDays > 0 {
		last = first + hotel.Date(w.Caps.HorizonDays)
	}
	var out []ledger.Wanted
	want := func(line int64, g hotel.Group, occupancy int, night hotel.Date, carried bool, o hotel.Offer) {
		v := ledger.Wanted{Cell: hotel.Cell{Line: line, Group: g, Occupancy: occupancy, Night: night}}
		if carried {
			n := o.Encode(g)
			v.Value = &n
		}
		out = append(out, v)
	}
	for _, s := range work.Stock {
		if s.Night < first || s.Night > last {
			continue
		}
		rooms := availability.Offer(s.Available, availability.ChannelNight{Most: w.fields[hotel.FieldAvailable].Max}, nil)
		want(s.Line, hotel.Availability, 0, s.Night, true, hotel.Offer{Available: rooms})
	}
	for _, p := range work.Products {
		if p.Night < first || p.Night > last {
			continue
		}
		base, priced := p.Prices[0]
		rules := availability.Carry(p.Rules, w.fields)
		if !priced {
			rules.Closed.Closed = true // a night without a price is not for sale
		}
		want(p.Line, hotel.Closures, 0, p.Night, w.carries(hotel.Closures), hotel.Offer{Closed: rules.Closed})
		want(p.Line, hotel.Lengths, 0, p.Night, w.carries(hotel.Lengths), hotel.Offer{Lengths: rules.Lengths})
		shown := price.Channel{Markup: w.Channel.Markup}
		offer := hotel.Offer{}
		if priced {
			offer.Amount = price.Offer(base, shown, nil)
		}
		want(p.Line, hotel.Price, 0, p.Night, priced && w.carries(hotel.Price), offer)
		for occupancy, h := range p.Prices {
			if occupancy > 0 && w.Caps.Occupancies && w.carries(hotel.Price) {
				want(p.Line, hotel.Price, occupancy, p.Night, true, hotel.Offer{Amount: price.Offer(h, shown, nil)})
			}
		}
	}
	return out
}

// carries reports whether the channel takes any field of the group.
func (w *Worker) carries(g hotel.Group) bool {
	for f, c := range w.fields {
		if f.Group() == g && c.As != hotel.Absent {
			return true
		}
	}
	return false
}
