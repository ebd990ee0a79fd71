package ledger

import (
	"ostler.example/hotel"
	"ostler.example/hotel/board"
)

// hindrance is why a night has no room of a type that may be sold, from what a word of the
// house takes back to what no word gives.
type hindrance int

const (
	closedRooms hindrance = iota
	sellLimited
	houseLimited
	noRooms
)

// hindranceOn says why there is none on a night.
func hindranceOn(b *board.Board, d hotel.Date, room int, known bool) hindrance {
	if !known {
		return noRooms
	}
	h := b.House(d)[room]
	switch {
	case h.Available > 0 || h.Free == 0: // another seller's, or nobody's
		return noRooms
	case h.Open > 0:
		return closedRooms
	case b.HouseFull(d, room):
		return houseLimited
	}
	return sellLimited
}

// overbooks reports whether who sells a room all the same sells one that there is not.
func (h hindrance) overbooks() bool { return h >= houseLimited }

// refuse refuses a sale of nights, of which some have no room.
func (h hindrance) refuse(missing []string, of int) *hotel.Refusal {
	var refusal *hotel.Refusal
	var reason string
	switch h {
	case closedRooms:
		reason, refusal = "closed", hotel.Refuse("not_available", "this room type is closed on %d of the %d nights", len(missing), of)
	case sellLimited:
		reason, refusal = "sell_limit", hotel.Refuse("not_available", "the sell limit leaves no room of this type on %d of the %d nights", len(missing), of)
	case houseLimited:
		reason, refusal = "house_limit", hotel.Refuse("not_available", "the limit of the house leaves no room of this type on %d of the %d nights", len(missing), of)
	case noRooms:
		reason, refusal = "full", hotel.Refuse("not_available", "no room of this type is free on %d of the %d nights", len(missing), of)
	}
	refusal.Members = map[string]any{"nights": missing, "reason": reason}
	return refusal
}
