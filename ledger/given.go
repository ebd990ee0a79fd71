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
	rows, err := f.q.ForeignNights(ctx, ledgerdb.ForeignNightsParams{PropertyID: s.property.ID, First: int64(from), Last: int64(to)})
	if err != nil {
		return fmt.Errorf("read what was told to the system that counts for %s: %w", s.property.ID, err)
	}
	acknowledged := map[factKey][]int64{}
	for _, r := range rows {
		k := factKey{hotel.Date(r.Night), r.RoomTypeID}
		acknowledged[k] = append(acknowledged[k], r.Acknowledged)
	}
	for k, list := range acknowledged {
		if room, ok := s.empty.Room(k.subject); ok && s.empty.RoomTypes[room].Given(s.property) {
			nights[k.night-from].Rooms[room].Uncounted = availability.Uncounted(version[k], list)
		}
	}
	return nil
}

// tellForeign notes which rooms of types that another system counts a reservation
// has taken since. before is nil for a new one.
func (t *tx) tellForeign(r, before *hotel.Reservation, held []HeldRoom) error {
	s, err := t.structure(r.PropertyID)
	if err != nil {
		return err
	}
	had := map[factKey]bool{}
	for _, h := range heldRooms(before) {
		for d := h.From; d <= h.To; d++ {
			had[factKey{d, h.RoomTypeID}] = true
		}
	}
	for _, h := range held {
		if room := s.room(h.RoomTypeID); room == nil || !room.Given(s.property) {
			continue
		}
		for d := h.From; d <= h.To; d++ {
			if had[factKey{d, h.RoomTypeID}] {
				continue
			}
			row := ledgerdb.TellForeignNightParams{PropertyID: r.PropertyID, Night: int64(d), RoomTypeID: h.RoomTypeID, ReservationID: r.ID}
			if err := t.q.TellForeignNight(t.ctx, row); err != nil {
				return fmt.Errorf("note what the other system is to be told: %w", err)
			}
			t.renewed(r.PropertyID, setOf(d))
		}
	}
	return nil
}

// toldForeign notes that the other system has acknowledged the reservation as it
// is. Nothing is free by that: the numbers given so far do not count it.
func (t *tx) toldForeign(reservation string, sequence int64) error {
	err := t.q.AcknowledgeForeignNights(t.ctx, ledgerdb.AcknowledgeForeignNightsParams{Sequence: sequence, ReservationID: reservation})
	if err != nil {
		return fmt.Errorf("note what the other system was told: %w", err)
	}
	return nil
}
