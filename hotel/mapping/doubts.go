package mapping

import (
	"fmt"
	"slices"
	"strings"

	"ostler.example/hotel"
)

// Doubts tells, in sentences for people, what speaks against selling ours as the remote
// product: parties come that do not fit, guests expect another board, or prices are read
// in another currency. What the far side does not tell raises none.
func (h House) Doubts(theirs hotel.RemoteProduct, roomTypeID, ratePlanID string) []string {
	var doubts []string
	room := slices.IndexFunc(h.Rooms, func(r hotel.RoomType) bool { return r.ID == roomTypeID })
	if room >= 0 && theirs.Adults > h.Rooms[room].MaxAdults {
		doubts = append(doubts, fmt.Sprintf("it is sold to up to %d adults, %s takes %d", theirs.Adults, h.Rooms[room].Name, h.Rooms[room].MaxAdults))
	}
	plan := slices.IndexFunc(h.Plans, func(p hotel.RatePlan) bool { return p.ID == ratePlanID })
	if plan >= 0 && theirs.Board != "" && theirs.Board != h.Plans[plan].MealPlan {
		doubts = append(doubts, boards(theirs.Board, h.Plans[plan].MealPlan))
	}
	if theirs.Currency != "" && h.Currency != "" && theirs.Currency != h.Currency {
		doubts = append(doubts, fmt.Sprintf("its prices are in %s, the channel is told %s: set one to the other before it goes live", theirs.Currency, h.Currency))
	}
	return doubts
}

// boards tells that two differ.
func boards(theirs, ours string) string {
	return fmt.Sprintf("theirs comes with %s, ours with %s", spoken(theirs), spoken(ours))
}

// spoken is a meal plan in words.
func spoken(board string) string { return strings.ReplaceAll(board, "_", " ") }
