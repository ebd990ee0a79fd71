package mapping

import (
	"slices"

	"ostler.example/hotel"
)

// Gap is a room type or rate plan that a mapping leaves out.
type Gap struct {
	Code                   string // room_not_mapped or plan_not_mapped
	RoomTypeID, RatePlanID string // the one or the other
	Detail                 string // for people
}

// Gaps finds the rooms and plans of the house that no code of the channel sells.
func (h House) Gaps() []Gap {
	var gaps []Gap
	for _, r := range h.Rooms {
		if r.Status == hotel.Active && !h.any(func(m hotel.Mapping) bool { return m.RoomTypeID == r.ID }) {
			gaps = append(gaps, Gap{Code: "room_not_mapped", RoomTypeID: r.ID, Detail: r.Name + " is not sold by this channel"})
		}
	}
	for _, p := range h.Plans {
		if p.Status == hotel.Active && slices.Contains(p.SoldBy, h.ChannelID) && !h.any(func(m hotel.Mapping) bool { return m.RatePlanID == p.ID }) {
			gaps = append(gaps, Gap{Code: "plan_not_mapped", RatePlanID: p.ID, Detail: p.Name + " names this channel in sold_by and has no code there"})
		}
	}
	return gaps
}

func (h House) any(is func(hotel.Mapping) bool) bool {
	return slices.ContainsFunc(h.Mappings, func(m hotel.Mapping) bool { return !m.Retired && is(m) })
}
