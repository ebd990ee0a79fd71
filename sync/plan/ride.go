package plan

import (
	"slices"

	"ostler.example/connectors"
)

// riders parts the cells of the last lane into those that may ride in calls of another
// lane, and the rest. They may where an operation tells them that tells something of
// the lane too, and of which the far side judges each entry apart: whatever is wrong
// with a price, the closing beside it takes effect.
//
// They ride only where the lane needs no more calls with them than without, and fewer
// are needed in all. What raises never rides in calls that lower: every lowering goes
// first.
func riders(lane, rates []Cell, operations []connectors.Operation) (ride, stay []Cell) {
	for _, c := range rates {
		if slices.ContainsFunc(operations, func(o connectors.Operation) bool {
			return o.Apart && o.Tells(c.Key.Group) && slices.ContainsFunc(lane, func(l Cell) bool { return o.Tells(l.Key.Group) })
		}) {
			ride = append(ride, c)
		} else {
			stay = append(stay, c)
		}
	}
	return ride, stay
}

// of counts the calls of a lane.
func (p Plan) of(l Lane) int {
	n := 0
	for _, c := range p.Calls {
		if c.Lane == l {
			n++
		}
	}
	return n
}
