package ledger

import (
	"fmt"
	"maps"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// callsPage is how many calls are looked up at once on the way back.
const callsPage = 16

// sentValue is what a call carried for one cell, and what became of it.
type sentValue struct {
	call   *ledgerdb.Delivery
	value  int64
	inAll  *int
	became DeliveryState
	words  string // the far side's, when it refused
}

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
	return l.s.carried(at, l.s.row.Version+1, func(call *ledgerdb.Delivery) (bool, error) {
		values, err := valuesIn(call, &at)
		if err != nil {
			return false, err
		}
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

// carried goes back through the calls that carried nights of a line in a month,
// from one before a version on, until f has had enough.
func (s *sighting) carried(at lineMonth, before int64, f func(*ledgerdb.Delivery) (more bool, err error)) error {
	for {
		rows, err := s.q.CarriedBefore(s.ctx, ledgerdb.CarriedBeforeParams{
			ChannelID: s.row.ID, Stock: flag(at.stock), Line: at.line, Month: at.month, Before: before, AtMost: callsPage,
		})
		if err != nil {
			return fmt.Errorf("read calls to channel %s: %w", s.row.ID, err)
		}
		for i := range rows {
			call := &rows[i].Delivery
			before = call.Version
			if more, err := f(call); err != nil || !more {
				return err
			}
		}
		if len(rows) < callsPage {
			return nil
		}
	}
}

// valuesOf returns what a call carried, and what became of each cell.
func valuesOf(call *ledgerdb.Delivery) (map[hotel.Cell]*sentValue, error) {
	return valuesIn(call, nil)
}

// valuesIn likewise, of a line in a month; nil: of all. A call may carry a whole house, of which
// that is little.
func valuesIn(call *ledgerdb.Delivery, at *lineMonth) (map[hotel.Cell]*sentValue, error) {
	became := DeliveryState(call.State)
	if became == DeliveryPartial {
		became = DeliveryApplied
	}
	out := map[hotel.Cell]*sentValue{}
	err := at.among(call.Cells, func(c SentCell, _ string) {
		out[c.Cell] = &sentValue{call: call, value: c.Value, inAll: c.inAll(), became: became}
	})
	for _, of := range []struct {
		cells  string
		became DeliveryState
	}{{call.Refused, DeliveryRejected}, {call.Unclear, DeliveryUnknown}} {
		if err == nil && of.cells != "" {
			err = at.among(of.cells, func(c SentCell, words string) {
				if v := out[c.Cell]; v != nil {
					v.became, v.words = of.became, words
				}
			})
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cells of call %s, or their outcomes: %w", call.ID, err)
	}
	return out, nil
}

// among calls f with each of some packed cells that is a night of the line in the month.
func (m *lineMonth) among(packed string, f func(c SentCell, words string)) error {
	runs, err := unpackRuns(packed)
	for _, r := range runs {
		if m != nil && (r.Line != m.line || (r.Group == hotel.Availability) != m.stock) {
			continue
		}
		for _, c := range r.cells() {
			if m == nil || monthOf(c.Cell.Night) == m.month {
				f(c, r.Words)
			}
		}
	}
	return err
}
