package ledger

import (
	"fmt"
	"slices"

	"ostler.example/hotel"
)

// checkRoom returns the room type that an entry names, or what is wrong with it.
func (s *structure) checkRoom(entry int, id string) (*hotel.RoomType, error) {
	if r := s.room(id); r != nil {
		return r, nil
	}
	return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/room_type_id", entry), "unknown_room_type", "the property has no room type of that id")
}

// checkProduct returns the plan of the product that an entry names.
func (s *structure) checkProduct(entry int, room, plan string) (*hotel.RatePlan, error) {
	if _, err := s.checkRoom(entry, room); err != nil {
		return nil, err
	}
	p := s.plan(plan)
	if p == nil {
		return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/rate_plan_id", entry), "unknown_rate_plan", "the property has no rate plan of that id")
	}
	if slices.Contains(p.RoomTypeIDs, room) {
		return p, nil
	}
	return nil, hotel.Invalid(fmt.Sprintf("/entries/%d/rate_plan_id", entry), "unknown_rate_plan", "rate plan %s does not sell room type %s", plan, room)
}
