package inbound

import (
	"context"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
)

// A message that the ledger can never take for what it is does not keep those behind it out
// for good: tried often enough, it is kept as it came, and somebody is asked.
func TestAMessageThatCannotBeTakenHoldsUpNobody(t *testing.T) {
	ctx := context.Background()
	l, h, _ := newLedger(t)
	defer func() { _ = l.Close() }()
	s, _ := newSink(l)
	if err := s.Deliver(ctx, message(h)); err != nil {
		t.Fatal(err)
	}
	s.Ledger = choosy{s.Ledger, "REF/2"}
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
	stored, err := l.Reservations(ctx, hotel.ReservationFilter{ChannelIDs: []string{channel}, Limit: 10})
	if err != nil || len(stored) != 2 {
		t.Errorf("%d bookings are stored (%v), want the first and that behind it", len(stored), err)
	}
}

// choosy is a ledger that takes all messages but one, which it cannot take unless it is
// kept as it came.
type choosy struct {
	Ledger
	key string
}

// Receive implements [Ledger].
func (c choosy) Receive(ctx context.Context, r ledger.Receipt) (ledger.Received, error) {
	if r.Key == c.key && r.Problem == "" {
		r.ChannelID = "nowhere"
	}
	return c.Ledger.Receive(ctx, r)
}
