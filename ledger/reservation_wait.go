package ledger

import (
	"fmt"

	"ostler.example/hotel"
)

// WaitlistFact is the body of a [ReservationWaitlist] entry.
type WaitlistFact struct {
	RoomTypeID string     `json:"room_type_id"`
	Stay       hotel.Stay `json:"stay"`
}

// tellWaiting tells that there is a room now for the first reservation on the
// waiting list that fits, of those for a room type that was full. It takes none:
// that is for whoever confirms it.
func (t *tx) tellWaiting(property string, freed map[string]bool) error {
	ids, err := t.q.WaitingReservations(t.ctx, property)
	if err != nil {
		return fmt.Errorf("read the waiting list: %w", err)
	}
	for _, id := range ids {
		r, err := t.reservation(id)
		if err != nil {
			return err
		}
		fits := freed[r.RoomTypeID]
		if fits {
			if fits, err = t.fits(&r); err != nil {
				return err
			}
		}
		if !fits {
			continue
		}
		_, err = t.append(entry{property: property, kind: ReservationWaitlist, subject: r.ID, body: WaitlistFact{r.RoomTypeID, r.Stay}})
		return err
	}
	return nil
}

// fits reports whether a reservation that takes no room would find one on every
// night, none of which is over.
func (t *tx) fits(r *hotel.Reservation) (bool, error) {
	s, err := t.structure(r.PropertyID)
	if err != nil || r.Stay.CheckIn < s.property.BusinessDate(t.now) {
		return false, err
	}
	b, err := t.spanBoard(s, r.Stay.CheckIn, r.Stay.CheckOut-1)
	if err != nil {
		return false, err
	}
	room, _ := b.Room(r.RoomTypeID)
	for _, d := range r.Stay.Dates() {
		if b.House(d)[room].Available < 1 {
			return false, nil
		}
	}
	return true, nil
}
