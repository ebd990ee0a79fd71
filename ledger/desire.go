package ledger

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Wanted is what a cell is to show, apart from prices that are waited for. A nil
// value means that the channel does not carry it.
type Wanted struct {
	Cell    hotel.Cell
	Value   *int64
	Closes  bool  // availability: no rooms is the far side's only word for closed
	Tells   Tells // closures: how much of them the far side can be told
	Missing bool  // price: the channel takes prices, and there is none

	anew bool // the far side's code stands for something else than what the cell was told of

	Occupancies bool // price of the base occupancy: the channel takes one for each number of guests
}

// Desire stores what a channel is to show for the work it was given, and moves
// its place in the journal. More than one step covers is stored in pieces, of which
// the last one moves the place, so that a crash repeats the work or has done it.
// Only cells whose value changed are written. [ErrOutrun] says that the place in the
// journal is not the one that the work was read from.
func (l *Ledger) Desire(ctx context.Context, channel string, w Work, wanted []Wanted) error {
	// Most of what is worked out is as it was. That is found before the writer is
	// asked: nobody else sets what a channel is to show, or this work is outrun.
	for i := range wanted {
		wanted[i].anew = w.changed.covers(wanted[i].Cell)
	}
	wanted, changes, err := l.news(ctx, channel, wanted, w)
	if err != nil {
		return err
	}
	most, err := l.nightsToDesire(ctx, channel, wanted)
	if err != nil {
		return err
	}
	if most > 0 { // whole nights, so that each is dealt once
		slices.SortStableFunc(wanted, func(a, b Wanted) int { return int(a.Cell.Night - b.Cell.Night) })
	}
	for {
		now, later := piece(wanted, most)
		if len(later) == 0 {
			return l.desire(ctx, channel, w, now, changes, w.To)
		}
		if err := l.desire(ctx, channel, w, now, changes, w.From); err != nil {
			return err
		}
		wanted, changes = later, counted{}
	}
}

// nightsToDesire is how many nights may be stored in one piece, since their rooms
// are dealt with them; 0: any number, for nothing is dealt.
func (l *Ledger) nightsToDesire(ctx context.Context, channel string, wanted []Wanted) (most int, err error) {
	if len(wanted) <= 1 {
		return 0, nil
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		s := l.boards.structure(row.PropertyID)
		if s == nil {
			if s, err = loadStructure(ctx, q, row.PropertyID); err != nil {
				return err
			}
		}
		if s.guards() {
			most, err = nightsAtOnce(ctx, q, row.PropertyID)
		}
		return err
	})
	return most, err
}

// piece parts off what one item stores: at most so many cells, and nights where
// there is a limit to them.
func piece(wanted []Wanted, nights int) (now, later []Wanted) {
	end, night := min(1, len(wanted)), 1
	for ; end < len(wanted) && end < DeriveAtMost; end++ {
		if wanted[end].Cell.Night == wanted[end-1].Cell.Night {
			continue
		}
		if night == nights {
			break
		}
		night++
	}
	return wanted[:end], wanted[end:]
}

// desireAtOnce is how many cells may be stored before what others wait to write.
const desireAtOnce = 100

func (l *Ledger) desire(ctx context.Context, channel string, w Work, wanted []Wanted, changes counted, to Places) error {
	priority := bulk
	if w.Urgent && len(wanted) <= desireAtOnce {
		priority = urgent
	}
	return l.write(ctx, priority, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, channel)
		if err != nil {
			return notFound(err)
		}
		at, _, err := placesOf(t.ctx, t.q, channel)
		if err != nil {
			return err
		}
		if at != w.From {
			return ErrOutrun
		}
		if err := t.spread(row, changes); err != nil {
			return err
		}
		table := t.cellsOf(row)
		if err := table.load(cellsOf(wanted)); err != nil {
			return err
		}
		for _, v := range wanted {
			// Any entry that is not worked out everywhere may have brought the value.
			table.desire(v, origin{w.First, w.newestBehind(v.Cell)})
		}
		if err := table.save(); err != nil {
			return err
		}
		t.redeal(row.PropertyID, stockNights(wanted))
		t.effects.dealAll = true
		return t.movePlaces(channel, at, to)
	})
}

// news returns what a channel is not wanted to show already, and how far the changes
// go that brought it; of closings, what closes something that is open.
func (l *Ledger) news(ctx context.Context, channel string, wanted []Wanted, w Work) (news []Wanted, changes counted, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		table := (&tx{ctx: ctx, q: q}).cellsOf(ledgerdb.Channel{ID: channel})
		cells := cellsOf(wanted)
		for _, c := range cells {
			if c.Group == hotel.Price && c.Occupancy == 0 {
				c.Occupancy = 1 // so that all are read
				cells = append(cells, c)
			}
		}
		if err := table.load(cells); err != nil {
			return err
		}
		if w.closings {
			news = table.closings(wanted)
			return nil
		}
		news = table.news(append(wanted, table.withdrawn(wanted)...))
		changes, err = count(ctx, q, channel, w, table, news)
		return err
	})
	return news, changes, err
}

// stockNights returns the nights on which a counter is to show something else.
func stockNights(wanted []Wanted) nightSet {
	nights := nightSet{}
	for _, v := range wanted {
		if v.Cell.Group == hotel.Availability || v.Cell.Group == hotel.Closures || v.Cell.Group == hotel.Price {
			nights[v.Cell.Night] = struct{}{} // what is closed, or has no price, is no longer sold
		}
	}
	return nights
}

func cellsOf(wanted []Wanted) []hotel.Cell {
	cells := make([]hotel.Cell, len(wanted))
	for i, v := range wanted {
		cells[i] = v.Cell
	}
	return cells
}
