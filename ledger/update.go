package ledger

import (
	"context"
	"errors"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// request is a bulk update of any kind of facts.
type request struct {
	kind     string // inventory, rates or restrictions
	property string
	source   string
	partial  bool
	dryRun   bool
	entries  int
	cells    int        // nights that its entries name, one for each entry
	values   int        // that are written there: a night may have a price for each number of guests
	span     hotel.Span // of the entries whose dates can be counted

	draw func(context.Context, *proposal) error
}

// count takes in the dates of an entry, for each of which it writes so many values.
func (r *request) count(d hotel.Dates, values int) {
	if r.entries == 0 {
		r.span = hotel.Span{To: -1}
	}
	r.entries++
	if d.Days() == 0 || d.Days() > hotel.MaxEntryDates {
		return // refused for its dates
	}
	if r.span.Days() == 0 {
		r.span = d.Span
	}
	r.span = hotel.Span{From: min(r.span.From, d.From), To: max(r.span.To, d.To)}
	nights := len(d.Nights())
	r.cells, r.values = r.cells+nights, r.values+nights*values
}

// due is what is to follow from the update's facts.
func (r *request) due() dueKind {
	if r.kind == "inventory" {
		return dueStock
	}
	return duePrices
}

// large reports whether reading what the update works on, and deriving what
// follows, would hold the writer for long.
func (r *request) large(s *structure) bool {
	perNight := len(s.pools) + len(s.rooms)
	if r.due() == duePrices {
		perNight = len(s.selling(product{}))
	}
	return max(r.cells, r.values) > deriveAtOnce || r.span.Days()*perNight > deriveAtOnce
}

// mostTries is how often a large update is drawn up again because somebody else
// changed what it rests on.
const mostTries = 8

var (
	errLarge   = errors.New("the update is too large to be drawn up by one item")
	errOverrun = errors.New("what the update rests on has changed")
)

// update stores a bulk update under its idempotency key. A small one is one
// item. A large one is drawn up beside the writer, in a state of the ledger that
// others leave behind meanwhile; the item that stores it makes sure that nobody
// has touched what it rests on, else it is drawn up again. Either way the
// journal has all of it from one moment on, and had nothing of it before.
func (l *Ledger) update(ctx context.Context, by hotel.By, once hotel.Once, in request) (hotel.AriUpdate, bool, error) {
	if in.cells > hotel.MaxUpdateCells {
		r := hotel.Refuse("body_too_large", "the update names %d cells; one call takes at most %d: send it in parts", in.cells, hotel.MaxUpdateCells)
		r.Members = map[string]any{"cells": in.cells, "limit": hotel.MaxUpdateCells}
		return hotel.AriUpdate{}, false, r
	}
	if in.dryRun {
		if once.Refused != nil {
			return hotel.AriUpdate{}, false, once.Refused
		}
		upd, err := l.rehearse(ctx, in)
		return upd, false, err
	}
	upd, replayed, err := l.updateAtOnce(ctx, by, once, in)
	for try := 0; errors.Is(err, errLarge) || errors.Is(err, errOverrun); try++ {
		if try == mostTries {
			return hotel.AriUpdate{}, false, hotel.Refuse("temporarily_unavailable", "others keep changing the same nights; nothing was stored: send the update again, or in smaller parts")
		}
		upd, replayed, err = l.updatePrepared(ctx, by, once, in)
	}
	if err != nil {
		return hotel.AriUpdate{}, false, err
	}
	now, err := l.AriUpdate(ctx, upd.ID)
	upd.Channels, upd.Status, upd.Results = now.Channels, now.Status, now.Results
	return upd, replayed, err
}

// newProposal reads what the update works on and draws it up.
func (l *Ledger) newProposal(ctx context.Context, q *ledgerdb.Queries, s *structure, in request) (*proposal, error) {
	f, err := l.facts(ctx, q, in.property)
	if err != nil {
		return nil, err
	}
	p := &proposal{
		id: hotel.NewID("ari"), source: in.source, s: s, facts: f, partial: in.partial,
		sells: s.property.Sells(l.clock.Now()), today: s.property.Today(l.clock.Now()),
	}
	p.span = hotel.Span{From: max(in.span.From, p.sells.From), To: min(in.span.To, p.sells.To)}
	return p, in.draw(ctx, p)
}

// rehearse says what an update would change.
func (l *Ledger) rehearse(ctx context.Context, in request) (upd hotel.AriUpdate, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		s, err := loadStructure(ctx, q, in.property)
		if err != nil {
			return err
		}
		p, err := l.newProposal(ctx, q, s, in)
		if err != nil {
			return err
		}
		if err := p.refusal(); err != nil {
			return err
		}
		changes, cells, err := p.changes()
		if err != nil {
			return err
		}
		upd = in.outcome(p, cells)
		upd.ID = ""
		if in.due() == dueStock && len(changes) > 0 {
			upd.Oversold, err = in.oversells(ctx, l.clock.Now(), p, changes)
		}
		return err
	})
	return upd, err
}

