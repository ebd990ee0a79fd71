package ledger

import (
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
)

// sourceUndo is the source of facts that are as they were before an update.
const sourceUndo = "undo"

// undoUpdate writes, of the facts that an update wrote and nobody has written since,
// those that held before it. It is an update like any other, that reaches the tables
// and the house values piece by piece.
func (t *tx) undoUpdate(property, id string) error {
	if id == "" {
		return hotel.Refuse("not_available", "it was no update of rooms, prices or restrictions: change it back where it was changed, and the conflict ends by itself; or send it")
	}
	row, err := t.q.GetAriUpdate(t.ctx, id)
	if err != nil {
		return notFound(err)
	}
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	p := &proposal{id: hotel.NewID("ari"), source: sourceUndo, s: s, sells: s.property.Sells(t.now)}
	if p.facts, err = t.l.facts(t.ctx, t.q, property); err != nil {
		return err
	}
	from, err := cutOf(t.ctx, t.q, property)
	if err != nil {
		return err
	}
	if row.First <= from.sequence {
		return from.expired(property)
	}
	before := pastLook{q: t.q, property: property, through: row.First - 1, past: newPast()}
	var list []change
	cells := 0
	for sequence := row.First; sequence <= row.Sequence; sequence++ {
		entry, err := t.q.GetEntry(t.ctx, sequence)
		if err != nil {
			return fmt.Errorf("read journal entry %d: %w", sequence, err)
		}
		l, err := layerOf(entryOf(entry))
		if err != nil {
			return err
		}
		if l == nil || l.sheet == switchSheet || entry.PropertyID != property {
			continue // what follows from it
		}
		if l.sheet == givenSheet {
			return hotel.Refuse("not_available", "the rooms are counted by another system: have it send its numbers again, or send these")
		}
		c, err := p.undone(t, &before, l)
		if err != nil {
			return err
		}
		if len(c.nights) > 0 {
			list, cells = append(list, c), cells+len(c.nights)
		}
	}
	kind := request{kind: row.Kind, property: property, entries: len(list)}
	upd := kind.outcome(p, cells)
	first := t.heads.sequence + 1
	if upd.Sequence, err = t.storeLaid(kind, list); err != nil {
		return err
	}
	t.rebuilt(property) // the board is loaded again by whoever asks next
	return t.putUpdate(&upd, first, len(list) == 0)
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
