package board_test

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/board"
)

func TestADerivedPlanTakesOverWhatItInherits(t *testing.T) {
	yes := new(true)
	parent := hotel.Restriction{
		Closed: yes, ClosedToArrival: yes, ClosedToDeparture: yes,
		MinStayArrival: new(3), MinStayThrough: new(2), MaxStayArrival: new(9), MaxStayThrough: new(8),
		MinAdvance: new(5), MaxAdvance: new(50),
	}
	own := hotel.LengthLimits{MinStayArrival: 1, MaxStayArrival: 7, MinAdvance: 1, MaxAdvance: 90}
	tests := []struct {
		name    string
		inherit *[]hotel.Inheritance
		want    availability.NightRules
	}{
		{"everything when it does not say", nil, availability.NightRules{
			Closed:  hotel.Closed{Closed: true, Arrival: true, Departure: true},
			Lengths: hotel.LengthLimits{MinStayArrival: 3, MinStayThrough: 2, MaxStayArrival: 7, MaxStayThrough: 8, MinAdvance: 5, MaxAdvance: 50},
		}},
		{"nothing", &[]hotel.Inheritance{}, availability.NightRules{Lengths: own}},
		{"closings alone", &[]hotel.Inheritance{hotel.InheritClosed, hotel.InheritClosedToArrival, hotel.InheritClosedToDeparture}, availability.NightRules{
			Closed: hotel.Closed{Closed: true, Arrival: true, Departure: true}, Lengths: own,
		}},
		{"minimums alone", &[]hotel.Inheritance{hotel.InheritMinStay}, availability.NightRules{
			Lengths: hotel.LengthLimits{MinStayArrival: 3, MinStayThrough: 2, MaxStayArrival: 7, MinAdvance: 1, MaxAdvance: 90},
		}},
		{"maximums and advance days", &[]hotel.Inheritance{hotel.InheritMaxStay, hotel.InheritAdvance}, availability.NightRules{
			Lengths: hotel.LengthLimits{MinStayArrival: 1, MaxStayArrival: 7, MaxStayThrough: 8, MinAdvance: 5, MaxAdvance: 50},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			plans := []hotel.RatePlan{
				{Entity: hotel.Entity{ID: "rp_parent"}, RoomTypeIDs: []string{"rt"}, Restrictions: parent},
				{
					Entity: hotel.Entity{ID: "rp_child"}, RoomTypeIDs: []string{"rt"}, Inherit: test.inherit,
					DerivedFrom:  &hotel.Derivation{RatePlanID: "rp_parent", Kind: hotel.Percent, Value: "0"},
					Restrictions: hotel.Restriction{MinStayArrival: new(1), MaxStayArrival: new(7)}, MinAdvance: new(1), MaxAdvance: new(90),
				},
			}
			rooms := []hotel.RoomType{{Entity: hotel.Entity{ID: "rt"}, Consumes: []hotel.Draw{{AnyOf: []string{"pl"}, Units: 1}}}}
			b, err := board.New(hotel.Property{}, []hotel.Pool{{Entity: hotel.Entity{ID: "pl"}}}, rooms, plans, 0, []*board.Night{board.NewNight(1, 1, 2)}, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := b.HouseRules(0, 0, 1); got != test.want {
				t.Errorf("rules = %+v, want %+v", got, test.want)
			}
		})
	}
}
