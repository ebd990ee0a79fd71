package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// limited asks about changes of more than seven cells.
func (b *bench) limited() {
	b.t.Helper()
	b.rest()
	b.change(func(c *hotel.Channel) { c.Policies.BlastRadius = &hotel.BlastRadiusPolicy{Cells: 7} })
	b.rest()
}

// blasts lists the open conflicts about large changes.
func (b *bench) blasts() []hotel.Conflict {
	b.t.Helper()
	list, err := b.ldg.Conflicts(context.Background(), hotel.ConflictFilter{PropertyID: b.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictBlastRadius}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

// asked returns the only open conflict about a large change, and how many cells it
// is about.
func (b *bench) asked() (hotel.Conflict, int) {
	b.t.Helper()
	list := b.blasts()
	if len(list) != 1 {
		b.t.Fatalf("asked %d times", len(list))
	}
	var facts ledger.BlastFacts
	if err := json.Unmarshal(list[0].Facts, &facts); err != nil {
		b.t.Fatal(err)
	}
	if len(facts.Channels) != 1 || facts.Channels[0].ChannelID != channel || facts.Channels[0].Limit != 7 || len(facts.Channels[0].Sample) == 0 {
		b.t.Errorf("facts %s", list[0].Facts)
	}
	return list[0], facts.Channels[0].Cells
}

func (b *bench) decide(c hotel.Conflict, option string) {
	b.t.Helper()
	if _, _, err := b.ldg.ResolveConflict(context.Background(), testkit.Tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: option}); err != nil {
		b.t.Fatal(err)
	}
}

// derive does what the engine does with what follows from large writes.
func (b *bench) derive() {
	b.t.Helper()
	for more := true; more; {
		var err error
		if more, err = b.ldg.DeriveDue(context.Background()); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := b.ldg.FollowChanges(context.Background()); err != nil {
		b.t.Fatal(err)
	}
}

// TestALargeChangeIsAskedAbout: it waits, whatever it is of, until somebody has said
// that it is meant.
func TestALargeChangeIsAskedAbout(t *testing.T) {
	stock := func(b *bench, span hotel.Span, limit int) {
		b.t.Helper()
		b.house.Stock(b.t, b.ldg, 2, span, hotel.InventoryEntry{SellLimit: hotel.Given(limit)})
	}
	for _, test := range []struct {
		name   string
		before func(*bench, hotel.Span)
		change func(*bench, hotel.Span)
		key    func(*bench, hotel.Date) connectors.Key
	}{
		{"prices", nil, func(b *bench, span hotel.Span) { b.house.Price(b.t, b.ldg, 2, span, 777) }, func(b *bench, d hotel.Date) connectors.Key { return b.suiteRate(hotel.Price, d) }},
		{
			"rooms", func(b *bench, span hotel.Span) { stock(b, span, 1) }, func(b *bench, span hotel.Span) { stock(b, span, 2) },
			func(b *bench, d hotel.Date) connectors.Key { return b.suiteKey(d) },
		},
		{
			"openings", func(b *bench, span hotel.Span) { b.closed(span, true) }, func(b *bench, span hotel.Span) { b.closed(span, false) },
			func(b *bench, d hotel.Date) connectors.Key { return b.suiteRate(hotel.Closures, d) },
		},
	} {
		for _, option := range []string{hotel.OptionSend, hotel.OptionUndo} {
			t.Run(test.name+" "+option, func(t *testing.T) {
				run(t, nil, func(b *bench) {
					span := hotel.Span{From: b.today + 5, To: b.today + 12}
					b.limited()
					if test.before != nil { // closing and lowering is never asked about
						test.before(b, span)
						b.rest()
					}
					if n := len(b.blasts()); n != 0 {
						t.Fatalf("asked %d times before", n)
					}
					few := hotel.Span{From: b.today + 20, To: b.today + 22}
					if test.before != nil {
						test.before(b, few)
						b.rest()
					}
					was := b.far.shows(test.key(b, few.To))
					test.change(b, few)
					b.rest()
					if got := b.far.shows(test.key(b, few.To)); got == was || len(b.blasts()) != 0 {
						t.Errorf("few cells: shown %+v, asked %d times", got, len(b.blasts()))
					}

					was = b.far.shows(test.key(b, span.To))
					calls := b.rest()
					test.change(b, span)
					b.rest()
					c, cells := b.asked()
					if got := b.far.shows(test.key(b, span.To)); cells < 8 || got != was || b.far.count() != calls || b.state().Held == 0 {
						t.Errorf("%d cells wait; shown %+v by %d calls, %d are held", cells, got, b.far.count()-calls, b.state().Held)
					}
					b.decide(c, option)
					b.derive()
					b.rest()
					b.derive()
					b.rest()
					if got := b.far.shows(test.key(b, span.To)); (got == was) != (option == hotel.OptionUndo) {
						t.Errorf("%s: shown %+v, was %+v", option, got, was)
					}
					if n := len(b.blasts()); n != 0 || b.state().Held != 0 {
						t.Errorf("asked %d times afterwards, %d cells are held", n, b.state().Held)
					}
					calls = b.rest()
					test.change(b, hotel.Span{From: span.To, To: span.To})
					b.rest()
					if got := b.far.shows(test.key(b, span.To)); got == was || (b.far.count() > calls) != (option == hotel.OptionUndo) {
						t.Errorf("afterwards %+v is shown", got)
					}
				})
			})
		}
	}
}

// closed closes the suites of nights, or opens them.
func (b *bench) closed(span hotel.Span, closed bool) {
	b.t.Helper()
	_, _, err := b.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
		PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
			RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Dates: hotel.Dates{Span: span}, Closed: hotel.Given(closed),
		}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// TestWhatFollowsFromBookingsIsNeverAskedAbout: also on a night of a change that
// waits.
func TestWhatFollowsFromBookingsIsNeverAskedAbout(t *testing.T) {
	run(t, nil, func(b *bench) {
		span := hotel.Span{From: b.today + 5, To: b.today + 12}
		b.limited()
		b.house.Stock(t, b.ldg, 2, span, hotel.InventoryEntry{SellLimit: hotel.Given(1)})
		b.rest()
		b.house.Stock(t, b.ldg, 2, span, hotel.InventoryEntry{SellLimit: hotel.Given(2)})
		b.rest()
		c, _ := b.asked()
		for _, n := range []int{1, 0} { // rooms that are left
			b.sell(fmt.Sprint("B", n), span.From)
			b.rest()
			if got := b.far.shows(b.suiteKey(span.From)).Available; got != min(1, n) {
				t.Errorf("%d left, %d shown", n, got)
			}
		}
		b.closed(hotel.Span{From: span.To, To: span.To}, true)
		b.rest()
		if !b.far.shows(b.suiteRate(hotel.Closures, span.To)).Closed.Closed {
			t.Error("a closing waits")
		}
		if got := b.far.shows(b.suiteKey(span.From + 1)).Available; got != 1 {
			t.Errorf("%d shown of a night that waits", got)
		}
		b.decide(c, hotel.OptionSend)
		b.rest()
		if got := b.far.shows(b.suiteKey(span.From + 1)).Available; got != 2 {
			t.Errorf("%d shown of a night that was let", got)
		}
	})
}

// TestALargeChangeThatIsTakenBackByHand: nobody is asked about it any more.
func TestALargeChangeThatIsTakenBackByHand(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.limited()
		b.change(func(c *hotel.Channel) { c.Markup = &hotel.Markup{Kind: "percent", Value: "50"} })
		b.rest()
		c, cells := b.asked()
		if cells < 100 || c.ChannelID != channel {
			t.Errorf("%d cells of %q wait", cells, c.ChannelID)
		}
		_, _, err := b.ldg.ResolveConflict(context.Background(), testkit.Tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionUndo})
		if r, refused := errors.AsType[*hotel.Refusal](err); !refused || r.Code != "not_available" {
			t.Errorf("undone: %v", err)
		}
		b.derive()
		if len(b.blasts()) != 1 {
			t.Fatal("forgotten while it waits")
		}
		b.change(func(c *hotel.Channel) { c.Markup = nil })
		b.rest()
		time.Sleep(time.Minute)
		b.derive()
		if n := len(b.blasts()); n != 0 || b.state().Held != 0 {
			t.Errorf("%d conflicts are open, %d cells are held", n, b.state().Held)
		}
	})
}

