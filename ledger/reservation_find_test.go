package ledger

import (
	"context"
	"testing"

	"ostler.example/hotel"
)

// What is counted is what is listed on all pages together.
func TestReservationsAreCounted(t *testing.T) {
	h, ctx := newHouse(t), context.Background()
	for from := range hotel.Date(3) {
		must2(h.book(h.double, h.today+from, h.today+from+1, hotel.Once{}))(t)
	}
	first := h.today
	for name, c := range map[string]struct {
		f    hotel.ReservationFilter
		want int
	}{
		"all, whatever the page": {hotel.ReservationFilter{Limit: 1}, 3},
		"behind one":             {hotel.ReservationFilter{AfterKey: 1 << 60, AfterID: "res_0", Limit: 1}, 3},
		"of a day":               {hotel.ReservationFilter{CheckInFrom: &first, CheckInTo: &first, Limit: 1}, 1},
		"where somebody stands":  {hotel.ReservationFilter{In: []hotel.Standing{{PropertyID: h.property.ID, InTo: &first}}, Limit: 1}, 1},
		"none":                   {hotel.ReservationFilter{Tag: "nothing"}, 0},
	} {
		c.f.PropertyIDs = []string{h.property.ID}
		if got := must(h.CountReservations(ctx, c.f))(t); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
