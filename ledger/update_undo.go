package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// sourceUndo is the source of facts that are as they were before an update.
const sourceUndo = "undo"

// UndoUpdate writes, of the facts that an update wrote and nobody has written since,
// those that held before it, and returns the update that does. Where nothing is left to
// be taken back it is refused as nothing_to_undo. ifRevision refuses as precondition_failed
// when the update has another revision; 0 is any.
func (l *Ledger) UndoUpdate(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (hotel.AriUpdate, bool, error) {
	row, err := l.read.GetAriUpdate(ctx, id)
	if err != nil {
		return hotel.AriUpdate{}, false, notFound(err)
	}
	return l.update(ctx, by, once, undoRequest(row, ifRevision, &undoing{}))
}

// RehearseUndo says what taking an update back would do.
func (l *Ledger) RehearseUndo(ctx context.Context, id string, ifRevision int64) (would hotel.Undoing, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetAriUpdate(ctx, id)
		if err != nil {
			return notFound(err)
		}
		s, err := loadStructure(ctx, q, row.PropertyID)
		if err != nil {
			return err
		}
		var u undoing
		in := undoRequest(row, ifRevision, &u)
		p, err := l.newProposal(ctx, q, s, in)
		if err != nil {
			return err
		}
		would, err = u.would(p)
		if err == nil && in.due() == dueStock && len(u.list) > 0 {
			would.Oversold, err = in.oversells(ctx, l.clock.Now(), p, u.list)
		}
		return err
	})
	return would, err
}

// undoing is what takes an update back.
type undoing struct {
	list    []change
	opening int // nights that nothing typed for the line would close any more
}

var _ proposedSheet = (*undoing)(nil)

func (u *undoing) keep() {}
func (u *undoing) drop() {}

func (u *undoing) changes(*proposal) ([]change, error) { return u.list, nil }

// names reports whether it takes back what was written of some nights.
func (u *undoing) names(of sheet, subject string, nights []hotel.Span) bool {
	return slices.ContainsFunc(u.list, func(c change) bool {
		return c.layer.sheet == of && c.layer.subject == subject && slices.ContainsFunc(c.nights.spans(), func(s hotel.Span) bool {
			return slices.ContainsFunc(nights, func(o hotel.Span) bool { return o.From <= s.To && s.From <= o.To })
		})
	})
}

// undoRequest is the update that takes another one back. u is what it comes to whenever
// it is drawn up.
func undoRequest(row ledgerdb.AriUpdate, ifRevision int64, u *undoing) request {
	in := request{kind: row.Kind, property: row.PropertyID, source: sourceUndo, entries: int(row.Entries), cells: int(row.CellsChanged)}
	in.draw = func(ctx context.Context, p *proposal) (err error) {
		*u = undoing{}
		if err := expectUpdate(ctx, p.facts.q, row.ID, ifRevision); err != nil {
			return err
		}
		if err := u.draw(ctx, p, row); err != nil {
			return err
		}
		p.sheets = append(p.sheets, u)
		_, p.matched, err = p.changes()
		if len(u.list) == 0 {
			p.conflict = hotel.Refuse("nothing_to_undo", "nothing of the update is left to be taken back: its nights are over, or were written again since")
		}
		return err
	}
	return in
}

// expectUpdate refuses an update that has another revision; 0 is any.
func expectUpdate(ctx context.Context, q *ledgerdb.Queries, id string, ifRevision int64) error {
	if ifRevision == 0 {
		return nil
	}
	row, err := q.GetAriUpdate(ctx, id)
	if err != nil {
		return notFound(err)
	}
	if row.Revision == ifRevision {
		return nil
	}
	refusal := hotel.Refuse("precondition_failed", "the update is at revision %d, not %d: read it again", row.Revision, ifRevision)
	refusal.Members = map[string]any{"revision": row.Revision}
	return refusal
}

