package ledger

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
)

// OverbookedBody is the body of an entry that a booking found no room on a night. Sold
// and Total are units of the pools of which its room type takes one, guests and blocks
// included, allowed overbooking apart; PoolID is the first of the pools.
type OverbookedBody struct {
	RoomTypeID    string     `json:"room_type_id"`
	PoolID        string     `json:"pool_id"`
	Date          hotel.Date `json:"date"`
	Sold          int        `json:"sold"`
	Total         int        `json:"total"`
	ReservationID string     `json:"reservation_id"`
}

// tellOverbooked journals that a booking found no room on a night of the board.
func (t *tx) tellOverbooked(s *structure, b *board.Board, r *hotel.Reservation, d hotel.Date) error {
	body := OverbookedBody{RoomTypeID: r.RoomOn(d), Date: d, ReservationID: r.ID}
	pools := s.room(body.RoomTypeID).Consumes[0].AnyOf
	body.PoolID = pools[0]
	n := b.Night(d)
	for _, id := range pools {
		if at, known := b.Pool(id); known {
			body.Total += n.Pools[at].Usable() - n.Pools[at].Overbooking
		}
	}
	for _, room := range s.rooms {
		at, known := b.Room(room.ID)
		for _, draw := range room.Consumes {
			if known && slices.ContainsFunc(draw.AnyOf, func(id string) bool { return slices.Contains(pools, id) }) {
				body.Sold += max(1, draw.Units) * (n.Rooms[at].Sold + n.Rooms[at].Held + n.Rooms[at].Blocked)
			}
		}
	}
	_, err := t.append(entry{property: r.PropertyID, kind: InventoryOverbooked, subject: body.RoomTypeID, body: body})
	return err
}