// TestALargeOpeningWaitsWhereACounterSaysClosed: also where nothing waits but
// counters, which are not of the change themselves.
func TestALargeOpeningWaitsWhereACounterSaysClosed(t *testing.T) {
	for name, absent := range map[string][]hotel.Field{
		"closed alone is not told": {hotel.FieldClosed}, "no closures are told": {hotel.FieldClosed, hotel.FieldClosedToArrival},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, func(b *bench) {
				for _, f := range absent {
					delete(b.caps.Fields, f)
				}
			}, func(b *bench) {
				span := hotel.Span{From: b.today + 5, To: b.today + 12}
				b.limited()
				b.closed(span, true)
				b.rest()
				b.closed(span, false)
				b.rest()
				shown := func() int { return b.far.shows(b.suiteKey(span.To)).Available }
				b.asked()
				for range 3 {
					b.derive()
					time.Sleep(time.Minute)
				}
				if shown() != 0 || len(b.blasts()) != 1 || b.state().Held == 0 {
					t.Fatalf("minutes later %d are shown, asked %d times, %d are held", shown(), len(b.blasts()), b.state().Held)
				}
				b.closed(span, true) // taken back by hand
				b.rest()
				b.derive()
				if len(b.blasts()) != 0 || shown() != 0 {
					t.Fatalf("taken back: %d are shown, asked %d times", shown(), len(b.blasts()))
				}
				b.closed(span, false)
				b.rest()
				c, _ := b.asked()
				b.decide(c, hotel.OptionSend)
				b.derive()
				b.rest()
				if shown() == 0 || b.state().Held != 0 {
					t.Errorf("let go: %d are shown, %d are held", shown(), b.state().Held)
				}
			})
		})
	}
}

