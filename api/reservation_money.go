package api

import "ostler.example/hotel"

// totalOf is what the stay comes to, nil when nobody knows.
func totalOf(r hotel.Reservation) *totalBody {
	if !r.PriceKnown {
		return nil
	}
	// No property has taxes configured, so extras come on top of the room.
	none := hotel.Money{Currency: r.Total.Currency}
	extras := none
	for _, e := range r.Extras {
		extras.Minor += e.UnitPrice.Minor * int64(e.Quantity) * int64(e.DateTo-e.DateFrom+1)
	}
	gross := r.Total
	gross.Minor += extras.Minor
	return &totalBody{Room: moneyOf(r.Total), Extras: moneyOf(extras), VAT: moneyOf(none), Gross: moneyOf(gross), CityTax: moneyOf(none)}
}
