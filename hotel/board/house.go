package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// House returns what the property has of each room type on the night, nil
// outside the board.
func (b *Board) House(d hotel.Date) []availability.House {
	n := b.Night(d)
	if n == nil {
		return nil
	}
	return b.layout.House(&n.Night)
}

// Capacity returns how many rooms of the type an empty house has, with every pool
// as large as it is by default.
func (b *Board) Capacity(room int) int {
	n := NewNight(len(b.Pools), len(b.RoomTypes), 0)
	for i := range b.Pools {
		n.Pools[i].Total = b.Pools[i].TotalUnits
	}
	return b.layout.House(&n.Night)[room].Net
}

// ExplainHouse returns what the property has of one room type on the night and
// records the steps of [availability.Layout.Explain]. Outside the board there is
// nothing, and nothing to record.
func (b *Board) ExplainHouse(d hotel.Date, room int, tr *hotel.Trace) availability.House {
	n := b.Night(d)
	if n == nil {
		return availability.House{}
	}
	return b.layout.Explain(&n.Night, room, tr)
}
