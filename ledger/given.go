package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// layGiven writes into the nights what another system says of the room types that
// it counts, and the bookings that its numbers do not have in them.
func (s *structure) layGiven(ctx context.Context, f facts, from hotel.Date, nights []*board.Night) error {
	to := from + hotel.Date(len(nights)) - 1
	given, err := readFacts[givenFact](ctx, f, givenSheet, from, to)
	if err != nil {
		return err
	}
	version := make(map[factKey]int64, len(given))
	for _, r := range given {
		room, ok := s.empty.Room(r.subject)
		if !ok || !s.empty.RoomTypes[room].Given(s.property) {
			continue
		}
		version[r.factKey] = r.version
		if r.V.Net != nil {
			nights[r.night-from].Rooms[room].Given = *r.V.Net
		}
	}
	acknowledged, err := f.foreign(ctx, from, to)
	if err != nil {
		return err
	}
	for k, list := range acknowledged {
		if room, ok := s.empty.Room(k.subject); ok && s.empty.RoomTypes[room].Given(s.property) {
			nights[k.night-from].Rooms[room].Uncounted = availability.Uncounted(version[k], list)
		}
	}
	return nil
}

// foreign returns by which entries of the journal another system has acknowledged
// the rooms that it counts, 0 for those that it was not told of yet.
func (f facts) foreign(ctx context.Context, from, to hotel.Date) (map[factKey][]int64, error) {
	acknowledged := map[factKey][]int64{}
	if f.past != nil {
		for _, rooms := range f.past.foreign {
			for k, of := range rooms {
				if k.night >= from && k.night <= to {
					acknowledged[k] = append(acknowledged[k], of.acknowledged)
				}
			}
		}
		return acknowledged, nil
	}
	rows, err := f.q.ForeignNights(ctx, ledgerdb.ForeignNightsParams{PropertyID: f.property, First: int64(from), Last: int64(to)})
	if err != nil {
		return nil, fmt.Errorf("read what was told to the system that counts for %s: %w", f.property, err)
	}
	for _, r := range rows {
		k := factKey{hotel.Date(r.Night), r.RoomTypeID}
		acknowledged[k] = append(acknowledged[k], r.Acknowledged)
	}
	return acknowledged, nil
}

// foreignNews lists the rooms of types that another system counts that a
// reservation has taken since. before is nil for a new one.
func (s *structure) foreignNews(before *hotel.Reservation, held []HeldRoom) []HeldRoom {
	had := nightsHeld(heldRooms(before))
	var news []HeldRoom
	for _, h := range held {
		if room := s.room(h.RoomTypeID); room == nil || !room.Given(s.property) {
			continue
		}
		for d := h.From; d <= h.To; d++ {
			if !had[factKey{d, h.RoomTypeID}] {
				news = append(news, HeldRoom{h.RoomTypeID, d, d})
			}
		}
	}
	return news
}

// tellForeign notes what another system is to be told of.
func (t *tx) tellForeign(r *hotel.Reservation, news []HeldRoom) error {
	for _, h := range news {
		for d := h.From; d <= h.To; d++ {
			row := ledgerdb.TellForeignNightParams{PropertyID: r.PropertyID, Night: int64(d), RoomTypeID: h.RoomTypeID, ReservationID: r.ID}
			if err := t.q.TellForeignNight(t.ctx, row); err != nil {
				return fmt.Errorf("note what the other system is to be told: %w", err)
			}
			t.renewed(r.PropertyID, setOf(d))
		}
	}
	return nil
}

// untoldForeign lists the nights of a reservation that the other system does not
// know of.
func (t *tx) untoldForeign(reservation string) ([]hotel.Span, error) {
	rows, err := t.q.UntoldForeignNights(t.ctx, reservation)
	if err != nil {
		return nil, fmt.Errorf("read what the other system was told: %w", err)
	}
	nights := nightSet{}
	for _, n := range rows {
		nights[hotel.Date(n)] = struct{}{}
	}
	return nights.spans(), nil
}

// leftForeign forgets the rooms that the other system was to be told of, and that the
// reservation, as it acknowledges it, does not hold any more. It returns their nights.
func (t *tx) leftForeign(r *hotel.Reservation) (nightSet, error) {
	rows, err := t.q.ForeignNightsOfReservation(t.ctx, r.ID)
	if err != nil {
		return nil, fmt.Errorf("read what the other system was told: %w", err)
	}
	holds, left := nightsHeld(heldRooms(r)), nightSet{}
	for _, n := range rows {
		if holds[factKey{hotel.Date(n.Night), n.RoomTypeID}] {
			continue
		}
		row := ledgerdb.ForgetForeignNightParams{PropertyID: r.PropertyID, Night: n.Night, RoomTypeID: n.RoomTypeID, ReservationID: r.ID}
		if err := t.q.ForgetForeignNight(t.ctx, row); err != nil {
			return nil, fmt.Errorf("forget what the other system was told: %w", err)
		}
		left[hotel.Date(n.Night)] = struct{}{}
	}
	return left, nil
}

// nightsHeld is held rooms night by night.
func nightsHeld(held []HeldRoom) map[factKey]bool {
	of := map[factKey]bool{}
	for _, h := range held {
		for d := h.From; d <= h.To; d++ {
			of[factKey{d, h.RoomTypeID}] = true
		}
	}
	return of
}

// toldForeign notes that the other system has acknowledged the reservation as it is.
// No room that it holds is free by that: the numbers given so far do not count it.
func (t *tx) toldForeign(reservation string, sequence int64) error {
	err := t.q.AcknowledgeForeignNights(t.ctx, ledgerdb.AcknowledgeForeignNightsParams{Sequence: sequence, ReservationID: reservation})
	if err != nil {
		return fmt.Errorf("note what the other system was told: %w", err)
	}
	return nil
}
