package carriage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
)

func TestCostByField(t *testing.T) {
	c := channelOf(
		field{hotel.FieldMinStayArrival, exact}, field{hotel.FieldMaxStayArrival, exact}, field{hotel.FieldClosedToArrival, exact},
		field{hotel.FieldMinStayThrough, coarser}, field{hotel.FieldClosedToDeparture, coarser}, field{hotel.FieldMaxStayThrough, coarser},
	)
	c.Absent[hotel.FieldMinAdvance] = hotel.CloseNights
	house := make(nights, 30)
	house[3].Lengths.MinStayThrough = 3
	house[12].Closed.Departure = true
	house[20].Lengths.MaxAdvance = 60 // the hotel sets it there
	house[25].Lengths.MinStayArrival = 2
	for i, cost := range []map[hotel.Field]int{
		// Two nights from the evening before the minimum; what leaving over a
		// closed departure costs is counted in TestTell.
		c.Cost(carriage.House{Products: [][]availability.NightRules{house[:10]}}),
		c.Cost(carriage.House{Products: [][]availability.NightRules{house[9:16]}}),
		c.Cost(carriage.House{Products: [][]availability.NightRules{house[16:]}}),
	} {
		want := []map[hotel.Field]int{
			{hotel.FieldMinStayThrough: 1},
			{hotel.FieldClosedToDeparture: 3},
			{},
		}[i]
		if diff := cmp.Diff(want, cost); diff != "" {
			t.Errorf("house %d (-want +got):\n%s", i, diff)
		}
	}
	both := c.Cost(carriage.House{Products: [][]availability.NightRules{house}})
	if both[hotel.FieldMinStayThrough] != 1 || both[hotel.FieldClosedToDeparture] == 0 || len(both) != 2 {
		t.Errorf("both together cost %v", both)
	}
}
