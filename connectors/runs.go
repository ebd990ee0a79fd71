package connectors

import (
	"slices"

	"ostler.example/hotel"
)

// Run is one value for a span of neighbouring nights of one key, as ARI
// messages write it.
type Run struct {
	Key   Key        // Night is the first night
	Last  hotel.Date // inclusive
	Offer hotel.Offer
}

// Span returns the nights of the run.
func (r Run) Span() hotel.Span { return hotel.Span{From: r.Key.Night, To: r.Last} }

// Keys returns the key of every night of the run, in order.
func (r Run) Keys() []Key {
	keys := make([]Key, 0, r.Span().Days())
	for night := r.Key.Night; night <= r.Last; night++ {
		key := r.Key
		key.Night = night
		keys = append(keys, key)
	}
	return keys
}

// Runs groups changes into the fewest runs: nights that follow each other and
// show the same for one room, rate, group and occupancy. Whatever the group does
// not carry is left out of the offer. Runs come in the order in which their
// first change appears; a key given twice counts once, with its last offer.
func Runs(changes []Change) []Run {
	type night struct {
		change Change
		place  int // where the key first appears
	}
	lines := map[Key][]night{} // by key without its night
	places := map[Key]int{}
	for i, c := range changes {
		c.Offer = c.Offer.Pick(c.Key.Group)
		line := c.Key
		line.Night = 0
		at, seen := places[c.Key]
		if seen {
			lines[line][at].change = c
			continue
		}
		places[c.Key] = len(lines[line])
		lines[line] = append(lines[line], night{change: c, place: i})
	}

	type placed struct {
		run   Run
		place int
	}
	var found []placed
	for _, nights := range lines {
		slices.SortFunc(nights, func(a, b night) int { return int(a.change.Key.Night) - int(b.change.Key.Night) })
		for i, n := range nights {
			if i > 0 {
				last := &found[len(found)-1]
				if n.change.Key.Night == last.run.Last+1 && n.change.Offer == last.run.Offer {
					last.run.Last++
					last.place = min(last.place, n.place)
					continue
				}
			}
			found = append(found, placed{Run{n.change.Key, n.change.Key.Night, n.change.Offer}, n.place})
		}
	}
	slices.SortFunc(found, func(a, b placed) int { return a.place - b.place })
	runs := make([]Run, len(found))
	for i, f := range found {
		runs[i] = f.run
	}
	return runs
}
