package dispatch

import (
	"errors"
	"slices"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// refuseWhole has the far side refuse every call that has something to say that it does
// not take.
func (b *bench) refuseWhole(bad func(connectors.Key, hotel.Offer) bool) {
	b.far.set(func() {
		b.far.answer = func(_ int, c connectors.Call) (connectors.Answer, error) {
			said := b.far.calls[len(b.far.calls)-1].sends
			for _, k := range c.Keys {
				if bad(k, said[k]) {
					return connectors.Answer{}, &connectors.Error{Kind: connectors.Invalid, Op: "send", Err: errors.New("422")}
				}
			}
			return connectors.Answer{Rest: connectors.Applied}, nil
		}
	})
}

// What stands beside a value for which a far side refuses a whole call is told all the
// same, in few calls more, and what is wrong alone is parked.
func TestACallRefusedAsAWhole(t *testing.T) {
	run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
		n := b.rest()
		bad := b.today + 13
		b.refuseWhole(func(k connectors.Key, o hotel.Offer) bool { return k.Group == hotel.Price && o.Amount.Minor == 66600 })
		for night := b.today + 1; night <= b.today+28; night++ {
			amount := 20000 + int64(night)
			if night == bad {
				amount = 66600
			}
			b.price(night, amount)
		}
		b.rest()
		if calls := b.far.count() - n; calls > 30 {
			t.Errorf("%d calls, want a few for 28 nights of which one is wrong", calls)
		}
		for night := b.today + 1; night <= b.today+28; night++ {
			k := connectors.Key{Room: b.house.RemoteRoom(2), Rate: b.house.RemoteRate(0), Group: hotel.Price, Night: night}
			if got, want := b.far.shows(k).Amount.Minor, 20000+int64(night); night != bad && got != want {
				t.Errorf("%s shows %d, want %d", night, got, want)
			}
		}
		if s := b.state(); s.Rejected != 1 || s.Lag != 0 {
			t.Errorf("%d cells parked and %d behind, want the one and none", s.Rejected, s.Lag)
		}
		n = b.far.count()
		b.price(bad, 12000)
		b.rest()
		// The line goes alone until it is taken: its price, that of the plan below, and the opening.
		if calls := b.far.count() - n; calls > 3 || b.state().Rejected != 0 {
			t.Errorf("%d calls for a price that is right, %d parked", calls, b.state().Rejected)
		}
	})
}

// A line that was found wrong is not searched for each time that something else is told
// beside it.
func TestWhatIsWrongStaysApart(t *testing.T) {
	run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
		b.rest()
		bad := connectors.Key{Room: b.house.RemoteRoom(0), Rate: b.house.RemoteRate(0), Group: hotel.Price}
		b.refuseWhole(func(k connectors.Key, _ hotel.Offer) bool {
			k.Night = 0
			return k == bad
		})
		told := func(amount int64) int {
			n := b.far.count()
			for room := range b.house.Rooms {
				b.house.Price(b.t, b.ldg, room, hotel.Span{From: b.today + 7, To: b.today + 7}, amount)
			}
			b.rest()
			return b.far.count() - n
		}
		first := told(20100)
		for amount := range int64(3) {
			if calls := told(20200 + amount); calls > 2+len(b.house.Rooms)/2 || calls >= first {
				t.Errorf("%d calls, of which one is refused; the first time it took %d", calls, first)
			}
		}
		b.refuseWhole(func(connectors.Key, hotel.Offer) bool { return false })
		told(20300) // is taken, and no longer apart
		if calls := told(20400); calls != 1 {
			t.Errorf("%d calls once everything is taken again, want 1", calls)
		}
	})
}

// A far side that refuses whatever it is told is not asked about each value, and told all
// of it again when it takes something. Its channel is flagged meanwhile, once.
func TestEveryCallRefusedAsAWhole(t *testing.T) {
	run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
		n := b.rest()
		began, err := b.ldg.Sequence(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		b.refuseWhole(func(connectors.Key, hotel.Offer) bool { return true })
		for night := b.today + 1; night <= b.today+28; night++ {
			for room := range b.house.Rooms {
				b.house.Price(b.t, b.ldg, room, hotel.Span{From: night, To: night}, 20000+int64(night))
			}
		}
		time.Sleep(5 * time.Minute)
		if calls := b.far.count() - n; calls > 3*mostRefused {
			t.Errorf("%d calls, want at most about %d", calls, 3*mostRefused)
		}
		if s := b.state(); s.Rejected != 0 || s.Lag < 3*28 {
			t.Errorf("%d cells parked and %d behind, want none and all of them", s.Rejected, s.Lag)
		}
		flags := func() []ledger.Kind { return b.flagsSince(began) }
		time.Sleep(30 * time.Minute) // in which the search begins anew
		if told, s := flags(), b.state(); len(told) != 1 || len(s.Flags) != 1 || s.Flags[0].Fault.Kind != hotel.FaultRefusal || s.Flags[0].Times < 2 || s.StaleSince.IsZero() {
			t.Errorf("of a far side that refuses everything %v is told, and the channel is flagged %+v, out of date since %v", told, s.Flags, s.StaleSince)
		}
		b.refuseWhole(func(connectors.Key, hotel.Offer) bool { return false })
		time.Sleep(2 * time.Minute)
		if told, s := flags(), b.state(); !slices.Equal(told, []ledger.Kind{ledger.ChannelFlagged, ledger.ChannelUnflagged}) || len(s.Flags) != 0 {
			t.Errorf("once it is well %v has been told, and it is flagged %+v", told, s.Flags)
		}
		if s := b.state(); s.Rejected != 0 || s.Lag != 0 {
			t.Errorf("%d cells parked and %d behind once it is well, want none", s.Rejected, s.Lag)
		}
	})
}

