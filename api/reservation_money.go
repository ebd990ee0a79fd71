package api

import "ostler.example/hotel"

// totalOf is what the stay comes to, nil when nobody knows.
func totalOf(t *hotel.Totals) *totalBody {
	if t == nil {
		return nil
	}
	return &totalBody{Room: moneyOf(t.Room), Extras: moneyOf(t.Extras), VAT: moneyOf(t.VAT), Gross: moneyOf(t.Gross), CityTax: moneyOf(t.CityTax)}
}

// balanceOf is what is still to be paid, nil when the price is not known. Of a
// stay that did not take place it is the penalty.
func balanceOf(r hotel.Reservation) *money {
	if r.Totals == nil {
		return nil
	}
	owed := r.Totals.Gross
	switch c := r.Cancel; {
	case c != nil && c.Penalty != nil && !c.Waived:
		owed = *c.Penalty
	case c != nil:
		owed.Minor = 0
	}
	if r.DepositPaid != nil && r.DepositPaid.Currency == owed.Currency {
		owed.Minor -= r.DepositPaid.Minor
	}
	b := moneyOf(owed)
	return &b
}
