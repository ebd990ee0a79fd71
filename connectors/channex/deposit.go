package channex

import (
	"cmp"
	"slices"

	"ostler.example/hotel"
)

// deposit is what a guest has paid ahead.
type deposit struct {
	Amount   text `json:"amount"`
	Currency text `json:"currency"`
}

// paid is what has been paid of a booking ahead, in its currency, of no amount where nothing
// has; false where nobody can say how much. What was paid in another currency is told where
// nothing was in that of the booking.
func (a attributes) paid(currency hotel.Currency) (hotel.Money, bool) {
	sum, in := hotel.Money{Currency: currency}, map[hotel.Currency]int64{}
	for _, d := range a.Deposits.v {
		of := cmp.Or(hotel.Currency(d.Currency), currency)
		amount, err := parseAmount(d.Amount, of)
		if err != nil {
			return sum, false
		}
		if in[of] += amount.Minor; len(in) == 1 || of == currency {
			sum = hotel.Money{Minor: in[of], Currency: of}
		}
		if !sum.Countable() {
			return sum, false
		}
	}
	return sum, sum.Minor >= 0 && sum.Currency.Known()
}

// share gives each room of a booking its part of what has been paid ahead, so that nobody is
// asked for it again at one that has none: as much as it comes to, in the order of their
// names, and what is left to the first.
func share(paid hotel.Money, rooms []hotel.ChannelRoom) {
	inOrder := make([]*hotel.ChannelRoom, len(rooms))
	for i := range rooms {
		inOrder[i] = &rooms[i]
	}
	slices.SortStableFunc(inOrder, func(a, b *hotel.ChannelRoom) int { return cmp.Compare(a.Ref, b.Ref) })
	left := paid
	for _, r := range inOrder {
		part := hotel.Money{Minor: min(left.Minor, comesTo(r, paid.Currency)), Currency: paid.Currency}
		left.Minor -= part.Minor
		r.Deposit = &part
	}
	inOrder[0].Deposit.Minor += left.Minor
}

// comesTo is what a room costs with all that is sold beside it.
func comesTo(r *hotel.ChannelRoom, in hotel.Currency) int64 {
	var sum int64
	for _, amount := range r.Amounts {
		if amount.Currency == in && amount.Countable() {
			sum += amount.Minor
		}
	}
	for _, e := range r.Extras {
		if each := e.UnitPrice; each.Currency == in && each.Countable() {
			sum += each.Minor * int64(e.Quantity) * int64(e.DateTo-e.DateFrom+1)
		}
	}
	return max(0, sum)
}
