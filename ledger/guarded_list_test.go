package ledger

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// granted has the channel's counter of doubles granted what a guarded night has, and
// told so; it returns the night. What others are to be told stays as it is.
func (f *farSide) granted(t *testing.T, terms hotel.Terms) hotel.Date {
	t.Helper()
	f.promises(t, terms)
	f.h.protect(t, hotel.Guarded)
	f.goLive(t)
	f.catchUp(t)
	night := f.h.today + 2
	f.h.exec(t, "UPDATE party SET account = 0, raised = 0, doing = ''") // nothing was granted yet
	f.h.reopen(t)
	must2(f.h.book(f.h.double, night, night+1, hotel.Once{}))(t)
	for f.derive(t) {
	}
	if f.tells(t, night) == 0 {
		t.Fatal("nothing is granted")
	}
	f.take(0, nil)
	f.settle(t, 0, Settlement{State: DeliveryApplied})
	return night
}

// A relay has acknowledged a closing and lists no booking, and a seller behind it that
// hears of the closing late sells the room afterwards. So no list, and no count with one,
// takes a room back from a channel that is one way.
func TestNoListTakesBackFromAChannelThatIsOneWay(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*hotel.Terms)
		back   bool
	}{
		{"guaranteed", nil, true},
		{"a relay that keeps the sum", func(terms *hotel.Terms) {
			terms.Sellers, terms.KeepsSum, terms.Acknowledges = hotel.Many, true, hotel.ByRelay
		}, false},
		{"one seller behind a relay", func(terms *hotel.Terms) { terms.Acknowledges = hotel.ByRelay }, false},
		{"requests may act for ever", func(terms *hotel.Terms) { terms.Lifetime = 0 }, false},
		{"a sale is never sure to be listed", func(terms *hotel.Terms) { terms.SaleSettle = hotel.Never }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			night := f.granted(t, promising(c.change))
			account := f.party(t, night).Account

			h.clock.move(2 * time.Hour)
			doubts := must(h.Doubts(t.Context(), f.id, h.clock.Now(), h.clock.Now()))(t)
			if next := must(h.NextDoubt(t.Context(), f.id, time.Hour, time.Hour))(t); len(doubts) > 0 != c.back || next.IsZero() == c.back {
				t.Errorf("after two hours %d counters are in doubt, the next at %v", len(doubts), next)
			}
			of := []Doubt{{Line: f.counters[0].Line, Night: night}}
			if err := h.BeginCount(t.Context(), f.id, of); err != nil {
				t.Fatal(err)
			}
			if p := f.party(t, night); p.Doing == exposure.Counting != c.back {
				t.Errorf("asked for its count it is at %+v", p)
			}

			h.closeNights(t, night, night, true)
			h.deriveAll(t)
			for f.derive(t) {
			}
			if v := f.tells(t, night); v != 0 {
				t.Fatalf("closed, it is told %d", v)
			}
			f.settle(t, 0, Settlement{State: DeliveryApplied})
			if _, waits, err := h.Unlisted(t.Context(), f.id); err != nil || waits != c.back {
				t.Errorf("closed, it waits for a list: %t (%v)", waits, err)
			}
			f.list(t)
			if p := f.party(t, night); p.Account != 0 == c.back {
				t.Errorf("of %d rooms granted it has %d behind the list: %+v", account, p.Account, p)
			}
		})
	}
}

// A list that began while the channel was guaranteed takes nothing back when it has come
// to be one way.
func TestAListThatEndsAtAOneWayChannelTakesNothingBack(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	night := f.granted(t, promising(nil))
	account := f.party(t, night).Account
	h.closeNights(t, night, night, true)
	h.deriveAll(t)
	for f.derive(t) {
	}
	f.tells(t, night)
	f.settle(t, 0, Settlement{State: DeliveryApplied})
	h.clock.move(time.Millisecond)
	b := must(h.Begin(t.Context(), NewDelivery{ChannelID: f.id, Kind: List, Operation: "list", Lane: 2, SentAt: h.clock.Now(), Nights: h.property.Shows(h.clock.Now())}))(t)
	f.promises(t, promising(func(terms *hotel.Terms) { terms.Acknowledges = hotel.ByRelay }))
	if err := h.Settle(t.Context(), Settlement{DeliveryID: b.ID, State: DeliveryApplied}); err != nil {
		t.Fatal(err)
	}
	if p := f.party(t, night); p.Account != account {
		t.Errorf("of %d rooms granted it has %d behind the list: %+v", account, p.Account, p)
	}
}

// A guest cancels, and whether that was before the channel was told a value, or its count
// was read, nobody knows: the room stays in its account, and may not be on sale. The list
// that follows does not make the counter one that was seen to show what it has.
func TestACancellationLeavesACounterInDoubt(t *testing.T) {
	for _, c := range []struct {
		name             string
		counted, cancels bool
	}{{"told a value", false, true}, {"its count was read", true, true}, {"told a value, and nobody cancels", false, false}, {"its count was read, and nobody cancels", true, false}} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			night := f.granted(t, promising(nil))
			of := Doubt{Line: f.counters[0].Line, Night: night}
			f.sell(f.counters[0], night)
			f.hear(t, 0)
			if c.counted {
				if err := h.BeginCount(t.Context(), f.id, []Doubt{of}); err != nil {
					t.Fatal(err)
				}
				if err := h.Counted(t.Context(), f.id, map[Doubt]int{of: 1}); err != nil {
					t.Fatal(err)
				}
			}
			if c.cancels {
				f.revoke(0)
				f.hear(t, 0)
			}
			h.clock.move(50 * time.Minute)
			f.list(t)
			if p := f.party(t, night); p.Doing != exposure.Resting || p.Account != 2 {
				t.Fatalf("behind the list it is at %+v", p)
			}
			h.clock.move(15 * time.Minute)
			doubts := must(h.Doubts(t.Context(), f.id, h.clock.Now().Add(-time.Hour), time.Time{}))(t)
			if c.cancels != (len(doubts) == 1) {
				t.Errorf("65 minutes after its answer %d counters are in doubt", len(doubts))
			}
		})
	}
}

