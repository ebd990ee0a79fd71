package price

import (
	"math/big"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// fraction is an exact amount of minor units: taking a tax of 7 percent out of a
// price leaves no finite decimal. The denominator is above 0.
type fraction struct{ num, den decimal.Decimal }

func whole(d decimal.Decimal) fraction { return fraction{d, decimal.NewFromInt(1)} }

func (f fraction) times(d decimal.Decimal) fraction { return fraction{f.num.Mul(d), f.den} }

// over divides by a number above 0.
func (f fraction) over(d decimal.Decimal) fraction { return fraction{f.num, f.den.Mul(d)} }

func (f fraction) plus(d decimal.Decimal) fraction { return fraction{f.num.Add(d.Mul(f.den)), f.den} }

// less takes d away, but never more than there is.
func (f fraction) less(d decimal.Decimal) fraction {
	if f.cmp(d) < 0 {
		return whole(decimal.Zero)
	}
	return f.plus(d.Neg())
}

func (f fraction) add(o fraction) fraction {
	if f.den.Equal(o.den) {
		return fraction{f.num.Add(o.num), f.den}
	}
	return fraction{f.num.Mul(o.den).Add(o.num.Mul(f.den)), f.den.Mul(o.den)}
}

func (f fraction) cmp(d decimal.Decimal) int { return f.num.Cmp(d.Mul(f.den)) }

func (f fraction) rat() *big.Rat {
	r := f.num.Rat()
	return r.Quo(r, f.den.Rat())
}

// floor returns the largest whole number that is not above it.
func (f fraction) floor() decimal.Decimal {
	q, r := f.num.QuoRem(f.den, 0)
	if r.IsNegative() {
		q = q.Sub(decimal.NewFromInt(1))
	}
	return q
}

// ceil returns the smallest whole number that is not below it.
func (f fraction) ceil() decimal.Decimal {
	q, r := f.num.QuoRem(f.den, 0)
	if r.IsPositive() {
		q = q.Add(decimal.NewFromInt(1))
	}
	return q
}

// nearest returns the nearest whole number, of two the even one.
func (f fraction) nearest() decimal.Decimal {
	low := f.floor()
	twice := f.num.Sub(low.Mul(f.den)).Mul(decimal.NewFromInt(2))
	up := twice.Cmp(f.den)
	if up > 0 || up == 0 && !low.Mod(decimal.NewFromInt(2)).IsZero() {
		return low.Add(decimal.NewFromInt(1))
	}
	return low
}

// shownDecimals is to how many decimals an amount that has no end is written in
// an explanation. Nothing is computed from it.
const shownDecimals = 6

// text writes it in major units.
func (f fraction) text(c hotel.Currency) string {
	q, r := f.num.QuoRem(f.den, int32(c.Exponent())+shownDecimals)
	if r.IsZero() || decimals(q) < shownDecimals {
		return major(q, c)
	}
	return major(f.num.DivRound(f.den, shownDecimals), c)
}
