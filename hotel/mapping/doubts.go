package mapping

import (
	"slices"
	"strconv"

	"ostler.example/hotel"
)

// Doubts tells what speaks against selling ours as the remote
// product: parties come that do not fit, guests expect another board, or prices are read
// in another currency. What the far side does not tell raises none.
func (h House) Doubts(theirs hotel.RemoteProduct, roomTypeID, ratePlanID string) []Reason {
	var doubts []Reason
	room := slices.IndexFunc(h.Rooms, func(r hotel.RoomType) bool { return r.ID == roomTypeID })
	if room >= 0 && theirs.Adults > h.Rooms[room].MaxAdults {
		doubts = append(doubts, because("adults_more", strconv.Itoa(theirs.Adults), h.Rooms[room].Name, strconv.Itoa(h.Rooms[room].MaxAdults)))
	}
	plan := slices.IndexFunc(h.Plans, func(p hotel.RatePlan) bool { return p.ID == ratePlanID })
	if plan >= 0 && theirs.Board != "" && theirs.Board != h.Plans[plan].MealPlan {
		doubts = append(doubts, because("board_not", theirs.Board, h.Plans[plan].MealPlan))
	}
	if theirs.Currency != "" && h.Currency != "" && theirs.Currency != h.Currency {
		doubts = append(doubts, because("currency_not", string(theirs.Currency), string(h.Currency)))
	}
	return doubts
}
