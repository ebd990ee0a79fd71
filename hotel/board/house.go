package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/price"
)

// House returns what the property has of each room type on the night, nil
// outside the board.
func (b *Board) House(d hotel.Date) []availability.House {
	n := b.Night(d)
	if n == nil {
		return nil
	}
	return b.layout.House(&n.Night)
}

// ExplainHouse returns what the property has of one room type on the night and
// records the steps of [availability.Layout.Explain]. Outside the board there is
// nothing, and nothing to record.
func (b *Board) ExplainHouse(d hotel.Date, room int, tr *hotel.Trace) availability.House {
	n := b.Night(d)
	if n == nil {
		return availability.House{}
	}
	return b.layout.Explain(&n.Night, room, tr)
}

// HousePrice returns the price of a product on a night for a number of guests, 0
// of them for the base occupancy. An amount typed for the product counts before
// the plan's derivation. It reports false when the night has no price, when the
// plan does not sell the room, and outside the board.
func (b *Board) HousePrice(d hotel.Date, room, plan, occupancy int) (price.House, bool) {
	return b.ExplainPrice(d, room, plan, occupancy, nil)
}

// ExplainPrice does what HousePrice does and records the steps: rate_base, then
// one derivation for each plan on the way down.
func (b *Board) ExplainPrice(d hotel.Date, room, plan, occupancy int, tr *hotel.Trace) (price.House, bool) {
	n := b.Night(d)
	if n == nil || !b.products[room][plan] {
		return price.House{}, false
	}
	if occupancy == 0 {
		occupancy = b.RoomTypes[room].BaseOccupancy
	}
	return b.price(n, room, plan, occupancy, tr)
}

func (b *Board) price(n *Night, room, plan, guests int, tr *hotel.Trace) (price.House, bool) {
	p := &b.Plans[plan]
	if amount := b.typed(n, room, plan, guests); amount != None {
		h := price.Base(hotel.Money{Minor: amount, Currency: p.Currency})
		if tr != nil {
			tr.AddText("rate_base", h.Text(), origin(p))
		}
		return h, true
	}
	if b.parents[plan] < 0 || n.Rates[room][plan].Amount != None {
		return price.House{}, false
	}
	parent, ok := b.price(n, room, b.parents[plan], guests, tr)
	if !ok {
		return price.House{}, false
	}
	h := price.Derive(parent, *p.DerivedFrom)
	if tr != nil {
		tr.AddText("derivation", h.Text(), p.DerivedFrom.Value+" "+string(p.DerivedFrom.Kind)+" on "+p.DerivedFrom.RatePlanID)
	}
	return h, true
}

// typed returns the amount that somebody typed for the product, or None.
func (b *Board) typed(n *Night, room, plan, guests int) int64 {
	r := &b.RoomTypes[room]
	return n.Rates[room][plan].price(b.Plans[plan].Pricing, guests, r.BaseOccupancy, r.MaxOccupancy)
}

// origin says how an amount came to be typed.
func origin(p *hotel.RatePlan) string {
	if p.DerivedFrom != nil {
		return "manual_override"
	}
	return "manual"
}

// quoted returns the finished price in minor units, or None.
func (b *Board) quoted(n *Night, room, plan, guests int) int64 {
	// A typed amount is finished as it stands; most prices are, so this spares
	// the exact arithmetic.
	if amount := b.typed(n, room, plan, guests); amount >= 0 {
		return amount
	}
	h, ok := b.price(n, room, plan, guests, nil)
	if !ok {
		return None
	}
	return price.Quote(h).Minor
}
