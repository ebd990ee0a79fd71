package plan

import (
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
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
		lane  Lane
	}{
		{"fewer rooms", hotel.Availability, []hotel.Offer{rooms(5)}, rooms(3), Lower},
		{"fewer than one of two that may be shown", hotel.Availability, []hotel.Offer{rooms(2), rooms(5)}, rooms(3), Lower},
		{"more rooms", hotel.Availability, []hotel.Offer{rooms(2)}, rooms(3), Raise},
		{"more than both that may be shown", hotel.Availability, []hotel.Offer{rooms(0), rooms(2)}, rooms(3), Raise},
		{"sold out where nothing is known", hotel.Availability, nil, rooms(0), Lower},
		{"rooms where nothing is known", hotel.Availability, nil, rooms(3), Raise},
		{"an empty list knows nothing either", hotel.Availability, []hotel.Offer{}, rooms(0), Lower},
		{"closing", hotel.Closures, []hotel.Offer{closed(hotel.Closed{})}, closed(shut), Lower},
		{"closing what may be open", hotel.Closures, []hotel.Offer{closed(shut), closed(hotel.Closed{})}, closed(shut), Lower},
		{"opening but for arrivals", hotel.Closures, []hotel.Offer{closed(shut)}, closed(noArrival), Lower},
		{"opening", hotel.Closures, []hotel.Offer{closed(shut)}, closed(hotel.Closed{}), Raise},
		{"opening what may be open", hotel.Closures, []hotel.Offer{closed(shut), closed(hotel.Closed{})}, closed(hotel.Closed{}), Raise},
		{"opening arrivals, still closed", hotel.Closures, []hotel.Offer{closed(shut.Any(noArrival))}, closed(shut), Raise},
		{"closed where nothing is known", hotel.Closures, nil, closed(noArrival), Lower},
		{"open where nothing is known", hotel.Closures, nil, closed(hotel.Closed{}), Raise},
		{"longer minimum stay", hotel.Lengths, []hotel.Offer{{}}, hotel.Offer{Lengths: hotel.LengthLimits{MinStayArrival: 3}}, Rates},
		{"first lengths", hotel.Lengths, nil, hotel.Offer{}, Rates},
		{"price", hotel.Price, []hotel.Offer{{}}, hotel.Offer{Amount: hotel.Money{Minor: 9900, Currency: "EUR"}}, Rates},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Cell{Key: connectors.Key{Room: "DBL", Group: tt.group}, Want: tt.want, Held: tt.held}
			if got := lane(c); got != tt.lane {
				t.Errorf("lane is %v, want %v", got, tt.lane)
			}
		})
	}
}

func TestLaneString(t *testing.T) {
	for l, want := range map[Lane]string{Lower: "lower", Raise: "raise", Rates: "rates", 9: "Lane(9)"} {
		if got := l.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