// oversells lists the nights on which more rooms would be missing for those that are
// sold than are now.
func (r *request) oversells(ctx context.Context, now time.Time, p *proposal, changes []change) (list []hotel.Oversold, err error) {
	f, span := r.laid(p.facts, changes)
	var boards [2]*board.Board // as it is, and as it would be
	for i, of := range []facts{p.facts, f} {
		nights := p.s.emptyNights(span.From, span.To)
		if err := p.s.layStock(ctx, of, span.From, nights); err != nil {
			return nil, err
		}
		boards[i] = p.s.board(now, span.From, nights, 0)
	}
	for room := range p.s.rooms {
		var runs []CrowdNight
		for d := span.From; d <= span.To; d++ {
			is, would := boards[0].Crowd(d, room).Oversold, boards[1].Crowd(d, room).Oversold
			if n := boards[1].Night(d).Rooms[room]; would > is && n.Sold+n.Held+n.Blocked > 0 {
				runs = addCrowd(runs, d, would)
			}
		}
		for _, n := range runs {
			list = append(list, hotel.Oversold{RoomTypeID: p.s.rooms[room].ID, Span: n.Span, Net: n.Net})
		}
	}
	return list, nil
}

func (r *request) outcome(p *proposal, cells int) hotel.AriUpdate {
	return hotel.AriUpdate{
		ID: p.id, PropertyID: r.property, Kind: r.kind, Entries: r.entries,
		CellsMatched: p.matched, CellsChanged: cells, Results: p.results,
	}
}

// updateAtOnce draws up and stores an update in one item, with all that follows
// from it, or returns errLarge.
func (l *Ledger) updateAtOnce(ctx context.Context, by hotel.By, once hotel.Once, in request) (hotel.AriUpdate, bool, error) {
	return underKey(ctx, l, bulk, by, once, func(t *tx, kept string, done bool) (upd hotel.AriUpdate, err error) {
		if done {
			return t.ariUpdate(kept)
		}
		s, err := t.structure(in.property)
		if err != nil {
			return upd, err
		}
		if in.large(s) {
			return upd, errLarge
		}
		if upd, err = t.drawUp(s, in); err != nil {
			return upd, err
		}
		return upd, t.keep(upd.ID)
	})
}

// drawUp draws up an update that is not large and stores it, with all that follows
// from it.
func (t *tx) drawUp(s *structure, in request) (upd hotel.AriUpdate, err error) {
	p, err := t.l.newProposal(t.ctx, t.q, s, in)
	if err != nil {
		return upd, err
	}
	if err := p.refusal(); err != nil {
		return upd, err
	}
	return t.storeProposal(in, p)
}

// storeProposal stores what this item has drawn up, with all that follows from it.
func (t *tx) storeProposal(in request, p *proposal) (upd hotel.AriUpdate, err error) {
	list, cells, err := p.changes()
	if err != nil {
		return upd, err
	}
	upd = in.outcome(p, cells)
	first := t.heads.sequence + 1
	if upd.Sequence, err = t.storeAtOnce(p.s, list); err != nil {
		return upd, err
	}
	return upd, t.putUpdate(&upd, first, true)
}

// updatePrepared draws up an update beside the writer, with the nights of the
// board as they will be, and makes it current in one item. It returns errOverrun
// when the proposal has been overtaken.
func (l *Ledger) updatePrepared(ctx context.Context, by hotel.By, once hotel.Once, in request) (hotel.AriUpdate, bool, error) {
	p := prepared{w: l.boards.watch(in.property)}
	defer l.boards.unwatch(in.property, p.w)
	if err := l.snapshot(ctx, func(q *ledgerdb.Queries) error { return l.prepare(ctx, q, in, &p) }); err != nil {
		return hotel.AriUpdate{}, false, err
	}
	return underKey(ctx, l, bulk, by, once, func(t *tx, kept string, done bool) (upd hotel.AriUpdate, err error) {
		if done {
			return t.ariUpdate(kept)
		}
		if err := p.proposal.refusal(); err != nil {
			return upd, err
		}
		over, err := t.overrun(p.proposal, p.base)
		if err != nil {
			return upd, err
		}
		if over {
			return upd, errOverrun
		}
		upd = in.outcome(p.proposal, p.cells)
		first := t.heads.sequence + 1
		if upd.Sequence, err = t.storePrepared(in, p); err != nil {
			return upd, err
		}
		if err := t.putUpdate(&upd, first, upd.CellsChanged == 0); err != nil {
			return upd, err
		}
		return upd, t.keep(upd.ID)
	})
}
