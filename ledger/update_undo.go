package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// sourceUndo is the source of facts that are as they were before an update.
const sourceUndo = "undo"

// UndoUpdate writes, of the facts that an update wrote and nobody has written since,
// those that held before it, and returns the update that does. Where nothing is left to
// be taken back it is refused as conflict.
func (l *Ledger) UndoUpdate(ctx context.Context, by hotel.By, once hotel.Once, id string) (hotel.AriUpdate, bool, error) {
	upd, replayed, err := underKey(ctx, l, bulk, by, once, func(t *tx, kept string, done bool) (upd hotel.AriUpdate, err error) {
		if done {
			return t.ariUpdate(kept)
		}
		row, err := t.q.GetAriUpdate(t.ctx, id)
		if err != nil {
			return upd, notFound(err)
		}
		if upd, err = t.undoUpdate(row.PropertyID, id); err != nil {
			return upd, err
		}
		if upd.CellsChanged == 0 {
			return upd, hotel.Refuse("conflict", "nothing of the update is left to be taken back: its nights are over, or were written again since")
		}
		return upd, t.keep(upd.ID)
	})
	if err != nil {
		return hotel.AriUpdate{}, false, err
	}
	now, err := l.AriUpdate(ctx, upd.ID)
	return now, replayed, err
}

// RehearseUndo says what taking an update back would do.
func (l *Ledger) RehearseUndo(ctx context.Context, id string) (would hotel.Undoing, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetAriUpdate(ctx, id)
		if err != nil {
			return notFound(err)
		}
		s, err := loadStructure(ctx, q, row.PropertyID)
		if err != nil {
			return err
		}
		u, err := l.undoing(ctx, q, s, row, l.clock.Now())
		if err != nil {
			return err
		}
		would = u.would()
		if u.request.due() == dueStock && len(u.list) > 0 {
			would.Oversold, err = u.request.oversells(ctx, l.clock.Now(), u.p, u.list)
		}
		return err
	})
	return would, err
}

// undoUpdate writes, of the facts that an update wrote and nobody has written since,
// those that held before it. It is an update like any other, that reaches the tables
// and the house values piece by piece.
func (t *tx) undoUpdate(property, id string) (upd hotel.AriUpdate, err error) {
	if id == "" {
		return upd, hotel.Refuse("not_available", "it was no update of rooms, prices or restrictions: change it back where it was changed, and the conflict ends by itself; or send it")
	}
	row, err := t.q.GetAriUpdate(t.ctx, id)
	if err != nil {
		return upd, notFound(err)
	}
	s, err := t.structure(property)
	if err != nil {
		return upd, err
	}
	u, err := t.l.undoing(t.ctx, t.q, s, row, t.now)
	if err != nil {
		return upd, err
	}
	upd = u.request.outcome(u.p, u.cells)
	first := t.heads.sequence + 1
	if upd.Sequence, err = t.storeLaid(u.request, u.list); err != nil {
		return upd, err
	}
	t.rebuilt(property) // the board is loaded again by whoever asks next
	return upd, t.putUpdate(&upd, first, len(u.list) == 0)
}

// undoing is what takes an update back.
type undoing struct {
	request request
	p       *proposal
	list    []change
	cells   int
	opening int // nights that nothing typed for the line would close any more
}

// undoing draws up what takes an update back.
func (l *Ledger) undoing(ctx context.Context, q *ledgerdb.Queries, s *structure, row ledgerdb.AriUpdate, now time.Time) (u undoing, err error) {
	property := s.property.ID
	u.p = &proposal{id: hotel.NewID("ari"), source: sourceUndo, s: s, sells: s.property.Sells(now)}
	if u.p.facts, err = l.facts(ctx, q, property); err != nil {
		return u, err
	}
	from, err := cutOf(ctx, q, property)
	if err != nil {
		return u, err
	}
	if row.First <= from.sequence {
		return u, from.expired(property)
	}
	for sequence := row.First; sequence <= row.Sequence; sequence++ {
		entry, err := q.GetEntry(ctx, sequence)
		if err != nil {
			return u, fmt.Errorf("read journal entry %d: %w", sequence, err)
		}
		l, err := layerOf(entryOf(entry))
		if err != nil {
			return u, err
		}
		if l == nil || l.sheet == switchSheet || entry.PropertyID != property {
			continue // what follows from it
		}
		if l.sheet == givenSheet {
			return u, hotel.Refuse("not_available", "the rooms are counted by another system: have it send its numbers again, or send these")
		}
		before := pastLook{q: q, property: property, through: row.First - 1, past: newPast()} // of this subject alone
		c, opening, err := u.p.undone(ctx, &before, l)
		if err != nil {
			return u, err
		}
		if len(c.nights) > 0 {
			u.list, u.cells, u.opening = append(u.list, c), u.cells+len(c.nights), u.opening+opening
		}
	}
	u.request = request{kind: row.Kind, property: property, entries: len(u.list)}
	return u, nil
}

