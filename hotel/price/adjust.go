package price

import (
	"fmt"
	"regexp"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

var valueForm = regexp.MustCompile(`^-?\d{1,12}(\.\d{1,4})?$`)

// Check reports what is wrong with the adjustment of a derivation or markup: an
// unknown kind, a value that is no decimal number with up to 12 digits and 4
// decimals, or a percentage outside -100 to 1000. Whoever stores one asks first.
func Check(kind hotel.AdjustmentKind, value string) error {
	if kind != hotel.Percent && kind != hotel.Amount {
		return fmt.Errorf("adjustment kind %q is neither %s nor %s", kind, hotel.Percent, hotel.Amount)
	}
	if !valueForm.MatchString(value) {
		return fmt.Errorf("adjustment value %q is not a decimal number such as -10.5", value)
	}
	if kind == hotel.Percent {
		by := decimal.RequireFromString(value)
		if by.LessThan(decimal.NewFromInt(-100)) || by.GreaterThan(decimal.NewFromInt(1000)) {
			return fmt.Errorf("adjustment of %s percent is not between -100 and 1000", value)
		}
	}
	return nil
}

// adjust changes an exact amount of minor units by a percentage of itself or by
// an amount in major units.
func adjust(minor decimal.Decimal, kind hotel.AdjustmentKind, by decimal.Decimal, c hotel.Currency) decimal.Decimal {
	if kind == hotel.Percent {
		return minor.Mul(by.Add(decimal.NewFromInt(100))).Shift(-2)
	}
	return minor.Add(by.Shift(int32(c.Exponent())))
}
