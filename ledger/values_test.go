package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// What is written in a value is no SQL: it is stored as it is, found by itself and finds
// nothing else, and every table is what it was.
func TestAValueIsNoSQL(t *testing.T) {
	h := newHouse(t)
	hostile := []string{
		`'; DROP TABLE reservations; --`, `" OR ""="`, `x' OR '1'='1`, `%`, `_`, `O'Brien`,
		`\'; DELETE FROM guests; --`, `?1`, `:name`, `') UNION SELECT * FROM users --`,
	}
	for i, s := range hostile {
		made := h.booksAs(t, hotel.Guest{LastName: s, FirstName: s}, hotel.Date(i+1))
		if got := must(h.Reservation(context.Background(), made.ID))(t); got.Guest.LastName != s || got.Guest.FirstName != s {
			t.Errorf("%q is read back as %q, with %q", s, got.Guest.LastName, got.Guest.FirstName)
		}
	}
	for _, s := range hostile {
		found := must(h.Guests(context.Background(), hotel.GuestFilter{PropertyIDs: []string{h.property.ID}, LastName: s, Limit: 100}))(t)
		if len(found) != 1 || found[0].LastName != s {
			t.Errorf("%q finds %d guests", s, len(found))
		}
		for name, f := range map[string]hotel.ReservationFilter{
			"a house": {PropertyIDs: []string{s}}, "an id": {IDs: []string{s}}, "a channel": {ChannelIDs: []string{s}},
			"a reference": {Reference: s}, "a tag": {Tag: s}, "a confirmation": {Confirmations: []string{s}},
		} {
			f.Limit = 100
			if got, err := h.Reservations(context.Background(), f); err != nil || len(got) != 0 {
				t.Errorf("%s %q finds %d bookings: %v", name, s, len(got), err)
			}
		}
	}
	if got := h.reservations(t); len(got) != len(hostile) {
		t.Errorf("%d bookings are left, want %d", len(got), len(hostile))
	}
	h.sound(t)
}
