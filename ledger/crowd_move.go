package ledger

import (
	"cmp"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// MovableTo is a guest who can be moved to rooms of another type.
type MovableTo struct {
	ReservationID string       `json:"reservation_id"`
	From          string       `json:"from_room_type_id"`
	RoomTypeID    string       `json:"room_type_id"`
	Nights        int          `json:"nights"` // crowded ones that it helps
	Cost          *hotel.Money `json:"cost"`   // by how much the other rooms are dearer; null: not known
	Others        []MoveTo     `json:"others,omitempty"`
}

// MoveTo is a further type of which a room is free, the cheapest first.
type MoveTo struct {
	RoomTypeID string       `json:"room_type_id"`
	Cost       *hotel.Money `json:"cost"` // as of [MovableTo]
}

// Of a crowd no more bookings are looked at, and no more moves are proposed.
const (
	mostMoved    = 40
	mostProposed = 3
)

// crowd is the bookings that take rooms on crowded nights.
type crowd struct {
	t        *tx
	s        *structure
	nights   []CrowdNight
	bookings []hotel.Reservation // the latest first
}

// crowdOf reads who takes the rooms of a type, or of others that are sold from the
// same rooms, on crowded nights; of the whole house where its limit is passed.
func (t *tx) crowdOf(s *structure, room string, of CrowdFacts) (*crowd, error) {
	c := &crowd{t: t, s: s, nights: of.Crowded}
	at, known := s.empty.Room(room)
	if !known {
		return c, nil
	}
	sharing, ids := s.empty.Sharing(), map[string]bool{}
	for _, n := range of.Crowded {
		rows, err := t.q.TakenOn(t.ctx, ledgerdb.TakenOnParams{PropertyID: s.property.ID, Night: int64(n.From)})
		if err != nil {
			return nil, fmt.Errorf("who has rooms on %s: %w", n.From, err)
		}
		for _, r := range rows {
			if other, known := s.empty.Room(r.RoomTypeID); known && (of.House || sharing[other] == sharing[at]) {
				ids[r.ReservationID] = true
			}
		}
	}
	list := make([]string, 0, len(ids))
	for id := range ids {
		list = append(list, id)
	}
	slices.Sort(list)
	slices.Reverse(list) // ids grow with time
	for _, id := range list[:min(len(list), mostMoved)] {
		r, err := t.reservation(id)
		if err != nil {
			return nil, err
		}
		c.bookings = append(c.bookings, r)
	}
	return c, nil
}

// latest returns the newest of the bookings, nil when there is none.
func (c *crowd) latest() *hotel.Reservation {
	if len(c.bookings) == 0 {
		return nil
	}
	return &c.bookings[0]
}

// movable proposes whom to move where: who helps on most nights, then by what it
// costs, then who comes last. Whoever is in the house stays where they are, and
// nobody is moved into rooms that are scarce themselves.
func (c *crowd) movable() ([]MovableTo, error) {
	list, arrivals := []MovableTo{}, map[string]hotel.Date{}
	for i := range c.bookings {
		r := &c.bookings[i]
		if r.Status == hotel.CheckedIn || r.RoomTypeID == "" || r.BlockID != "" || len(r.EarlierRooms) > 0 {
			continue
		}
		b, err := c.t.spanBoard(c.s, r.Stay.CheckIn, r.Stay.CheckOut)
		if err != nil {
			return nil, err
		}
		arrivals[r.ID] = r.Stay.CheckIn
		if to := c.cheapest(b, r); to != nil {
			list = append(list, *to)
		}
	}
	slices.SortStableFunc(list, func(a, b MovableTo) int {
		return cmp.Or(cmp.Compare(b.Nights, a.Nights), compareCosts(a.Cost, b.Cost), cmp.Compare(arrivals[b.ReservationID], arrivals[a.ReservationID]))
	})
	return list[:min(len(list), mostProposed)], nil
}

// compareCosts puts what is not known behind what is.
func compareCosts(a, b *hotel.Money) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(a.Minor, b.Minor)
}

// cheapest returns to which other room types a guest can be moved, where it costs least
// first; nil when there is none free.
func (c *crowd) cheapest(b *board.Board, r *hotel.Reservation) *MovableTo {
	var to []MoveTo
	from, known := b.Room(r.RoomTypeID)
	sharing, party := b.Sharing(), board.Party{Adults: r.Adults, Ages: r.ChildrenAges}
	for room := range b.RoomTypes {
		if !known || sharing[room] == sharing[from] || !b.Fits(room, party) {
			continue
		}
		plan, sold := b.Plan(r.RatePlanID)
		sold = sold && b.Offers(room, plan)
		if r.Source.ChannelID == hotel.Direct && !sold || !c.free(b, r.Stay, room) {
			continue
		}
		m := MoveTo{RoomTypeID: b.RoomTypes[room].ID}
		if sold {
			m.Cost = dearer(b, r.Stay, from, room, plan, party)
		}
		to = append(to, m)
	}
	if len(to) == 0 {
		return nil
	}
	slices.SortStableFunc(to, func(a, b MoveTo) int { return compareCosts(a.Cost, b.Cost) })
	return &MovableTo{
		ReservationID: r.ID, From: r.RoomTypeID, RoomTypeID: to[0].RoomTypeID, Nights: c.helped(r.Stay), Cost: to[0].Cost, Others: to[1:],
	}
}

// free reports whether a room of the type may be sold on every night to come.
func (c *crowd) free(b *board.Board, stay hotel.Stay, room int) bool {
	for d := max(stay.CheckIn, c.s.property.BusinessDate(c.t.now)); d < stay.CheckOut; d++ {
		if left := b.Undealt(d); left == nil || left[room].Available < 1 {
			return false
		}
	}
	return true
}

// helped counts the crowded nights of a stay.
func (c *crowd) helped(stay hotel.Stay) int {
	n := 0
	for _, run := range c.nights {
		n += max(0, int(min(run.To+1, stay.CheckOut)-max(run.From, stay.CheckIn)))
	}
	return n
}

// dearer is what one room costs more than another, nil when that is not known.
func dearer(b *board.Board, stay hotel.Stay, from, to, plan int, party board.Party) *hotel.Money {
	of, other := b.Quote(stay, from, plan, party, b.Today), b.Quote(stay, to, plan, party, b.Today)
	if !of.Priced || !other.Priced {
		return nil
	}
	return &hotel.Money{Minor: max(0, other.Total.Minor-of.Total.Minor), Currency: of.Total.Currency}
}
