package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// callsPage is how many calls are looked up at once on the way back.
const callsPage = 16

// callBook reads what calls to a channel carried, each of them once: one may carry a whole house,
// and is looked up for every line of it.
type callBook struct {
	ctx     context.Context
	q       *ledgerdb.Queries
	channel string
	of      map[int64]*carriedCall // by version
}

func newCallBook(ctx context.Context, q *ledgerdb.Queries, channel string) *callBook {
	return &callBook{ctx, q, channel, map[int64]*carriedCall{}}
}

// carriedCall is a call with what it carried, by line.
type carriedCall struct {
	ledgerdb.Delivery
	cells, refused, unclear map[carriedLine][]sentRun
}

// carriedLine is a counter where stock is set, else a product.
type carriedLine struct {
	line  int64
	stock bool
}

// sentValue is what a call carried for one cell, and what became of it.
type sentValue struct {
	call   *carriedCall
	value  int64
	inAll  *int
	became DeliveryState
	words  string // the far side's, when it refused
}

// carried goes back through the calls that carried nights of a line in a month, from one
// before a version on, until f has had enough.
func (b *callBook) carried(at lineMonth, before int64, f func(*carriedCall) (more bool, err error)) error {
	for {
		versions, err := b.q.CarriedBefore(b.ctx, ledgerdb.CarriedBeforeParams{
			ChannelID: b.channel, Stock: flag(at.stock), Line: at.line, Month: at.month, Before: before, AtMost: callsPage,
		})
		if err != nil {
			return fmt.Errorf("list calls to channel %s: %w", b.channel, err)
		}
		for _, before = range versions {
			call, err := b.call(before)
			if err != nil {
				return err
			}
			if more, err := f(call); err != nil || !more {
				return err
			}
		}
		if len(versions) < callsPage {
			return nil
		}
	}
}

func (b *callBook) call(version int64) (*carriedCall, error) {
	if c := b.of[version]; c != nil {
		return c, nil
	}
	row, err := b.q.DeliveryOfVersion(b.ctx, ledgerdb.DeliveryOfVersionParams{ChannelID: b.channel, Version: version})
	if err != nil {
		return nil, fmt.Errorf("read call %d to channel %s: %w", version, b.channel, err)
	}
	c := &carriedCall{Delivery: row}
	for _, of := range []struct {
		packed string
		by     *map[carriedLine][]sentRun
	}{{row.Cells, &c.cells}, {row.Refused, &c.refused}, {row.Unclear, &c.unclear}} {
		if *of.by, err = byLine(of.packed); err != nil {
			return nil, fmt.Errorf("cells of call %s, or their outcomes: %w", row.ID, err)
		}
	}
	b.of[version] = c
	return c, nil
}

func byLine(packed string) (map[carriedLine][]sentRun, error) {
	if packed == "" {
		return nil, nil
	}
	runs, err := unpackRuns(packed)
	of := map[carriedLine][]sentRun{}
	for _, r := range runs {
		at := carriedLine{r.Line, r.Group == hotel.Availability}
		of[at] = append(of[at], r)
	}
	return of, err
}

// values returns what the call carried of a line in a month, and what became of each cell.
func (c *carriedCall) values(at lineMonth) map[hotel.Cell]*sentValue {
	became := DeliveryState(c.State)
	if became == DeliveryPartial {
		became = DeliveryApplied
	}
	out := map[hotel.Cell]*sentValue{}
	at.among(c.cells, func(s SentCell, _ string) {
		out[s.Cell] = &sentValue{call: c, value: s.Value, inAll: s.inAll(), became: became}
	})
	for _, of := range []struct {
		cells  map[carriedLine][]sentRun
		became DeliveryState
	}{{c.refused, DeliveryRejected}, {c.unclear, DeliveryUnknown}} {
		at.among(of.cells, func(s SentCell, words string) {
			if v := out[s.Cell]; v != nil {
				v.became, v.words = of.became, words
			}
		})
	}
	return out
}

// among calls f with each of some cells that is a night of the line in the month.
func (m lineMonth) among(of map[carriedLine][]sentRun, f func(c SentCell, words string)) {
	for _, r := range of[carriedLine{m.line, m.stock}] {
		for _, c := range r.cells() {
			if monthOf(c.Cell.Night) == m.month {
				f(c, r.Words)
			}
		}
	}
}
