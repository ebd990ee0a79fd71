package dispatch

import (
	"context"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// forOne sets the suites' price of a night for a single guest; 0 takes it away.
func (b *bench) forOne(night hotel.Date, amount int64) {
	b.t.Helper()
	v := hotel.Given(hotel.Money{Minor: amount, Currency: "EUR"})
	if amount == 0 {
		v = hotel.Optional[hotel.Money]{Set: true, Null: true}
	}
	b.forGuests(night, 1, v)
}

func (b *bench) forGuests(night hotel.Date, guests int, amount hotel.Optional[hotel.Money]) {
	b.t.Helper()
	_, _, err := b.ldg.UpdateRates(context.Background(), testkit.Tester, hotel.Once{}, hotel.RateUpdate{
		PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RateEntry{{
			RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[0].ID, Dates: hotel.Dates{Span: hotel.Span{From: night, To: night}},
			Occupancies: map[int]hotel.Optional[hotel.Money]{guests: amount},
		}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// guests is the address of the price for a number of guests.
func (b *bench) guests(night hotel.Date, n int) connectors.Key {
	k := b.suiteRate(hotel.Price, night)
	k.Occupancy = n
	return k
}

func (b *bench) isClosed(night hotel.Date) bool {
	return b.far.shows(b.suiteRate(hotel.Closures, night)).Closed.Closed
}

// A far side may take prices for each number of guests under one code, and one price under
// another.
func TestRatesOfBothModes(t *testing.T) {
	for name, by := range map[string]bool{"all but one by guests": true, "all but one by the room": false} {
		t.Run(name, func(t *testing.T) {
			run(t, func(b *bench) {
				b.caps.Occupancies = by
				b.caps.Otherwise = []string{"P-flex"}
			}, func(b *bench) {
				b.rest()
				night := b.today + 3
				b.forOne(night, 5000)
				b.rest()
				want := map[int]int64{0: 10000, 1: 5000}
				if by {
					want[1] = 0 // it is told none
				}
				for guests, want := range want {
					if got := b.far.shows(b.guests(night, guests)).Amount.Minor; got != want {
						t.Errorf("for %d guests %d is shown, want %d", guests, got, want)
					}
				}
				other := b.guests(night, 1)
				if other.Rate = b.house.RemoteRate(1); (b.far.shows(other).Amount.Minor > 0) != by {
					t.Errorf("of the other rate %d is shown for one guest", b.far.shows(other).Amount.Minor)
				}
				if b.isClosed(night) {
					t.Error("the night is closed")
				}
			})
		})
	}
}

func TestEachNumberOfGuestsHasItsPrice(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.change(func(c *hotel.Channel) { c.Markup = &hotel.Markup{Kind: hotel.Percent, Value: "10"} })
		b.forOne(night, 5000)
		b.forGuests(night, 3, hotel.Given(hotel.Money{Minor: 15000, Currency: "EUR"}))
		b.rest()
		for guests, want := range map[int]int64{0: 11000, 1: 5500, 2: 11000, 3: 16500} {
			if got := b.far.shows(b.guests(night, guests)).Amount.Minor; got != want {
				t.Errorf("for %d guests %d is shown, want %d", guests, got, want)
			}
		}
		if b.isClosed(night) {
			t.Error("the night is closed, with a price for as many guests as have one")
		}
	})
}

func TestARefusedPriceForSomeGuestsClosesTheNight(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.far.set(func() {
			b.far.refuse = func(c connectors.Change) string {
				if c.Key.Occupancy == 1 && c.Offer.Amount.Minor == 7000 {
					return "no"
				}
				return ""
			}
		})
		b.forOne(night, 7000)
		b.rest()
		if !b.isClosed(night) {
			t.Error("the night is sold for a price that nobody wants any more")
		}
		if b.isClosed(night + 1) {
			t.Error("the next night is closed")
		}
		b.forOne(night, 8000)
		b.rest()
		if got := b.far.shows(b.guests(night, 1)).Amount.Minor; got != 8000 || b.isClosed(night) {
			t.Errorf("%d is shown, closed: %t", got, b.isClosed(night))
		}
	})
}

// A far side cannot be told that a price is none any more.
func TestAPriceForSomeGuestsThatIsTakenAwayClosesTheNight(t *testing.T) {
	run(t, nil, func(b *bench) {
		night := b.today + 3
		three := hotel.Money{Minor: 15000, Currency: "EUR"}
		b.forGuests(night, 3, hotel.Given(three))
		b.rest()
		b.forGuests(night, 3, hotel.Optional[hotel.Money]{Set: true, Null: true})
		n := b.rest()
		if !b.isClosed(night) {
			t.Error("the night is sold for a price that there is none of")
		}
		b.forGuests(night, 3, hotel.Given(three))
		b.rest()
		if b.isClosed(night) {
			t.Error("the night is closed though the price that is shown holds again")
		}
		for _, call := range b.far.since(n) {
			if _, sent := call.sends[b.guests(night, 3)]; sent {
				t.Error("a price that is shown already is sent again")
			}
		}
	})
}

// What the guard closes for one number of guests opens with a price that passes.
func TestTheGuardJudgesEachNumberOfGuests(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.change(func(c *hotel.Channel) {
			c.Pricing.Guard = hotel.PriceGuard{MaxChangePct: "30", TooHigh: hotel.GuardClose}
		})
		b.forOne(night, 90000)
		b.rest()
		if got := b.far.shows(b.guests(night, 1)).Amount.Minor; got != 9000 || !b.isClosed(night) || b.state().Held != 2 { // and that of the plan below
			t.Errorf("%d is shown, closed: %t, held: %d", got, b.isClosed(night), b.state().Held)
		}
		b.forOne(night, 9500)
		b.rest()
		if got := b.far.shows(b.guests(night, 1)).Amount.Minor; got != 9500 || b.isClosed(night) || b.state().Held != 0 {
			t.Errorf("%d is shown, closed: %t, held: %d", got, b.isClosed(night), b.state().Held)
		}
	})
}

// A channel that takes one price for the room is not told the others.
func TestAChannelWithoutOccupanciesIsToldOnePrice(t *testing.T) {
	run(t, func(b *bench) { b.caps.Occupancies = false }, func(b *bench) {
		b.rest()
		night := b.today + 3
		b.forOne(night, 5000)
		b.rest()
		for _, call := range b.far.since(0) {
			for k := range call.sends {
				if k.Occupancy != 0 {
					t.Fatalf("it is told the price for %d guests", k.Occupancy)
				}
			}
		}
		if b.isClosed(night) {
			t.Error("the night is closed for want of prices that the channel does not take")
		}
	})
}
