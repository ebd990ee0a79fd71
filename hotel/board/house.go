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
