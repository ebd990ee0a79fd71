package ledger

import (
	"cmp"

	"ostler.example/hotel"
)

// typePrice types an amount as the price of the entry's product for a number of
// guests, 0 of them for the base occupancy. A plan by the room has one amount, from
// which all its prices follow.
func (s *structure) typePrice(e *hotel.RateEntry, guests int, amount hotel.Money) {
	room, plan := s.room(e.RoomTypeID), s.plan(e.RatePlanID)
	if guests == 0 || room == nil || plan == nil || guests == room.BaseOccupancy || plan.Pricing != hotel.PerOccupancy {
		e.Amount = hotel.Given(amount)
		return
	}
	e.Occupancies = map[int]hotel.Optional[hotel.Money]{guests: hotel.Given(amount)}
}

// pricedFor is for how many guests the price of a cell is, of a line of the mappings;
// 0: those of the base occupancy.
func pricedFor(mappings []hotel.Mapping, line int64, occupancy int) int {
	for _, m := range mappings {
		if m.Line == line {
			return cmp.Or(occupancy, m.Guests)
		}
	}
	return occupancy
}
