package ledger

import (
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

// promising is what the connector of a channel promises that is guaranteed.
func promising(change func(*hotel.Terms)) hotel.Terms {
	terms := hotel.Terms{
		StockPer: hotel.PerRoom, AdjustsOn: hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
		AtMostOnce: true, ListsByDate: true, Acknowledges: hotel.BySeller, Lifetime: 2 * time.Minute,
	}
	if change != nil {
		change(&terms)
	}
	return terms
}

// promises keeps what the channel's connector promises.
func (f *farSide) promises(t *testing.T, terms hotel.Terms) {
	t.Helper()
	if err := f.h.KeepTerms(t.Context(), f.id, terms); err != nil {
		t.Fatal(err)
	}
}

// list has all bookings listed of the nights that wait for it.
func (f *farSide) list(t *testing.T) {
	t.Helper()
	f.h.clock.move(time.Millisecond)
	nights := f.h.property.Shows(f.h.clock.Now())
	b := must(f.h.Begin(t.Context(), NewDelivery{ChannelID: f.id, Kind: List, Operation: "list", Lane: 2, SentAt: f.h.clock.Now(), Nights: nights}))(t)
	for len(f.mail) > 0 {
		f.hear(t, 0)
	}
	if err := f.h.Settle(t.Context(), Settlement{DeliveryID: b.ID, State: DeliveryApplied}); err != nil {
		t.Fatal(err)
	}
}

// party returns the party of the channel's counter of doubles on a night.
func (f *farSide) party(t *testing.T, night hotel.Date) exposure.Party {
	t.Helper()
	held := must((&tx{ctx: t.Context(), q: f.h.read, l: f.h.Ledger}).holdings(f.h.property.ID, hotel.Span{From: night, To: night}))(t)
	h := held.at(f.counters[0].Line, night)
	if h == nil {
		t.Fatalf("counter %d is no party on %s", f.counters[0].Line, night)
	}
	return h.now
}

// tells begins a call with what the counter of doubles is to be told of a night.
func (f *farSide) tells(t *testing.T, night hotel.Date) int64 {
	t.Helper()
	for _, c := range f.dirty(t) {
		if c.Cell == (hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: night}) {
			f.begin(t, []SentCell{c})
			return c.Value
		}
	}
	t.Fatalf("nothing is to be told of %s: %+v", night, f.party(t, night))
	return 0
}

// A counter that is told something between the look for doubtful ones and the reading of
// their counts is not settled by what is read: of a raise that is on its way the count
// says nothing. When that goes unanswered the counter is closed, and not kept as it is.
func TestACountBesideARaiseSettlesNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		begin func(f *farSide, d Doubt) error
	}{
		{"counts can be read", func(f *farSide, d Doubt) error { return f.h.BeginCount(t.Context(), f.id, []Doubt{d}) }},
		{"counts cannot be read", func(f *farSide, d Doubt) error { return f.h.Reclose(t.Context(), f.id, []Doubt{d}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			f.promises(t, promising(func(terms *hotel.Terms) { terms.Versions = true }))
			h.protect(t, hotel.Guarded)
			f.goLive(t)
			f.catchUp(t)
			night := h.today + 2
			h.exec(t, "UPDATE party SET doing = '', account = 0") // nothing was granted yet
			h.reopen(t)
			must2(h.book(h.double, night, night+1, hotel.Once{}))(t)
			for f.derive(t) {
			}
			if v := f.tells(t, night); v == 0 {
				t.Fatal("nothing is granted")
			}
			if err := c.begin(f, Doubt{Line: f.counters[0].Line, Night: night}); err != nil {
				t.Fatal(err)
			}
			if p := f.party(t, night); p.Doing != exposure.Setting || !p.Raise {
				t.Errorf("beside a raise the counter is at %+v", p)
			}
			f.settle(t, 0, Settlement{State: DeliveryUnknown})
			h.reopen(t)
			if v := f.tells(t, night); v != 0 {
				t.Errorf("after a raise without an answer it is told %d", v)
			}
		})
	}
}

// What was told while a pool was shared, and had no answer, may act long after it is
// guarded. The answer to a call that was on its way at the change says nothing of it.
func TestTheAnswerToALaterCallEndsNoDoubt(t *testing.T) {
	for _, state := range []DeliveryState{DeliveryApplied, DeliveryRejected, DeliveryUnknown, DeliveryNotSent} {
		t.Run(string(state), func(t *testing.T) {
			h := newHouse(t)
			f := h.newFarSide(t, 0)
			f.promises(t, promising(nil))
			f.goLive(t)
			h.deriveAll(t)
			for f.derive(t) {
			}
			night := h.today + 2
			f.tells(t, night)
			f.settle(t, 0, Settlement{State: DeliveryUnknown})
			f.tells(t, night)
			h.protect(t, hotel.Guarded)
			h.drain(t)
			h.clock.move(10 * time.Second) // until which it may have been sent
			answered := h.clock.Steady().Truncate(time.Microsecond)
			f.settle(t, 0, Settlement{State: state})
			if p := f.party(t, night); !p.Raise || !p.Unknown || p.RaiseLast.Before(answered) {
				t.Fatalf("after the answer it is at %+v", p)
			}
			if state == DeliveryRejected {
				return // it is told nothing until something else is wanted
			}
			if v := f.tells(t, night); v != 0 {
				t.Fatalf("it is told %d", v)
			}
			f.settle(t, 0, Settlement{State: DeliveryApplied})
			f.list(t)
			if p := f.party(t, night); p.Doing != exposure.Closed || p.Clean || !p.Unknown {
				t.Errorf("closed beside what may still act it is at %+v", p)
			}
			h.clock.move(2*time.Minute + time.Second)
			if err := h.DealDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if v := f.tells(t, night); v != 0 {
				t.Fatalf("it is told %d when that is over", v)
			}
			f.settle(t, 0, Settlement{State: DeliveryApplied})
			f.list(t)
			if p := f.party(t, night); p.Unknown || p.Raise {
				t.Errorf("closed for good and listed it is at %+v", p)
			}
		})
	}
}
