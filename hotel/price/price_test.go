package price_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func eur(t *testing.T, amount string) hotel.Money {
	t.Helper()
	m, err := hotel.ParseMoney(amount, "EUR")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// derive makes a price for the base occupancy of two.
func derive(t interface{ Fatal(...any) }, parent price.House, d hotel.Derivation) price.House {
	ready, err := price.NewDerivation(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ready.Derive(parent, price.Adults(2), price.Adults(2))
}

func TestDerive(t *testing.T) {
	parent := price.Base(eur(t, "241.49"))
	tests := []struct {
		name       string
		derivation hotel.Derivation
		exact      string
		quote      string
	}{
		{"ten percent less", hotel.Derivation{Kind: hotel.Percent, Value: "-10"}, "217.341", "217.34 EUR"},
		{"a fraction of a percent more", hotel.Derivation{Kind: hotel.Percent, Value: "2.5"}, "247.52725", "247.53 EUR"},
		{"an amount more", hotel.Derivation{Kind: hotel.Amount, Value: "12.5"}, "253.99", "253.99 EUR"},
		{"an amount less", hotel.Derivation{Kind: hotel.Amount, Value: "-1.49"}, "240.00", "240.00 EUR"},
		{"with a rounding of its own", hotel.Derivation{Kind: hotel.Percent, Value: "-10", Rounding: hotel.RoundEnd9}, "217.341", "219.00 EUR"},
		{"all of it away", hotel.Derivation{Kind: hotel.Percent, Value: "-100"}, "0.00", "0.00 EUR"},
		{"more than all of it away", hotel.Derivation{Kind: hotel.Amount, Value: "-500"}, "-258.51", "0.00 EUR"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := derive(t, parent, test.derivation)
			if got := h.Text(); got != test.exact {
				t.Errorf("exact = %s, want %s", got, test.exact)
			}
			if got := price.Quote(h).String(); got != test.quote {
				t.Errorf("quote = %s, want %s", got, test.quote)
			}
		})
	}
}

func TestDeriveKeepsTheLastRounding(t *testing.T) {
	h := derive(t, price.Base(eur(t, "200.00")), hotel.Derivation{Kind: hotel.Percent, Value: "3", Rounding: hotel.RoundNearest5})
	for _, next := range []struct {
		rounding, want hotel.Rounding
	}{
		{"", hotel.RoundNearest5},
		{hotel.RoundNone, hotel.RoundNone},
		{hotel.RoundEnd99, hotel.RoundEnd99},
	} {
		got := derive(t, h, hotel.Derivation{Kind: hotel.Amount, Value: "1", Rounding: next.rounding}).Rounding
		if got != next.want {
			t.Errorf("rounding %q after nearest_5 = %q, want %q", next.rounding, got, next.want)
		}
	}
}

func TestOffer(t *testing.T) {
	plain := func(s string, mode hotel.Rounding) price.House {
		return price.House{Amount: decimal.RequireFromString(s), Rounding: mode, Currency: "EUR"}
	}
	tests := []struct {
		name    string
		house   price.House
		channel price.Channel
		want    string
	}{
		{"as the house has it", plain("21900", ""), price.Channel{}, "219.00"},
		{"marked up by an amount", plain("21735", ""), price.Channel{Markup: &hotel.Markup{Kind: hotel.Amount, Value: "1.65"}}, "219.00"},
		{
			"rounded once, after the markup", plain("10049", hotel.RoundNearest1),
			price.Channel{Markup: &hotel.Markup{Kind: hotel.Percent, Value: "1"}},
			"101.00",
		},
		{"breakfast keeps its own VAT where tax is taken out", plain("13080", ""), withBreakfast(hotel.TaxInclusive, hotel.TaxExcluded), "120.00"},
		{"and where it is added", plain("12380", ""), withBreakfast(hotel.TaxExclusive, hotel.TaxIncluded), "135.32"},
		{"raised to the bound", plain("900", ""), price.Channel{Min: eur(t, "10.00")}, "10.00"},
		{"lowered to the bound", plain("100001", ""), price.Channel{Max: eur(t, "1000.00")}, "1000.00"},
		{"raised to the next that ends in 9", plain("900", hotel.RoundEnd9), price.Channel{Min: eur(t, "20.00")}, "29.00"},
		{"lowered to the next that ends in 9", plain("90000", hotel.RoundEnd9), price.Channel{Max: eur(t, "500.00")}, "499.00"},
		{"a bound that ends in 9 is permitted", plain("900", hotel.RoundEnd9), price.Channel{Min: eur(t, "29.00")}, "29.00"},
		{
			"no room between the bounds for a 9, from below", plain("900", hotel.RoundEnd9),
			price.Channel{Min: eur(t, "20.00"), Max: eur(t, "25.00")},
			"20.00",
		},
		{
			"no room between the bounds for a 9, from above", plain("9900", hotel.RoundEnd9),
			price.Channel{Min: eur(t, "20.00"), Max: eur(t, "25.00")},
			"25.00",
		},
		{"no 9 below the bound", plain("900", hotel.RoundEnd9), price.Channel{Max: eur(t, "5.00")}, "5.00"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := price.Offer(test.house, test.channel, nil).Amount(); got != test.want {
				t.Errorf("offer = %s, want %s", got, test.want)
			}
		})
	}
}

