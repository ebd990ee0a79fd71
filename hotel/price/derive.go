package price

import (
	"fmt"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Derivation makes a plan's price from its parent's.
type Derivation struct {
	By string // in words, for an explanation: "-10 percent", "12 amount per person"

	kind      hotel.AdjustmentKind
	perPerson bool
	value     decimal.Decimal           // of a room, or of an adult
	byBand    [MaxBands]decimal.Decimal // per person: of a child or infant
	rounding  hotel.Rounding
}

// NewDerivation prepares a derivation. Per person, a band counts with its own
// value, else a child with the adult's and an infant with nothing. It is an error
// when Check finds a value unsound, when a percentage is to be added per person
// or by age, or when an age band is unknown.
func NewDerivation(d hotel.Derivation, bands Bands) (Derivation, error) {
	if err := Check(d.Kind, d.Value); err != nil {
		return Derivation{}, err
	}
	out := Derivation{
		By: d.Value + " " + string(d.Kind), kind: d.Kind, rounding: d.Rounding,
		value: decimal.RequireFromString(d.Value), perPerson: d.Per == hotel.PerPerson,
	}
	if !out.perPerson {
		if len(d.ByAge) > 0 {
			return Derivation{}, fmt.Errorf("values by age belong to an adjustment per person")
		}
		return out, nil
	}
	if d.Kind != hotel.Amount {
		return Derivation{}, fmt.Errorf("only an amount can be added per person")
	}
	out.By += " per person"
	for i, band := range bands {
		if band.CountsAs != hotel.Infant {
			out.byBand[i] = out.value
		}
	}
	for code, value := range d.ByAge {
		i := bands.index(code)
		if i < 0 {
			return Derivation{}, fmt.Errorf("the property has no age band of that code")
		}
		if err := Check(hotel.Amount, value); err != nil {
			return Derivation{}, fmt.Errorf("age band %s: %w", code, err)
		}
		out.byBand[i] = decimal.RequireFromString(value)
	}
	return out, nil
}

// PerPerson reports whether the derivation adds something for each guest.
func (d *Derivation) PerPerson() bool { return d.perPerson }

// Derive returns the price of a plan for the guests from its parent's, which is
// finished but for the rounding. A percentage is of the parent's exact amount, an
// amount is in major units of the currency. The derivation's rounding replaces
// the parent's unless it is empty. base are the guests of the base occupancy.
func (d *Derivation) Derive(parent House, g, base Guests) House {
	child := parent
	child.Limits = Limits{}
	child.Amount = d.adjust(parent.Amount, g, parent.Currency)
	child.base = child.Amount
	if g != base {
		child.base = d.adjust(parent.base, base, parent.Currency)
	}
	if d.rounding != "" {
		child.Rounding = d.rounding
	}
	return child
}

func (d *Derivation) adjust(minor decimal.Decimal, g Guests, c hotel.Currency) decimal.Decimal {
	if !d.perPerson {
		return adjust(minor, d.kind, d.value, c)
	}
	sum := d.value.Mul(decimal.NewFromInt(int64(g.Adults)))
	for i, n := range g.ByBand {
		if n > 0 {
			sum = sum.Add(d.byBand[i].Mul(decimal.NewFromInt(int64(n))))
		}
	}
	return adjust(minor, hotel.Amount, sum, c)
}
