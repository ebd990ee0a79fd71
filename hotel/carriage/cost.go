package carriage

import (
	"maps"

	"ostler.example/hotel"
)

// Cost counts, by field, the stays that the house allows and the channel turns
// away because it can be told the field only by tightening others: those that it
// would sell if nobody looked at the field. Fields that it is told, or that the
// hotel keeps there, are left out, and so are those of which the house says
// nothing. The house is as in [Channel.Tell].
func (c Channel) Cost(h House) map[hotel.Field]int {
	out := map[hotel.Field]int{}
	all := -1
	for _, f := range restrictions {
		if c.tells(f) || !c.enforces(f) || !h.says(f) {
			continue
		}
		if all < 0 {
			all = c.turnedAway(h)
		}
		without := Channel{Fields: maps.Clone(c.Fields), Absent: maps.Clone(c.Absent), Stock: c.Stock}
		delete(without.Fields, f)
		delete(without.Absent, f)
		out[f] = max(0, all-without.turnedAway(h))
	}
	return out
}

func (c Channel) turnedAway(h House) int {
	n := 0
	for _, l := range c.Lost(h, c.Tell(h)) {
		n += l.Stays
	}
	return n
}

// says reports whether any night of the house makes use of the field.
func (h House) says(f hotel.Field) bool {
	for _, nights := range h.Products {
		for i := range nights {
			if nights[i].Says(f) {
				return true
			}
		}
	}
	return false
}
