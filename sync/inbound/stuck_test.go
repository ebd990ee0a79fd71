package inbound

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// A message that the ledger can never take, here since what it holds of the booking is
// broken, does not keep those behind it out for good: tried often enough, it is kept as it
// came, and somebody is asked.
func TestAMessageThatCannotBeTakenHoldsUpNobody(t *testing.T) {
	ctx := context.Background()
	l, h, path := newLedger(t)
	defer func() { _ = l.Close() }()
	s, _ := newSink(l)
	if err := s.Deliver(ctx, message(h)); err != nil {
		t.Fatal(err)
	}
	breakReservations(t, path)
	longer, behind := message(h), message(h)
	longer.Key, longer.Revision, longer.Event = "REF/2", "2", connectors.Modified
	longer.Booking.Rooms[0].Stay.CheckOut++
	behind.Key, behind.Ref = "NEXT/1", "NEXT"
	deliver := func() error { // a feed hands on the oldest first, and stops where one is not taken
		if err := s.Deliver(ctx, longer); err != nil {
			return err
		}
		return s.Deliver(ctx, behind)
	}
	for n := 1; n < triesOfOne; n++ {
		if err := deliver(); err == nil {
			t.Fatalf("taken at try %d", n)
		}
	}
	for range 2 { // the far side may not have heard that it is taken
		if err := deliver(); err != nil {
			t.Fatal(err)
		}
	}
	unread, err := l.UnreadMessages(ctx, channel)
	if err != nil || len(unread) != 1 || unread[0].Key != "REF/2" || !strings.Contains(unread[0].Problem, "the ledger could not take it") {
		t.Errorf("kept as they came: %+v (%v)", unread, err)
	}
	open, err := l.Conflicts(ctx, hotel.ConflictFilter{PropertyID: h.Property.ID, Limit: 10})
	if err != nil || len(open) != 1 || open[0].Kind != hotel.ConflictUnread {
		t.Errorf("somebody is asked %+v (%v)", open, err)
	}
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	var stored int
	if err := raw.QueryRowContext(ctx, `SELECT count(*) FROM reservation WHERE channel_ref = 'NEXT'`).Scan(&stored); err != nil || stored != 1 {
		t.Errorf("%d bookings that came behind it are stored (%v)", stored, err)
	}
}

// breakReservations makes what is stored of every reservation unreadable.
func breakReservations(t *testing.T, path string) {
	t.Helper()
	raw, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = raw.Close() }()
	if _, err := raw.ExecContext(t.Context(), `UPDATE reservation SET body = '[]'`); err != nil {
		t.Fatal(err)
	}
}
