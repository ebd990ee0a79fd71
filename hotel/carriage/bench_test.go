package carriage_test

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
)

// BenchmarkTell tells two years of one product whose weekends, seasons and feast
// days are restricted as hotels do it.
func BenchmarkTell(b *testing.B) {
	channels := map[string]map[hotel.Field]hotel.Carriage{
		"everything": {
			hotel.FieldClosed: exact, hotel.FieldClosedToArrival: exact, hotel.FieldClosedToDeparture: exact,
			hotel.FieldMinStayArrival: exact, hotel.FieldMinStayThrough: exact, hotel.FieldMaxStayArrival: exact, hotel.FieldMaxStayThrough: exact,
		},
		"on arrival": {
			hotel.FieldClosed: exact, hotel.FieldClosedToArrival: exact, hotel.FieldClosedToDeparture: coarser,
			hotel.FieldMinStayArrival: exact, hotel.FieldMinStayThrough: coarser, hotel.FieldMaxStayArrival: exact, hotel.FieldMaxStayThrough: coarser,
		},
		"on every night": {
			hotel.FieldClosed: exact, hotel.FieldClosedToArrival: exact, hotel.FieldClosedToDeparture: exact,
			hotel.FieldMinStayArrival: coarser, hotel.FieldMinStayThrough: exact, hotel.FieldMaxStayArrival: coarser, hotel.FieldMaxStayThrough: exact,
		},
		"closings only": {
			hotel.FieldClosed: exact, hotel.FieldClosedToArrival: coarser, hotel.FieldClosedToDeparture: coarser,
			hotel.FieldMinStayArrival: coarser, hotel.FieldMinStayThrough: coarser, hotel.FieldMaxStayArrival: coarser, hotel.FieldMaxStayThrough: coarser,
		},
	}
	house := make(nights, 730)
	for i := range house {
		n := &house[i].Lengths
		switch {
		case i%365 > 350: // the feast days
			n.MinStayThrough, house[i].Closed.Arrival = 5, i%7 < 3
		case i%365 > 180 && i%365 < 240: // the season
			n.MinStayArrival = 7
		case i%7 > 4: // weekends
			n.MinStayArrival = 2
		}
		n.MaxStayArrival = 28
		house[i].Closed.Departure = i%90 == 0
	}
	for name, fields := range channels {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				carriage.Channel{Fields: fields}.Tell(carriage.House{Products: [][]availability.NightRules{house}})
			}
		})
	}
}