// would says what is drawn up.
func (u *undoing) would() hotel.Undoing {
	would := hotel.Undoing{CellsChanged: u.cells, Opening: u.opening}
	for _, c := range u.list {
		of := product{room: u.p.cellOf(c.layer)}
		if c.layer.sheet == priceSheet || c.layer.sheet == ruleSheet {
			of = productOf(c.layer.subject)
		}
		for _, r := range hotel.Runs(c.nights.sorted(), func(int) string { return "" }) {
			would.Lines = append(would.Lines, hotel.UndoneLine{RoomTypeID: of.room, RatePlanID: of.plan, Span: r.Span})
		}
	}
	return would
}

// undone is the change that takes a layer back, where it still counts and nights can
// still be spoken of, and on how many of them it takes a closing away.
func (p *proposal) undone(ctx context.Context, before *pastLook, l *layer) (c change, opening int, err error) {
	span := hotel.Span{From: max(l.span().From, p.sells.From), To: min(l.span().To, p.sells.To)}
	c = change{nights: nightSet{}, layer: layer{subject: l.subject, sheet: l.sheet, source: p.source}}
	for month := monthOf(span.From); month <= monthOf(span.To); month++ {
		if err := before.layers(ctx, l.sheet.kind(), l.subject, month, span); err != nil {
			return c, 0, err
		}
	}
	was := facts{q: before.q, property: before.property, past: before.past, stock: before.stock, prices: before.prices}
	values := map[hotel.Date]string{}
	past, err := readFacts[json.RawMessage](ctx, was, l.sheet, span.From, span.To)
	if err != nil {
		return c, 0, err
	}
	for _, v := range past {
		if v.subject == l.subject {
			values[v.night] = string(v.V)
		}
	}
	now, err := readFactsOf[json.RawMessage](ctx, p.facts, l.sheet, span.From, span.To, l.subject, l.subject+"\x00")
	if err != nil {
		return c, 0, err
	}
	for _, v := range now {
		if v.version != l.sequence {
			continue
		}
		if c.nights[v.night] = struct{}{}; closing(string(v.V)) && !closing(values[v.night]) {
			opening++
		}
	}
	none, err := l.sheet.none()
	if err != nil {
		return c, 0, err
	}
	sorted := c.nights.sorted()
	for _, r := range hotel.Runs(sorted, func(i int) string {
		if v, said := values[sorted[i]]; said {
			return v
		}
		return none
	}) {
		c.layer.runs = append(c.layer.runs, hotel.Run[json.RawMessage]{Span: r.Span, Value: json.RawMessage(r.Value)})
	}
	c.body, err = json.Marshal(FactRuns{Sheet: string(l.sheet), UpdateID: p.id, Source: p.source, Ranges: c.layer.runs})
	return c, opening, err
}

// closing reports whether a fact closes its line; "" is none.
func closing(fact string) bool {
	var says struct{ Closed bool }
	return fact != "" && json.Unmarshal([]byte(fact), &says) == nil && says.Closed
}

// none is a fact of the sheet that says nothing.
func (s sheet) none() (string, error) {
	of := map[sheet]any{houseSheet: houseFact{}, poolSheet: poolFact{}, roomSheet: roomFact{}, shownSheet: board.Shown{}, priceSheet: priceFact{}, ruleSheet: hotel.Restriction{}}
	text, err := json.Marshal(of[s])
	return string(text), err
}
