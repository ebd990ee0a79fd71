package desk

import (
	"slices"
	"testing"

	"ostler.example/hotel"
)

func TestWhatSellersCannotHave(t *testing.T) {
	commission := hotel.SellerTerms{Commission: &hotel.Commission{Pct: "18", Base: "gross"}}
	priced := hotel.SellerTerms{Markup: &hotel.Markup{Kind: hotel.Percent, Value: "3"}}
	for _, c := range []struct {
		name    string
		sellers map[string]hotel.SellerTerms
		of      hotel.Sellers
		want    []string
	}{
		{"none", nil, hotel.One, nil},
		{"a commission behind a relay", map[string]hotel.SellerTerms{"Booking.com": commission}, hotel.Many, nil},
		{"a commission of a channel that sells itself", map[string]hotel.SellerTerms{"Booking.com": commission}, hotel.One, []string{"/sellers enum"}},
		{"a price of one seller", map[string]hotel.SellerTerms{"A/B": priced, "C": commission}, hotel.Many, []string{"/sellers/A~1B/markup enum"}},
		{"one seller twice", map[string]hotel.SellerTerms{"Booking.com": commission, "BOOKING.COM": commission}, hotel.Many, []string{"/sellers/Booking.com enum"}},
	} {
		var able hotel.Abilities
		able.Sellers = c.of
		var got []string
		for _, i := range sellerFaults(&hotel.Channel{Sellers: c.sellers}, able) {
			got = append(got, i.Pointer+" "+i.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