// draw finds what takes an update back.
func (u *undoing) draw(ctx context.Context, p *proposal, row ledgerdb.AriUpdate) error {
	property, q := p.s.property.ID, p.facts.q
	from, err := cutOf(ctx, q, property)
	if err != nil {
		return err
	}
	if row.First <= from.sequence {
		return from.expired(property)
	}
	for sequence := row.First; sequence <= row.Sequence; sequence++ {
		entry, err := q.GetEntry(ctx, sequence)
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
		before := pastLook{q: q, property: property, through: row.First - 1, past: newPast()} // of this subject alone
		c, opening, err := p.undone(ctx, &before, l)
		if err != nil {
			return err
		}
		if len(c.nights) > 0 {
			u.list, u.opening = append(u.list, c), u.opening+opening
		}
	}
	return nil
}

// would says what is drawn up.
func (u *undoing) would(p *proposal) (hotel.Undoing, error) {
	_, cells, err := p.changes()
	would := hotel.Undoing{CellsChanged: cells, Opening: u.opening}
	for _, c := range u.list {
		of := product{room: p.cellOf(c.layer)}
		if c.layer.sheet == priceSheet || c.layer.sheet == ruleSheet {
			of = productOf(c.layer.subject)
		}
		for _, r := range hotel.Runs(c.nights.sorted(), func(int) string { return "" }) {
			would.Lines = append(would.Lines, hotel.UndoneLine{RoomTypeID: of.room, RatePlanID: of.plan, Span: r.Span})
		}
	}
	return would, err
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
	values := map[hotel.Date]fact[json.RawMessage]{}
	past, err := readFacts[json.RawMessage](ctx, was, l.sheet, span.From, span.To)
	if err != nil {
		return c, 0, err
	}
	for _, v := range past {
		if v.subject == l.subject {
			values[v.night] = v
		}
	}
	now, err := readFactsOf[json.RawMessage](ctx, p.facts, l.sheet, span.From, span.To, l.subject, l.subject+"\x00")
	if err != nil {
		return c, 0, err
	}
	none, err := l.sheet.none()
	if err != nil {
		return c, 0, err
	}
	back := map[hotel.Date]string{}
	for _, v := range now {
		of, said := values[v.night]
		if !said {
			of.V = json.RawMessage(none)
		}
		text, ours, err := p.takenBack(l, v, of)
		if err != nil {
			return c, 0, err
		}
		if !ours {
			continue
		}
		c.nights[v.night], back[v.night] = struct{}{}, text
		if closing(string(v.V)) && !closing(text) {
			opening++
		}
	}
	sorted := c.nights.sorted()
	for _, r := range hotel.Runs(sorted, func(i int) string { return back[sorted[i]] }) {
		c.layer.runs = append(c.layer.runs, hotel.Run[json.RawMessage]{Span: r.Span, Value: json.RawMessage(r.Value)})
	}
	c.body, err = json.Marshal(FactRuns{Sheet: string(l.sheet), UpdateID: p.id, Source: p.source, Ranges: c.layer.runs})
	return c, opening, err
}

// takenBack returns a fact without what a layer has said, given how it was before, and
// whether that still counts. Of prices each source has a word of its own.
func (p *proposal) takenBack(l *layer, now, was fact[json.RawMessage]) (text string, ours bool, err error) {
	if l.sheet != priceSheet {
		return string(was.V), now.version == l.sequence, nil
	}
	of, err := settledPrices(now)
	if err != nil {
		return "", false, err
	}
	before, err := settledPrices(was)
	if err != nil {
		return "", false, err
	}
	said := fact[json.RawMessage]{version: l.sequence, at: l.at}
	runs := l.within(hotel.Span{From: now.night, To: now.night})
	if len(runs) == 0 {
		return "", false, nil // it lies between nights that the layer names
	}
	said.V = runs[0].Value
	then, err := settledPrices(said)
	if err != nil {
		return "", false, err
	}
	next, ours := of.without(l, then, before, terms{l.source, hotel.RateRankOf(&p.s.property), p.today})
	out, err := json.Marshal(next)
	return string(out), ours, err
}

func settledPrices(of fact[json.RawMessage]) (f priceFact, err error) {
	if err := json.Unmarshal(of.V, &f); err != nil {
		return f, fmt.Errorf("stored prices %s: %w", of.V, err)
	}
	return f.settled(of.version, of.at), nil
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
