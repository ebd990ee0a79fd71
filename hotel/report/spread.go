package report

import (
	"math/big"

	"ostler.example/hotel"
)

// spread splits an amount in proportion to weights, so that the parts add up to it.
// Where all weights are 0 the parts are as equal as can be.
func spread(amount int64, weights []int64) []int64 {
	var whole int64
	for _, w := range weights {
		whole += w
	}
	parts := make([]int64, len(weights))
	var reached, given int64
	for i, w := range weights {
		if reached += w; whole == 0 {
			reached = int64(i + 1)
		}
		upTo := share(amount, reached, whole, int64(len(weights)))
		parts[i], given = upTo-given, upTo
	}
	return parts
}

// share is amount × reached / whole, to the nearest and up from the middle; of so
// many equal parts when the whole is 0.
func share(amount, reached, whole, parts int64) int64 {
	if whole == 0 {
		whole = parts
	}
	n := new(big.Int).Mul(big.NewInt(2*amount), big.NewInt(reached))
	n.Add(n, big.NewInt(whole))
	return n.Div(n, big.NewInt(2*whole)).Int64() // which rounds down
}

// charged lists the nights that a stay is paid for, with what each weighs.
func charged(r *hotel.Reservation) (nights []hotel.Date, weights []int64) {
	for _, n := range r.Nightly {
		nights, weights = append(nights, n.Date), append(weights, n.Amount.Minor)
	}
	if len(nights) == 0 {
		nights = r.Stay.Dates()
		weights = make([]int64, len(nights))
	}
	return nights, weights
}
