// Package plan decides what a channel is told next, in what order and in how
// few calls. It takes the cells whose wanted value differs from something the
// channel may hold, with the mapping already applied, sorts them into lanes and
// lets the connector's Encode turn each lane into calls.
//
// It is a function of its arguments: it reads no ledger and no clock, sends
// nothing, and the order of the cells handed in does not matter. When the calls
// go out is decided by package gate.
package plan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

// Cell is one field group of one cell that differs from something the channel
// may hold.
type Cell struct {
	Ref  hotel.Cell     // the cell in our own words; the plan only carries it along
	Key  connectors.Key // the same cell in the far side's codes
	Want hotel.Offer    // only the fields of Key.Group count
	Held []hotel.Offer  // every value that the channel may hold now; none: nothing is known
	Last *hotel.Offer   // closures: what it last confirmed, whatever it may hold; nil: nothing
	Free int            // free rooms of the night, for the order

	// Open is, of closures that close the night until its price is confirmed, what they
	// are to be then; nil: they wait for no price. Fresh is set where the far side was
	// never told anything of the cell.
	Open  *hotel.Offer
	Fresh bool

	// Of a far side that is told the most that it sells in all: what it has sold, and
	// the largest number that it takes (0: any). Want and Held are what is left.
	Sold, Most int

	// AtPrice is set by [Make] of closures that open in the entry of their price, which
	// Want says then, and of that price.
	AtPrice bool
}

// told is what the far side is sent of the cell.
func (c Cell) told() hotel.Offer {
	o := c.Want
	if c.Sold > 0 {
		if o.Available += c.Sold; c.Most > 0 {
			o.Available = min(o.Available, c.Most)
		}
	}
	return o
}

// Call is one call of the connector with its place in the order.
type Call struct {
	connectors.Call
	Lane  lane.Lane
	Cells []Cell // Cells[i] is the cell of Keys[i]

	// Night and Free are those of the most urgent cell: the nearest night, and of
	// its cells the one with the fewest free rooms.
	Night hotel.Date
	Free  int
}

// Refused is a cell that the connector cannot express, with its reason.
type Refused struct {
	Cell   Cell
	Reason string
}

// Plan is what to send, lane by lane and in each the most urgent call first, and
// what cannot be sent.
type Plan struct {
	Calls   []Call
	Refused []Refused
}

// ErrEncode says that a connector does not pack changes as it is to.
var ErrEncode = errors.New("the connector packs changes wrongly")

// Encode is the method of that name of [connectors.Connector].
type Encode func([]connectors.Change) ([]connectors.Call, []connectors.Refusal)

// Make plans the cells of one channel. Encode is asked for each lane that has cells,
// with all of the lane's changes, ranges kept together and the most urgent first.
// Every cell is in exactly one call or refused. Of the operations only those count of
// which an entry is judged apart, see [join], or that open a night at its price, see
// [opened].
//
// An error means that the input or the connector is broken: two cells have the
// same key, or Encode lost, doubled or made up a key, which is [ErrEncode].
// Nothing may be sent then.
func Make(cells []Cell, operations []connectors.Operation, encode Encode) (Plan, error) {
	seen := make(map[connectors.Key]bool, len(cells))
	for i, c := range cells {
		if seen[c.Key] {
			return Plan{}, fmt.Errorf("plan %s: two cells have this key", describe(c.Key))
		}
		seen[c.Key] = true
		cells[i].Want = c.Want.Pick(c.Key.Group)
	}
	for {
		p, err := inLanes(opened(cells, operations), operations, encode)
		if err != nil || !p.shutAgain(cells) {
			return p, err
		}
	}
}

// inLanes plans cells lane by lane.
func inLanes(cells []Cell, operations []connectors.Operation, encode Encode) (Plan, error) {
	lanes := map[lane.Lane][]Cell{}
	for _, c := range cells {
		l := laneOf(c)
		lanes[l] = append(lanes[l], c)
	}
	var p Plan
	for _, l := range []lane.Lane{lane.Lower, lane.Raise, lane.Rates} {
		if len(lanes[l]) == 0 {
			continue
		}
		own, err := pack(order(lanes[l]), encode)
		if err != nil {
			return Plan{}, err
		}
		for _, behind := range [][]lane.Lane{{lane.Raise, lane.Rates}, {lane.Rates}} {
			joint, left, err := join(l, own, lanes, behind, operations, encode)
			if err != nil {
				return Plan{}, err
			}
			if left != nil {
				own = joint
				maps.Copy(lanes, left)
				break
			}
		}
		p.Calls, p.Refused = append(p.Calls, own.Calls...), append(p.Refused, own.Refused...)
	}
	slices.SortStableFunc(p.Calls, func(a, b Call) int { return cmp.Compare(a.Lane, b.Lane) })
	return p, nil
}

// pack encodes cells. Each call is in the first lane of those of its cells.
func pack(cells []Cell, encode Encode) (Plan, error) {
	var p Plan
	changes := make([]connectors.Change, len(cells))
	open := make(map[connectors.Key]int, len(cells)) // place among them
	for i, c := range cells {
		changes[i] = connectors.Change{Key: c.Key, Offer: c.told(), AtPrice: c.AtPrice && c.Key.Group == hotel.Closures}
		open[c.Key] = i
	}
	take := func(k connectors.Key) (Cell, error) {
		i, ok := open[k]
		if !ok {
			return Cell{}, fmt.Errorf("plan %s: %w: encoded twice, or not given to it", describe(k), ErrEncode)
		}
		delete(open, k)
		return cells[i], nil
	}

	encoded, refused := encode(changes)
	for _, e := range encoded {
		call := Call{Call: e, Lane: lane.Rates, Cells: make([]Cell, len(e.Keys))}
		for i, k := range e.Keys {
			c, err := take(k)
			if err != nil {
				return Plan{}, err
			}
			call.Cells[i], call.Lane = c, min(call.Lane, laneOf(c))
			if i == 0 || urgency(c.Key.Night, c.Free, call.Night, call.Free) < 0 {
				call.Night, call.Free = c.Key.Night, c.Free
			}
		}
		if len(e.Keys) == 0 {
			return Plan{}, fmt.Errorf("plan %s: %w: a call that carries nothing", e.Operation, ErrEncode)
		}
		p.Calls = append(p.Calls, call)
	}
	for _, r := range refused {
		c, err := take(r.Change.Key)
		if err != nil {
			return Plan{}, err
		}
		p.Refused = append(p.Refused, Refused{Cell: c, Reason: r.Reason})
	}
	for _, c := range cells {
		if _, lost := open[c.Key]; lost {
			return Plan{}, fmt.Errorf("plan %s: %w: neither encoded nor refused", describe(c.Key), ErrEncode)
		}
	}
	return p, nil
}

// urgency compares two cells of one lane: the nearer night first, then the one
// with fewer free rooms.
func urgency(aNight hotel.Date, aFree int, bNight hotel.Date, bFree int) int {
	return cmp.Or(cmp.Compare(aNight, bNight), cmp.Compare(aFree, bFree))
}

// describe names a key in an error.
func describe(k connectors.Key) string {
	s := fmt.Sprintf("%s of room %q", k.Group, k.Room)
	if k.Rate != "" {
		s += fmt.Sprintf(" rate %q", k.Rate)
	}
	if k.Occupancy != 0 {
		s += fmt.Sprintf(" for %d guests", k.Occupancy)
	}
	return s + " on " + k.Night.String()
}
