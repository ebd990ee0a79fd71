package board

import "ostler.example/hotel/price"

// Party is the guests of one room. No adults stand for as many as the room's base
// occupancy.
type Party struct {
	Adults int
	Ages   []int // of the children; negative: nobody told
}

// Fits reports whether a room of the type takes the party.
func (b *Board) Fits(room int, p Party) bool {
	r, h := &b.RoomTypes[room], b.heads(room, p)
	return h.adults <= r.MaxAdults && h.children <= r.MaxChildren && h.guests <= r.MaxOccupancy &&
		(r.MaxInfants == nil || h.infants <= *r.MaxInfants)
}

// Few reports whether the party is smaller than those that a room of the type is sold to.
// It has the places all the same: a room that is given, not sold, asks for [Board.Fits] alone.
func (b *Board) Few(room int, p Party) bool {
	return b.heads(room, p).guests < b.RoomTypes[room].MinOccupancy
}

// Suits reports whether a room of the type is sold to such a party.
func (b *Board) Suits(room int, p Party) bool { return b.Fits(room, p) && !b.Few(room, p) }

// heads are the guests as a room counts them.
type heads struct {
	adults, children, infants int
	guests                    int // that take a place
}

// heads counts a party. A child is what its age band says; without bands it is a child.
// Infants take no place unless the room type says so.
func (b *Board) heads(room int, p Party) heads {
	h := heads{adults: b.adults(room, p), children: len(p.Ages)}
	if bands := price.Bands(b.Property.AgeBands); len(bands) > 0 {
		h.adults, h.children, h.infants = bands.Heads(bands.Guests(h.adults, p.Ages))
	}
	if h.guests = h.adults + h.children; b.RoomTypes[room].InfantsUseBed {
		h.guests += h.infants
	}
	return h
}

// guests returns the party as prices count it.
func (b *Board) guests(room int, p Party) price.Guests {
	return price.Bands(b.Property.AgeBands).Guests(b.adults(room, p), p.Ages)
}

func (b *Board) adults(room int, p Party) int {
	if p.Adults == 0 {
		return b.RoomTypes[room].BaseOccupancy
	}
	return p.Adults
}
