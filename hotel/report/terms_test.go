package report

import (
	"testing"

	"ostler.example/hotel"
)

func TestTermsOfSellers(t *testing.T) {
	var b Books
	b.NoteCommission(&hotel.Channel{
		Entity: hotel.Entity{ID: "hub"}, Commission: &hotel.Commission{Pct: "15"},
		Sellers: map[string]hotel.SellerTerms{"Booking.com": {Commission: &hotel.Commission{Pct: "18"}}, "Other": {}},
	})
	b.NoteCommission(&hotel.Channel{Entity: hotel.Entity{ID: "direct one"}})
	for _, c := range []struct{ channel, seller, want string }{
		{"hub", "", "15"},
		{"hub", "Booking.com", "18"},
		{"hub", "BOOKING.COM", "18"},
		{"hub", "Other", "15"},
		{"hub", "Third", "15"},
		{"direct one", "", ""},
		{"direct one", "Booking.com", ""},
		{"none", "", ""},
	} {
		got := ""
		if terms := b.TermsOf(hotel.Source{ChannelID: c.channel, SubChannel: c.seller}); terms != nil {
			got = terms.Pct
		}
		if got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.channel, c.seller, got, c.want)
		}
	}
}
