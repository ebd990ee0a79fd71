package ledger

import (
	"testing"

	"ostler.example/hotel"
)

// A counter, or a product, is named by the channel's code where there are others of the same.
func TestWhatACellIsOf(t *testing.T) {
	c := comparison{
		counters: map[int64]Counter{1: {Line: 1, RemoteRoom: "T", RoomTypeID: "twin"}, 2: {Line: 2, RemoteRoom: "D", RoomTypeID: "double"}, 3: {Line: 3, RemoteRoom: "D2", RoomTypeID: "double"}, 4: {Line: 4, RemoteRoom: "T2", RoomTypeID: "twin", Retired: true}},
		mappings: map[int64]hotel.Mapping{1: {Line: 1, RemoteRoom: "D", RemoteRate: "F", RoomTypeID: "double", RatePlanID: "flex"}, 2: {Line: 2, RemoteRoom: "D", RemoteRate: "G", RoomTypeID: "double", RatePlanID: "flex"}, 3: {Line: 3, RemoteRoom: "D", RemoteRate: "S", RoomTypeID: "double", RatePlanID: "saver"}},
	}
	for cell, want := range map[hotel.Cell]hotel.ConflictSubject{
		{Line: 1, Group: hotel.Availability}: {Type: "cell", RoomTypeID: "twin"},
		{Line: 3, Group: hotel.Availability}: {Type: "cell", RoomTypeID: "double", RemoteRoom: "D2"},
		{Line: 2, Group: hotel.Price}:        {Type: "cell", RoomTypeID: "double", RatePlanID: "flex", RemoteRoom: "D", RemoteRate: "G"},
		{Line: 3, Group: hotel.Price}:        {Type: "cell", RoomTypeID: "double", RatePlanID: "saver"},
	} {
		if got := c.subject(cell); got != want {
			t.Errorf("%v is of %+v, want %+v", cell, got, want)
		}
	}
}
