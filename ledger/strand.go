package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// A strand is one of the ways in which a channel reads the journal. Each has a
// cursor of its own and looks at its own part of what an entry touches:
//
//	strand     looks at                                        follows from
//	sold       rooms, on the nights of the entry               house stock, what is kept from channels
//	stock      rooms, on all nights                            the channel's settings and mapping, time
//	closings   restrictions, as far as they close something    house restrictions, terms, settings, time
//	prices     prices, on the nights of the entry              house prices, terms, settings, time
//	rules      restrictions                                    as closings
//
// They go in this order, a step at a time, so that what somebody has sold is told
// within moments however much of another strand is still to be worked out, and a
// night opens behind the price that was set for it. The order in which entries are
// looked at means nothing beyond that: what is worked out is what holds now.
type strand int

const (
	soldStrand strand = iota
	stockStrand
	closingsStrand
	pricesStrand
	rulesStrand
	strands
)

// reader names the cursor of a channel's strand.
func (s strand) reader(channel string) string {
	return "channel:" + channel + ":" + [strands]string{"sold", "stock", "closings", "prices", "rules"}[s]
}

// Position is a reader's place in the journal: every entry up to Sequence, and
// of the next one the first Cells nights, or groups of restrictions.
type Position struct {
	Sequence int64
	Cells    int64
}

// Places is how far a channel has read the journal, by strand.
type Places [strands]Position

// least returns the entry up to which every strand has read.
func (p Places) least() int64 {
	least := p[soldStrand].Sequence
	for _, at := range p {
		least = min(least, at.Sequence)
	}
	return least
}

// placesOf reads how far a channel has read; false when it was never live.
func placesOf(ctx context.Context, q *ledgerdb.Queries, channel string) (p Places, live bool, err error) {
	rows, err := q.ListCursors(ctx, ledgerdb.ListCursorsParams{Low: "channel:" + channel + ":", High: "channel:" + channel + ";"})
	if err != nil {
		return p, false, fmt.Errorf("read how far channel %s is: %w", channel, err)
	}
	for _, r := range rows {
		for s := range strands {
			if r.Reader == s.reader(channel) {
				p[s], live = Position{r.Sequence, r.Position}, true
			}
		}
	}
	return p, live, nil
}

// movePlaces stores how far a channel has read by now.
func (t *tx) movePlaces(channel string, from, to Places) error {
	for s := range strands {
		if from[s] == to[s] {
			continue
		}
		err := t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: s.reader(channel), Sequence: to[s].Sequence, Position: to[s].Cells})
		if err != nil {
			return fmt.Errorf("note how far channel %s is: %w", channel, err)
		}
	}
	return nil
}

// entriesAhead returns the entries behind a sequence that channels follow.
func entriesAhead(ctx context.Context, q *ledgerdb.Queries, property string, after, most int64) ([]Entry, error) {
	rows, err := q.OffersAfter(ctx, ledgerdb.OffersAfterParams{PropertyID: property, After: after, AtMost: most})
	if err != nil {
		return nil, fmt.Errorf("read the journal of %s: %w", property, err)
	}
	return entriesOf(rows), nil
}

// next takes in what is to be looked at next: of the first strand that has
// anything as much as there is room for. Strands that stand at the same place and
// find nothing in what was read move along.
func (l *workList) next(ctx context.Context, q *ledgerdb.Queries, w *Work) error {
	read := map[int64][]Entry{}
	for s := range strands {
		at := w.From[s]
		entries, known := read[at.Sequence]
		if !known {
			if l.size > 0 {
				continue // its turn comes
			}
			var err error
			if entries, err = entriesAhead(ctx, q, l.property.ID, at.Sequence, DeriveAtMost); err != nil {
				return err
			}
			read[at.Sequence] = entries
		}
		full := l.size > 0
		for _, e := range entries {
			n, whole, err := l.add(s, e, w.To[s].Cells, full)
			if err != nil {
				return err
			}
			if !whole {
				w.To[s].Cells = n
				break
			}
			w.To[s] = Position{Sequence: e.Sequence}
		}
		w.Urgent = w.Urgent || s == soldStrand && l.size > 0
		w.closings = w.closings || s == closingsStrand && l.size > 0 && !full
	}
	return nil
}

// part is what an entry touches on a strand: some nights of some lines, or groups
// of restrictions.
type part struct {
	strand strand
	lines  []int64
	nights []hotel.Span
	groups []int
}

// empty reports whether the channel has nothing of it.
func (p part) empty() bool { return len(p.groups) == 0 && (len(p.lines) == 0 || len(p.nights) == 0) }
