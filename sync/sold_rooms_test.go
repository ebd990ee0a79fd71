package sync

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// mapped is a ledger that knows of one channel what it sells.
type mapped struct {
	Ledger
	mappings []hotel.Mapping
	types    []hotel.RoomType
}

func (m mapped) Mappings(context.Context, string) ([]hotel.Mapping, error)   { return m.mappings, nil }
func (m mapped) RoomTypes(context.Context, string) ([]hotel.RoomType, error) { return m.types, nil }

// TestSoldRooms: each room of the far side once, whatever number of rates it is sold at.
func TestSoldRooms(t *testing.T) {
	room := func(id string) hotel.RoomType {
		return hotel.RoomType{Entity: hotel.Entity{ID: id}, Name: "room " + id}
	}
	of := func(remote, rate, id string) hotel.Mapping {
		return hotel.Mapping{RemoteRoom: remote, RemoteRate: rate, RoomTypeID: id}
	}
	l := mapped{
		mappings: []hotel.Mapping{of("DZ", "BAR", "double"), of("DZ", "NRF", "double"), of("EZ", "BAR", "single"), of("GZ", "BAR", "gone")},
		types:    []hotel.RoomType{room("attic"), room("single"), room("double")},
	}
	got, err := soldRooms(t.Context(), l, hotel.Channel{})
	want := []connectors.SoldRoom{{Room: "DZ", Type: room("double")}, {Room: "EZ", Type: room("single")}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("sold is (-want +got):\n%s, %v", diff, err)
	}
}
