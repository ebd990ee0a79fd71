package dispatch

import (
	"context"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// TestAHeldPriceIsDecided: whoever is on duty says what becomes of a price that the
// guard keeps back.
func TestAHeldPriceIsDecided(t *testing.T) {
	for _, test := range []struct {
		option string
		shown  int64 // 0: as before
		closed bool
		held   bool
	}{
		{option: hotel.OptionSend, shown: 1200},
		{option: hotel.OptionHold, held: true},
		{option: hotel.OptionCap, shown: 5000},
		{option: hotel.OptionClose, closed: true, held: true},
	} {
		t.Run(test.option, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				night := b.today + 8
				b.rest()
				floor := hotel.Money{Minor: 5000, Currency: "EUR"}
				b.change(func(c *hotel.Channel) { c.Pricing.Guard = hotel.PriceGuard{Floor: &floor} })
				b.rest()
				rate, closures := b.suiteRate(hotel.Price, night), b.suiteRate(hotel.Closures, night)
				want := b.far.shows(rate).Amount.Minor
				b.price(night, 1200)
				b.rest()
				open := b.guarded()
				if len(open) == 0 {
					t.Fatal("nobody is asked")
				}
				for _, c := range open {
					if _, _, err := b.ldg.ResolveConflict(context.Background(), testkit.Tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: test.option}); err != nil {
						t.Fatal(err)
					}
				}
				b.rest()
				if test.shown > 0 {
					want = test.shown
				}
				if got := b.far.shows(rate).Amount.Minor; got != want {
					t.Errorf("%d is shown, want %d", got, want)
				}
				if got := b.far.shows(closures).Closed.Closed; got != test.closed {
					t.Errorf("closed: %t, want %t", got, test.closed)
				}
				if got := b.state().Held; (got > 0) != test.held {
					t.Errorf("%d prices are held", got)
				}
				if n := len(b.guarded()); n != 0 {
					t.Errorf("asked %d times more about the same price", n)
				}
				b.explainedGuard(night, test.option, test.shown)
				b.price(night, 1100)
				b.rest()
				if n := len(b.guarded()); n == 0 {
					t.Error("nobody is asked about another price")
				}
				b.price(night, 9000)
				b.rest()
				if n := len(b.guarded()); n != 0 || b.far.shows(closures).Closed.Closed {
					t.Errorf("a sound price is sent, and %d conflicts are open", n)
				}
			})
		})
	}
}

// explainedGuard compares the last step of a suite's price with what was decided.
func (b *bench) explainedGuard(night hotel.Date, option string, shown int64) {
	b.t.Helper()
	x, err := New(b.worker.Options).Explain(context.Background(), hotel.ExplainQuery{ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Night: night})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, n := range x.Numbers {
		if n.Field != hotel.FieldAmount || n.Occupancy != b.house.Rooms[2].BaseOccupancy {
			continue
		}
		last := n.Result()
		said := map[bool]string{option == hotel.OptionCap: "capped: 12.00 is what the house asks for", option == hotel.OptionHold || option == hotel.OptionClose: "the channel's price guard keeps the price from being sent: it is below the floor 50.00; it is judged again when the price or the guard changes"}[true]
		if want := (hotel.Money{Minor: max(shown, 1200), Currency: "EUR"}).Amount(); last.Name != "price_guard" || last.Text != want || last.By != said {
			b.t.Errorf("for %d the price ends at %+v, want %s: %q", n.Occupancy, last, want, said)
		}
	}
	for _, g := range x.Groups {
		if g.Group == hotel.Price && option == hotel.OptionCap && (g.State != hotel.InSync || g.Code != "capped") {
			b.t.Errorf("the capped price is %s: %s", g.State, g.Code)
		}
	}
}

// guarded lists the open conflicts about held prices.
func (b *bench) guarded() []hotel.Conflict {
	b.t.Helper()
	list, err := b.ldg.Conflicts(context.Background(), hotel.ConflictFilter{
		PropertyID: b.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictPriceGuard}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 100,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

// TestACappedPriceStays: worked out again, the price that was capped is capped as it
// was, and does not fall step by step.
func TestACappedPriceStays(t *testing.T) {
	run(t, nil, func(b *bench) {
		night := b.today + 8
		b.rest()
		b.change(func(c *hotel.Channel) { c.Pricing.Guard = hotel.PriceGuard{MaxChangePct: "30"} })
		b.rest()
		rate := b.suiteRate(hotel.Price, night)
		want := b.far.shows(rate).Amount.Minor * 7 / 10
		b.price(night, 100)
		b.rest()
		for _, c := range b.guarded() {
			if _, _, err := b.ldg.ResolveConflict(context.Background(), testkit.Tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionCap}); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 3 {
			b.rest()
			if got := b.far.shows(rate).Amount.Minor; got != want || len(b.guarded()) > 0 {
				t.Errorf("%d is shown, want %d; %d conflicts are open", got, want, len(b.guarded()))
			}
			b.sound()
			sent := b.far.count()
			ceiling := hotel.Money{Minor: 90000 + int64(i), Currency: "EUR"}
			b.change(func(c *hotel.Channel) { c.Pricing.Guard.Ceiling = &ceiling }) // all is judged again
			b.rest()
			for _, c := range b.far.since(sent) {
				if _, again := c.sends[rate]; again {
					t.Errorf("round %d: the capped price is sent again", i)
				}
			}
		}
	})
}

// sound fails the test when what is stored is not what the journal says.
func (b *bench) sound() {
	b.t.Helper()
	step := func(c hotel.Channel) (ledger.Reach, func(ledger.Work) []ledger.Wanted, error) {
		reach, step := Step(c, b.caps)
		return reach, step, nil
	}
	v, err := b.ldg.Verify(context.Background(), ledger.VerifyOptions{Stage: step, Report: func(string, float64) {}})
	if err != nil || len(v.Differences) > 0 {
		b.t.Errorf("%v, %v", v.Differences, err)
	}
}
