package readback

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/contain"
)

// lines are the numbers of a channel's counters and mappings by its own codes.
type lines struct {
	counters, mappings map[connectors.Key]int64
	currencies         map[int64]hotel.Currency // in which a mapping's prices are told
}

func (r *Reader) lines(ctx context.Context) (lines, error) {
	counters, mappings, err := r.Ledger.Lines(ctx, r.Channel.ID)
	if err != nil {
		return lines{}, fmt.Errorf("lines of channel %s: %w", r.Channel.ID, err)
	}
	plans, err := r.Ledger.RatePlans(ctx, r.Property.ID)
	if err != nil {
		return lines{}, fmt.Errorf("rate plans of channel %s: %w", r.Channel.ID, err)
	}
	of := make(map[string]hotel.Currency, len(plans))
	for _, p := range plans {
		of[p.ID] = p.Currency
	}
	l := lines{counters: map[connectors.Key]int64{}, mappings: map[connectors.Key]int64{}, currencies: map[int64]hotel.Currency{}}
	for _, c := range counters {
		l.counters[connectors.Key{Room: c.RemoteRoom, Rate: c.RemoteRate}] = c.Line
	}
	for _, m := range mappings {
		l.mappings[connectors.Key{Room: m.RemoteRoom, Rate: m.RemoteRate}] = m.Line
		l.currencies[m.Line] = cmp.Or(r.Channel.Pricing.Currency, of[m.RatePlanID], r.Property.Currency)
	}
	return l, nil
}

// cells turns what a far side shows into cells of the ledger: what can be believed
// of it, and of each group the fields alone that the channel is told. What it has
// beside them is the hotel's own business there, and so are rates that nothing is
// mapped to. leftOut is where it says nothing. The fault is what could not be believed.
func (l lines) cells(shown []connectors.Change, terms hotel.Terms, room string, nights hotel.Span) (out []ledger.SentCell, leftOut map[hotel.Cell]bool, fault hotel.Fault) {
	shown, fault = contain.Shown(shown, room, nights)
	leftOut = map[hotel.Cell]bool{}
	if fault == (hotel.Fault{}) {
		out = l.empty(shown, nights)
	}
	for _, c := range out {
		leftOut[c.Cell] = true
	}
	for _, c := range shown {
		line, known := l.line(c.Key)
		if !known {
			continue
		}
		if got, want := c.Offer.Amount.Currency, l.currencies[line]; c.Key.Group == hotel.Price && got != want {
			// A number of another currency is none of this one's.
			fault = hotel.Fault{Kind: hotel.FaultCurrency, Words: fmt.Sprintf("the price of %s/%s on %s is in %s, not in %s", c.Key.Room, c.Key.Rate, c.Key.Night, got, want)}
			continue
		}
		cell := hotel.Cell{Line: line, Group: c.Key.Group, Occupancy: c.Key.Occupancy, Night: c.Key.Night}
		out = append(out, ledger.SentCell{Cell: cell, Value: told(c.Offer, terms).Encode(cell.Group)})
	}
	return out, leftOut, fault
}

// empty lists the nights asked for on which a far side shows no count, or no price of so many
// guests, while it does on others: there it has nothing on sale, and a price of nothing is
// none. An answer of which anything is not to be believed is no proof of that.
func (l lines) empty(shown []connectors.Change, nights hotel.Span) (out []ledger.SentCell) {
	named := map[hotel.Cell]map[hotel.Date]bool{} // by cell without its night
	for _, c := range shown {
		line, known := l.line(c.Key)
		if !known || c.Key.Group != hotel.Availability && c.Key.Group != hotel.Price {
			continue
		}
		of := hotel.Cell{Line: line, Group: c.Key.Group, Occupancy: c.Key.Occupancy}
		if named[of] == nil {
			named[of] = map[hotel.Date]bool{}
		}
		named[of][c.Key.Night] = true
	}
	inOrder := func(a, b hotel.Cell) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Group, b.Group), cmp.Compare(a.Occupancy, b.Occupancy))
	}
	for _, cell := range slices.SortedFunc(maps.Keys(named), inOrder) {
		on := named[cell]
		for cell.Night = nights.From; cell.Night <= nights.To; cell.Night++ {
			if !on[cell.Night] {
				out = append(out, ledger.SentCell{Cell: cell})
			}
		}
	}
	return out
}

func (l lines) line(k connectors.Key) (int64, bool) {
	of := l.mappings
	if k.Group == hotel.Availability {
		of = l.counters
	}
	line, known := of[connectors.Key{Room: k.Room, Rate: k.Rate}]
	return line, known
}

// told reduces an offer to the fields that the channel takes.
func told(o hotel.Offer, terms hotel.Terms) hotel.Offer {
	absent := func(f hotel.Field) bool { return terms.Fields[f].As != hotel.Exact }
	for f, flag := range map[hotel.Field]*bool{
		hotel.FieldClosed: &o.Closed.Closed, hotel.FieldClosedToArrival: &o.Closed.Arrival, hotel.FieldClosedToDeparture: &o.Closed.Departure,
	} {
		*flag = *flag && !absent(f)
	}
	for f, n := range map[hotel.Field]*int{
		hotel.FieldMinStayArrival: &o.Lengths.MinStayArrival, hotel.FieldMinStayThrough: &o.Lengths.MinStayThrough,
		hotel.FieldMaxStayArrival: &o.Lengths.MaxStayArrival, hotel.FieldMaxStayThrough: &o.Lengths.MaxStayThrough,
		hotel.FieldMinAdvance: &o.Lengths.MinAdvance, hotel.FieldMaxAdvance: &o.Lengths.MaxAdvance,
	} {
		if absent(f) {
			*n = 0
		}
	}
	return o
}
