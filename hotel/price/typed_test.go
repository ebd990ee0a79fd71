package price_test

import (
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// What was typed is found again from what the channel makes of it, or something that
// becomes the same there.
func TestTypedForIsTheWayBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := price.Channel{Guests: 2}
		if rapid.Bool().Draw(t, "marked up") {
			c.Markup = &hotel.Markup{Kind: hotel.Percent, Value: rapid.SampledFrom([]string{"-15", "10", "17.5", "200"}).Draw(t, "percent")}
		}
		if rapid.Bool().Draw(t, "dearer by an amount") {
			c.Markup = &hotel.Markup{Kind: hotel.Amount, Value: "3.50"}
		}
		if rapid.Bool().Draw(t, "with breakfast") {
			of := withBreakfast(hotel.TaxInclusive, hotel.TaxExcluded)
			c.Mode, c.Basis, c.Taxes, c.Items = of.Mode, of.Basis, of.Taxes, of.Items
		}
		if rapid.Bool().Draw(t, "in another currency") {
			c.Currency = rapid.SampledFrom([]hotel.Currency{"JPY", "KWD", "USD"}).Draw(t, "currency")
			c.Exchange = &hotel.Exchange{Rate: rapid.SampledFrom([]string{"0.3341", "1.0874", "161.25"}).Draw(t, "rate")}
		}
		typed := hotel.Money{Minor: rapid.Int64Range(0, 1_000_000).Draw(t, "typed"), Currency: "EUR"}
		shown := price.Offer(price.Base(typed), c, nil)
		back, ok := price.TypedFor(shown, "EUR", price.Limits{}, c)
		if !ok || price.Offer(price.Base(back), c, nil) != shown {
			t.Fatalf("%v is shown as %v, and %v %t is found behind that", typed, shown, back, ok)
		}
	})
}

func TestTypedForOfWhatNobodyCanType(t *testing.T) {
	for name, c := range map[string]struct {
		of     price.Channel
		limits price.Limits
		shown  string
		want   string // "": none
	}{
		"as it stands":                     {of: price.Channel{}, shown: "43.21", want: "43.21"},
		"a tenth less":                     {of: price.Channel{Markup: &hotel.Markup{Kind: hotel.Percent, Value: "10"}}, shown: "110.00", want: "100.00"},
		"three times a price":              {of: price.Channel{Markup: &hotel.Markup{Kind: hotel.Percent, Value: "200"}}, shown: "43.21"},
		"less than what is added":          {of: price.Channel{Markup: &hotel.Markup{Kind: hotel.Amount, Value: "50"}}, shown: "43.21"},
		"below the plan's floor":           {limits: price.Limits{Floor: 5000}, shown: "43.21"},
		"above its ceiling":                {limits: price.Limits{Ceiling: 4000}, shown: "43.21"},
		"at the far side's bound":          {of: price.Channel{Max: eur(t, "43.21")}, shown: "43.21", want: "43.21"},
		"beyond it":                        {of: price.Channel{Max: eur(t, "43.00")}, shown: "43.21"},
		"in a currency that is not shown":  {of: price.Channel{Currency: "USD", Exchange: &hotel.Exchange{Rate: "1.1"}}, shown: "43.21"},
		"everything for nothing, all less": {of: price.Channel{Markup: &hotel.Markup{Kind: hotel.Percent, Value: "-100"}}, shown: "43.21"},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := price.TypedFor(eur(t, c.shown), "EUR", c.limits, c.of)
			if ok != (c.want != "") || ok && got != eur(t, c.want) {
				t.Errorf("%v %t, want %q", got, ok, c.want)
			}
		})
	}
}
