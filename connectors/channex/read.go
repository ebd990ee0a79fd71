package channex

import (
	"context"
	"maps"
	"net/url"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Of how many nights Channex is asked at a time. It shows every price of every rate plan
// of the property, about so many bytes for each on a night, and a large one's would be
// more than is read of an answer.
const (
	mostNightsAtOnce = 31
	shownBytes       = 250
	mostShownBytes   = 2 << 20
)

func nightsAtOnce(plans []ratePlan) hotel.Date {
	prices := 0
	for _, p := range plans {
		prices += 1 + len(p.Attributes.Options)
	}
	return hotel.Date(min(max(mostShownBytes/(shownBytes*max(prices, 1)), 1), mostNightsAtOnce))
}

// asked are the restrictions that are read back.
const asked = "rate,min_stay_arrival,min_stay_through,max_stay,closed_to_arrival,closed_to_departure,stop_sell"

// Read implements [connectors.Reader].
func (c *conn) Read(ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
	return c.read(ctx, func(r string) bool { return r == room }, from, to)
}

// ReadWhole implements [connectors.WholeReader].
func (c *conn) ReadWhole(ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
	return c.read(ctx, func(string) bool { return true }, from, to)
}

// read asks for nights and returns what is shown of the rooms that are wanted.
func (c *conn) read(ctx context.Context, wanted func(room string) bool, from, to hotel.Date) ([]connectors.Change, error) {
	const op = "read back"
	plans, err := all[ratePlan](ctx, c, op, "rate_plans")
	if err != nil {
		return nil, err
	}
	atOnce := nightsAtOnce(plans)
	plans = slices.DeleteFunc(plans, func(p ratePlan) bool { return !wanted(p.room()) })
	var out []connectors.Change
	for first := from; first <= to; first += atOnce {
		nights := hotel.Span{From: first, To: min(to, first+atOnce-1)}
		query := url.Values{
			"filter[property_id]": {c.cfg.Property},
			"filter[date][gte]":   {nights.From.String()}, "filter[date][lte]": {nights.To.String()},
		}
		var counts countsAnswer
		if err := c.get(ctx, op, "availability", query, &counts); err != nil {
			return nil, err
		}
		query.Set("filter[restrictions]", asked)
		var rest restrictionsAnswer
		if err := c.get(ctx, op, "restrictions", query, &rest); err != nil {
			return nil, err
		}
		shown, err := c.shown(wanted, plans, nights, counts, rest)
		if err != nil {
			return nil, unreadable(op, err)
		}
		out = append(out, shown...)
	}
	c.doubts.shown(out)
	return out, nil
}

// shown turns what is shown of the room types that are wanted into changes, night by night.
func (c *conn) shown(wanted func(room string) bool, plans []ratePlan, nights hotel.Span, counts countsAnswer, rest restrictionsAnswer) ([]connectors.Change, error) {
	var out []connectors.Change
	for night := nights.From; night <= nights.To; night++ {
		for _, room := range slices.Sorted(maps.Keys(counts.Data)) {
			if count, known := counts.Data[room][night]; known && wanted(room) {
				key := connectors.Key{Room: room, Group: hotel.Availability, Night: night}
				out = append(out, connectors.Change{Key: key, Offer: hotel.Offer{Available: count}})
			}
		}
		for _, p := range plans {
			count, known := counts.Data[p.room()][night]
			changes, err := c.shownOf(p, night, rest, known && count == 0)
			if err != nil {
				return nil, err
			}
			out = append(out, changes...)
		}
	}
	return out, nil
}

// shownOf is what is shown of one rate plan on one night. Where no room is left
// Channex calls the plan closed, whatever it was told, so that a closing there says
// nothing. A price of zero is what it shows of a night that it was never told, or has
// dropped.
func (c *conn) shownOf(p ratePlan, night hotel.Date, rest restrictionsAnswer, soldOut bool) ([]connectors.Change, error) {
	key := connectors.Key{Room: p.room(), Rate: p.ID, Night: night}
	var out []connectors.Change
	add := func(g hotel.Group, guests int, o hotel.Offer) {
		key.Group, key.Occupancy = g, guests
		out = append(out, connectors.Change{Key: key, Offer: o})
	}
	if at, known := rest.Data[p.ID][night]; known {
		if !at.StopSell || !soldOut {
			add(hotel.Closures, 0, hotel.Offer{Closed: hotel.Closed{Closed: at.StopSell, Arrival: at.ClosedToArrival, Departure: at.ClosedToDeparture}})
		}
		add(hotel.Lengths, 0, hotel.Offer{Lengths: c.lengths(at)})
	}
	for _, o := range p.Attributes.Options {
		at, known := rest.Data[o.ID][night]
		if !known || at.Rate == "" {
			continue
		}
		amount, err := parseAmount(at.Rate, p.Attributes.Currency)
		if err != nil {
			return nil, err
		}
		if o.Primary {
			add(hotel.Price, 0, hotel.Offer{Amount: amount})
		}
		if c.cfg.mode(p.ID) == PerPerson {
			add(hotel.Price, o.Occupancy, hotel.Offer{Amount: amount})
		}
	}
	return out, nil
}

// lengths are those that the property reads. A minimum of one night is none.
func (c *conn) lengths(at shownNight) hotel.LengthLimits {
	atLeast := func(nights int, read bool) int {
		if nights == 1 || !read {
			return 0
		}
		return nights
	}
	return hotel.LengthLimits{
		MinStayArrival: atLeast(at.MinStayArrival, c.cfg.MinStayType != Through),
		MinStayThrough: atLeast(at.MinStayThrough, c.cfg.MinStayType != Arrival),
		MaxStayArrival: at.MaxStay,
	}
}
