package channex

import (
	"encoding/json"
	"fmt"
	"testing"

	"ostler.example/hotel"
)

// FuzzDetails: whatever is said of the card, of services and of the hour of arrival, what is
// read of it can be kept: digits of a card, extras on nights of the stay at prices that are
// none of a gift, an hour of the day.
func FuzzDetails(f *testing.F) {
	f.Add(`{"card_number":"411111******1111","card_type":"VI","expiration_date":"10/2028","is_virtual":true,"meta":{"virtual_card_currency_code":"EUR","virtual_card_current_balance":"23000","virtual_card_decimal_places":"2","virtual_card_effective_date":"2027-01-05T00:00:00"}}`,
		`[{"type":"Breakfast","price_mode":"Per person per night","nights":2,"persons":"2","price_per_unit":"15.00","total_price":"60.00"},{"type":"Wi-Fi","is_inclusive":true}]`, `"18:00"`)
	f.Add(`{"card_number":"****************","expiration_date":"13/2028"}`, `[{"type":"Cancellation Fee","total_price":"10.00"}]`, `"24:00"`)
	f.Add(`{"card_number":"4111é11","meta":[]}`, `[{"price_mode":"Per night","nights":-1,"persons":0,"price_per_unit":"-1","total_price":"1e9"}]`, `18`)
	f.Add(`null`, `{}`, `null`)
	stay := hotel.Stay{CheckIn: hotel.DateOf(2027, 1, 5), CheckOut: hotel.DateOf(2027, 1, 8)}
	f.Fuzz(func(t *testing.T, card, services, hour string) {
		var a attributes
		if json.Unmarshal(fmt.Appendf(nil, `{"guarantee":%s,"services":%s,"arrival_hour":%s}`, card, services, hour), &a) != nil {
			return
		}
		if c := a.payment("EUR").Card; c != nil {
			for _, digit := range c.Last4 {
				if digit < '0' || digit > '9' || len(c.Last4) != 4 {
					t.Errorf("%s ends in %q", card, c.Last4)
				}
			}
			if c.ExpMonth < 0 || c.ExpMonth > 12 || c.Balance != nil && !c.Balance.Currency.Known() {
				t.Errorf("%s is %+v", card, c)
			}
		}
		for _, e := range extras(a.Services.v, stay, "EUR") {
			if e.Code == "" || e.DateFrom < stay.CheckIn || e.DateTo < e.DateFrom || e.DateTo >= stay.CheckOut || e.Quantity < 1 || e.UnitPrice.Minor < 0 || !e.UnitPrice.Currency.Known() {
				t.Errorf("%s has the extra %+v", services, e)
			}
		}
		if at := a.arrival(); at != "" && (len(at) != 5 || at[2] != ':' || at > "23:59") {
			t.Errorf("%s is %q", hour, at)
		}
	})
}
