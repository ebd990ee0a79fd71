package price_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

// modelGuard goes through the definition in fractions.
func modelGuard(t *rapid.T, g hotel.PriceGuard, next hotel.Money, k price.Known) (hotel.GuardRule, string) {
	high := g.TooHigh
	if high == "" {
		high = hotel.GuardHold
	}
	if g.Floor != nil && g.Floor.Currency == next.Currency && next.Minor < g.Floor.Minor {
		return hotel.GuardHold, "below_floor"
	}
	if g.Ceiling != nil && g.Ceiling.Currency == next.Currency && next.Minor > g.Ceiling.Minor {
		return high, "above_ceiling"
	}
	var measure *big.Rat
	if k.Last != nil && k.Last.Currency == next.Currency && k.Last.Minor > 0 {
		measure = big.NewRat(k.Last.Minor, 1)
	} else if list := inCurrency(k.Around, next.Currency); len(list) > 0 {
		// As many are below the median as above it: take one off either end until
		// one or two are left.
		for len(list) > 2 {
			list = list[1 : len(list)-1]
		}
		measure = big.NewRat(list[0]+list[len(list)-1], 2)
	}
	if g.MaxChangePct == "" || measure == nil {
		return "", ""
	}
	moved := new(big.Rat).Sub(big.NewRat(next.Minor, 1), measure)
	share := moved.Quo(moved, measure)
	share.Mul(share, big.NewRat(100, 1))
	limit := rat(t, g.MaxChangePct)
	switch {
	case share.Cmp(limit) > 0:
		return high, "rose_too_far"
	case share.Cmp(new(big.Rat).Neg(limit)) < 0:
		return hotel.GuardHold, "fell_too_far"
	}
	return "", ""
}

// inCurrency lists the prices in a currency that are above 0, the lowest first.
func inCurrency(list []hotel.Money, c hotel.Currency) (out []int64) {
	for _, m := range list {
		if m.Currency == c && m.Minor > 0 {
			out = append(out, m.Minor)
		}
	}
	slices.Sort(out)
	return out
}

func TestTheGuardEqualsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		money := func(label string) hotel.Money {
			return hotel.Money{
				Minor: rapid.Int64Range(0, 40).Draw(t, label), Currency: rapid.SampledFrom([]hotel.Currency{"EUR", "EUR", "EUR", "CHF"}).Draw(t, label+" in"),
			}
		}
		maybe := func(label string) *hotel.Money {
			if m := money(label); rapid.Bool().Draw(t, label+" is set") {
				return &m
			}
			return nil
		}
		g := hotel.PriceGuard{
			Floor: maybe("floor"), Ceiling: maybe("ceiling"),
			MaxChangePct: rapid.SampledFrom([]string{"", "0", "33.33", "50", fmt.Sprint(rapid.IntRange(1, 150).Draw(t, "pct"))}).Draw(t, "change"),
			TooHigh:      rapid.SampledFrom([]hotel.GuardRule{"", hotel.GuardHold, hotel.GuardClose, hotel.GuardSend}).Draw(t, "too high"),
		}
		k := price.Known{Last: maybe("last")}
		for i := range rapid.IntRange(0, 6).Draw(t, "around") {
			k.Around = append(k.Around, money(fmt.Sprint("around ", i)))
		}
		next := money("next")
		rule, reason := modelGuard(t, g, next, k)
		if v := price.Guard(g, next, k); v.Rule != rule || v.Reason != reason {
			t.Fatalf("%s with %+v and %+v: %q for %q, want %q for %q", next, g, k, v.Rule, v.Reason, rule, reason)
		}
		want := int64(0) // the nearest of all prices, tried one by one
		for minor := int64(1); minor <= 120; minor++ {
			tried := hotel.Money{Minor: minor, Currency: next.Currency}
			_, reason := modelGuard(t, g, tried, k)
			if reason == "" && (want == 0 || max(minor-next.Minor, next.Minor-minor) < max(want-next.Minor, next.Minor-want)) {
				want = minor
			}
		}
		if near, ok := price.Nearest(g, next, k); ok != (want > 0) || ok && near.Minor != want {
			t.Fatalf("%s with %+v and %+v: the nearest is %s (%t), want %d", next, g, k, near, ok, want)
		}
	})
}