// flagsSince is what was told of the channel's flags behind a point of the journal.
func (b *bench) flagsSince(sequence int64) (told []ledger.Kind) {
	entries, err := b.ldg.Entries(b.t.Context(), sequence, 10000)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, e := range entries {
		if e.Kind == ledger.ChannelFlagged || e.Kind == ledger.ChannelUnflagged {
			told = append(told, e.Kind)
		}
	}
	return told
}

// passing lets time go by, in which what was refused is told again as the engine has it.
func (b *bench) passing(d time.Duration) {
	b.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(time.Minute) {
		if err := b.ldg.RetryClosings(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
	}
}

// refuse has the far side refuse each call, or each value by itself, as bad has it.
func (b *bench) refuse(answer connectors.Answer, bad func(connectors.Key) bool) {
	b.far.set(func() {
		b.far.answer = func(_ int, c connectors.Call) (connectors.Answer, error) {
			if !slices.ContainsFunc(c.Keys, bad) {
				return connectors.Answer{Rest: connectors.Applied}, nil
			}
			if answer.Rest == connectors.Rejected {
				return answer, nil
			}
			return connectors.Answer{}, &connectors.Error{Kind: connectors.Invalid, Op: "send", Err: errors.New("422")}
		}
	})
}

// Ways to refuse all of a call: the zero value refuses it as a whole.
var refusals = map[string]connectors.Answer{"in whole calls": {}, "each by itself": {Rest: connectors.Rejected}}

// However few values a far side is told, that it takes none of them is found, and the flag
// stays until one is taken, across a restart too.
func TestFewValuesAllOfWhichAreRefused(t *testing.T) {
	for name, test := range map[string]struct {
		prices int // of two plans each, and a night whose price is refused is closed
		by     string
		within time.Duration
	}{
		"sixteen prices, in whole calls": {16, "in whole calls", time.Minute},
		"four prices, in whole calls":    {4, "in whole calls", time.Minute},
		"one price, in whole calls":      {1, "in whole calls", 2 * time.Hour},
		"sixteen prices, each by itself": {16, "each by itself", 2 * time.Hour},
		"one price by itself":            {1, "each by itself", 2 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
				b.rest()
				began, err := b.ldg.Sequence(b.t.Context())
				if err != nil {
					b.t.Fatal(err)
				}
				b.refuse(refusals[test.by], func(connectors.Key) bool { return true })
				for night := range test.prices {
					d := b.today + 1 + hotel.Date(night)
					b.house.Price(b.t, b.ldg, 0, hotel.Span{From: d, To: d}, 20000+int64(night))
				}
				b.passing(test.within)
				if s, told := b.state(), b.flagsSince(began); len(s.Flags) != 1 || s.Flags[0].Fault.Kind != hotel.FaultRefusal || len(told) != 1 {
					t.Fatalf("flagged %+v, of which %v was told", s.Flags, told)
				}
				b.stop()
				b.start(b.ldg) // which has forgotten since when
				b.passing(3 * time.Hour)
				if told := b.flagsSince(began); len(told) != 1 {
					t.Errorf("in three hours more %v was told", told)
				}
				b.refuse(connectors.Answer{}, func(connectors.Key) bool { return false })
				b.price(b.today+1, 30000)
				b.passing(time.Minute)
				if s, told := b.state(), b.flagsSince(began); len(s.Flags) != 0 || len(told) != 2 {
					t.Errorf("once it takes a value it is flagged %+v, and %v was told", s.Flags, told)
				}
			})
		})
	}
}

