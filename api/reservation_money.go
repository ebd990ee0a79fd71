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

// bookingExchangeBody is a rate into the property's currency.
type bookingExchangeBody struct {
	Rate   string `json:"rate" example:"1.052631578947" doc:"A decimal: so many units of to for one of from."`
	From   string `json:"from" example:"CHF"`
	To     string `json:"to" example:"EUR"`
	At     string `json:"at" format:"date-time" doc:"When it was taken; it stays with the booking."`
	Source string `json:"source" enum:"channel" doc:"The exchange_rate of the channel."`
}

func bookingExchangeOf(x *hotel.BookingExchange) *bookingExchangeBody {
	if x == nil {
		return nil
	}
	return &bookingExchangeBody{x.Rate, string(x.From), string(x.To), stamp(x.At), x.Source}
}

func amountBasisOf(r hotel.Reservation) string {
	if r.NetOfCommission {
		return string(hotel.NetOfCommission)
	}
	return string(hotel.GuestPrice)
}