// rules closes the suites of some nights, or those who would arrive, or opens them.
func (b *bench) rules(span hotel.Span, closed, arrival bool) {
	b.t.Helper()
	_, _, err := b.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
		PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
			RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Dates: hotel.Dates{Span: span},
			Closed: hotel.Given(closed), ClosedToArrival: hotel.Given(arrival),
		}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.rest()
}

// TestAClosingOfANightThatWaitsIsTold: and opens nothing of it that somebody has still
// to decide about.
func TestAClosingOfANightThatWaitsIsTold(t *testing.T) {
	run(t, nil, func(b *bench) {
		span := hotel.Span{From: b.today + 5, To: b.today + 12}
		shows := func(night hotel.Date, closed, arrival bool) {
			b.t.Helper()
			if got := b.far.shows(b.suiteRate(hotel.Closures, night)).Closed; got.Closed != closed || got.Arrival != arrival {
				b.t.Errorf("%+v is shown, want closed %t, to arrivals %t", got, closed, arrival)
			}
		}
		b.limited()
		b.rules(span, true, false)
		b.rules(span, false, false)
		c, _ := b.asked()
		shows(span.From, true, false)
		one := func(n int) hotel.Span {
			return hotel.Span{From: span.From + hotel.Date(n), To: span.From + hotel.Date(n)}
		}
		b.rules(one(0), false, true)
		shows(span.From, true, true)
		calls := b.rest()
		b.derive()
		time.Sleep(2 * time.Minute)
		if n := b.rest(); n != calls || b.state().Held == 0 {
			t.Errorf("%d calls while it waits, %d cells are held", n-calls, b.state().Held)
		}
		b.decide(c, hotel.OptionSend)
		b.rest()
		shows(span.From, false, true)
		shows(span.To, false, false)

		// An arrival that opens on a large scale, and a night of them that closes.
		b.rules(span, false, true)
		b.rules(span, false, false)
		c, _ = b.asked()
		b.rules(one(1), true, false)
		shows(span.From+1, true, true)
		b.decide(c, hotel.OptionSend)
		b.rest()
		shows(span.From+1, true, false)
		shows(span.To, false, false)
	})
}

// TestARefusedClosingOfANightThatWaits: somebody is told of it, and the channel is not
// told the same again and again. Once the opening may be told, it is.
func TestARefusedClosingOfANightThatWaits(t *testing.T) {
	for _, test := range []struct {
		by             string
		refuse, accept func(*farSide)
		calls          int
	}{
		{"the connector", func(f *farSide) {
			f.refuse = func(c connectors.Change) string {
				if c.Offer.Closed.Arrival {
					return "there is no such thing"
				}
				return ""
			}
		}, func(f *farSide) { f.refuse = func(connectors.Change) string { return "" } }, 0},
		{"the channel", func(f *farSide) {
			f.answer = func(int, connectors.Call) (connectors.Answer, error) {
				return connectors.Answer{Rest: connectors.Rejected}, nil
			}
		}, func(f *farSide) { f.answer = nil }, 1},
	} {
		t.Run(test.by, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				span := hotel.Span{From: b.today + 5, To: b.today + 12}
				night := hotel.Span{From: span.From, To: span.From}
				b.limited()
				b.rules(span, true, false)
				b.rules(span, false, false)
				c, _ := b.asked()
				b.far.set(func() { test.refuse(b.far) })
				calls := b.far.count()
				b.rules(night, false, true)
				time.Sleep(5 * time.Minute)
				b.derive()
				if n, s := b.far.count()-calls, b.state(); n != test.calls || s.Rejected != 2 {
					t.Errorf("%d calls, %d cells refused, want %d and the night under both plans", n, s.Rejected, test.calls)
				}
				told, err := b.ldg.Conflicts(context.Background(), hotel.ConflictFilter{PropertyID: b.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictRejected}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 10})
				if err != nil || len(told) != 2 {
					t.Errorf("told of %d times, %v", len(told), err)
				}
				b.asked()
				b.far.set(func() { test.accept(b.far) })
				b.decide(c, hotel.OptionSend)
				b.rest()
				if got := b.far.shows(b.suiteRate(hotel.Closures, night.From)).Closed; got.Closed || !got.Arrival {
					t.Errorf("%+v is shown once the opening may be told", got)
				}
			})
		})
	}
}

// TestADoubtfulClosingOfANightThatWaits: what was closed when it was last confirmed may
// have been opened since by a call of which nobody knows.
func TestADoubtfulClosingOfANightThatWaits(t *testing.T) {
	run(t, nil, func(b *bench) {
		span := hotel.Span{From: b.today + 5, To: b.today + 12}
		b.limited()
		b.rules(span, false, true)
		b.rules(span, false, false)
		b.asked()
		key := b.suiteRate(hotel.Closures, span.From)
		b.far.set(func() { b.far.shown[key] = hotel.Offer{} })
		b.rules(hotel.Span{From: span.From, To: span.From}, false, true)
		if got := b.far.shows(key).Closed; !got.Arrival {
			t.Errorf("%+v is shown of a night that is closed to arrivals", got)
		}
		b.asked()
	})
}
