package mapping

import (
	"slices"

	"ostler.example/hotel"
)

// Gap is something that a mapping leaves out. Of ours it has the ids, of theirs the codes.
type Gap struct {
	Code                   string // room_not_mapped, plan_not_mapped, remote_not_mapped or remote_unknown
	RoomTypeID, RatePlanID string
	RemoteRoom, RemoteRate string
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

// RemoteGaps finds what the far side offers and nothing is sold as, and the codes that
// it does not offer.
func (h House) RemoteGaps(offered []hotel.RemoteProduct) []Gap {
	var gaps []Gap
	for _, p := range offered {
		if !h.mapped(p) {
			gaps = append(gaps, Gap{
				Code: "remote_not_mapped", RemoteRoom: p.Room, RemoteRate: p.Rate,
				Detail: "nothing of ours is sold as it: what the far side shows of it is not ours to say",
			})
		}
	}
	for _, m := range h.Mappings {
		known := slices.ContainsFunc(offered, func(p hotel.RemoteProduct) bool { return p.Room == m.RemoteRoom && p.Rate == m.RemoteRate })
		if !known && !m.Retired {
			gaps = append(gaps, Gap{
				Code: "remote_unknown", RoomTypeID: m.RoomTypeID, RatePlanID: m.RatePlanID, RemoteRoom: m.RemoteRoom, RemoteRate: m.RemoteRate,
				Detail: "the far side offers no such room and rate",
			})
		}
	}
	return gaps
}

func (h House) any(is func(hotel.Mapping) bool) bool {
	return slices.ContainsFunc(h.Mappings, func(m hotel.Mapping) bool { return !m.Retired && is(m) })
}
