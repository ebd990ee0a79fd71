package inbound

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/sync/call"
	"ostler.example/sync/contain"
	"ostler.example/sync/gate"
)

// bookings is what a channel lists, whatever it is asked for.
type bookings []connectors.Message

func (b bookings) List(ctx context.Context, _, _ hotel.Date, s connectors.Sink) error {
	for _, m := range b {
		if err := s.Deliver(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// A list of which not all can be read proves nothing of what was sold, however often it
// comes, until somebody has looked at what is missing.
func TestAListThatCannotBeReadProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		l, h, _ := newLedger(t)
		g, err := gate.New(gate.Options{Account: "acc", InOrder: true, Clock: hotel.SystemClock{}})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := newSink(l)
		odd := message(h)
		odd.Key, odd.Ref, odd.Problem, odd.Booking = "ODD/1", "ODD", "its rooms are not where they were", hotel.ChannelBooking{}
		c := hotel.Channel{Entity: hotel.Entity{ID: channel}, PropertyID: h.Property.ID}
		lister := &Lister{
			Ledger: l, Channel: c, List: bookings{odd, message(h)}, Sink: s,
			Calls: call.Maker{Ledger: l, Channel: c, Box: &contain.Box{}, Gate: g, Timeout: 10 * time.Second}, Clock: hotel.SystemClock{}, Log: zap.NewNop(),
		}
		today := h.Property.Today(time.Now())
		list := func() error { return lister.list(ctx, hotel.Span{From: today, To: today + 9}) }
		for range 2 {
			if err := list(); err == nil {
				t.Error("the list counts, though nobody knows what one of its bookings is")
			}
		}
		if rs, err := l.Reservations(ctx, hotel.ReservationFilter{ChannelIDs: []string{channel}, Limit: 10}); err != nil || len(rs) != 1 {
			t.Errorf("%d reservations (%v), want the one that can be read", len(rs), err)
		}
		open, err := l.Conflicts(ctx, hotel.ConflictFilter{PropertyID: h.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictUnread}, Limit: 10})
		if err != nil || len(open) != 1 {
			t.Fatalf("%d conflicts (%v), want 1", len(open), err)
		}
		if _, _, err := l.ResolveConflict(ctx, testkit.Tester, hotel.Once{}, open[0].ID, hotel.ConflictDecision{Option: hotel.OptionDismiss}); err != nil {
			t.Fatal(err)
		}
		if err := list(); err != nil {
			t.Errorf("somebody has looked at the booking, and the list still does not count: %v", err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// forgetful hands its messages in and says that all went well, whatever became of them.
type forgetful []connectors.Message

func (f forgetful) List(ctx context.Context, _, _ hotel.Date, s connectors.Sink) error {
	for _, m := range f {
		_ = s.Deliver(ctx, m)
	}
	return nil
}

// TestAListThatIsNotKeptProvesNothing: a connector that hides that a booking of a list could
// not be stored makes the list no proof of what was sold.
func TestAListThatIsNotKeptProvesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		g, err := gate.New(gate.Options{Account: "acc", InOrder: true, Clock: hotel.SystemClock{}})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := newSink(l)
		s.Ledger = full{l}
		c := hotel.Channel{Entity: hotel.Entity{ID: channel}, PropertyID: h.Property.ID}
		lister := &Lister{
			Ledger: l, Channel: c, List: forgetful{message(h)}, Sink: s,
			Calls: call.Maker{Ledger: l, Channel: c, Box: &contain.Box{}, Gate: g, Timeout: 10 * time.Second}, Clock: hotel.SystemClock{}, Log: zap.NewNop(),
		}
		today := h.Property.Today(time.Now())
		if err := lister.list(t.Context(), hotel.Span{From: today, To: today + 9}); err == nil {
			t.Error("the list counts, though its booking is nowhere")
		}
		s.Ledger = l
		if err := lister.list(t.Context(), hotel.Span{From: today, To: today + 9}); err != nil {
			t.Errorf("a list that is kept does not count: %v", err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// slow lists no bookings, and takes its time for each night.
type slow struct {
	each   time.Duration
	nights map[hotel.Date]bool // that a list was made of
}

func (s *slow) List(ctx context.Context, from, to hotel.Date, _ connectors.Sink) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(to-from) * s.each):
	}
	for d := from; d < to; d++ {
		s.nights[d] = true
	}
	return nil
}

// TestALongListIsMadeInParts: a house with so many bookings that a list of all its nights does
// not end in its time is listed all the same, and its breaker stays closed.
func TestALongListIsMadeInParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, h, _ := newLedger(t)
		g, err := gate.New(gate.Options{Account: "acc", InOrder: true, Clock: hotel.SystemClock{}, OnChange: func(c gate.Transition) { t.Errorf("the breaker: %+v", c) }})
		if err != nil {
			t.Fatal(err)
		}
		s, _ := newSink(l)
		far := &slow{each: time.Second, nights: map[hotel.Date]bool{}}
		c := hotel.Channel{Entity: hotel.Entity{ID: channel}, PropertyID: h.Property.ID}
		lister := &Lister{
			Ledger: l, Channel: c, List: far, Sink: s,
			Calls: call.Maker{Ledger: l, Channel: c, Box: &contain.Box{}, Gate: g, Timeout: 10 * time.Second}, Clock: hotel.SystemClock{}, Log: zap.NewNop(),
		}
		today := h.Property.Today(time.Now())
		if err := lister.list(t.Context(), hotel.Span{From: today, To: today + 364}); err != nil {
			t.Error(err)
		}
		if len(far.nights) != 365 {
			t.Errorf("%d nights are listed, want 365", len(far.nights))
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
