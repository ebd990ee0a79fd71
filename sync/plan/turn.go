package plan

import (
	"slices"

	"ostler.example/hotel"
)

// Closes reports whether the cell is shut from then on, and was not for sure before:
// no rooms, or closed.
func (c Cell) Closes() bool {
	return shut(c.Want, c.Key.Group) && (len(c.Held) == 0 || slices.ContainsFunc(c.Held, func(held hotel.Offer) bool { return !shut(held, c.Key.Group) }))
}

// Opens reports whether the cell is for sale from then on, and may not have been
// before.
func (c Cell) Opens() bool {
	if c.Key.Group != hotel.Availability && c.Key.Group != hotel.Closures || shut(c.Want, c.Key.Group) {
		return false
	}
	return len(c.Held) == 0 || slices.ContainsFunc(c.Held, func(held hotel.Offer) bool { return shut(held, c.Key.Group) })
}

func shut(o hotel.Offer, g hotel.Group) bool {
	return g == hotel.Availability && o.Available == 0 || g == hotel.Closures && o.Closed.Closed
}
