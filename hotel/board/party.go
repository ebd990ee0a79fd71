package board

import "ostler.example/hotel/price"

// Party is the guests of one room. No adults stand for as many as the room's base
// occupancy.
type Party struct {
	Adults int
	Ages   []int // of the children; negative: nobody told
}

// Fits reports whether a room of the type takes the party. A child is what its
// age band says; without bands it is a child. Infants take no place unless the
// room type says so.
func (b *Board) Fits(room int, p Party) bool {
	r := &b.RoomTypes[room]
	adults, children, infants := b.adults(room, p), len(p.Ages), 0
	if bands := price.Bands(b.Property.AgeBands); len(bands) > 0 {
		adults, children, infants = bands.Heads(bands.Guests(adults, p.Ages))
	}
	total := adults + children
	if r.InfantsUseBed {
		total += infants
	}
	return adults <= r.MaxAdults && children <= r.MaxChildren && total <= r.MaxOccupancy &&
		(r.MaxInfants == nil || infants <= *r.MaxInfants)
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
