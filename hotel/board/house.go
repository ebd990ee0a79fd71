package board

import (
	"slices"

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

// Undealt returns what of each room type is granted to no channel on the night,
// which is what may be sold directly; nil outside the board.
func (b *Board) Undealt(d hotel.Date) []availability.House {
	n := b.Night(d)
	if n == nil {
		return nil
	}
	return b.layout.Undealt(&n.Night)
}

// Exposed returns how many rooms of the type channels could sell on the night beyond
// what is free, since rooms were granted to them that are gone, or since a policy accepts
// the risk; 0 outside the board.
func (b *Board) Exposed(d hotel.Date, room int) int {
	if of := b.exposed(d, true); of != nil {
		return of[room]
	}
	return 0
}

// ExposedRooms adds up what is exposed of all room types on all nights, without what a
// policy accepts: who looks at the sum is not to get used to it.
func (b *Board) ExposedRooms() (sum int) {
	for d := b.From; d <= b.To(); d++ {
		for _, n := range b.Overgranted(d) {
			sum += n
		}
	}
	return sum
}

// Overgranted returns how many rooms of each type channels could sell on the night beyond
// what is free, without what a policy accepts; nil where nothing is granted.
func (b *Board) Overgranted(d hotel.Date) []int { return b.exposed(d, false) }

// exposed is what is exposed of each room type, with or without what a policy accepts;
// nil where nothing is granted. A channel of which nobody knows what it may sell counts
// with all rooms of the type.
func (b *Board) exposed(d hotel.Date, accepted bool) []int {
	n := b.Night(d)
	if n == nil || !slices.ContainsFunc(n.Rooms, func(r availability.RoomNight) bool { return r.Granted > 0 || r.AtRisk > 0 || r.Unknown > 0 }) {
		return nil
	}
	empty, open := b.layout.Empty(&n.Night), make([]int, len(n.Rooms))
	for i, r := range n.Rooms {
		open[i] = r.Granted + r.Unknown*max(0, empty[i].Net)
		if accepted {
			open[i] += r.AtRisk
		}
	}
	house, left := b.layout.House(&n.Night), b.layout.Beside(&n.Night, open)
	of := make([]int, len(house))
	for room := range of {
		of[room] = max(0, min(house[room].Net, 0)-left[room].Net)
	}
	return of
}

// Left returns what is left of each room type on the night, nil outside the board,
// when the given rooms of each are taken in place of those that are granted.
func (b *Board) Left(d hotel.Date, taken []int) []availability.House {
	n := b.Night(d)
	if n == nil {
		return nil
	}
	return b.layout.Beside(&n.Night, taken)
}

// Sharing returns for each room type a number that it has in common with those
// that are sold from the same rooms.
func (b *Board) Sharing() []int { return b.layout.Sharing() }

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

// After reports for each room type whether rooms are short on the night when so
// many more of each are sold: some of them find none. Outside the board nothing is
// short.
func (b *Board) After(d hotel.Date, more []int) []bool {
	n := b.Night(d)
	if n == nil {
		return nil
	}
	for room, rooms := range more {
		if rooms != 0 {
			n = n.Sell(room, rooms)
		}
	}
	short := make([]bool, len(b.RoomTypes))
	for i, h := range b.layout.House(&n.Night) {
		short[i] = h.Net < 0
	}
	return short
}
