package ledger

import (
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// BookingFacts is what was seen of a booking that somebody has to look at.
type BookingFacts struct {
	ReservationID string     `json:"reservation_id"`
	ChannelID     string     `json:"channel_id"`
	Reference     string     `json:"channel_reference,omitempty"`
	Stay          hotel.Stay `json:"stay"`
	RoomTypeID    string     `json:"room_type_id,omitempty"`      // the room that was sold
	HeldRoom      string     `json:"held_room_type_id,omitempty"` // the room that is kept for it until somebody says which it is
}

// bookingConflicts raises what a stored booking brings about, and ends what is no
// longer so.
func (t *tx) bookingConflicts(r, before *hotel.Reservation) error {
	for _, k := range []struct {
		kind     hotel.ConflictKind
		severity hotel.Severity
		is       func(*hotel.Reservation) bool
	}{
		{hotel.ConflictUnmapped, hotel.Critical, func(r *hotel.Reservation) bool { return r.RoomTypeID == "" }},
		{hotel.ConflictOversell, hotel.Critical, func(r *hotel.Reservation) bool { return r.Overbooked }},
	} {
		was := before != nil && stay.Live(before.Status) && k.is(before)
		is := stay.Live(r.Status) && k.is(r)
		switch {
		case was && !is:
			if err := t.overTopic(r.PropertyID, k.kind, r.ID); err != nil {
				return err
			}
		case is && !was:
			body, err := json.Marshal(BookingFacts{r.ID, r.Source.ChannelID, r.Source.Reference, r.Stay, r.RoomTypeID, r.HeldRoom})
			if err != nil {
				return err
			}
			channel := r.Source.ChannelID
			if channel == hotel.Direct {
				channel = ""
			}
			if err := t.raise(hotel.Conflict{
				PropertyID: r.PropertyID, ChannelID: channel, Kind: k.kind, Topic: r.ID, Severity: k.severity, Facts: body,
				Subject: hotel.ConflictSubject{Type: "reservation", ID: r.ID, RoomTypeID: takes(r), RatePlanID: r.RatePlanID, Date: r.Stay.CheckIn},
			}); err != nil {
				return fmt.Errorf("conflict of %s: %w", r.ID, err)
			}
		}
	}
	return nil
}
