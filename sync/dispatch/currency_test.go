package dispatch

import (
	"context"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// An amount that stands for more in another currency is told anew, though the
// number is the one that the channel has confirmed.
func TestAnotherCurrencyTellsEveryPriceAgain(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		price := b.suiteRate(hotel.Price, b.today+3)
		one := price
		one.Occupancy = 1
		b.change(func(c *hotel.Channel) {
			c.Pricing = hotel.ChannelPricing{
				Currency: "CHF", Exchange: &hotel.Exchange{Rate: "1", Date: b.today}, Guard: hotel.PriceGuard{MaxChangePct: "10"},
			}
		})
		b.rest()
		for _, k := range []connectors.Key{price, one} {
			if got := b.far.shows(k).Amount; got.Currency != "CHF" || got.Minor == 0 {
				t.Errorf("for %d guests %s is shown", k.Occupancy, got)
			}
		}
		b.change(func(c *hotel.Channel) { c.Pricing.Exchange.Rate, c.Pricing.Currency = "161", "JPY" })
		b.rest()
		if got, want := b.far.shows(price).Amount, (hotel.Money{Minor: 16100, Currency: "JPY"}); got != want || b.state().Held != 0 {
			t.Errorf("%s is shown, want %s; %d prices are held", got, want, b.state().Held)
		}
	})
}

// Without a rate from the plan's currency there is no price, and no sale.
func TestWithoutARateANightIsClosed(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		price, open := b.suiteRate(hotel.Price, b.today+3), b.suiteRate(hotel.Closures, b.today+3)
		b.change(func(c *hotel.Channel) { c.Pricing.Currency = "CHF" })
		b.rest()
		if got := b.far.shows(price).Amount; got.Currency != "EUR" || !b.far.shows(open).Closed.Closed {
			t.Errorf("%s is shown, closed: %t; nobody said what a franc is", got, b.far.shows(open).Closed.Closed)
		}
		b.change(func(c *hotel.Channel) { c.Pricing.Exchange = &hotel.Exchange{Rate: "0.9", Date: b.today} })
		b.rest()
		if got, want := b.far.shows(price).Amount, (hotel.Money{Minor: 9000, Currency: "CHF"}); got != want || b.far.shows(open).Closed.Closed {
			t.Errorf("%s is shown, want %s, closed: %t", got, want, b.far.shows(open).Closed.Closed)
		}
	})
}

// A plan for one channel may have the channel's currency as its own: its prices
// are told as they are typed, whatever the rate of the property's is.
func TestAPlanInTheChannelsCurrencyIsNotConverted(t *testing.T) {
	for _, currency := range []hotel.Currency{"", "CHF"} { // the channel's
		t.Run("channel in "+string(currency), func(t *testing.T) {
			run(t, nil, func(b *bench) {
				b.rest()
				p := b.francs()
				if currency != "" {
					b.change(func(c *hotel.Channel) {
						c.Pricing.Currency, c.Pricing.Exchange = currency, &hotel.Exchange{Rate: "0.9", Date: b.today}
					})
				}
				b.rest()
				k := connectors.Key{Room: b.house.RemoteRoom(2), Rate: p.Code, Group: hotel.Price, Night: b.today + 3}
				if got, want := b.far.shows(k).Amount, (hotel.Money{Minor: 20000, Currency: "CHF"}); got != want {
					t.Errorf("%s is shown, want %s", got, want)
				}
			})
		})
	}
}

// francs makes a plan in another currency than the property's, prices the suites
// by it, and maps it.
func (b *bench) francs() hotel.RatePlan {
	b.t.Helper()
	ctx := context.Background()
	p, _, err := b.ldg.CreateRatePlan(ctx, testkit.Tester, hotel.Once{}, hotel.RatePlan{
		PropertyID: b.house.Property.ID, Code: "francs", Name: "Francs", Currency: "CHF", Pricing: hotel.PerRoomPrice, TaxMode: hotel.TaxInclusive,
		RoomTypeIDs: []string{b.house.Rooms[2].ID}, Audience: hotel.Restricted, SoldBy: []string{channel}, Position: 9, Status: hotel.Active,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	_, _, err = b.ldg.UpdateRates(ctx, testkit.Tester, hotel.Once{}, hotel.RateUpdate{
		PropertyID: b.house.Property.ID, Source: "api", Entries: []hotel.RateEntry{{
			RoomTypeID: b.house.Rooms[2].ID, RatePlanID: p.ID, Dates: hotel.Dates{Span: hotel.Span{From: b.today + 3, To: b.today + 3}},
			Amount: hotel.Given(hotel.Money{Minor: 20000, Currency: "CHF"}),
		}},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.codes(hotel.Mapping{RoomTypeID: b.house.Rooms[2].ID, RatePlanID: p.ID, RemoteRoom: b.house.RemoteRoom(2), RemoteRate: p.Code})
	b.change(func(c *hotel.Channel) { c.CutOff = &hotel.CutOff{} }) // learns the codes again
	return p
}
