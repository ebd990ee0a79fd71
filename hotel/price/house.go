package price

import (
	"fmt"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// House is a price of the property before anybody rounds it.
type House struct {
	Amount   decimal.Decimal // exact, in minor units of the currency; may have a fraction
	Rounding hotel.Rounding  // the shape the finished price gets; "" is hotel.RoundNone
	Currency hotel.Currency
}

// Base returns the price that somebody typed: as it is, with no rounding to come.
func Base(m hotel.Money) House {
	return House{Amount: decimal.NewFromInt(m.Minor), Rounding: hotel.RoundNone, Currency: m.Currency}
}

// Derive returns the price of a plan from its parent's. A percentage is of the
// parent's exact amount, an amount is in major units of the currency. The
// derivation's rounding replaces the parent's unless it is empty.
//
// The derivation must be one that Check finds sound; Derive panics where it
// cannot be read.
func Derive(parent House, d hotel.Derivation) House {
	child := parent
	child.Amount = adjust(parent.Amount, d.Kind, d.Value, parent.Currency)
	if d.Rounding != "" {
		child.Rounding = d.Rounding
	}
	return child
}

// Quote returns the price at which the property itself sells.
func Quote(h House) hotel.Money { return Round(h.Amount, h.Rounding, h.Currency) }

// Text returns the exact amount in major units with at least the decimals of
// the currency, such as "217.35" or "217.3455".
func (h House) Text() string { return major(h.Amount, h.Currency) }

// Exact returns the amount in minor units as decimal text when it has a
// fraction, else "". Together with the amount rounded half-even to whole minor
// units, [House.Minor], it is what a ledger stores.
func (h House) Exact() string {
	if h.Amount.IsInteger() {
		return ""
	}
	return h.Amount.String()
}

// Minor returns the amount in whole minor units, rounded half-even.
func (h House) Minor() int64 { return h.Amount.RoundBank(0).IntPart() }

// FromStored returns the price that was stored as Minor and Exact. It is an
// error when the two do not belong together.
func FromStored(minor int64, exact string, rounding hotel.Rounding, c hotel.Currency) (House, error) {
	h := House{Amount: decimal.NewFromInt(minor), Rounding: rounding, Currency: c}
	if exact == "" {
		return h, nil
	}
	amount, err := decimal.NewFromString(exact)
	if err != nil {
		return House{}, fmt.Errorf("exact price %q: %w", exact, err)
	}
	h.Amount = amount
	if h.Minor() != minor {
		return House{}, fmt.Errorf("exact price %q does not round to %d", exact, minor)
	}
	return h, nil
}

// major writes an amount of minor units in major ones.
func major(minor decimal.Decimal, c hotel.Currency) string {
	exponent := int32(c.Exponent())
	d := minor.Shift(-exponent)
	// StringFixed would cut an exact amount to the currency's decimals.
	return d.StringFixed(max(exponent, decimals(d)))
}

// decimals returns how many decimals d needs.
func decimals(d decimal.Decimal) int32 {
	return max(0, -d.Normalize().Exponent())
}
