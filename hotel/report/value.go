package report

import "math/big"

// Kind says what a figure is measured in.
type Kind string

// The kinds of figures.
const (
	Count   Kind = "count"
	Amount  Kind = "money"
	Percent Kind = "percent"
	Mean    Kind = "number"
)

// Value is a figure's value: a whole number of what is counted, minor units of the
// report's currency, or hundredths of a per cent or of a mean. It is not known where
// something would be divided by nothing, or cannot be told apart.
type Value struct {
	Known bool
	N     int64
}

func known(n int64) Value { return Value{true, n} }

// ratio is times × num / den, rounded half-even; not known when den is 0.
func ratio(num, times, den int64) Value {
	if den == 0 {
		return Value{}
	}
	n := new(big.Int).Mul(big.NewInt(num), big.NewInt(times))
	d := big.NewInt(den)
	if den < 0 {
		n.Neg(n)
		d.Neg(d)
	}
	rest := new(big.Int)
	n.DivMod(n, d, rest) // rest is never below 0
	switch rest.Lsh(rest, 1).Cmp(d) {
	case 1:
		n.Add(n, big.NewInt(1))
	case 0:
		n.Add(n, big.NewInt(int64(n.Bit(0))))
	}
	return known(n.Int64())
}

// Change is by how many hundredths of a per cent a value differs from another; not
// known without either, or from nothing.
func Change(now, then Value) Value {
	if !now.Known || !then.Known {
		return Value{}
	}
	return ratio(now.N-then.N, 100*100, then.N)
}
