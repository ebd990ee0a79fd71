package board

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// Crowd is how many rooms of a type are missing on a night, 0 where all is well.
type Crowd struct {
	Oversold int // of those taken: without a place in the pools, allowed overbooking included, or beyond the limit of the house
	Planned  int // of those taken, where none is oversold: with a place only because overbooking is allowed
}

// Crowd returns how many rooms of a type are missing on the night; none outside the
// board.
func (b *Board) Crowd(d hotel.Date, room int) Crowd {
	n := b.Night(d)
	if n == nil {
		return Crowd{}
	}
	return b.Crowds(d, b.layout.House(&n.Night))[room]
}

// Beyond returns how many of the rooms taken on a night of the board lie beyond the
// limit of the house, whatever their types are.
func (b *Board) Beyond(d hotel.Date) int {
	n := b.Night(d)
	if n.HouseLimit == availability.NoLimit {
		return 0
	}
	all := b.layout.Totals(&n.Night)
	return max(0, all.Sold+all.Held+all.Blocked-n.HouseLimit)
}

// Crowds returns how many rooms of every type are missing on a night of the board,
// whose house values the caller knows.
func (b *Board) Crowds(d hotel.Date, house []availability.House) []Crowd {
	n, beyond := b.Night(d), b.Beyond(d)
	var strict []availability.House
	if slices.ContainsFunc(n.Pools, func(p availability.PoolNight) bool { return p.Overbooking > 0 }) {
		without := n.Night
		without.Pools = slices.Clone(n.Pools)
		for i := range without.Pools {
			without.Pools[i].Overbooking = 0
		}
		strict = b.layout.House(&without)
	}
	list := make([]Crowd, len(house))
	for i := range list {
		list[i].Oversold = max(beyond, -min(0, house[i].Net))
		if strict != nil && list[i].Oversold == 0 {
			list[i].Planned = -min(0, strict[i].Net)
		}
	}
	return list
}
