package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

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

// entryAhead returns the first entry behind a sequence that channels follow; false
// when there is none.
func entryAhead(ctx context.Context, q *ledgerdb.Queries, property string, after int64) (int64, bool, error) {
	sequence, err := q.NextOffer(ctx, ledgerdb.NextOfferParams{PropertyID: property, After: after})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("look ahead in the journal of %s: %w", property, err)
	}
	return sequence, true, nil
}

// entriesAhead returns the entries behind a sequence that channels follow.
func entriesAhead(ctx context.Context, q *ledgerdb.Queries, property string, after, most int64) ([]Entry, error) {
	rows, err := q.OffersAfter(ctx, ledgerdb.OffersAfterParams{PropertyID: property, After: after, AtMost: most})
	if err != nil {
		return nil, fmt.Errorf("read the journal of %s: %w", property, err)
	}
	return entriesOf(rows), nil
}

// First says which strand's turn it is.
type First uint8

// The most urgent strand that has anything to look at goes first, or the one that
// has read least of the journal, so that what is urgent cannot keep it where it is
// for good.
const (
	UrgentFirst First = iota
	OldestFirst
)

// oldest returns the strand that has read least, of several the most urgent.
func (p Places) oldest() strand {
	oldest := soldStrand
	for s := range strands {
		if p[s].Sequence < p[oldest].Sequence {
			oldest = s
		}
	}
	return oldest
}

// Turn says which strand is looked at, and what of it need not be.
type Turn struct {
	First First
	Done  *Done // nil: nothing is known of what was worked out
}

// Done is what a channel's reader has worked out, for its reading on: what follows
// for restrictions from an entry that was there by then needs no second look. It is
// lost with the program, which then takes that look.
type Done struct {
	restrictions [strands]map[int]int64 // by group: the newest entry when it was worked out
}

// Add notes that what was read has been stored.
func (d *Done) Add(w Work) {
	for s, groups := range w.groups {
		for _, g := range groups {
			if d.restrictions[s] == nil {
				d.restrictions[s] = map[int]int64{}
			}
			d.restrictions[s][g] = w.newest
		}
	}
}

// has reports whether a group of restrictions was worked out when the entry was
// there. An entry about the channel itself is looked at all the same: it may say
// that a code stands for something else by now.
func (d *Done) has(s strand, group int, e Entry) bool {
	return d != nil && d.restrictions[s][group] >= e.Sequence && !ofChannel(e.Kind)
}

// turns returns the strands in the order in which they are asked.
func (p Places) turns(first First) []strand {
	order := make([]strand, 0, strands)
	if first == OldestFirst {
		order = append(order, p.oldest())
	}
	for s := range strands {
		if !slices.Contains(order, s) {
			order = append(order, s)
		}
	}
	return order
}

// PassedOver reports whether the strand that had read least was left where it was.
func (w Work) PassedOver() bool {
	oldest := w.From.oldest()
	return w.From[oldest] == w.To[oldest]
}

// next takes in what is to be looked at next: of the first strand that has
// anything as much as there is room for. Strands that stand at the same place and
// find nothing in what was read move along.
func (l *workList) next(ctx context.Context, q *ledgerdb.Queries, w *Work, how Turn) error {
	read := map[int64][]Entry{}
	for _, s := range w.From.turns(how.First) {
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
			w.More = w.More || len(entries) == DeriveAtMost
		}
		full := l.size > 0
		for _, e := range entries {
			n, whole, err := l.add(s, e, w.To[s].Cells, full, how.Done)
			if err != nil {
				return err
			}
			if !whole {
				w.To[s].Cells, w.More = n, true
				break
			}
			w.To[s] = Position{Sequence: e.Sequence}
		}
		if last := len(entries) - 1; last < 0 || last < DeriveAtMost-1 && w.To[s].Sequence == entries[last].Sequence {
			w.end = w.To[s].Sequence
		}
		took := l.size > 0 && !full
		w.Urgent = w.Urgent || s == soldStrand && took
		w.closings = w.closings || s == closingsStrand && took
	}
	for s := range strands {
		w.More = w.More || w.To[s].Sequence > w.To.least()
	}
	return nil
}

// part is what an entry touches on a strand: some nights of some lines, or groups
// of restrictions.
type part struct {
	strand strand
	cause  int64 // the entry of the fact, or of the setting, that it follows from
	lines  []int64
	nights []hotel.Span
	groups []int
}

// empty reports whether the channel has nothing of it.
func (p part) empty() bool { return len(p.groups) == 0 && (len(p.lines) == 0 || len(p.nights) == 0) }

// taken is a part that was taken in: the cells that may be others because of a fact.
type taken struct {
	strand strand
	cause  int64
	group  hotel.Group
	lines  []int64
	nights []hotel.Span // nil: all
}

func (l *workList) taken(p part) taken {
	t := taken{strand: p.strand, cause: p.cause, lines: p.lines, nights: p.nights}
	switch p.strand {
	case closingsStrand, rulesStrand:
		t.group = hotel.Closures
		for _, g := range p.groups {
			for _, m := range l.groups[g] {
				t.lines = append(t.lines, m.Line)
			}
		}
	case pricesStrand:
		t.group = hotel.Price
	default:
		t.group = hotel.Availability
	}
	return t
}

// covers reports whether a cell is among those taken in.
func (t taken) covers(c hotel.Cell) bool {
	return c.Group == t.group && slices.Contains(t.lines, c.Line) &&
		(t.nights == nil || slices.ContainsFunc(t.nights, func(s hotel.Span) bool { return c.Night >= s.From && c.Night <= s.To }))
}

// newestBehind returns the newest entry behind what a cell is worked out to show: of
// those taken in the newest one that touches it. Where there may be more that are not
// taken in, what they say is in it already, and it is the newest of all.
func (w Work) newestBehind(c hotel.Cell) int64 {
	if c.Group == hotel.Lengths {
		c.Group = hotel.Closures // they are worked out together
	}
	var newest int64
	for _, t := range w.took {
		if !t.covers(c) {
			continue
		}
		if !w.through(t.strand) || c.Group == hotel.Availability && (!w.through(soldStrand) || !w.through(stockStrand)) {
			return w.newest
		}
		newest = max(newest, t.cause)
	}
	return cmp.Or(newest, w.newest)
}

// through reports whether a strand will have read all of the journal that channels
// follow.
func (w Work) through(s strand) bool {
	return w.To[s] == Position{Sequence: w.end}
}
