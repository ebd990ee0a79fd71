package ledger

import (
	"errors"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// ReservationFact is the body of a reservation's entries: the whole of it, but
// for its guest and what people wrote about it, and the rooms that it takes
// from now on.
type ReservationFact struct {
	Reservation hotel.Reservation `json:"reservation"`
	Held        []HeldRoom        `json:"held,omitempty"`   // all rooms that it takes, by night
	Ranges      []hotel.Span      `json:"ranges,omitempty"` // nights on which it takes a room or gives one back
	On          hotel.Date        `json:"on,omitempty"`     // the property's date on which it did, as the pickup counts it
	News        []HeldRoom        `json:"news,omitempty"`   // rooms taken since that another system counts, and has to be told of
	Joined      bool              `json:"joined,omitempty"` // it was but joined to what else an import or its channel tells of it: nobody has changed it
}

// HeldRoom is a room taken on some nights, both inclusive.
type HeldRoom struct {
	RoomTypeID string     `json:"room_type_id"`
	From       hotel.Date `json:"from"`
	To         hotel.Date `json:"to"`
}

// heldRooms lists the rooms that a reservation takes (nil: none), in order of
// nights.
func heldRooms(r *hotel.Reservation) []HeldRoom {
	if r == nil {
		return nil
	}
	var held []HeldRoom
	nights := stay.Nights(r.Status, r.Stay, r.RoomUntil)
	for d := nights.CheckIn; d < nights.CheckOut; d++ {
		room := r.RoomOn(d)
		if room == "" {
			continue // a house without room types
		}
		if n := len(held) - 1; n >= 0 && held[n].RoomTypeID == room && held[n].To+1 == d {
			held[n].To = d
			continue
		}
		held = append(held, HeldRoom{room, d, d})
	}
	return held
}

// takes returns the room type that a reservation takes on its first night, "" when
// it takes none.
func takes(r *hotel.Reservation) string {
	if held := heldRooms(r); len(held) > 0 {
		return held[0].RoomTypeID
	}
	return ""
}

// bookEntry journals what happened to a reservation, stores it, and follows
// what comes of it. before is the reservation as it was, nil for a new one.
func (t *tx) bookEntry(kind Kind, s *structure, r, before *hotel.Reservation) error {
	return t.bookFact(kind, s, r, before, ReservationFact{})
}

// bookJoined does so of a booking that is but joined to what else is told of it.
func (t *tx) bookJoined(s *structure, r, before *hotel.Reservation) error {
	return t.bookFact(ReservationUpdated, s, r, before, ReservationFact{Joined: true})
}

func (t *tx) bookFact(kind Kind, s *structure, r, before *hotel.Reservation, fact ReservationFact) error {
	before, err := t.answered(s, r, before)
	if err != nil {
		return err
	}
	if err := t.toldAt(r, before); err != nil {
		return err
	}
	t.number(r, before)
	if err := t.bookedFor(r, before); err != nil {
		return err
	}
	total(s, r, before)
	if err := t.exchange(s, r); err != nil {
		return err
	}
	nights := nightSet{}
	fact.Reservation, fact.Held = *r, heldRooms(r)
	for _, list := range [][]HeldRoom{fact.Held, heldRooms(before)} {
		for _, h := range list {
			nights.addStay(hotel.Stay{CheckIn: h.From, CheckOut: h.To + 1})
		}
	}
	if fact.Ranges = nights.spans(); len(fact.Ranges) > 0 {
		fact.On = s.property.Today(t.now)
	}
	fact.News = s.foreignNews(before, fact.Held)
	seq, err := t.append(entry{property: r.PropertyID, kind: kind, subject: r.ID, nights: fact.Ranges, body: fact})
	if err != nil {
		return err
	}
	r.Sequence = seq
	if before == nil {
		err = t.insertReservation(r, fact)
	} else {
		err = t.updateReservation(r, before, fact)
	}
	if err != nil {
		return err
	}
	if err := t.bookingConflicts(s, r, before); err != nil {
		return err
	}
	return t.follow(s, affected{property: r.PropertyID, stock: true, nights: nights, patched: true, booking: true}, seq)
}

// toldAt notes of a channel's booking that somebody else enters that it is of the place
// where the channel is joined to: another one knows nothing of it.
func (t *tx) toldAt(r, before *hotel.Reservation) error {
	if before != nil || r.Source.ChannelID == hotel.Direct || t.by.Actor.Kind == hotel.ActorChannel {
		return nil
	}
	_, c, err := t.channel(r.Source.ChannelID)
	if errors.Is(err, ErrNotFound) {
		return nil // of another system's past
	}
	r.Source.Place = c.Place
	return err
}

// number gives the reservation what it is known by, or its next revision.
func (t *tx) number(r, before *hotel.Reservation) {
	if before != nil {
		r.Revision++
		r.UpdatedAt = t.now
		return
	}
	r.Entity = t.entity(r.ID)
	r.Confirmation = newConfirmation()
	r.FirstOut = r.Stay.CheckOut
}
