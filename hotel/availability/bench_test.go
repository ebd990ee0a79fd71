package availability_test

import (
	"testing"

	"ostler.example/hotel/availability"
)

// BenchmarkHouse counts a night of six room types, with and without pools that
// stand in for each other.
func BenchmarkHouse(b *testing.B) {
	night := availability.Night{Pools: units(20, 20, 20, 20), HouseLimit: availability.NoLimit}
	for i := range 6 {
		night.Rooms = append(night.Rooms, taken(i))
	}
	tests := []struct {
		name   string
		layout *availability.Layout
	}{
		{"every draw names one pool", layoutOf(4, of("A"), of("B"), of("C"), of("D"), of("2A"), of("B+C"))},
		{"two types at choice", layoutOf(4, of("A"), of("B"), of("C"), of("A/B"), of("A/B/C"), of("D"))},
		{"suites at choice", layoutOf(4, of("A"), of("B"), of("C"), of("2A/B"), of("2B/C"), of("D"))},
	}
	for _, test := range tests {
		b.Run(test.name, func(b *testing.B) {
			b.ReportAllocs()
			var few [8]availability.House
			for b.Loop() {
				test.layout.AppendHouse(few[:0], &night)
			}
		})
	}
}
