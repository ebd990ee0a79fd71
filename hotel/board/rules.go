package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// HouseRules returns the restrictions of a product on a night: all levels
// merged, and for a derived plan what its parent has as well, closings and the
// stricter lengths. Outside the board the plans' defaults hold. A closed room
// type is no restriction: it has nothing available.
func (b *Board) HouseRules(d hotel.Date, room, plan int) availability.NightRules {
	n := b.Night(d)
	if n == nil || n.restrictions == nil {
		return b.plain[plan]
	}
	return b.rules(b.Plans, n, room, plan)
}

// rules merges the levels of a plan and of those it is derived from. Without a
// night only the plans' defaults have a say.
func (x *index) rules(plans []hotel.RatePlan, n *Night, room, plan int) availability.NightRules {
	levels := availability.Levels{PlanDefault: plans[plan].Restrictions}
	if n != nil {
		levels.Property = n.Restriction(Every, Every)
		levels.RoomType = n.Restriction(room, Every)
		levels.Plan = n.Restriction(Every, plan)
		levels.Product = n.Restriction(room, plan)
	}
	var r availability.NightRules
	r.Closed, r.Lengths = levels.House(nil)
	if x.parents[plan] >= 0 {
		inherited := x.rules(plans, n, room, x.parents[plan])
		r.Closed = r.Closed.Any(inherited.Closed)
		r.Lengths = availability.Stricter(inherited.Lengths, r.Lengths)
	}
	return r
}