// A count of none says nothing of the guest who bought just before it was read, and whom
// the list does not show yet: where bookings come late it settles nothing before the
// channel's lag is over. Until then the counter waits, and is not counted again and again.
func TestACountWaitsForTheBookingsBeforeIt(t *testing.T) {
	const lag = 10 * time.Minute
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	night := f.granted(t, promising(func(terms *hotel.Terms) { terms.SaleSettle = lag }))
	h.clock.move(2 * time.Hour)
	of := Doubt{Line: f.counters[0].Line, Night: night}
	doubts := func() int {
		t.Helper()
		list := must(h.Doubts(t.Context(), f.id, h.clock.Now().Add(-time.Hour), time.Time{}))(t)
		next := must(h.NextDoubt(t.Context(), f.id, time.Hour, time.Hour))(t)
		if len(list) > 0 != (!next.IsZero() && !next.After(h.clock.Now())) {
			t.Errorf("%d counters are in doubt, the next at %v", len(list), next)
		}
		return len(list)
	}
	if n := doubts(); n != 1 {
		t.Fatalf("%d counters are in doubt after two hours", n)
	}
	if err := h.BeginCount(t.Context(), f.id, []Doubt{{Line: of.Line, Night: night, RemoteRoom: "D"}}); err != nil {
		t.Fatal(err)
	}
	f.sell(f.counters[0], night)
	late := f.mail
	f.mail = nil
	read := h.clock.Steady()
	if err := h.Counted(t.Context(), f.id, map[Doubt]int{of: 1}); err != nil {
		t.Fatal(err)
	}
	u, waits, err := h.Unlisted(t.Context(), f.id)
	if err != nil || !waits || u.Nights != (hotel.Span{From: night, To: night}) || !u.First.Equal(u.Last) || u.First.Before(read) {
		t.Fatalf("read at %v it waits for a list: %t, %+v (%v)", read, waits, u, err)
	}
	f.list(t) // which does not have the sale yet
	if p := f.party(t, night); p.Account != 2 || p.Doing != exposure.Counted {
		t.Errorf("behind a list before the lag is over it is at %+v", p)
	}
	if n := doubts(); n != 0 {
		t.Errorf("%d counters are in doubt that wait for a list", n)
	}
	h.clock.move(lag)
	f.mail = late
	f.list(t)
	if p := f.party(t, night); p.Account != 2 || p.Doing != exposure.Resting {
		t.Errorf("behind a list after the lag it is at %+v", p)
	}
	if _, waits, err := h.Unlisted(t.Context(), f.id); err != nil || waits || doubts() != 0 {
		t.Errorf("settled, it waits for a list: %t (%v), and %d are in doubt", waits, err, doubts())
	}
}

// A relay is told a value, and does not answer; it acknowledges its closing, and acts upon
// the value afterwards. So its word counts when nothing earlier can act any more.
func TestAClosingIsTakenAtItsWordWhenNothingActsBehindIt(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.promises(t, promising(func(terms *hotel.Terms) { terms.Acknowledges = hotel.ByRelay }))
	f.goLive(t)
	h.deriveAll(t)
	for f.derive(t) {
	}
	night := h.today + 2
	f.tells(t, night)
	f.settle(t, 0, Settlement{State: DeliveryUnknown})
	h.protect(t, hotel.Guarded)
	h.drain(t)
	for _, c := range []struct {
		after   time.Duration
		unknown bool
	}{{0, true}, {2*time.Minute + time.Second, false}} {
		h.clock.move(c.after)
		if err := h.DealDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if v := f.tells(t, night); v != 0 {
			t.Fatalf("it is told %d", v)
		}
		f.settle(t, 0, Settlement{State: DeliveryApplied})
		if p := f.party(t, night); p.Unknown != c.unknown || p.Raise != c.unknown {
			t.Errorf("closed %v after the value it is at %+v", c.after, p)
		}
	}
}

// TestATotalThatNothingComesBackFromIsOpenedAgain: what such a channel was granted is its
// own, so that after a closing it is told again what it has not sold, and pays nothing.
func TestATotalThatNothingComesBackFromIsOpenedAgain(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	night := f.granted(t, promising(func(terms *hotel.Terms) { terms.TotalLimit, terms.Lifetime, terms.Versions = true, 0, false }))
	account := f.party(t, night).Account
	f.sell(f.counters[0], night)
	f.hear(t, len(f.bookings)-1)
	closing := func(closed bool) int64 {
		t.Helper()
		h.closeNights(t, night, night, closed)
		h.deriveAll(t)
		for f.derive(t) {
		}
		v := f.tells(t, night)
		f.settle(t, 0, Settlement{State: DeliveryApplied})
		return v
	}
	for range 2 {
		if v := closing(true); v != 0 {
			t.Fatalf("closed, it is told %d", v)
		}
		if v, p := closing(false), f.party(t, night); int(v) != account-1 || p.Account != account {
			t.Errorf("opened again it is told to sell %d more, want %d: the rest of its %d; it has %+v", v, account-1, account, p)
		}
	}
}
