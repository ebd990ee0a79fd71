package price

import (
	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// mostTyped is the highest price that can be typed, in major units.
var mostTyped = decimal.New(1, 12)

// Step returns a typed price after a step that [Check] has nothing against:
// worked out exactly, then rounded once. ok is false when the exact result is
// below 0 or more than can be typed.
func Step(m hotel.Money, s hotel.PriceStep) (stepped hotel.Money, ok bool) {
	exact := adjust(decimal.NewFromInt(m.Minor), s.Kind, decimal.RequireFromString(s.Value), m.Currency)
	if exact.IsNegative() || exact.Shift(-int32(m.Currency.Exponent())).GreaterThanOrEqual(mostTyped) {
		return hotel.Money{}, false
	}
	return Round(exact, s.Rounding, m.Currency), true
}
