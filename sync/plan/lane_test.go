package plan

import (
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

func rooms(n int) hotel.Offer { return hotel.Offer{Available: n} }

func closed(c hotel.Closed) hotel.Offer { return hotel.Offer{Closed: c} }

func TestLane(t *testing.T) {
	shut, noArrival := hotel.Closed{Closed: true}, hotel.Closed{Arrival: true}
	tests := []struct {
		name  string
		group hotel.Group
		held  []hotel.Offer
		want  hotel.Offer
		lane  lane.Lane
	}{
		{"fewer rooms", hotel.Availability, []hotel.Offer{rooms(5)}, rooms(3), lane.Lower},
		{"fewer than one of two that may be shown", hotel.Availability, []hotel.Offer{rooms(2), rooms(5)}, rooms(3), lane.Lower},
		{"more rooms", hotel.Availability, []hotel.Offer{rooms(2)}, rooms(3), lane.Raise},
		{"more than both that may be shown", hotel.Availability, []hotel.Offer{rooms(0), rooms(2)}, rooms(3), lane.Raise},
		{"sold out where nothing is known", hotel.Availability, nil, rooms(0), lane.Lower},
		{"rooms where nothing is known", hotel.Availability, nil, rooms(3), lane.Raise},
		{"an empty list knows nothing either", hotel.Availability, []hotel.Offer{}, rooms(0), lane.Lower},
		{"closing", hotel.Closures, []hotel.Offer{closed(hotel.Closed{})}, closed(shut), lane.Lower},
		{"closing what may be open", hotel.Closures, []hotel.Offer{closed(shut), closed(hotel.Closed{})}, closed(shut), lane.Lower},
		{"opening but for arrivals", hotel.Closures, []hotel.Offer{closed(shut)}, closed(noArrival), lane.Lower},
		{"opening", hotel.Closures, []hotel.Offer{closed(shut)}, closed(hotel.Closed{}), lane.Raise},
		{"opening what may be open", hotel.Closures, []hotel.Offer{closed(shut), closed(hotel.Closed{})}, closed(hotel.Closed{}), lane.Raise},
		{"opening arrivals, still closed", hotel.Closures, []hotel.Offer{closed(shut.Any(noArrival))}, closed(shut), lane.Raise},
		{"closed where nothing is known", hotel.Closures, nil, closed(noArrival), lane.Lower},
		{"open where nothing is known", hotel.Closures, nil, closed(hotel.Closed{}), lane.Raise},
		{"longer minimum stay", hotel.Lengths, []hotel.Offer{{}}, hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 3}}, lane.Rates},
		{"first lengths", hotel.Lengths, nil, hotel.Offer{}, lane.Rates},
		{"price", hotel.Price, []hotel.Offer{{}}, hotel.Offer{Amount: hotel.Money{Minor: 9900, Currency: "EUR"}}, lane.Rates},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Cell{Key: connectors.Key{Room: "DBL", Group: tt.group}, Want: tt.want, Held: tt.held}
			if got := laneOf(c); got != tt.lane {
				t.Errorf("lane is %v, want %v", got, tt.lane)
			}
		})
	}
}
