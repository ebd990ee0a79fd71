package ledger

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// prepared is a large update that is ready to be stored.
type prepared struct {
	base     int64 // journal sequence up to which the proposal knows everything
	proposal *proposal
	changes  []change
	cells    int // that will be others than they are

	from   hotel.Date     // the first of nights
	nights []*board.Night // as they will be; nil when nobody reads the board and no rule asks
	w      *watch         // what others change of the board meanwhile
}

// prepare draws up an update in the state of the ledger that q reads.
func (l *Ledger) prepare(ctx context.Context, q *ledgerdb.Queries, in request, p *prepared) error {
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return fmt.Errorf("read the end of the journal: %w", err)
	}
	p.base = newest.Sequence
	s, err := loadStructure(ctx, q, in.property)
	if err != nil {
		return err
	}
	if p.proposal, err = l.newProposal(ctx, q, s, in); err != nil {
		return err
	}
	if p.changes, p.cells, err = p.proposal.changes(); err != nil {
		return err
	}
	if len(p.changes) == 0 || l.boards.current(in.property) == nil && !s.empty.Remembers() {
		return nil
	}
	f, span := in.laid(p.proposal.facts, p.changes)
	p.from = span.From
	p.nights, err = s.loadNights(ctx, f, span.From, span.To)
	return err
}

// laid is the facts with changes laid over them, and the nights that those are of.
func (r *request) laid(f facts, changes []change) (facts, hotel.Span) {
	laid, span := make([]*layer, len(changes)), changes[0].layer.span()
	for i := range changes {
		c := changes[i].layer
		c.sequence = math.MaxInt64
		laid[i] = &c
		span = hotel.Span{From: min(span.From, c.span().From), To: max(span.To, c.span().To)}
	}
	if r.due() == dueStock {
		f.stock = slices.Concat(f.stock, laid)
	} else {
		f.prices = slices.Concat(f.prices, laid)
	}
	return f, span
}

// span goes from the first night of the layer to its last.
func (l *layer) span() hotel.Span {
	return hotel.Span{From: l.runs[0].From, To: l.runs[len(l.runs)-1].To}
}

// overrun reports whether anything that the proposal rests on was changed behind a
// point of the journal: the facts it names, or what the property is made of.
func (t *tx) overrun(p *proposal, base int64) (bool, error) {
	rows, err := t.q.FactsSince(t.ctx, ledgerdb.FactsSinceParams{PropertyID: p.s.property.ID, After: base})
	if err != nil {
		return false, fmt.Errorf("read the journal: %w", err)
	}
	for _, e := range entriesOf(rows) {
		if !strings.HasSuffix(string(e.Kind), ".changed") {
			return true, nil
		}
		l, known := t.l.layers.get(e.Sequence)
		if !known {
			if l, err = layerOf(e); err != nil {
				return false, err
			}
		}
		if l != nil && p.names(l) {
			return true, nil
		}
	}
	return false, nil
}

// storePrepared makes a prepared update current, with the nights of the board. It
// returns the sequence of the last entry.
func (t *tx) storePrepared(in request, p prepared) (int64, error) {
	if len(p.changes) > 0 {
		t.layNights(in.property, p)
	}
	return t.storeLaid(in, p.changes)
}

// storeLaid makes changes current by their entries, and a cursor by which they reach
// the tables and the house values. Until they have, whoever reads facts lays the
// entries over the tables. It returns the sequence of the last entry.
func (t *tx) storeLaid(in request, list []change) (int64, error) {
	if len(list) == 0 {
		return t.heads.sequence, nil
	}
	first, laid := t.heads.sequence+1, make(map[int64]*layer, len(list))
	for i := range list {
		l, err := t.appendFacts(in.property, &list[i])
		if err != nil {
			return 0, err
		}
		laid[l.sequence] = l
	}
	last := t.heads.sequence
	t.effects.due = true
	t.effects.publish = append(t.effects.publish, func() { t.l.layers.put(laid) })
	if err := t.considerLaid(in.property, laid); err != nil {
		return 0, err
	}
	err := t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: dueReader(in.due(), in.property, last), Sequence: first})
	return last, err
}

// layNights puts the nights of the board in place that were made beforehand,
// but for those that others have touched since: these are read again.
func (t *tx) layNights(property string, p prepared) {
	touched, rebuilt := t.l.boards.noted(p.w)
	batch := t.b.after.drafts[property]
	if p.nights == nil || rebuilt {
		t.rebuilt(property) // the board is loaded again by whoever asks next
		return
	}
	d := t.draft(property)
	for i, n := range p.nights {
		at := p.from + hotel.Date(i)
		if batch != nil {
			if _, seen := batch.nights[at]; seen {
				n = nil
			}
		}
		if _, seen := touched[at]; seen {
			n = nil
		}
		d.put(at, n)
	}
}
