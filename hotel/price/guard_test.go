package price_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func TestGuard(t *testing.T) {
	around := func(minor ...int64) price.Known {
		var k price.Known
		for _, m := range minor {
			k.Around = append(k.Around, *money(m))
		}
		return k
	}
	last := func(minor int64) price.Known {
		return price.Known{Last: money(minor), Around: around(1, 1).Around}
	}
	twenty := hotel.PriceGuard{MaxChangePct: "20"}
	tests := []struct {
		name  string
		guard hotel.PriceGuard
		next  int64
		known price.Known
		want  price.Verdict
	}{
		{"no guard", hotel.PriceGuard{}, 1, last(99999), price.Verdict{}},
		{"below the floor", hotel.PriceGuard{Floor: money(5000), TooHigh: hotel.GuardSend}, 4999, price.Known{}, price.Verdict{Rule: "hold", Reason: "below_floor", By: "floor 50.00"}},
		{"at the floor", hotel.PriceGuard{Floor: money(5000)}, 5000, price.Known{}, price.Verdict{}},
		{"above the ceiling, nothing said", hotel.PriceGuard{Ceiling: money(5000)}, 5001, price.Known{}, price.Verdict{Rule: "hold", Reason: "above_ceiling", By: "ceiling 50.00"}},
		{"above the ceiling, to be closed", hotel.PriceGuard{Ceiling: money(5000), TooHigh: hotel.GuardClose}, 5001, price.Known{}, price.Verdict{Rule: "close", Reason: "above_ceiling", By: "ceiling 50.00"}},
		{"a floor in another currency", hotel.PriceGuard{Floor: &hotel.Money{Minor: 5000, Currency: "JPY"}}, 1, price.Known{}, price.Verdict{}},
		{"as far down as allowed", twenty, 8000, last(10000), price.Verdict{}},
		{"too far down", twenty, 7999, last(10000), price.Verdict{Rule: "hold", Reason: "fell_too_far", By: "20 percent of 100.00"}},
		{"as far up as allowed", twenty, 12000, last(10000), price.Verdict{}},
		{"too far up", twenty, 12001, last(10000), price.Verdict{Rule: "hold", Reason: "rose_too_far", By: "20 percent of 100.00"}},
		{"too far up, to be sent and told", hotel.PriceGuard{MaxChangePct: "20", TooHigh: hotel.GuardSend}, 12001, last(10000), price.Verdict{Rule: "send", Reason: "rose_too_far", By: "20 percent of 100.00"}},
		{"a first price against the median", twenty, 7999, around(90000, 10000, 100), price.Verdict{Rule: "hold", Reason: "fell_too_far", By: "20 percent of 100.00"}},
		{"of two in the middle their mean", twenty, 12018, around(10030, 1, 10001, 90000), price.Verdict{}},
		{"a mean of half a cent", twenty, 12019, around(10030, 1, 10001, 90000), price.Verdict{Rule: "hold", Reason: "rose_too_far", By: "20 percent of 100.155"}},
		{"a first price with nothing around", twenty, 1, price.Known{}, price.Verdict{}},
		{"nothing is no measure", twenty, 1, price.Known{Last: money(0)}, price.Verdict{}},
		{"a price in another currency is no measure", twenty, 1, price.Known{Last: &hotel.Money{Minor: 900, Currency: "JPY"}}, price.Verdict{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := price.Guard(test.guard, *money(test.next), test.known); got != test.want {
				t.Errorf("verdict = %+v, want %+v", got, test.want)
			}
		})
	}
}

// A price passes exactly when it differs from the measure by no more than the
// guard allows, counted in hundredths of percents of a doubled measure.
func TestGuardComparesExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		prices := rapid.SliceOfN(rapid.Int64Range(1, 300), 1, 6).Draw(t, "around")
		next := rapid.Int64Range(0, 600).Draw(t, "next")
		hundredths := rapid.Int64Range(0, 15000).Draw(t, "percent")
		var known price.Known
		for _, p := range prices {
			known.Around = append(known.Around, *money(p))
		}
		slices.Sort(prices)
		twice := prices[(len(prices)-1)/2] + prices[len(prices)/2]
		change := 2*next*10000 - twice*10000
		guard := hotel.PriceGuard{MaxChangePct: decimalText(hundredths)}
		want := ""
		switch {
		case change > twice*hundredths:
			want = price.RoseTooFar
		case -change > twice*hundredths:
			want = price.FellTooFar
		}
		if got := price.Guard(guard, *money(next), known); got.Reason != want {
			t.Fatalf("%d against %v within %s percent: %+v, want %q", next, prices, guard.MaxChangePct, got, want)
		}
	})
}

func decimalText(hundredths int64) string {
	return hotel.Money{Minor: hundredths, Currency: "EUR"}.Amount()
}
