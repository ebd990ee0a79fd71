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

// Offered returns how many rooms of a type a channel is shown on a night, before they
// are cut to what it can express; 0 outside the board. Share is how many it may sell of
// those it was granted, nil where none are.
func (b *Board) Offered(d hotel.Date, room int, channel string, share *int) int {
	n := b.Night(d)
	if n == nil {
		return 0
	}
	kept := b.Channel(d, room, channel, "")
	kept.Closed, kept.Share = n.Rooms[room].Closed, share
	return availability.Offer(b.House(d)[room].Open, kept, nil)
}

// Sale is how many rooms of a type somebody who stands for a channel can be sold by the
// house itself. That is a direct sale, whatever the channel was granted: what it was
// granted it sells by its own counter.
type Sale struct {
	Now  int // that are granted to no channel
	Free int // those and what channels could give back
}

// SaleTo returns what can be sold on a night to somebody who stands for a channel, and has
// taken so many rooms of the type already of those that it is shown; none outside the
// board.
func (b *Board) SaleTo(d hotel.Date, room int, channel string, taken int) Sale {
	n := b.Night(d)
	if n == nil {
		return Sale{}
	}
	kept := b.Channel(d, room, channel, "")
	kept.Closed = n.Rooms[room].Closed
	if kept.Limit != nil {
		kept.Limit = new(*kept.Limit - taken)
	}
	free := availability.Offer(b.House(d)[room].Open, kept, nil)
	return Sale{Now: min(free, b.Undealt(d)[room].Available), Free: free}
}

// StayTo is SaleTo of a whole stay, for each room type.
func (b *Board) StayTo(stay hotel.Stay, channel string) []Sale {
	rooms := make([]Sale, len(b.RoomTypes))
	for i := range rooms {
		for d := stay.CheckIn; d < stay.CheckOut; d++ {
			of := b.SaleTo(d, i, channel, 0)
			if d == stay.CheckIn {
				rooms[i] = of
			}
			rooms[i] = Sale{Now: min(rooms[i].Now, of.Now), Free: min(rooms[i].Free, of.Free)}
		}
	}
	return rooms
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
