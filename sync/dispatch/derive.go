package dispatch

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
	"ostler.example/hotel/price"
	"ostler.example/ledger"
)

// derive brings what the channel is to show up to the end of the journal. It
// reports whether there was anything to do.
func (w *Worker) derive(ctx context.Context) (bool, error) {
	for some := false; ; some = true {
		work, err := w.Ledger.Work(ctx, w.Channel.ID, w.carried.Level())
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
	var out []ledger.Wanted
	for _, s := range work.Stock {
		if w.reaches(s.Night) {
			rooms := availability.Offer(s.Available, availability.ChannelNight{Most: w.Caps.Fields[hotel.FieldAvailable].Max}, nil)
			v := wanted(s.Line, hotel.Availability, 0, s.Night, hotel.Offer{Available: rooms})
			v.Closes = w.tells() != ledger.TellsClosures
			out = append(out, v)
		}
	}
	for _, p := range work.Prices {
		if w.reaches(p.Night) {
			out = append(out, w.prices(p)...)
		}
	}
	for _, r := range work.Rules {
		out = append(out, w.rules(r)...)
	}
	return out
}

// reaches reports whether the channel is told about the night.
func (w *Worker) reaches(night hotel.Date) bool {
	today := w.today()
	return night >= today && (w.Caps.HorizonDays == 0 || night <= today+hotel.Date(w.Caps.HorizonDays))
}

// prices works out what a product is to cost on a night. Without a price it is
// closed.
func (w *Worker) prices(p ledger.PriceWork) []ledger.Wanted {
	base, priced := p.Prices[0]
	shown := price.Channel{Markup: w.Channel.Markup}
	if !priced || !w.carries(hotel.Price) {
		return []ledger.Wanted{{Cell: hotel.Cell{Line: p.Line, Group: hotel.Price, Night: p.Night}, Missing: !priced && w.carries(hotel.Price)}}
	}
	out := []ledger.Wanted{wanted(p.Line, hotel.Price, 0, p.Night, hotel.Offer{Amount: price.Offer(base, shown, nil)})}
	for occupancy, h := range p.Prices {
		if occupancy > 0 && w.Caps.Occupancies {
			out = append(out, wanted(p.Line, hotel.Price, occupancy, p.Night, hotel.Offer{Amount: price.Offer(h, shown, nil)}))
		}
	}
	return out
}

// rules works out the restrictions that some products are told.
func (w *Worker) rules(r ledger.RulesWork) []ledger.Wanted {
	told := w.carried.Tell(carriage.House{From: r.From, Today: w.today(), Products: r.House})
	var out []ledger.Wanted
	for i, line := range r.Lines {
		for _, night := range r.Nights {
			if at := int(night - r.From); at >= 0 && at < len(told.Products[i]) && w.reaches(night) {
				rules := told.Products[i][at]
				closures := wanted(line, hotel.Closures, 0, night, hotel.Offer{Closed: rules.Closed})
				closures.Tells = w.tells()
				lengths := wanted(line, hotel.Lengths, 0, night, hotel.Offer{Lengths: rules.Lengths})
				if !w.carries(hotel.Lengths) {
					lengths.Value = nil
				}
				out = append(out, closures, lengths)
			}
		}
	}
	return out
}

// tells says how much of the closures the channel can be told.
func (w *Worker) tells() ledger.Tells {
	switch {
	case w.Caps.Fields[hotel.FieldClosed].As == hotel.Exact:
		return ledger.TellsClosures
	case w.carries(hotel.Closures):
		return ledger.TellsAllButClosed
	}
	return ledger.TellsNothing
}

func wanted(line int64, g hotel.Group, occupancy int, night hotel.Date, o hotel.Offer) ledger.Wanted {
	v := o.Encode(g)
	return ledger.Wanted{Cell: hotel.Cell{Line: line, Group: g, Occupancy: occupancy, Night: night}, Value: &v}
}

// carries reports whether the channel takes any field of the group.
func (w *Worker) carries(g hotel.Group) bool {
	for f, c := range w.Caps.Fields {
		if f.Group() == g && c.As == hotel.Exact {
			return true
		}
	}
	return false
}
