package price

import (
	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// TypedFor returns the amount, in a currency that the channel converts, that somebody has
// to type as a price within limits for the channel to show just that: what [Offer] makes
// of it is shown. It reports false where no amount brings it, or only one that the limits
// or the far side's bounds have moved there.
func TypedFor(shown hotel.Money, in hotel.Currency, l Limits, c Channel) (hotel.Money, bool) {
	from := func(minor int64) hotel.Money { return hotel.Money{Minor: minor, Currency: in} }
	lies := func(minor int64) int { // what is made of more is never less
		return c.exact(House{Amount: decimal.NewFromInt(minor), Currency: in}).cmp(decimal.NewFromInt(shown.Minor))
	}
	low, high := int64(0), mostTyped.Shift(int32(in.Exponent())).IntPart()
	for low < high {
		if middle := low + (high-low)/2; lies(middle) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	for _, minor := range []int64{low, low - 1} { // a rounding may have brought it up or down
		if minor >= 0 && Offer(Base(from(minor)).Within(l), c, nil) == shown {
			return from(minor), true
		}
	}
	return hotel.Money{}, false
}
