package plan

import (
	"ostler.example/connectors"
	"ostler.example/hotel"
)

// wire is a small far side: availability and everything else are two
// operations, a call takes at most limit ranges, and a range is made only of
// changes that follow each other. So it is as unkind to a bad order as a
// connector can be.
type wire struct {
	limit   int
	refuses string // a room that it does not know
}

func (w wire) encode(changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
	type pending struct{ call, ranges int }
	open := map[string]*pending{}
	last := map[string]connectors.Change{}
	for _, c := range changes {
		if c.Key.Room == w.refuses {
			refused = append(refused, connectors.Refusal{Change: c, Reason: "no such room"})
			continue
		}
		op := "rates"
		if c.Key.Group == hotel.Availability {
			op = "availability"
		}
		next := last[op]
		next.Key.Night++
		p := open[op]
		joins := p != nil && next == c
		if p == nil || !joins && p.ranges == w.limit {
			calls = append(calls, connectors.Call{Operation: op})
			p = &pending{call: len(calls) - 1}
			open[op] = p
		}
		if !joins {
			p.ranges++
		}
		calls[p.call].Keys = append(calls[p.call].Keys, c.Key)
		last[op] = c
	}
	return calls, refused
}
