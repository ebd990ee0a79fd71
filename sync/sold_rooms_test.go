package sync

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// mapped is a ledger that knows of one channel what it sells.
type mapped struct {
	Ledger
	mappings []hotel.Mapping
	types    []hotel.RoomType
	closed   map[string]hotel.Span
}

func (m mapped) Mappings(context.Context, string) ([]hotel.Mapping, error)   { return m.mappings, nil }
func (m mapped) RoomTypes(context.Context, string) ([]hotel.RoomType, error) { return m.types, nil }

func (m mapped) Property(context.Context, string) (hotel.Property, error) {
	return hotel.Property{TimeZone: "UTC", HorizonDays: 100}, nil
}

func (m mapped) Inventory(_ context.Context, q hotel.InventoryQuery) (inv hotel.Inventory, err error) {
	for _, r := range m.types {
		for night := q.Span.From; night <= q.Span.To; night++ {
			inv.Cells = append(inv.Cells, hotel.InventoryCell{RoomTypeID: r.ID, Date: night, Closed: m.closed[r.ID].Contains(night)})
		}
	}
	return inv, nil
}

// TestShut: the house is shut when all that the channel sells is closed, whatever it does
// not sell.
func TestShut(t *testing.T) {
	now := time.Date(2027, 2, 1, 12, 0, 0, 0, time.UTC)
	today := hotel.DateOf(2027, 2, 1)
	l := mapped{
		mappings: []hotel.Mapping{{RemoteRoom: "DZ", RoomTypeID: "double"}, {RemoteRoom: "EZ", RoomTypeID: "single"}},
		types:    []hotel.RoomType{{Entity: hotel.Entity{ID: "double"}}, {Entity: hotel.Entity{ID: "single"}}, {Entity: hotel.Entity{ID: "attic"}}},
		closed:   map[string]hotel.Span{"double": {From: today + 10, To: today + 30}, "single": {From: today + 20, To: today + 40}},
	}
	got, err := shut(t.Context(), l, hotel.Channel{}, now)
	want := []hotel.Span{{From: today + 20, To: today + 30}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("shut is (-want +got):\n%s, %v", diff, err)
	}
}

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
	want := []connectors.SoldRoom{{Room: "DZ", Rates: []string{"BAR", "NRF"}, Type: room("double")}, {Room: "EZ", Rates: []string{"BAR"}, Type: room("single")}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("sold is (-want +got):\n%s, %v", diff, err)
	}
}