// One value says nothing of the next, however often it is refused: it is parked, counted,
// and somebody is asked about it, but the far side is not accused. Nor is it of the prices
// of one night that it refuses each time while it takes the closing, nor of one answer.
func TestOneValueThatIsRefusedAgain(t *testing.T) {
	all := func(connectors.Key) bool { return true }
	count := func(nights hotel.Date) func(*bench) {
		return func(b *bench) {
			u := hotel.InventoryUpdate{PropertyID: b.house.Property.ID, Entries: []hotel.InventoryEntry{{
				RoomTypeID: b.house.Rooms[2].ID, Dates: hotel.Dates{Span: hotel.Span{From: b.today + 1, To: b.today + nights}}, SellLimit: hotel.Given(0),
			}}}
			if _, _, err := b.ldg.UpdateInventory(b.t.Context(), testkit.Tester, hotel.Once{}, u); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	price := func(b *bench) { b.price(b.today+1, 66600) }
	for name, test := range map[string]struct {
		told   func(*bench)
		bad    func(connectors.Key) bool
		within time.Duration
		asked  int // about how many lines somebody is
	}{
		"a count":                           {count(1), all, 26 * time.Hour, 1},
		"a count of many nights":            {count(20), all, 26 * time.Hour, 1},
		"a price of two plans":              {price, func(k connectors.Key) bool { return k.Group == hotel.Price }, 26 * time.Hour, 2},
		"a price and its closing, at first": {price, all, 10 * time.Second, 4},
	} {
		for by, answer := range refusals {
			if by == "in whole calls" && test.within < time.Minute {
				continue // each of them is a refusal of its own
			}
			t.Run(name+", "+by, func(t *testing.T) {
				run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
					b.rest()
					began, err := b.ldg.Sequence(b.t.Context())
					if err != nil {
						b.t.Fatal(err)
					}
					b.refuse(answer, test.bad)
					n := b.far.count()
					test.told(b)
					b.passing(test.within)
					if tried := b.far.count() - n; test.within > time.Hour && tried < 20 {
						b.t.Errorf("it was told %d times", tried)
					}
					if s, told := b.state(), b.flagsSince(began); len(s.Flags)+len(told) > 0 || s.Rejected == 0 {
						b.t.Errorf("flagged %+v, of which %v was told, and %d cells are parked", s.Flags, told, s.Rejected)
					}
					open, err := b.ldg.Conflicts(b.t.Context(), hotel.ConflictFilter{PropertyID: b.house.Property.ID, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10})
					if err != nil || len(open) != test.asked {
						b.t.Errorf("somebody is asked %d times, want %d (%v)", len(open), test.asked, err)
					}
					for _, c := range open {
						if c.Kind != hotel.ConflictRejected || c.Severity != hotel.Critical {
							b.t.Errorf("asked about %s, %s", c.Kind, c.Severity)
						}
					}
				})
			})
		}
	}
}

// One value that is wrong is no fault of the far side, which takes the others.
func TestOneWrongValueFlagsNobody(t *testing.T) {
	run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
		b.rest()
		began, err := b.ldg.Sequence(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		b.refuseWhole(func(k connectors.Key, o hotel.Offer) bool { return k.Group == hotel.Price && o.Amount.Minor == 66600 })
		for hour := range 4 {
			b.price(b.today+5, 66600)
			b.passing(30 * time.Minute)
			b.price(b.today+9, 20000+int64(hour))
			b.passing(30 * time.Minute)
		}
		if told := b.flagsSince(began); len(told) != 0 {
			t.Errorf("of one wrong value %v is told", told)
		}
	})
}

// A closing that rests is told as soon as its far side takes anything of what rests: within
// two minutes by itself, and at once where the room was on sale again in between.
func TestAClosingRestsNoLongerThanItsFarSide(t *testing.T) {
	resting := func(b *bench) connectors.Key {
		b.rest()
		b.refuseWhole(func(connectors.Key, hotel.Offer) bool { return true })
		u := hotel.InventoryUpdate{PropertyID: b.house.Property.ID}
		for night := b.today + 1; night <= b.today+28; night++ {
			for _, room := range b.house.Rooms { // no two nights in a row are one value
				u.Entries = append(u.Entries, hotel.InventoryEntry{RoomTypeID: room.ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}}, SellLimit: hotel.Given(int(night) % 2)})
			}
		}
		if _, _, err := b.ldg.UpdateInventory(b.t.Context(), testkit.Tester, hotel.Once{}, u); err != nil {
			b.t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if s := b.state(); s.Lag < 3*28 || s.Rejected != 0 {
			b.t.Errorf("%d cells behind and %d parked, want all behind", s.Lag, s.Rejected)
		}
		b.refuseWhole(func(connectors.Key, hotel.Offer) bool { return false })
		return b.suiteKey(b.today + 5 + (b.today+5)%2)
	}
	without := func(b *bench) { b.caps.Occupancies = false }
	run(t, without, func(b *bench) {
		closed := resting(b)
		time.Sleep(2 * time.Minute)
		if n := b.far.shows(closed).Available; n != 0 || b.state().Lag != 0 {
			t.Errorf("the channel shows %d rooms of a full night and %d cells are behind", n, b.state().Lag)
		}
	})
	run(t, without, func(b *bench) {
		closed := resting(b)
		b.suites(closed.Night, 1)
		time.Sleep(5 * time.Second)
		b.suites(closed.Night, 0)
		time.Sleep(5 * time.Second)
		if n := b.far.shows(closed).Available; n != 0 || b.state().Lag != 0 {
			t.Errorf("the channel shows %d rooms of a night sold again and %d cells are behind", n, b.state().Lag)
		}
	})
}
