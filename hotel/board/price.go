package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// HousePrice returns the price of a product on a night for a number of adults, 0
// of them for the base occupancy. It reports false when the night has no price,
// when the plan does not sell the room, and outside the board.
//
// An amount typed for the product counts before the plan's derivation. A derived
// plan starts from its parent's price, finished but for the rounding. Then the
// rules act, unless somebody has locked the price, and then the plan's limits.
func (b *Board) HousePrice(d hotel.Date, room, plan, occupancy int) (price.House, bool) {
	return b.ExplainPrice(d, room, plan, occupancy, nil)
}

// ExplainPrice does what HousePrice does and records the steps: for every plan
// from the one with a typed amount down, rate_base or derivation, the rules that
// acted, and floor_ceiling.
func (b *Board) ExplainPrice(d hotel.Date, room, plan, occupancy int, tr *hotel.Trace) (price.House, bool) {
	if b.Night(d) == nil || !b.products[room][plan] {
		return price.House{}, false
	}
	if occupancy == 0 {
		occupancy = b.RoomTypes[room].BaseOccupancy
	}
	return b.newPricing(d, room, price.Adults(occupancy), tr).price(plan)
}

// ByHead reports whether the price of a product on a night may be another for other
// numbers of adults: its plan, or one that it is derived from, has prices for them,
// further guests pay, or the plan is derived by the person. It reports false where
// HousePrice does.
func (b *Board) ByHead(d hotel.Date, room, plan int) bool {
	n := b.Night(d)
	if n == nil || !b.products[room][plan] {
		return false
	}
	for {
		rate, parent := &n.Rates[room][plan], b.parents[plan]
		switch {
		case rate.Extra != nil || b.Plans[plan].Pricing == hotel.PerOccupancy:
			return true
		case rate.Amount != None || parent < 0:
			return false
		case b.derived[plan].PerPerson():
			return true
		}
		plan = parent
	}
}

// Further returns what so many adults pay on a night of the board, in minor units, beyond
// the amount of a plan by the room.
func (b *Board) Further(d hotel.Date, room, plan, adults int) int64 {
	rate, g := b.Night(d).Rates[room][plan], price.Adults(adults)
	rate.Amount = 0
	return rate.For(&b.terms[room][plan], &g)
}

// Story is a price and how it came about.
type Story struct {
	Price  price.House
	Base   price.House // before the rules and limits of the plan itself
	Origin hotel.PriceOrigin
	Rules  []string // the ids of the rules that made it, in the order in which they acted
}

// Story does what HousePrice does, and tells how the price came about. Without a
// price it reports false, and the origin is [hotel.NoPrice].
func (b *Board) Story(d hotel.Date, room, plan, occupancy int) (Story, bool) {
	none := Story{Origin: hotel.NoPrice}
	if b.Night(d) == nil || !b.products[room][plan] {
		return none, false
	}
	if occupancy == 0 {
		occupancy = b.RoomTypes[room].BaseOccupancy
	}
	p := b.newPricing(d, room, price.Adults(occupancy), nil)
	h, ok := p.price(plan)
	if !ok {
		return none, false
	}
	s := Story{Price: h, Base: p.start, Origin: p.origin}
	for _, i := range p.acted {
		s.Rules = append(s.Rules, b.list[i].ID)
	}
	return s, true
}

// quotedOn returns the finished price of a product on a date, or None. Children
// of unknown age are of the band that makes it dearest.
func (b *Board) quotedOn(d hotel.Date, room, plan int, guests *price.Guests) int64 {
	n := b.Night(d)
	if n == nil || !b.products[room][plan] {
		return None
	}
	// A typed amount on which nothing acts is finished as it stands; most prices
	// are, so this spares the exact arithmetic.
	rate := &n.Rates[room][plan]
	if b.plainly[room][plan] && (guests.Unknown == 0 || rate.Extra == nil) {
		if amount := rate.For(&b.terms[room][plan], guests); amount >= 0 {
			return amount
		}
	}
	dearest := None
	price.Bands(b.Property.AgeBands).Supposed(*guests, func(g price.Guests) bool {
		h, ok := b.newPricing(d, room, g, nil).price(plan)
		if ok {
			dearest = max(dearest, price.Quote(h).Minor)
		}
		return ok
	})
	return dearest
}

// pricing works out prices of one room type on one night for the same guests.
type pricing struct {
	b            *Board
	night        *Night
	date         hotel.Date
	room         int
	guests, base price.Guests
	trace        *hotel.Trace
	acted        []int // the rules that made the price so far

	// Of the plan that was worked out last: its price before its own rules, and
	// where that comes from.
	start  price.House
	origin hotel.PriceOrigin
}

// newPricing is for nights on the board.
func (b *Board) newPricing(d hotel.Date, room int, g price.Guests, tr *hotel.Trace) *pricing {
	return &pricing{
		b: b, night: b.Night(d), date: d, room: room, guests: g, trace: tr,
		base: price.Adults(b.RoomTypes[room].BaseOccupancy),
	}
}

// price returns the price of a plan, finished but for the rounding.
func (p *pricing) price(plan int) (price.House, bool) {
	rate, of := &p.night.Rates[p.room][plan], &p.b.Plans[plan]
	h, ok := p.typed(rate, plan)
	origin := p.b.origin(plan)
	if !ok {
		if p.b.parents[plan] < 0 || rate.Amount != None {
			return price.House{}, false
		}
		parent, ok := p.price(p.b.parents[plan])
		if !ok {
			return price.House{}, false
		}
		h, origin = p.b.derived[plan].Derive(parent, p.guests, p.base), hotel.DerivedPrice
		if p.trace != nil {
			p.trace.AddText("derivation", h.Text(), p.b.derived[plan].By)
			p.trace.Name(hotel.Acted{ID: of.DerivedFrom.RatePlanID, Kind: string(of.DerivedFrom.Kind)})
		}
	}
	p.start, p.origin = h, origin
	if !rate.LockedOn(p.b.Today) {
		h = p.rules(h, plan)
	}
	h = h.Within(price.LimitsOf(of, p.b.RoomTypes[p.room].ID, p.date))
	if p.trace != nil {
		p.trace.AddText("floor_ceiling", h.Text(), h.Limits.By(of.Currency))
	}
	return h, true
}

// typed returns the price that somebody typed for the product.
func (p *pricing) typed(rate *Rate, plan int) (price.House, bool) {
	terms := &p.b.terms[p.room][plan]
	amount := rate.For(terms, &p.guests)
	if amount == None {
		return price.House{}, false
	}
	base := amount
	if p.guests != p.base {
		base = rate.For(terms, &p.base)
	}
	h := price.BaseFor(hotel.Money{Minor: amount, Currency: p.b.Plans[plan].Currency}, base)
	if p.trace != nil {
		p.trace.AddText("rate_base", h.Text(), string(p.b.origin(plan)))
		p.trace.Name(hotel.Acted{ID: p.b.Plans[plan].ID})
	}
	return h, true
}

// origin says how an amount came to be typed.
func (b *Board) origin(plan int) hotel.PriceOrigin {
	if b.parents[plan] >= 0 {
		return hotel.ManualOverride
	}
	return hotel.ManualPrice
}
