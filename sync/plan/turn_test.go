package plan

import (
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func TestWhatClosesAndOpens(t *testing.T) {
	rooms := func(n int) hotel.Offer { return hotel.Offer{Available: n} }
	shut, open := hotel.Offer{Closed: hotel.Closed{Closed: true}}, hotel.Offer{}
	for _, c := range []struct {
		name          string
		group         hotel.Group
		want          hotel.Offer
		held          []hotel.Offer
		closes, opens bool
	}{
		{"the last room goes", hotel.Availability, rooms(0), []hotel.Offer{rooms(1)}, true, false},
		{"fewer rooms close nothing", hotel.Availability, rooms(1), []hotel.Offer{rooms(2)}, false, false},
		{"a room comes back", hotel.Availability, rooms(1), []hotel.Offer{rooms(0)}, false, true},
		{"nothing is known, and it is shut", hotel.Availability, rooms(0), nil, true, false},
		{"nothing is known, and it is for sale", hotel.Availability, rooms(1), nil, false, true},
		{"it may be open", hotel.Closures, shut, []hotel.Offer{shut, open}, true, false},
		{"it was shut", hotel.Closures, shut, []hotel.Offer{shut}, false, false},
		{"it may be shut", hotel.Closures, open, []hotel.Offer{shut, open}, false, true},
		{"a price does neither", hotel.Price, hotel.Offer{}, nil, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			cell := Cell{Key: connectors.Key{Group: c.group}, Want: c.want, Held: c.held}
			if cell.Closes() != c.closes || cell.Opens() != c.opens {
				t.Errorf("closes %v, opens %v", cell.Closes(), cell.Opens())
			}
		})
	}
}
