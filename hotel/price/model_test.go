package price_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// The model counts in fractions, finds the permitted amounts by trying one
// minor unit after the other, and knows the currencies' decimals by heart.

var exponents = map[hotel.Currency]int{"EUR": 2, "JPY": 0, "KWD": 3}

func rat(t *rapid.T, s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}

func tenTo(n int) int64 {
	p := int64(1)
	for ; n > 0; n-- {
		p *= 10
	}
	return p
}

// modelAdjust changes an amount of minor units.
func modelAdjust(t *rapid.T, minor *big.Rat, kind hotel.AdjustmentKind, value string, c hotel.Currency) *big.Rat {
	v := rat(t, value)
	if kind == hotel.Percent {
		part := new(big.Rat).Mul(minor, v)
		part.Quo(part, big.NewRat(100, 1))
		return part.Add(part, minor)
	}
	v.Mul(v, big.NewRat(tenTo(exponents[c]), 1))
	return v.Add(v, minor)
}

// permitted says whether a price of so many minor units has the shape.
func permitted(minor int64, mode hotel.Rounding, c hotel.Currency) bool {
	text := hotel.Money{Minor: minor, Currency: c}.Amount()
	whole, decimals := text, ""
	if e := exponents[c]; e > 0 {
		whole, decimals = text[:len(text)-e-1], text[len(text)-e:]
	}
	round := minor%tenTo(exponents[c]) == 0
	last := whole[len(whole)-1]
	switch mode {
	case hotel.RoundNearest1:
		return round
	case hotel.RoundNearest5:
		return round && (last == '0' || last == '5')
	case hotel.RoundEnd9:
		return round && last == '9'
	case hotel.RoundEnd99:
		switch c {
		case "JPY":
			return len(whole) >= 2 && whole[len(whole)-2:] == "99"
		case "KWD":
			return decimals == "990"
		}
		return decimals == "99"
	case hotel.RoundNone:
	}
	return true
}

// modelRound walks up the permitted amounts, counting them, and stops where the
// next one is farther away, or as far and this one has an even number.
func modelRound(exact *big.Rat, mode hotel.Rounding, c hotel.Currency) int64 {
	distance := func(minor int64) *big.Rat {
		d := new(big.Rat).Sub(new(big.Rat).SetInt64(minor), exact)
		return d.Abs(d)
	}
	here, number := int64(-1), -1
	for minor := int64(0); ; minor++ {
		if !permitted(minor, mode, c) {
			continue
		}
		if number >= 0 {
			cmp := distance(here).Cmp(distance(minor))
			if cmp < 0 || cmp == 0 && number%2 == 0 {
				return here
			}
		}
		here, number = minor, number+1
	}
}

// modelBound moves a rounded amount, minor unit by minor unit, to the nearest
// permitted one within the bounds. A lower bound above the upper one holds.
func modelBound(minor int64, mode hotel.Rounding, c hotel.Currency, low, high int64) int64 {
	if high > 0 && low > high {
		return low
	}
	switch {
	case low > 0 && minor < low:
		for m := low; m <= low+tenTo(exponents[c]+2); m++ {
			if permitted(m, mode, c) {
				if high > 0 && m > high {
					return low
				}
				return m
			}
		}
	case high > 0 && minor > high:
		for m := high; m >= low; m-- {
			if permitted(m, mode, c) {
				return m
			}
		}
		return high
	}
	return minor
}

var roundings = []hotel.Rounding{
	"", hotel.RoundNone, hotel.RoundNearest1, hotel.RoundNearest5, hotel.RoundEnd9, hotel.RoundEnd99,
}

func drawAdjustment(t *rapid.T, c hotel.Currency) (hotel.AdjustmentKind, string) {
	if rapid.Bool().Draw(t, "percent") {
		n := rapid.OneOf(rapid.IntRange(-3000, 5000), rapid.SampledFrom([]int{-10000, -5000, 1250})).Draw(t, "hundredths")
		return hotel.Percent, fmt.Sprintf("%s%d.%02d", sign(n), abs(n)/100, abs(n)%100)
	}
	n := rapid.IntRange(-60, 60).Draw(t, "amount")
	if exponents[c] == 0 {
		return hotel.Amount, fmt.Sprint(n)
	}
	return hotel.Amount, fmt.Sprintf("%s%d.%d", sign(n), abs(n)/10, abs(n)%10)
}

func sign(n int) string {
	if n < 0 {
		return "-"
	}
	return ""
}

func abs(n int) int { return max(n, -n) }

func TestStoredPricesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]hotel.Currency{"EUR", "JPY", "KWD"}).Draw(t, "currency")
		h := price.Base(hotel.Money{Minor: rapid.Int64Range(0, 1_000_000).Draw(t, "base"), Currency: c})
		for range rapid.IntRange(0, 3).Draw(t, "derivations") {
			kind, value := drawAdjustment(t, c)
			h = derive(t, h, hotel.Derivation{Kind: kind, Value: value, Rounding: rapid.SampledFrom(roundings).Draw(t, "rounding")})
		}
		if h.Amount.Rat().IsInt() != (h.Exact() == "") {
			t.Fatalf("exact text of %s is %q", h.Amount, h.Exact())
		}
		got, err := price.FromStored(h.Minor(), h.Exact(), h.Rounding, h.Currency)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Amount.Equal(h.Amount) || got.Rounding != h.Rounding || got.Currency != h.Currency {
			t.Fatalf("came back as %+v, want %+v", got, h)
		}
	})
}
