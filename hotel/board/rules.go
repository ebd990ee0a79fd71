package board

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// HouseRules returns the restrictions of a product on a night: all levels
// merged, and for a derived plan what it inherits of its parent's as well,
// closings and the stricter lengths. Outside the board the plans' defaults hold. A closed room
// type is no restriction: it has nothing available.
func (b *Board) HouseRules(d hotel.Date, room, plan int) availability.NightRules {
	n := b.Night(d)
	if n == nil || n.restrictions == nil {
		return b.plain[plan]
	}
	return b.rules(b.Plans, n, room, plan, nil)
}

// BaseRules is HouseRules without what a derived plan inherits.
func (b *Board) BaseRules(d hotel.Date, room, plan int) availability.NightRules {
	return b.ownRules(b.Plans, b.Night(d), room, plan, nil)
}

// ExplainRules does what HouseRules does and records the steps: for every field
// each level that has a say, of the plans that a plan is derived from first.
func (b *Board) ExplainRules(d hotel.Date, room, plan int, tr *hotel.Trace) availability.NightRules {
	return b.rules(b.Plans, b.Night(d), room, plan, tr)
}

// rules merges the levels of a plan and of those it is derived from. Without a
// night only the plans' defaults have a say.
func (x *index) rules(plans []hotel.RatePlan, n *Night, room, plan int, tr *hotel.Trace) availability.NightRules {
	if x.parents[plan] < 0 {
		return x.ownRules(plans, n, room, plan, tr)
	}
	inherited := inherit(x.rules(plans, n, room, x.parents[plan], tr), plans[plan].Inherit)
	r := x.ownRules(plans, n, room, plan, tr)
	r.Closed = r.Closed.Any(inherited.Closed)
	r.Lengths = availability.Stricter(inherited.Lengths, r.Lengths)
	r.Record("inherited", "the stricter of its own and what it takes over from "+plans[x.parents[plan]].ID, tr)
	return r
}

// ownRules merges the levels of a plan alone.
func (*index) ownRules(plans []hotel.RatePlan, n *Night, room, plan int, tr *hotel.Trace) (r availability.NightRules) {
	levels := availability.Levels{PlanDefault: defaults(&plans[plan])}
	if n != nil && n.restrictions != nil {
		levels.Property = n.Restriction(Every, Every)
		levels.RoomType = n.Restriction(room, Every)
		levels.Plan = n.Restriction(Every, plan)
		levels.Product = n.Restriction(room, plan)
	}
	r.Closed, r.Lengths = levels.House(tr)
	return r
}

// defaults is what a plan says where no night does: its restrictions, and its
// advance days where those say nothing of them.
func defaults(p *hotel.RatePlan) hotel.Restriction {
	r := p.Restrictions
	if r.MinAdvance == nil {
		r.MinAdvance = p.MinAdvance
	}
	if r.MaxAdvance == nil {
		r.MaxAdvance = p.MaxAdvance
	}
	return r
}

// inherit leaves of a parent's rules what a derived plan takes over; nil is all.
func inherit(parent availability.NightRules, only *[]hotel.Inheritance) availability.NightRules {
	if only == nil {
		return parent
	}
	takes := func(i hotel.Inheritance) bool { return slices.Contains(*only, i) }
	var r availability.NightRules
	r.Closed = hotel.Closed{
		Closed:    parent.Closed.Closed && takes(hotel.InheritClosed),
		Arrival:   parent.Closed.Arrival && takes(hotel.InheritClosedToArrival),
		Departure: parent.Closed.Departure && takes(hotel.InheritClosedToDeparture),
	}
	from := &parent.Lengths
	if takes(hotel.InheritMinStay) {
		r.Lengths.MinStayArrival, r.Lengths.MinStayThrough = from.MinStayArrival, from.MinStayThrough
	}
	if takes(hotel.InheritMaxStay) {
		r.Lengths.MaxStayArrival, r.Lengths.MaxStayThrough = from.MaxStayArrival, from.MaxStayThrough
	}
	if takes(hotel.InheritAdvance) {
		r.Lengths.MinAdvance, r.Lengths.MaxAdvance = from.MinAdvance, from.MaxAdvance
	}
	return r
}
