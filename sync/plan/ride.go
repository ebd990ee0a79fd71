package plan

import (
	"slices"

	"ostler.example/connectors"
	"ostler.example/sync/lane"
)

// join packs the cells of a lane with those of the lanes behind it that may ride in its
// calls. own is the lane by itself. left is what is left of the lanes behind, nil where
// nothing is gained: they ride only where none of the lanes needs more calls than by itself,
// so that nothing waits longer for its turn, and fewer are needed in all.
func join(l lane.Lane, own Plan, lanes map[lane.Lane][]Cell, behind []lane.Lane, operations []connectors.Operation, encode Encode) (joint Plan, left map[lane.Lane][]Cell, err error) {
	cells, ride, left := order(lanes[l]), []Cell(nil), map[lane.Lane][]Cell{}
	riding := map[lane.Lane][]Cell{}
	for _, b := range behind {
		if b <= l {
			return Plan{}, nil, nil
		}
		on, off := riders(lanes[l], lanes[b], b, operations)
		if b == behind[0] && len(on) == 0 {
			return Plan{}, nil, nil
		}
		riding[b], left[b] = order(on), off
		ride = append(ride, riding[b]...)
	}
	if joint, err = pack(append(cells, ride...), encode); err != nil {
		return Plan{}, nil, err
	}
	alone, err := pack(ride, encode)
	if err != nil || joint.of(l) > len(own.Calls) || len(joint.Calls) >= len(own.Calls)+len(alone.Calls) {
		return Plan{}, nil, err
	}
	for _, b := range behind {
		by := alone
		if len(riding[b]) < len(ride) {
			if by, err = pack(riding[b], encode); err != nil {
				return Plan{}, nil, err
			}
		}
		if joint.of(b) > len(by.Calls) {
			return Plan{}, nil, nil
		}
	}
	return joint, left, nil
}

// riders parts the cells of a lane behind into those that may ride in the calls of the
// first one, and the rest. They may where an operation tells them that tells something
// of the lane too, and of which the far side judges each entry apart: whatever is wrong
// with a price, the closing beside it takes effect.
//
// What raises does not ride in calls that lower: every lowering goes first. But where
// all that the operation closes was confirmed as closed before, and is only told again, or
// is told for the first time, nothing waits for it: a channel that is told everything is
// told it at once.
func riders(first, behind []Cell, of lane.Lane, operations []connectors.Operation) (ride, stay []Cell) {
	var with []connectors.Operation
	for _, o := range operations {
		tells := func(l Cell) bool { return o.Tells(l.Key.Group) }
		if o.Apart && slices.ContainsFunc(first, tells) &&
			(of == lane.Rates || !slices.ContainsFunc(first, func(l Cell) bool { return tells(l) && !l.again() })) {
			with = append(with, o)
		}
	}
	for _, c := range behind {
		if slices.ContainsFunc(with, func(o connectors.Operation) bool { return o.Tells(c.Key.Group) }) {
			ride = append(ride, c)
		} else {
			stay = append(stay, c)
		}
	}
	return ride, stay
}

// of counts the calls of a lane.
func (p Plan) of(l lane.Lane) int {
	n := 0
	for _, c := range p.Calls {
		if c.Lane == l {
			n++
		}
	}
	return n
}
