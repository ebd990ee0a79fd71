package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// BookingFacts is what was seen of a booking that somebody has to look at.
type BookingFacts struct {
	ReservationID string     `json:"reservation_id,omitempty"`
	ChannelID     string     `json:"channel_id,omitempty"`
	Reference     string     `json:"channel_reference,omitempty"`
	Stay          hotel.Stay `json:"stay,omitzero"`
	RoomTypeID    string     `json:"room_type_id,omitempty"`      // the room that was sold
	HeldRoom      string     `json:"held_room_type_id,omitempty"` // the room that is kept for it until somebody says which it is
}

func factsOfBooking(r *hotel.Reservation) BookingFacts {
	return BookingFacts{r.ID, r.Source.ChannelID, r.Source.Reference, r.Stay, r.RoomTypeID, r.HeldRoom}
}

// bookingKinds are the conflicts that follow from how a booking stands alone.
var bookingKinds = []struct {
	kind     hotel.ConflictKind
	severity hotel.Severity // "": whoever stores the booking raises it, and knows more of it
	is       func(*hotel.Reservation) bool
}{
	{hotel.ConflictUnmapped, hotel.Critical, func(r *hotel.Reservation) bool { return stay.Live(r.Status) && r.RoomTypeID == "" }},
	{hotel.ConflictCancelledInHouse, hotel.Critical, func(r *hotel.Reservation) bool { return r.HasIssue(stay.CancelledInHouse) }},
	{hotel.ConflictOverstay, hotel.Warning, func(r *hotel.Reservation) bool {
		return r.Status == hotel.CheckedIn && r.RoomUntil > r.Stay.CheckOut // the roll has given them another night
	}},
	{hotel.ConflictLateModification, "", func(r *hotel.Reservation) bool { return r.HasIssue(stay.LateModification) }},
}

// bookingConflicts raises what a stored booking brings about, and ends what is no
// longer so.
func (t *tx) bookingConflicts(s *structure, r, before *hotel.Reservation) error {
	if before != nil && stay.Live(before.Status) && !stay.Live(r.Status) {
		for _, kind := range []hotel.ConflictKind{hotel.ConflictSoldBeforeClose, hotel.ConflictMismatch} {
			if err := t.overTopic(r.PropertyID, kind, r.ID); err != nil {
				return err
			}
		}
		if err := t.overShrunk(r); err != nil {
			return err
		}
	}
	if before != nil && (!slices.Equal(r.Actions, before.Actions) || !stay.Over(before.Status) && stay.Over(r.Status)) {
		if err := t.overTopic(r.PropertyID, hotel.ConflictCancelAsked, r.ID); err != nil {
			return err
		}
	}
	for _, k := range bookingKinds {
		was, is := before != nil && k.is(before), k.is(r)
		switch {
		case was && !is:
			if err := t.overTopic(r.PropertyID, k.kind, r.ID); err != nil {
				return err
			}
		case is && !was && k.severity != "":
			if err := t.raiseBooking(k.kind, k.severity, r, factsOfBooking(r)); err != nil {
				return err
			}
		}
	}
	if err := t.duplicates(r, before); err != nil {
		return err
	}
	return t.crowdingBooking(s, r, before)
}

// raiseBooking raises a conflict about a booking.
func (t *tx) raiseBooking(kind hotel.ConflictKind, severity hotel.Severity, r *hotel.Reservation, facts any) error {
	body, err := json.Marshal(facts)
	if err != nil {
		return err
	}
	channel := r.Source.ChannelID
	if channel == hotel.Direct {
		channel = ""
	}
	err = t.raise(hotel.Conflict{
		PropertyID: r.PropertyID, ChannelID: channel, Kind: kind, Topic: r.ID, Severity: severity, Facts: body,
		Subject: hotel.ConflictSubject{Type: "reservation", ID: r.ID, RoomTypeID: takes(r), RatePlanID: r.RatePlanID, Date: r.Stay.CheckIn},
	})
	if err != nil {
		return fmt.Errorf("conflict of %s: %w", r.ID, err)
	}
	return nil
}
