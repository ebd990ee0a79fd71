package inbound

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"ostler.example/hotel"
)

func TestDeliverStoresOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		l, h, _ := newLedger(t)
		s, told := newSink(l)
		for range 3 {
			if err := s.Deliver(ctx, message(h)); err != nil {
				t.Fatal(err)
			}
		}
		if *told != 1 {
			t.Errorf("the worker was told %d times, want once", *told)
		}
		rs, err := l.Reservations(ctx, hotel.ReservationFilter{ChannelIDs: []string{channel}, Limit: 10})
		if err != nil || len(rs) != 1 {
			t.Errorf("%d reservations (%v), want 1", len(rs), err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// After an error the connector must not acknowledge, so it has to see it.
func TestDeliverTellsThatNothingIsStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		l, h, _ := newLedger(t)
		s, told := newSink(l)
		gone, cancel := context.WithCancel(ctx)
		cancel()
		if err := s.Deliver(gone, message(h)); err == nil {
			t.Error("a message whose caller has gone counts as stored")
		}
		s.Channel = "ch_unknown"
		if err := s.Deliver(ctx, message(h)); err == nil {
			t.Error("a message of no channel counts as stored")
		}
		s.Channel = channel
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if err := s.Deliver(ctx, message(h)); err == nil {
			t.Error("a message behind the ledger's end counts as stored")
		}
		if *told != 0 {
			t.Errorf("the worker was told %d times, want never", *told)
		}
	})
}

func TestCardNumbersReachNoFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, path := newLedger(t)
		s, _ := newSink(l)
		m := message(h)
		m.Booking.Guest = &hotel.Guest{LastName: "4111 1111 1111 1111"}
		m.Booking.Requests = new("charge 4111 1111 1111 1111")
		m.Booking.Rooms[0].Companions = []hotel.Guest{{FirstName: "4111 1111 1111 1111", LastName: "Rhodes"}}
		m.Booking.Rooms[0].Extras = []hotel.Extra{{
			Code: "4111111111111111", Name: "4111 1111 1111 1111", Quantity: 1, UnitPrice: hotel.Money{Currency: "EUR"},
			DateFrom: m.Booking.Rooms[0].Stay.CheckIn, DateTo: m.Booking.Rooms[0].Stay.CheckIn,
		}}
		m.Booking.Payment = hotel.ChannelPayment{
			Collect: "qzwhoever", Guarantee: "card_on_file", Card: &hotel.Card{Last4: "4111111111111111", TokenRef: "4111 1111 1111 1111"},
			Access: &hotel.CardAccess{Kind: hotel.CardInExtranet, URL: "javascript:alert(4111111111111111)"},
		}
		given := string(m.Raw)
		if err := s.Deliver(context.Background(), m); err != nil {
			t.Fatal(err)
		}
		if string(m.Raw) != given {
			t.Error("the connector's own bytes were changed")
		}
		var files []string
		for _, name := range []string{path, path + "-wal"} {
			b, err := os.ReadFile(name)
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			files = append(files, string(b))
		}
		all := strings.Join(files, "")
		if strings.Contains(all, "4111 1111") || strings.Contains(all, "41111111") || strings.Contains(all, "javascript") || strings.Contains(all, "qzwhoever") {
			t.Error("the ledger's files hold a card number")
		}
		if !strings.Contains(all, "**** **** **** 1111") {
			t.Error("the message itself is not kept")
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// A booking of more rooms than anybody books at once keeps nobody from the ledger: it is kept
// as it came, and somebody is asked.
func TestDeliverKeepsWhatHasTooManyRooms(t *testing.T) {
	ctx := context.Background()
	l, h, _ := newLedger(t)
	defer func() { _ = l.Close() }()
	s, _ := newSink(l)
	m := message(h)
	m.Booking.Rooms = slices.Repeat(m.Booking.Rooms, mostRooms+1)
	if err := s.Deliver(ctx, m); err != nil {
		t.Fatal(err)
	}
	if unread, err := l.UnreadMessages(ctx, channel); err != nil || len(unread) != 1 || !strings.Contains(unread[0].Problem, "251 rooms") {
		t.Errorf("kept as they came: %+v (%v)", unread, err)
	}
	if rs, err := l.Reservations(ctx, hotel.ReservationFilter{ChannelIDs: []string{channel}, Limit: 10}); err != nil || len(rs) != 0 {
		t.Errorf("%d reservations (%v), want none", len(rs), err)
	}
}

// Whatever a channel sends is kept: a booking that nobody could read must be
// found again by whoever looks for it.
func TestDeliverKeepsWhatCannotBeRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		l, h, _ := newLedger(t)
		s, told := newSink(l)
		m := message(h)
		m.Key, m.Ref, m.Event, m.Booking = "", "R-1", "", hotel.ChannelBooking{}
		m.Problem = "it is about card 4111111111111111"
		for range 2 {
			if err := s.Deliver(ctx, m); err != nil {
				t.Fatal(err)
			}
		}
		if *told != 1 {
			t.Errorf("the worker was told %d times, want once", *told)
		}
		unread, err := l.UnreadMessages(ctx, channel)
		if err != nil || len(unread) != 1 {
			t.Fatalf("%d messages are unread (%v), want 1", len(unread), err)
		}
		if got := unread[0]; got.Ref != "R-1" || !strings.HasPrefix(got.Key, "sha256:") || got.Problem != "it is about card ************1111" || !strings.Contains(string(got.Raw), "**** **** **** 1111") {
			t.Errorf("kept is %+v", got)
		}
		if rs, err := l.Reservations(ctx, hotel.ReservationFilter{ChannelIDs: []string{channel}, Limit: 10}); err != nil || len(rs) != 0 {
			t.Errorf("%d reservations (%v), want none", len(rs), err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
