package simulator

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// planNight is one night of a rate plan.
type planNight struct {
	plan  string
	night hotel.Date
}

// told is what is set of it; nil: left as it is.
type told struct {
	book    *simkit.Book
	key     connectors.Key // without a group
	closed  *hotel.Closed
	lengths *hotel.LengthLimits
	prices  map[int]hotel.Money // by number of guests, as the book has them
}

// closures are the closings to change, which are those that are shown at first.
func (t *told) closures() *hotel.Closed {
	if t.closed == nil {
		t.closed = new(t.shown(hotel.Closures).Closed)
	}
	return t.closed
}

// limits are the lengths to change, likewise.
func (t *told) limits() *hotel.LengthLimits {
	if t.lengths == nil {
		t.lengths = new(t.shown(hotel.Lengths).Lengths)
	}
	return t.lengths
}

func (t *told) shown(g hotel.Group) hotel.Offer {
	key := t.key
	key.Group = g
	o, _ := t.book.Shown(key)
	return o
}

// restrictions are the values of one update, as far as they are taken, the later ones
// laid over those before.
type restrictions struct {
	s      *Simulator
	nights map[planNight]*told
	order  []planNight
}

// take implements taker.
func (c *restrictions) take(v value) (map[string]string, string) {
	about, refusal := c.s.about(v, "rate_plan_id")
	if refusal != nil {
		return refusal, ""
	}
	p, known := c.s.plan(about.id)
	if !known {
		return map[string]string{"rate_plan_id": "is invalid"}, ""
	}
	sets, refusal := c.read(p, v)
	if refusal == nil && len(sets) == 0 {
		refusal = map[string]string{"restrictions": "give at least one"}
	}
	if refusal != nil {
		return refusal, ""
	}
	for _, night := range about.nights {
		t := c.at(p, night)
		for _, set := range sets {
			set(t)
		}
	}
	return nil, about.remark
}

// at returns what is set of a night.
func (c *restrictions) at(p plan, night hotel.Date) *told {
	at := planNight{p.Rate, night}
	t, begun := c.nights[at]
	if !begun {
		t = &told{book: c.s.kit.Book, key: connectors.Key{Room: p.Room, Rate: p.Rate, Night: night}, prices: map[int]hotel.Money{}}
		c.nights[at] = t
		c.order = append(c.order, at)
	}
	return t
}

// read returns what a value sets, one function for each of its fields.
func (c *restrictions) read(p plan, v value) (sets []func(*told), refusal map[string]string) {
	refuse := func(field, text string) ([]func(*told), map[string]string) {
		return nil, map[string]string{field: text}
	}
	for _, field := range slices.Sorted(maps.Keys(v)) {
		raw := v[field]
		switch field {
		case "property_id", "rate_plan_id", "date", "date_from", "date_to", "days":
		case "rate":
			amount, why := price(raw, c.s.o.Currency)
			if why != "" {
				return refuse(field, why)
			}
			sets = append(sets, func(t *told) { t.prices[p.options[0].shown] = amount })
		case "rates":
			prices, why := pricesOf(p, raw, c.s.o.Currency)
			if why != "" {
				return refuse(field, why)
			}
			sets = append(sets, func(t *told) { maps.Copy(t.prices, prices) })
		case "stop_sell", "closed_to_arrival", "closed_to_departure":
			flag, why := boolean(raw)
			if why != "" {
				return refuse(field, why)
			}
			sets = append(sets, closing(field, flag))
		case "min_stay", "min_stay_arrival", "min_stay_through", "max_stay":
			set, why := c.length(field, raw)
			if why != "" {
				return refuse(field, why)
			}
			sets = append(sets, set)
		default:
			return refuse(field, unknownField)
		}
	}
	return sets, nil
}

// price reads decimal text, or a whole number of minor units.
func price(raw json.RawMessage, in hotel.Currency) (hotel.Money, string) {
	var amount hotel.Money
	var text string
	var err error
	if json.Unmarshal(raw, &text) == nil {
		amount, err = hotel.ParseMoney(text, in)
	} else {
		amount.Currency = in
		amount.Minor, err = strconv.ParseInt(string(raw), 10, 64)
	}
	switch {
	case err != nil:
		return hotel.Money{}, "is invalid"
	case amount.Minor <= 0:
		return hotel.Money{}, "must be greater than 0"
	}
	return amount, ""
}

// pricesOf reads prices by occupancy.
func pricesOf(p plan, raw json.RawMessage, in hotel.Currency) (map[int]hotel.Money, string) {
	var said []struct {
		Occupancy int             `json:"occupancy"`
		Rate      json.RawMessage `json:"rate"`
	}
	if json.Unmarshal(raw, &said) != nil || len(said) == 0 {
		return nil, "is invalid"
	}
	out := map[int]hotel.Money{}
	for _, one := range said {
		at := slices.IndexFunc(p.options, func(o occupancyOption) bool { return o.guests == one.Occupancy })
		if at < 0 {
			return nil, "the rate plan has no such occupancy"
		}
		amount, why := price(one.Rate, in)
		if why != "" {
			return nil, why
		}
		out[p.options[at].shown] = amount
	}
	return out, ""
}

func boolean(raw json.RawMessage) (bool, string) {
	switch string(raw) {
	case "true", "1":
		return true, ""
	case "false", "0":
		return false, ""
	}
	return false, "is invalid"
}

// closing sets one of the three closings.
func closing(field string, flag bool) func(*told) {
	return func(t *told) {
		switch c := t.closures(); field {
		case "stop_sell":
			c.Closed = flag
		case "closed_to_arrival":
			c.Arrival = flag
		case "closed_to_departure":
			c.Departure = flag
		}
	}
}

var wholeNumber = regexp.MustCompile(`^\d{1,3}$`)

// length sets one of the lengths. A minimum of one night is none. One that the
// property does not read is taken, and nobody looks at it.
func (c *restrictions) length(field string, raw json.RawMessage) (func(*told), string) {
	least := 1
	if field == "max_stay" {
		least = 0
	}
	kind := c.s.minStayType()
	n, err := strconv.Atoi(string(raw))
	switch {
	case field == "min_stay" && kind == both:
		return nil, "is not supported, use min_stay_arrival and min_stay_through"
	case err != nil || !wholeNumber.Match(raw) || n < least:
		return nil, "must be greater than or equal to " + strconv.Itoa(least)
	case field == "min_stay":
		field = "min_stay_" + kind
	}
	if n == 1 && field != "max_stay" {
		n = 0
	}
	return func(t *told) {
		l := t.limits()
		switch {
		case field == "max_stay":
			l.MaxStayArrival = n
		case field == "min_stay_arrival" && kind != through:
			l.MinStayArrival = n
		case field == "min_stay_through" && kind != arrival:
			l.MinStayThrough = n
		}
	}, ""
}

// changes implements taker.
func (c *restrictions) changes() []connectors.Change {
	var out []connectors.Change
	for _, at := range c.order {
		t := c.nights[at]
		key := t.key
		add := func(g hotel.Group, guests int, o hotel.Offer) {
			key.Group, key.Occupancy = g, guests
			out = append(out, connectors.Change{Key: key, Offer: o})
		}
		if t.closed != nil {
			add(hotel.Closures, 0, hotel.Offer{Closed: *t.closed})
		}
		if t.lengths != nil {
			add(hotel.Lengths, 0, hotel.Offer{Lengths: *t.lengths})
		}
		for _, guests := range slices.Sorted(maps.Keys(t.prices)) {
			add(hotel.Price, guests, hotel.Offer{Amount: t.prices[guests]})
		}
	}
	return out
}
