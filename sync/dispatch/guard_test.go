package dispatch

import (
	"context"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

func TestAPriceBeyondTheGuardIsHeld(t *testing.T) {
	floor, ceiling := hotel.Money{Minor: 5000, Currency: "EUR"}, hotel.Money{Minor: 40000, Currency: "EUR"}
	tests := []struct {
		name   string
		guard  hotel.PriceGuard
		amount int64
		first  bool // the night has never had a price
		held   bool
		closed bool
	}{
		{"below the floor", hotel.PriceGuard{Floor: &floor}, 1200, false, true, false},
		{"above the ceiling", hotel.PriceGuard{Ceiling: &ceiling}, 100000, false, true, false},
		{"above the ceiling, and the night is to close", hotel.PriceGuard{Ceiling: &ceiling, TooHigh: hotel.GuardClose}, 100000, false, true, true},
		{"above the ceiling, and to be sent", hotel.PriceGuard{Ceiling: &ceiling, TooHigh: hotel.GuardSend}, 100000, false, false, false},
		{"fallen by more than allowed", hotel.PriceGuard{MaxChangePct: "30"}, 6900, false, true, false},
		{"fallen by as much as allowed", hotel.PriceGuard{MaxChangePct: "30"}, 7000, false, false, false},
		{"a first price far below those of its weekday stays closed", hotel.PriceGuard{MaxChangePct: "30"}, 6900, true, true, true},
		{"a first price like those of its weekday", hotel.PriceGuard{MaxChangePct: "30"}, 11000, true, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				night := b.today + 8
				if test.first {
					b.forget(night)
				}
				b.rest()
				b.change(func(c *hotel.Channel) { c.Pricing.Guard = test.guard })
				b.rest()
				rate, closures := b.suiteRate(hotel.Price, night), b.suiteRate(hotel.Closures, night)
				before := b.far.shows(rate).Amount.Minor

				b.price(night, test.amount)
				b.suites(night, 1) // is not held up
				b.rest()
				want := test.amount
				if test.held {
					want = before
				}
				if got := b.far.shows(rate).Amount.Minor; got != want {
					t.Errorf("%d is shown, want %d", got, want)
				}
				if got := b.far.shows(closures).Closed.Closed; got != test.closed {
					t.Errorf("closed: %t, want %t", got, test.closed)
				}
				if got := b.far.shows(b.suiteKey(night)).Available; got != 1 {
					t.Errorf("%d rooms are shown, want the lower number", got)
				}
				if got := b.state().Held; (got > 0) != test.held {
					t.Errorf("%d prices are held", got)
				}

				odd := 0
				if test.guard.TooHigh == hotel.GuardSend {
					odd = 3 * len(b.house.Plans) // for the room, one guest and two, once each
				}
				if got := b.odd(); got != odd {
					t.Errorf("%d prices are noted as odd, want %d", got, odd)
				}

				b.settledByGuard(odd)

				b.change(func(c *hotel.Channel) { c.Pricing.Guard = hotel.PriceGuard{} })
				b.rest()
				if got := b.far.shows(rate).Amount.Minor; got != test.amount || b.state().Held != 0 {
					t.Errorf("without a guard %d is shown and %d prices are held", got, b.state().Held)
				}
				if b.far.shows(closures).Closed.Closed {
					t.Error("the night is closed though its price is confirmed")
				}
			})
		})
	}
}

// odd counts the prices that were noted as odd.
func (b *bench) odd() int {
	b.t.Helper()
	entries, err := b.ldg.Entries(context.Background(), 0, 10000)
	if err != nil {
		b.t.Fatal(err)
	}
	n := 0
	for _, e := range entries {
		if e.Kind == ledger.PricesOdd {
			n += strings.Count(string(e.Body), "above_ceiling")
		}
	}
	return n
}

// settledByGuard expects so many odd prices in conflicts that the guard has decided, which
// ask nobody.
func (b *bench) settledByGuard(odd int) {
	b.t.Helper()
	list, err := b.ldg.Conflicts(context.Background(), hotel.ConflictFilter{
		PropertyID: b.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictPriceGuard}, Statuses: []hotel.ConflictStatus{hotel.ConflictResolved}, Limit: 100,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	prices := 0
	for _, c := range list {
		if !ledger.SentTooHigh(&c) || c.Resolution.Option != hotel.OptionSend || !strings.Contains(string(c.Facts), "above_ceiling") {
			b.t.Errorf("settled by %s, %+v: %s", c.DecidedBy, c.Applied, c.Facts)
		}
		prices += len(c.Cells)
	}
	if prices != odd {
		b.t.Errorf("%d prices are in conflicts that the guard has decided, want %d", prices, odd)
	}
}

// forget lets a night be one that never had a price.
func (b *bench) forget(night hotel.Date) {
	b.t.Helper()
	b.stop()
	b.unprice(night)
	if err := b.ldg.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.open()
}
