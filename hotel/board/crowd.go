package board

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// Crowd returns by how much a room type is oversold on the night: how many of the
// rooms taken find no place in its pools, allowed overbooking included, or lie
// beyond the limit of the house. Without that it is how many have a place only
// because overbooking is allowed. 0 outside the board, and where all is well.
func (b *Board) Crowd(d hotel.Date, room int) (oversold, planned int) {
	n := b.Night(d)
	if n == nil {
		return 0, 0
	}
	oversold = -min(0, b.layout.House(&n.Night)[room].Net)
	if n.HouseLimit != availability.NoLimit {
		oversold = max(oversold, -min(0, b.layout.Totals(&n.Night).Net))
	}
	if oversold > 0 || !slices.ContainsFunc(n.Pools, func(p availability.PoolNight) bool { return p.Overbooking > 0 }) {
		return oversold, 0
	}
	strict := n.Night
	strict.Pools = slices.Clone(n.Pools)
	for i := range strict.Pools {
		strict.Pools[i].Overbooking = 0
	}
	return 0, -min(0, b.layout.House(&strict)[room].Net)
}
