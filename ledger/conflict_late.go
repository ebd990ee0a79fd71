package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// LateFacts is a stay that has moved on, as it was, and what its channel says of it
// now.
type LateFacts struct {
	BookingFacts
	Told ToldStay `json:"told"`
}

// ToldStay is what a message says of a room, in our words.
type ToldStay struct {
	Stay       hotel.Stay `json:"stay"`
	RoomTypeID string     `json:"room_type_id,omitempty"` // "": it is not mapped
	Adults     int        `json:"adults"`
}

// tellLate tells of a message that came too late to change all that it says.
func (m *message) tellLate(r, before *hotel.Reservation, room hotel.ChannelRoom) error {
	if !r.HasIssue(stay.LateModification) {
		return nil
	}
	facts := LateFacts{factsOfBooking(before), ToldStay{Stay: room.Stay, Adults: room.Adults}}
	facts.Told.RoomTypeID, _, _ = m.mapped(room)
	if r.Arrived != nil {
		facts.RoomTypeID = r.Arrived.Room
	}
	last, err := readOne[hotel.Conflict](m.t.q.LastConflict(m.t.ctx, ledgerdb.LastConflictParams{PropertyID: r.PropertyID, Kind: string(hotel.ConflictLateModification), Topic: r.ID}))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	body, err := json.Marshal(facts.Told)
	if err != nil {
		return err
	}
	if last.ID != "" {
		then, err := lateFactsOf(&last)
		if err != nil {
			return err
		}
		if told, err := json.Marshal(then.Told); err != nil || bytes.Equal(told, body) {
			return err // it says the same once more
		}
	}
	return m.t.raiseBooking(hotel.ConflictLateModification, hotel.Warning, r, facts)
}

func lateFactsOf(c *hotel.Conflict) (facts LateFacts, err error) {
	err = json.Unmarshal(c.Facts, &facts)
	return facts, err
}

// enactLate has a stay that has moved on follow its channel in what somebody says, or
// in nothing. A guest in the house, whose nights to come have followed already, goes
// back to the room that they are in.
func (t *tx) enactLate(c *hotel.Conflict, d hotel.ConflictDecision) error {
	facts, err := lateFactsOf(c)
	if err != nil {
		return err
	}
	var a struct {
		Fields []string `json:"fields"`
	}
	if err := d.Read(&a); err != nil {
		return err
	}
	if len(a.Fields) == 0 {
		a.Fields = lateFields()
	}
	return t.rewriteOf(c.PropertyID, c.Subject.ID, func(s *structure, r *hotel.Reservation) (Kind, error) {
		settle := func() Kind {
			r.Issues = slices.DeleteFunc(slices.Clone(r.Issues), func(i hotel.Issue) bool { return i.Code == stay.LateModification })
			return ReservationUpdated
		}
		switch apply := d.Option == hotel.OptionApply; {
		case !r.HasIssue(stay.LateModification), apply && r.Status == hotel.CheckedIn:
			return "", nil
		case r.Status == hotel.CheckedIn: // nobody looks whether there is a room: they have it
			if _, err := t.alter(s, r, hotel.ReservationChange{RoomTypeID: &r.Arrived.Room, Overbook: true}); err != nil {
				return "", err
			}
			return settle(), nil
		case apply:
			return settle(), facts.Told.apply(r, a.Fields, s.property.BusinessDate(t.now))
		}
		return settle(), nil
	})
}

// lateFields are the fields of a stay that is over which may follow its channel.
func lateFields() []string {
	o, _ := hotel.ConflictLateModification.Option(hotel.OptionApply)
	return o.Arguments[0].Words
}

// apply gives a stay that is over what a message says of some fields. No night that
// is to come is taken by it: nobody is there any more.
func (told ToldStay) apply(r *hotel.Reservation, fields []string, today hotel.Date) error {
	for _, f := range fields {
		switch f {
		case "check_in":
			r.Stay.CheckIn = told.Stay.CheckIn
		case "check_out":
			if r.Stay.CheckOut = told.Stay.CheckOut; r.Status == hotel.CheckedOut && r.Stay.CheckOut > today {
				r.RoomUntil = today
			}
		case "room_type_id":
			if told.RoomTypeID == "" {
				return hotel.Invalid("/fields", "enum", "the channel's room is not mapped: leave room_type_id out, or map it")
			}
			r.RoomTypeID, r.BookedRoom, r.EarlierRooms = told.RoomTypeID, told.RoomTypeID, nil
		case "adults":
			r.Adults = told.Adults
		}
	}
	if r.Stay.CheckOut <= r.Stay.CheckIn {
		return hotel.Invalid("/fields", "date_order", "check_out would be %s and check_in %s: take both", r.Stay.CheckOut, r.Stay.CheckIn)
	}
	return nil
}
