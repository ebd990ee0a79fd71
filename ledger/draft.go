package ledger

import (
	"fmt"
	"reflect"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
)

// draft is a property's nights as the items of a batch have left them, over the
// board that is shown. Decisions inside a transaction read it in place of the
// tables.
//
// The batch has one, and so has each item while it runs, over the batch's. A
// night is in it once it was written or read: the night itself, or nil when rows
// changed since, which is to be read again. An item that fails drops its own, an
// item that works lays it over the batch's, and what the batch has in the end
// becomes the shown board, after the commit.
type draft struct {
	below   *draft
	shown   *board.Board // nil when there is none below
	rebuilt bool         // rooms or plans changed: nothing below counts
	nights  map[hotel.Date]*board.Night
}

// night returns what is known of a night, nil when it must be read.
func (d *draft) night(at hotel.Date) *board.Night {
	for ; d != nil; d = d.below {
		if n, ok := d.nights[at]; ok {
			return n
		}
		if d.shown != nil {
			return d.shown.Night(at)
		}
	}
	return nil
}

func (d *draft) put(at hotel.Date, n *board.Night) {
	if d.nights == nil {
		d.nights = make(map[hotel.Date]*board.Night)
	}
	d.nights[at] = n
}

// merge lays the draft of an item that worked over that of its batch.
func (d *draft) merge(of *draft) {
	if of.rebuilt {
		*d = draft{rebuilt: true, nights: of.nights}
		return
	}
	for at, n := range of.nights {
		d.put(at, n)
	}
}

// draft returns the item's draft of a property.
func (t *tx) draft(property string) *draft {
	if d := t.effects.drafts[property]; d != nil {
		return d
	}
	below := t.b.after.drafts[property]
	if below == nil {
		below = &draft{shown: t.l.boards.current(property)}
		t.b.after.setDraft(property, below)
	}
	d := &draft{below: below}
	t.effects.setDraft(property, d)
	return d
}

func (e *effects) setDraft(property string, d *draft) {
	if e.drafts == nil {
		e.drafts = make(map[string]*draft)
	}
	e.drafts[property] = d
}

// renewed marks nights of a property whose rows changed.
func (t *tx) renewed(property string, nights nightSet) {
	t.redeal(property, nights)
	d := t.draft(property)
	for at := range nights {
		d.put(at, nil)
	}
}

// rebuilt marks a property whose rooms or plans changed.
func (t *tx) rebuilt(property string) { t.effects.setDraft(property, &draft{rebuilt: true}) }

// changed reports whether rooms or plans of the property changed in this batch.
func (t *tx) changed(property string) bool {
	for _, e := range []*effects{&t.effects, &t.b.after} {
		if d := e.drafts[property]; d != nil && d.rebuilt {
			return true
		}
	}
	return false
}

// patch changes one night of the draft as its rows were changed. A night that is
// not in memory stays to be read.
func (t *tx) patch(property string, at hotel.Date, change func(*board.Night) *board.Night) {
	t.redeal(property, nightSet{at: {}})
	t.redraw(property, at, change)
}

// redraw is patch for what has no say in how many rooms there are.
func (t *tx) redraw(property string, at hotel.Date, change func(*board.Night) *board.Night) {
	d := t.draft(property)
	n := d.night(at)
	if n != nil {
		n = change(n)
	}
	d.put(at, n)
}

// spanBoard makes a board of the nights from from to to, inclusive, as this item
// sees them.
func (t *tx) spanBoard(s *structure, from, to hotel.Date) (*board.Board, error) {
	nights, err := t.nights(s.property.ID, from, to, func(first, last hotel.Date) ([]*board.Night, error) {
		read, err := t.loadNights(s, first, last)
		for i, n := range read {
			t.draft(s.property.ID).put(first+hotel.Date(i), n)
		}
		return read, err
	})
	if err != nil {
		return nil, err
	}
	if t.l.checkBoards {
		if err := t.checkNights(s, from, nights); err != nil {
			return nil, err
		}
	}
	return s.board(t.now, from, nights, t.heads.sequence), nil
}

// nights returns the nights from from to to, inclusive, as this item sees them. read
// is asked for each run of those that are not in memory.
func (t *tx) nights(property string, from, to hotel.Date, read func(first, last hotel.Date) ([]*board.Night, error)) ([]*board.Night, error) {
	d := t.draft(property)
	nights := make([]*board.Night, 0, max(0, int(to-from)+1))
	for at := from; at <= to; at = from + hotel.Date(len(nights)) {
		if n := d.night(at); n != nil {
			nights = append(nights, n)
			continue
		}
		last := at
		for last < to && d.night(last+1) == nil {
			last++
		}
		missing, err := read(at, last)
		if err != nil {
			return nil, err
		}
		nights = append(nights, missing...)
	}
	return nights, nil
}

// loadNights reads nights as this item sees them.
func (t *tx) loadNights(s *structure, from, to hotel.Date) ([]*board.Night, error) {
	f, err := t.l.facts(t.ctx, t.q, s.property.ID)
	if err != nil {
		return nil, err
	}
	return s.loadNights(t.ctx, f, from, to)
}

// remembered returns the nights of a span when all are in memory, else nil.
func (t *tx) remembered(property string, span hotel.Span) []*board.Night {
	d, nights := t.draft(property), make([]*board.Night, span.Days())
	for i := range nights {
		if nights[i] = d.night(span.From + hotel.Date(i)); nights[i] == nil {
			return nil
		}
	}
	return nights
}

// inMemory reports whether the nights need not be read.
func (t *tx) inMemory(property string, nights nightSet) bool {
	d := t.draft(property)
	for at := range nights {
		if d.night(at) == nil {
			return false
		}
	}
	return true
}

// checkNights compares nights in memory with the tables.
func (t *tx) checkNights(s *structure, from hotel.Date, nights []*board.Night) error {
	read, err := t.loadNights(s, from, from+hotel.Date(len(nights))-1)
	if err != nil {
		return err
	}
	for i := range read {
		if !reflect.DeepEqual(read[i], nights[i]) {
			return fmt.Errorf("night %s of %s is %+v in memory and %+v in the tables", from+hotel.Date(i), s.property.ID, nights[i], read[i])
		}
	}
	return nil
}
