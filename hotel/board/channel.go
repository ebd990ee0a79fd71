package board

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// Channel returns what decides how much of a room type on a night one channel is
// shown, as far as the house's facts say it. The seller is "" for the channel as
// a whole. Outside the board nothing is kept from anybody.
func (b *Board) Channel(d hotel.Date, room int, channel, seller string) availability.ChannelNight {
	n := b.Night(d)
	if n == nil || n.Shown == nil {
		return availability.ChannelNight{}
	}
	return n.Shown[room].For(channel, seller)
}

// For returns what counts for one channel.
func (s Shown) For(channel, seller string) availability.ChannelNight {
	var c availability.ChannelNight
	c.KeepBack, _ = s.KeepBack.For(channel, seller)
	if most, ok := s.Limits.For(channel, seller); ok {
		c.Limit = &most
	}
	return c
}

// Totals returns the sums of the whole house on the night, zero outside the
// board.
func (b *Board) Totals(d hotel.Date) availability.Totals {
	n := b.Night(d)
	if n == nil {
		return availability.Totals{}
	}
	return b.layout.Totals(&n.Night)
}

// HouseFull reports whether it is the limit of the whole house that leaves no
// room of the type on the night.
func (b *Board) HouseFull(d hotel.Date, room int) bool {
	var tr hotel.Trace
	b.ExplainHouse(d, room, &tr)
	if len(tr.Steps) == 0 {
		return false
	}
	last := tr.Steps[len(tr.Steps)-1]
	return last.Count == 0 && last.Change < 0
}
