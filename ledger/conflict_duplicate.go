package ledger

import (
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// DuplicateFacts is bookings that may be one: the same guest, nights and room under
// two references or from two channels.
type DuplicateFacts struct {
	Bookings []BookingFacts `json:"bookings"` // the newest first
}

// duplicates raises that a new booking may be one that is known already, and ends
// that when one of the two is none any more.
func (t *tx) duplicates(r, before *hotel.Reservation) error {
	switch {
	case before == nil && stay.Live(r.Status) && !r.Imported && (r.Guest.FirstName != "" || r.Guest.Email != ""):
		return t.findTwins(r)
	case before != nil && stay.Live(before.Status) && !stay.Live(r.Status):
		return t.overTwins(r)
	}
	return nil
}

func (t *tx) findTwins(r *hotel.Reservation) error {
	ids, err := t.q.StaysLike(t.ctx, ledgerdb.StaysLikeParams{
		PropertyID: r.PropertyID, CheckIn: int64(r.Stay.CheckIn), CheckOut: int64(r.Stay.CheckOut), ID: r.ID,
		FirstName: r.Guest.FirstName, NameKey: r.Guest.NameKey(), EmailKey: r.Guest.EmailKey(),
	})
	if err != nil {
		return fmt.Errorf("look for bookings like %s: %w", r.ID, err)
	}
	facts := DuplicateFacts{Bookings: []BookingFacts{factsOfBooking(r)}}
	for _, id := range ids {
		other, err := t.reservation(id)
		if err != nil {
			return err
		}
		if twins(r, &other) {
			facts.Bookings = append(facts.Bookings, factsOfBooking(&other))
		}
	}
	if len(facts.Bookings) == 1 {
		return nil
	}
	return t.raiseBooking(hotel.ConflictDuplicate, hotel.Warning, r, facts)
}

// twins reports whether two bookings of a guest for the same nights may be one.
// Rooms that were booked together, and two that somebody made here, are not.
func twins(a, b *hotel.Reservation) bool {
	switch {
	case takes(a) != takes(b), a.GroupID != "" && a.GroupID == b.GroupID:
		return false
	case a.Source.ChannelID == b.Source.ChannelID:
		return a.Source.ChannelID != hotel.Direct && (a.Source.Reference != b.Source.Reference || a.Source.Reuse != b.Source.Reuse)
	}
	return true
}

// overTwins ends the conflicts about bookings of which one at the most is left.
func (t *tx) overTwins(r *hotel.Reservation) error {
	open, err := t.openConflicts(r.PropertyID, hotel.ConflictDuplicate)
	if err != nil {
		return err
	}
	for i := range open {
		facts, err := twinsOf(&open[i])
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(facts.Bookings, func(b BookingFacts) bool { return b.ReservationID == r.ID }) {
			continue
		}
		left := 0
		for _, b := range facts.Bookings {
			other, err := t.reservation(b.ReservationID)
			if err != nil {
				return err
			}
			if stay.Live(other.Status) {
				left++
			}
		}
		if left > 1 {
			continue
		}
		if err := t.over(&open[i]); err != nil {
			return err
		}
	}
	return nil
}

func twinsOf(c *hotel.Conflict) (facts DuplicateFacts, err error) {
	if err = json.Unmarshal(c.Facts, &facts); err != nil {
		return facts, fmt.Errorf("facts of conflict %s: %w", c.ID, err)
	}
	return facts, nil
}

// reasonDuplicate is the reason of a cancellation of a booking that is stored twice.
const reasonDuplicate = "duplicate"

// enactDuplicate cancels the bookings that are one with the one that is kept.
func (t *tx) enactDuplicate(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if d.Option != hotel.OptionSame {
		return nil
	}
	var a struct {
		Keep string `json:"keep"`
	}
	if err := d.Read(&a); err != nil {
		return err
	}
	facts, err := twinsOf(c)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(facts.Bookings, func(b BookingFacts) bool { return b.ReservationID == a.Keep }) {
		return hotel.Invalid("/keep", "enum", "is none of the bookings that the conflict is about")
	}
	if kept, err := t.reservation(a.Keep); err != nil {
		return err
	} else if !stay.Live(kept.Status) { // the guest would be left without any
		return hotel.Invalid("/keep", "enum", "is %s: keep one that still stands", kept.Status)
	}
	for _, b := range facts.Bookings {
		if b.ReservationID == a.Keep {
			continue
		}
		err := t.rewriteOf(c.PropertyID, b.ReservationID, func(s *structure, r *hotel.Reservation) (Kind, error) {
			if !stay.Live(r.Status) {
				return "", nil
			}
			return t.cancel(s, r, hotel.CancelRequest{Reason: reasonDuplicate, WaivePenalty: true, DoneAtChannel: true})
		})
		if err != nil {
			return err
		}
	}
	return nil
}
