package api

import (
	"testing"

	"ostler.example/hotel"
)

func TestStayOfCapabilities(t *testing.T) {
	exact, coarser := hotel.Carriage{As: hotel.Exact}, hotel.Carriage{As: hotel.Coarser}
	for want, fields := range map[string]map[hotel.Field]hotel.Carriage{
		"arrival": {hotel.FieldMinStayArrival: exact, hotel.FieldMinStayThrough: coarser},
		"through": {hotel.FieldMinStayThrough: exact},
		"both":    {hotel.FieldMinStayArrival: exact, hotel.FieldMinStayThrough: exact},
		"":        {hotel.FieldMaxStayArrival: exact},
	} {
		got := stayOf(hotel.Terms{Fields: fields})
		if want == "" && got != nil || want != "" && (got == nil || *got != want) {
			t.Errorf("%v reads a minimum stay on %v, want %q", fields, got, want)
		}
	}
}
