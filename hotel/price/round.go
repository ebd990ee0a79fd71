package price

import (
	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Round gives an exact amount of minor units the shape of a finished price. It
// takes the nearest amount that the mode permits:
//
//	mode       permitted amounts                    EUR            JPY           KWD
//	none       whole minor units                    0.01 apart     1 apart       0.001 apart
//	nearest_1  whole major units                    1 apart        1 apart       1 apart
//	nearest_5  multiples of 5 major units           5 apart        5 apart       5 apart
//	end_9      major units whose last digit is 9    9, 19, 29      9, 19, 29     9, 19, 29
//	end_99     x.99; where the currency has not     0.99, 1.99     99, 199       0.990, 1.990
//	           two decimals, the last two digits
//
// The permitted amounts of a mode are counted from 0; of two that are equally
// near the even one is taken (half-even: 9 is number 0 of end_9 and 19 number 1,
// so 14 becomes 9 and 24 becomes 29). The result is never below the first
// permitted amount that is not negative.
func Round(minor decimal.Decimal, mode hotel.Rounding, c hotel.Currency) hotel.Money {
	g := gridOf(mode, c)
	return hotel.Money{Minor: g.at(g.number(minor).RoundBank(0)), Currency: c}
}

// grid is the evenly spaced row of amounts that a rounding permits, in minor
// units: first + n × step for n = 0, 1, 2, …. The step is a power of ten, or
// five times one, so its inverse is a finite decimal and nothing is divided.
type grid struct {
	first int64
	zeros int  // of the power of ten
	fives bool // five times the power
}

func gridOf(mode hotel.Rounding, c hotel.Currency) grid {
	exponent := c.Exponent()
	switch mode {
	case hotel.RoundNearest1:
		return grid{zeros: exponent}
	case hotel.RoundNearest5:
		return grid{zeros: exponent, fives: true}
	case hotel.RoundEnd9:
		return grid{first: 9 * pow10(exponent), zeros: exponent + 1}
	case hotel.RoundEnd99:
		return grid{first: 99 * pow10(max(0, exponent-2)), zeros: max(2, exponent)}
	case hotel.RoundNone:
	}
	return grid{}
}

// step returns the distance between two neighbours.
func (g grid) step() int64 {
	if g.fives {
		return 5 * pow10(g.zeros)
	}
	return pow10(g.zeros)
}

// number returns where an amount lies on the grid: a whole number when it is
// permitted, else between two. It is exact.
func (g grid) number(minor decimal.Decimal) decimal.Decimal {
	n := minor.Sub(decimal.NewFromInt(g.first))
	if g.fives {
		return n.Mul(decimal.NewFromInt(2)).Shift(-int32(g.zeros + 1))
	}
	return n.Shift(-int32(g.zeros))
}

// nearest returns the permitted amount that is nearest to an exact one.
func (g grid) nearest(exact fraction) int64 {
	if exact.den.Equal(decimal.NewFromInt(1)) {
		return g.at(g.number(exact.num).RoundBank(0))
	}
	from := exact.plus(decimal.NewFromInt(-g.first))
	return g.at(from.over(decimal.NewFromInt(g.step())).nearest())
}

// at returns the amount of a whole number of the grid, of 0 when it is negative.
func (g grid) at(n decimal.Decimal) int64 {
	return g.first + g.step()*max(0, n.IntPart())
}

// within moves a permitted amount into the limits: to the next permitted amount
// at or above the floor, or at or below the ceiling. Where no permitted amount
// lies between the two the limit itself is taken.
func (g grid) within(minor int64, l Limits) int64 {
	if l.Floor > 0 && minor < l.Floor {
		minor = g.at(g.number(decimal.NewFromInt(l.Floor)).Ceil())
		if l.Ceiling > 0 && minor > l.Ceiling {
			return l.Floor
		}
	}
	if l.Ceiling > 0 && minor > l.Ceiling {
		n := g.number(decimal.NewFromInt(l.Ceiling)).Floor()
		if n.IsNegative() || g.at(n) < l.Floor {
			return max(l.Ceiling, l.Floor)
		}
		minor = g.at(n)
	}
	return minor
}

func pow10(n int) int64 {
	p := int64(1)
	for range n {
		p *= 10
	}
	return p
}

// Average returns the part of a total, which is not negative, that falls on each
// of n nights, at least one, rounded half-even to minor units.
func Average(total hotel.Money, n int) hotel.Money {
	nights := int64(n)
	each, rest := total.Minor/nights, total.Minor%nights
	if 2*rest > nights || 2*rest == nights && each%2 != 0 {
		each++
	}
	return hotel.Money{Minor: each, Currency: total.Currency}
}
