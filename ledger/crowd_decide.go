package ledger

import (
	"errors"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// crowdArguments are those of the options of a conflict about crowded nights.
type crowdArguments struct {
	ReservationID string `json:"reservation_id"`
	RoomTypeID    string `json:"room_type_id"`
	PropertyID    string `json:"property_id"`
	External      string `json:"external"`
	N             int    `json:"n"`
}

// enactCrowd does what somebody has decided about nights with more guests than
// rooms.
func (t *tx) enactCrowd(c *hotel.Conflict, d hotel.ConflictDecision) error {
	facts, err := crowdFactsOf(c)
	if err != nil {
		return err
	}
	var a crowdArguments
	if err := d.Read(&a); err != nil {
		return err
	}
	switch d.Option {
	case hotel.OptionMove:
		return t.moveOut(c, facts, a)
	case hotel.OptionWalk:
		return t.walk(c, facts, a)
	case hotel.OptionStopSell:
		return t.decideStock(c, facts, func(e *hotel.InventoryEntry, _ availability.PerChannel) { e.Closed = hotel.Given(true) })
	case hotel.OptionKeepBackMore:
		return t.decideStock(c, facts, func(e *hotel.InventoryEntry, kept availability.PerChannel) {
			e.KeepBack = hotel.Given(hotel.ChannelQuantities{availability.EveryChannel: hotel.Given(kept[availability.EveryChannel] + a.N)})
		})
	}
	return nil
}

// moveOut gives a guest a room of another type: whom and where the arguments say,
// else as costs least by now.
func (t *tx) moveOut(c *hotel.Conflict, facts CrowdFacts, a crowdArguments) error {
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	if a.ReservationID != "" {
		if _, err := t.reservationOf(c.PropertyID, a.ReservationID); err != nil {
			return err
		}
	}
	if a.ReservationID == "" || a.RoomTypeID == "" {
		crowd, err := t.crowdOf(s, c.Subject.RoomTypeID, facts)
		if err != nil {
			return err
		}
		list, err := crowd.movable()
		if err != nil {
			return err
		}
		at := 0
		for at < len(list) && a.ReservationID != "" && list[at].ReservationID != a.ReservationID {
			at++
		}
		if at == len(list) {
			return hotel.Refuse("not_available", "nobody can be moved to a room that is free; name the reservation and the room type, or walk somebody")
		}
		a.ReservationID = list[at].ReservationID
		if a.RoomTypeID == "" {
			a.RoomTypeID = list[at].RoomTypeID
		}
	}
	return t.rewriteOf(c.PropertyID, a.ReservationID, func(s *structure, r *hotel.Reservation) (Kind, error) {
		return t.alter(s, r, hotel.ReservationChange{RoomTypeID: &a.RoomTypeID})
	})
}

// reasonWalked is the reason of a cancellation by which a guest sleeps elsewhere.
const reasonWalked = "walked"

// walk cancels the booking of a guest for whom another house has a room: the room
// is free here, and the guest owes nothing here.
func (t *tx) walk(c *hotel.Conflict, facts CrowdFacts, a crowdArguments) error {
	if a.PropertyID == "" && a.External == "" {
		return hotel.Invalid("/external", "required", "say where the guest sleeps: the property_id of another house of yours, or external")
	}
	if a.PropertyID != "" {
		if _, err := t.structure(a.PropertyID); err != nil {
			return hotel.Invalid("/property_id", "enum", "there is no property of that id")
		}
	}
	if a.ReservationID == "" {
		a.ReservationID = facts.ReservationID
	}
	return t.rewriteOf(c.PropertyID, a.ReservationID, func(s *structure, r *hotel.Reservation) (Kind, error) {
		return t.cancel(s, r, hotel.CancelRequest{Reason: reasonWalked, WaivePenalty: true, DoneAtChannel: true})
	})
}

// reservationOf is the reservation of a property that an argument names.
func (t *tx) reservationOf(property, id string) (hotel.Reservation, error) {
	r, err := t.reservation(id)
	if errors.Is(err, ErrNotFound) || err == nil && r.PropertyID != property {
		err = unknownReservation()
	}
	return r, err
}

func unknownReservation() error {
	return hotel.Invalid("/reservation_id", "enum", "the property has no reservation of that id")
}

// rewriteOf changes one stored reservation of a property within the item.
func (t *tx) rewriteOf(property, id string, f func(s *structure, r *hotel.Reservation) (Kind, error)) error {
	r, err := t.reservationOf(property, id)
	if err != nil {
		return err
	}
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	before := r
	kind, err := f(s, &r)
	if err != nil || kind == "" {
		return err
	}
	return t.bookEntry(kind, s, &r, &before)
}

// decideStock writes facts about the rooms of crowded nights to come, night by
// night, for every room type that is sold from them, or every one of a house whose
// limit is passed.
func (t *tx) decideStock(c *hotel.Conflict, facts CrowdFacts, say func(e *hotel.InventoryEntry, kept availability.PerChannel)) error {
	s, err := t.structure(c.PropertyID)
	if err != nil {
		return err
	}
	u := hotel.InventoryUpdate{PropertyID: c.PropertyID, Source: string(hotel.FromUser)}
	sharing := s.empty.Sharing()
	at, known := s.empty.Room(c.Subject.RoomTypeID)
	for _, n := range facts.Crowded {
		for d := max(n.From, s.property.BusinessDate(t.now)); known && d <= n.To; d++ {
			b, err := t.spanBoard(s, d, d)
			if err != nil {
				return err
			}
			for i := range s.rooms {
				if !facts.House && sharing[i] != sharing[at] {
					continue
				}
				e := hotel.InventoryEntry{RoomTypeID: s.rooms[i].ID, Dates: hotel.Dates{Span: hotel.Span{From: d, To: d}}}
				var kept availability.PerChannel
				if shown := b.Night(d).Shown; shown != nil {
					kept = shown[i].KeepBack
				}
				say(&e, kept)
				u.Entries = append(u.Entries, e)
			}
		}
	}
	if len(u.Entries) == 0 {
		return hotel.Refuse("not_available", "the nights are over")
	}
	_, err = t.drawUp(s, stockRequest(u))
	return err
}