func TestOfferListsEveryStep(t *testing.T) {
	house := price.House{Amount: decimal.RequireFromString("21734.1"), Rounding: hotel.RoundNearest5, Currency: "EUR"}
	tests := []struct {
		name    string
		channel price.Channel
		want    []hotel.Step
	}{
		{"nothing acts", price.Channel{}, []hotel.Step{
			{Name: "markup", Text: "217.341"},
			{Name: "tax_basis", Text: "217.341"},
			{Name: "currency", By: "EUR", Text: "217.341"},
			{Name: "rounding", By: "nearest_5", Text: "215.00"},
			{Name: "floor_ceiling", Text: "215.00"},
			{Name: "capability_clamp", Text: "215.00"},
		}},
		{
			"everything acts",
			price.Channel{
				Markup: &hotel.Markup{Kind: hotel.Percent, Value: "10"},
				Min:    eur(t, "250.00"), Max: eur(t, "900.00"),
			},
			[]hotel.Step{
				{Name: "markup", By: "10 percent", Text: "239.0751", Acted: hotel.Acted{Kind: "percent"}},
				{Name: "tax_basis", Text: "239.0751"},
				{Name: "currency", By: "EUR", Text: "239.0751"},
				{Name: "rounding", By: "nearest_5", Text: "240.00"},
				{Name: "floor_ceiling", Text: "240.00"},
				{Name: "capability_clamp", By: "from 250.00 to 900.00", Text: "250.00"},
			},
		},
		{"one bound below", price.Channel{Min: eur(t, "1.00")}, []hotel.Step{
			{Name: "markup", Text: "217.341"},
			{Name: "tax_basis", Text: "217.341"},
			{Name: "currency", By: "EUR", Text: "217.341"},
			{Name: "rounding", By: "nearest_5", Text: "215.00"},
			{Name: "floor_ceiling", Text: "215.00"},
			{Name: "capability_clamp", By: "at least 1.00", Text: "215.00"},
		}},
		{"one bound above", price.Channel{Max: eur(t, "100.00")}, []hotel.Step{
			{Name: "markup", Text: "217.341"},
			{Name: "tax_basis", Text: "217.341"},
			{Name: "currency", By: "EUR", Text: "217.341"},
			{Name: "rounding", By: "nearest_5", Text: "215.00"},
			{Name: "floor_ceiling", Text: "215.00"},
			{Name: "capability_clamp", By: "at most 100.00", Text: "100.00"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tr hotel.Trace
			price.Offer(house, test.channel, &tr)
			if diff := cmp.Diff(test.want, tr.Steps); diff != "" {
				t.Errorf("steps (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		kind  hotel.AdjustmentKind
		value string
		wrong string
	}{
		{"percent", hotel.Percent, "-12.5", ""},
		{"amount", hotel.Amount, "1500", ""},
		{"everything away", hotel.Percent, "-100", ""},
		{"no kind", "", "1", "neither percent nor amount"},
		{"no value", hotel.Percent, "", "not a decimal number"},
		{"a plus sign", hotel.Percent, "+5", "not a decimal number"},
		{"an exponent", hotel.Amount, "1e9", "not a decimal number"},
		{"too many decimals", hotel.Percent, "1.23456", "not a decimal number"},
		{"more than everything away", hotel.Percent, "-100.01", "not between -100 and 1000"},
		{"absurdly much more", hotel.Percent, "1000.01", "not between -100 and 1000"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := price.Check(test.kind, test.value)
			if (err == nil) != (test.wrong == "") || err != nil && !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("check = %v, want %q", err, test.wrong)
			}
		})
	}
}

func TestFromStoredRefuses(t *testing.T) {
	tests := []struct {
		name  string
		minor int64
		exact string
		wrong string
	}{
		{"no number", 100, "a lot", `exact price "a lot"`},
		{"another number", 100, "101.2", "does not round to 100"},
		{"rounded up instead of to even", 101, "100.5", "does not round to 101"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := price.FromStored(test.minor, test.exact, "", "EUR")
			if err == nil || !strings.Contains(err.Error(), test.wrong) {
				t.Errorf("error = %v, want %q", err, test.wrong)
			}
		})
	}
}

// withBreakfast is a channel on another tax basis than a plan of VAT 7 %, which
// includes breakfast for two of VAT 19 %.
func withBreakfast(mode hotel.TaxMode, basis hotel.PriceBasis) price.Channel {
	taxes := price.TaxesOf([]hotel.Tax{{Kind: hotel.PercentTax, Value: "7", Included: true, CountsAs: hotel.VAT}}, 0, "EUR", true)
	plan := &hotel.RatePlan{Currency: "EUR", Included: []hotel.Included{
		{Code: "breakfast", Per: hotel.IncludedPerPerson, VAT: "19", Amount: map[string]hotel.Money{"": {Minor: 1190, Currency: "EUR"}}},
	}}
	return price.Channel{Mode: mode, Basis: basis, Taxes: taxes, Items: price.ItemsOf(plan, taxes), Guests: 2}
}

func TestWhatIsForTheStayIsLeftOut(t *testing.T) {
	fee := []hotel.Tax{{Kind: hotel.PerStay, Value: "30", Included: true, CountsAs: hotel.Fee}}
	onTop := []hotel.Tax{{Kind: hotel.PerStay, Value: "30", CountsAs: hotel.Fee}}
	welcome := []hotel.Included{{Code: "welcome", Per: hotel.IncludedPerStay, VAT: "19"}}
	for _, c := range []struct {
		name     string
		taxes    []hotel.Tax
		included []hotel.Included
		basis    hotel.PriceBasis
		want     bool
	}{
		{"a fee within the price", fee, nil, hotel.TaxExcluded, true},
		{"the same basis", fee, nil, hotel.TaxIncluded, false},
		{"no basis of its own", fee, nil, "", false},
		{"a fee on top of every price", onTop, nil, hotel.TaxExcluded, false},
		{"an item with its own VAT", nil, welcome, hotel.TaxExcluded, true},
		{"nothing for the stay", nil, nil, hotel.TaxExcluded, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			channel := &hotel.Channel{Pricing: hotel.ChannelPricing{Basis: c.basis}}
			if got := price.LeavesOutStay(channel, &hotel.Property{Taxes: c.taxes}, &hotel.RatePlan{Included: c.included}); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}
