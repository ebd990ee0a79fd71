package dispatch

import (
	"context"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// changePlan makes the first plan different.
func (b *bench) changePlan(apply func(*hotel.RatePlan)) {
	b.t.Helper()
	_, _, err := b.ldg.ChangeRatePlan(context.Background(), testkit.Tester, hotel.Once{}, b.house.Plans[0].ID,
		hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
			apply(p)
			return nil
		}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// changeSuite makes the suite different.
func (b *bench) changeSuite(apply func(*hotel.RoomType)) {
	b.t.Helper()
	_, _, err := b.ldg.ChangeRoomType(context.Background(), testkit.Tester, hotel.Once{}, b.house.Rooms[2].ID,
		hotel.Change[hotel.RoomType]{Apply: func(r *hotel.RoomType) error {
			apply(r)
			return nil
		}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// changeProperty makes the property different.
func (b *bench) changeProperty(apply func(*hotel.Property)) {
	b.t.Helper()
	_, _, err := b.ldg.ChangeProperty(context.Background(), testkit.Tester, hotel.Once{}, b.house.Property.ID,
		hotel.Change[hotel.Property]{Apply: func(p *hotel.Property) error {
			apply(p)
			return nil
		}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// vat is a tax that prices with tax contain.
func vat(percent string) hotel.Tax {
	return hotel.Tax{Code: "vat", Name: "VAT", Kind: hotel.PercentTax, Value: percent, Included: true, CountsAs: hotel.VAT, CollectedBy: "hotel"}
}

// fee is an amount for each guest and night that prices with tax contain.
func fee(amount string) hotel.Tax {
	return hotel.Tax{Code: "fee", Name: "Fee", Kind: hotel.PerPersonTax, Value: amount, Included: true, CountsAs: hotel.Fee, CollectedBy: "hotel"}
}

// What a channel makes of a house price follows from the plan and the property
// too, also where the house price stays as it is.
func TestTheTermsOfAPlanReachAChannel(t *testing.T) {
	for _, c := range []struct {
		name    string
		channel func(*hotel.Channel)
		change  func(*bench)
		want    int64 // of 100.00
	}{
		{
			"a tax that comes in, for prices without tax",
			func(c *hotel.Channel) { c.Pricing.Basis = hotel.TaxExcluded },
			func(b *bench) { b.changeProperty(func(p *hotel.Property) { p.Taxes = []hotel.Tax{vat("25")} }) },
			8000,
		},
		{
			"a fee of every guest, for prices without tax",
			func(c *hotel.Channel) { c.Pricing.Basis = hotel.TaxExcluded },
			func(b *bench) {
				b.changeProperty(func(p *hotel.Property) { p.Taxes = []hotel.Tax{vat("25"), fee("5")} })
			},
			7200, // of 90.00
		},
		{
			"a fee of every guest, of whom there are more",
			func(c *hotel.Channel) { c.Pricing.Basis = hotel.TaxExcluded },
			func(b *bench) {
				b.changeProperty(func(p *hotel.Property) { p.Taxes = []hotel.Tax{fee("5")} })
				b.rest()
				b.changeSuite(func(r *hotel.RoomType) { r.BaseOccupancy, r.MaxAdults, r.MaxOccupancy = 3, 3, 3 })
			},
			8500,
		},
		{
			"another tax, for a plan that is typed without",
			func(c *hotel.Channel) { c.Pricing.Basis = hotel.TaxIncluded },
			func(b *bench) {
				b.changeProperty(func(p *hotel.Property) { p.Taxes = []hotel.Tax{vat("25")} })
				b.rest()
				b.changePlan(func(p *hotel.RatePlan) { p.TaxMode = hotel.TaxExclusive })
			},
			12500,
		},
		{
			"a ceiling, above the house price and below the channel's",
			func(c *hotel.Channel) { c.Markup = &hotel.Markup{Kind: hotel.Percent, Value: "20"} },
			func(b *bench) {
				b.changePlan(func(p *hotel.RatePlan) {
					p.PriceLimits = []hotel.PriceLimit{{DateFrom: b.today, DateTo: b.today + 300, Ceiling: &hotel.Money{Minor: 11000, Currency: "EUR"}}}
				})
			},
			11000,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				b.rest()
				b.change(c.channel)
				b.rest()
				c.change(b)
				b.rest()
				if got := b.far.shows(b.suiteRate(hotel.Price, b.today+3)).Amount.Minor; got != c.want {
					t.Errorf("%d is shown, want %d", got, c.want)
				}
			})
		})
	}
}

func TestAPlanIsOnSaleWhereItNamesTheChannel(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.rest()
		night := b.today + 3
		open, other := b.suiteRate(hotel.Closures, night), b.suiteRate(hotel.Closures, night)
		other.Rate = b.house.RemoteRate(1)
		b.changePlan(func(p *hotel.RatePlan) { p.SoldBy = []string{"somebody"} })
		b.rest()
		if !b.far.shows(open).Closed.Closed || b.far.shows(other).Closed.Closed {
			t.Errorf("closed: %t, and the plan derived from it: %t", b.far.shows(open).Closed.Closed, b.far.shows(other).Closed.Closed)
		}
		b.price(night, 15000)
		b.rest()
		if got := b.far.shows(b.suiteRate(hotel.Price, night)).Amount.Minor; got != 10000 || !b.far.shows(open).Closed.Closed {
			t.Errorf("%d is shown, closed: %t; the channel does not sell the plan", got, b.far.shows(open).Closed.Closed)
		}
		b.changePlan(func(p *hotel.RatePlan) { p.SoldBy = append(p.SoldBy, channel) })
		b.rest()
		if got := b.far.shows(b.suiteRate(hotel.Price, night)).Amount.Minor; got != 15000 || b.far.shows(open).Closed.Closed {
			t.Errorf("%d is shown, closed: %t; the channel sells the plan", got, b.far.shows(open).Closed.Closed)
		}
	})
}
