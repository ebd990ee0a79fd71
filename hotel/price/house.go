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
	Limits   Limits // of the plan on the night; they hold after rounding too

	base decimal.Decimal // of the base occupancy, from which a set price moves the others
}

// Base returns the price that somebody typed: as it is, with no rounding to come.
// Prices of other guests than the base occupancy are made by BaseFor.
func Base(m hotel.Money) House { return BaseFor(m, m.Minor) }

// BaseFor returns the price that somebody typed for guests, with the amount of
// the base occupancy beside it, or None where that has no price.
func BaseFor(m hotel.Money, base int64) House {
	h := House{Amount: decimal.NewFromInt(m.Minor), Rounding: hotel.RoundNone, Currency: m.Currency}
	h.base = h.Amount
	if base != None && base != m.Minor {
		h.base = decimal.NewFromInt(base)
	}
	return h
}

// Within returns the price within the limits of its plan. It stays within them
// when it is rounded.
func (h House) Within(l Limits) House {
	h.Limits = l
	if l != (Limits{}) {
		h.Amount, h.base = l.clamp(h.Amount), l.clamp(h.base)
	}
	return h
}

// Quote returns the price at which the property itself sells: rounded, and where
// that has left the limits of the plan, the next permitted price within them.
func Quote(h House) hotel.Money {
	m := Round(h.Amount, h.Rounding, h.Currency)
	if h.Limits != (Limits{}) {
		m.Minor = gridOf(h.Rounding, h.Currency).within(m.Minor, h.Limits)
	}
	return m
}

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
// error when the two do not belong together. Limits are not stored with a price:
// they are the plan's, by [LimitsOf].
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
