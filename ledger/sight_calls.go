package ledger

import (
	"maps"

	"ostler.example/hotel"
)

// lastCalls finds by which calls cells were sent and acknowledged last. It goes
// back through the calls that carried nights of a line in a month until it has
// both for each cell of interest.
type lastCalls struct {
	s        *sighting
	interest map[lineMonth]map[hotel.Cell]bool // whether it was ever acknowledged
	done     map[lineMonth]bool
	sent     map[hotel.Cell]*sentValue
	applied  map[hotel.Cell]*sentValue
}

// calls is for the cells of some nights.
func (s *sighting) calls(groups map[hotel.Date][]knownGroup) *lastCalls {
	l := &lastCalls{
		s: s, interest: map[lineMonth]map[hotel.Cell]bool{}, done: map[lineMonth]bool{},
		sent: map[hotel.Cell]*sentValue{}, applied: map[hotel.Cell]*sentValue{},
	}
	for _, of := range groups {
		for _, k := range of {
			if k.state == settled && k.heldSeq == nil {
				continue // it was never sent
			}
			at := lineMonthOf(k.cell)
			if l.interest[at] == nil {
				l.interest[at] = map[hotel.Cell]bool{}
			}
			l.interest[at][k.cell] = k.heldSeq != nil
		}
	}
	return l
}

// of returns what was sent last, and what was acknowledged last; nil when nothing
// ever was, or the call was removed since.
func (l *lastCalls) of(k knownGroup) (sent, acknowledged *sentValue, err error) {
	at := lineMonthOf(k.cell)
	if _, asked := l.interest[at][k.cell]; !asked {
		return nil, nil, nil
	}
	if !l.done[at] {
		l.done[at] = true
		if err := l.search(at); err != nil {
			return nil, nil, err
		}
	}
	return l.sent[k.cell], l.applied[k.cell], nil
}

func (l *lastCalls) search(at lineMonth) error {
	open := maps.Clone(l.interest[at])
	return l.s.book.carried(at, l.s.row.Version+1, func(call *carriedCall) (bool, error) {
		values := call.values(at)
		for cell, held := range open {
			v := values[cell]
			if v == nil {
				continue
			}
			if l.sent[cell] == nil {
				l.sent[cell] = v
			}
			if v.became == DeliveryApplied && held {
				l.applied[cell] = v
			}
			if v.became == DeliveryApplied || !held {
				delete(open, cell)
			}
		}
		return len(open) > 0, nil
	})
}
