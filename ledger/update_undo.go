package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
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
	p := &proposal{id: hotel.NewID("ari"), source: sourceUndo, s: s, sells: s.property.Sells(t.now)}
	if p.facts, err = t.l.facts(t.ctx, t.q, property); err != nil {
		return upd, err
	}
	from, err := cutOf(t.ctx, t.q, property)
	if err != nil {
		return upd, err
	}
	if row.First <= from.sequence {
		return upd, from.expired(property)
	}
	var list []change
	cells := 0
	for sequence := row.First; sequence <= row.Sequence; sequence++ {
		entry, err := t.q.GetEntry(t.ctx, sequence)
		if err != nil {
			return upd, fmt.Errorf("read journal entry %d: %w", sequence, err)
		}
		l, err := layerOf(entryOf(entry))
		if err != nil {
			return upd, err
		}
		if l == nil || l.sheet == switchSheet || entry.PropertyID != property {
			continue // what follows from it
		}
		if l.sheet == givenSheet {
			return upd, hotel.Refuse("not_available", "the rooms are counted by another system: have it send its numbers again, or send these")
		}
		before := pastLook{q: t.q, property: property, through: row.First - 1, past: newPast()} // of this subject alone
		c, err := p.undone(t, &before, l)
		if err != nil {
			return upd, err
		}
		if len(c.nights) > 0 {
			list, cells = append(list, c), cells+len(c.nights)
		}
	}
	kind := request{kind: row.Kind, property: property, entries: len(list)}
	upd = kind.outcome(p, cells)
	first := t.heads.sequence + 1
	if upd.Sequence, err = t.storeLaid(kind, list); err != nil {
		return upd, err
	}
	t.rebuilt(property) // the board is loaded again by whoever asks next
	return upd, t.putUpdate(&upd, first, len(list) == 0)
}

// undone is the change that takes a layer back, where it still counts and nights can
// still be spoken of.
func (p *proposal) undone(t *tx, before *pastLook, l *layer) (change, error) {
	span := hotel.Span{From: max(l.span().From, p.sells.From), To: min(l.span().To, p.sells.To)}
	c := change{nights: nightSet{}, layer: layer{subject: l.subject, sheet: l.sheet, source: p.source}}
	for month := monthOf(span.From); month <= monthOf(span.To); month++ {
		if err := before.layers(t.ctx, l.sheet.kind(), l.subject, month, span); err != nil {
			return c, err
		}
	}
	was := facts{q: t.q, property: before.property, past: before.past, stock: before.stock, prices: before.prices}
	values := map[hotel.Date]string{}
	past, err := readFacts[json.RawMessage](t.ctx, was, l.sheet, span.From, span.To)
	if err != nil {
		return c, err
	}
	for _, v := range past {
		if v.subject == l.subject {
			values[v.night] = string(v.V)
		}
	}
	now, err := readFactsOf[json.RawMessage](t.ctx, p.facts, l.sheet, span.From, span.To, l.subject, l.subject+"\x00")
	if err != nil {
		return c, err
	}
	for _, v := range now {
		if v.version == l.sequence {
			c.nights[v.night] = struct{}{}
		}
	}
	none, err := l.sheet.none()
	if err != nil {
		return c, err
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
	return c, err
}

// none is a fact of the sheet that says nothing.
func (s sheet) none() (string, error) {
	of := map[sheet]any{houseSheet: houseFact{}, poolSheet: poolFact{}, roomSheet: roomFact{}, shownSheet: board.Shown{}, priceSheet: priceFact{}, ruleSheet: hotel.Restriction{}}
	text, err := json.Marshal(of[s])
	return string(text), err
}
