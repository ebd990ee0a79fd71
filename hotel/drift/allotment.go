package drift

import "ostler.example/hotel"

// toldTwice is how often a number has to come back unmoved before it is taken for
// one that cannot be closed.
const toldTwice = 2

// allotment: more rooms than it was told, the same number however often it is told,
// and what it was told was never seen. The channel sells a number that the hotel
// has promised it.
func allotment(s Seen) bool {
	return s.Group == hotel.Availability && s.Shown > *s.Told && s.Again >= toldTwice
}
