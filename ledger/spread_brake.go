package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Brake takes out of what a channel is to be told what a change brings of which
// somebody has to say first whether it is meant, or which is not counted to its end.
// Closings and lowerings pass, and of a night that is opened as well what closes
// something of it. What waits for somebody is kept from being sent.
func (l *Ledger) Brake(ctx context.Context, channel string, dirty []DirtyCell) (pass []DirtyCell, err error) {
	b, err := l.braking(ctx, channel)
	if err != nil || len(b.changes) == 0 {
		return dirty, err
	}
	var held []DirtyCell
	for _, d := range dirty {
		tighter, tightens := d.tightened()
		switch state := b.state(d); {
		case state == "":
			pass = append(pass, d)
		case tightens:
			pass = append(pass, tighter)
		case state != spreadCounting: // else its turn comes
			held = append(held, d)
		}
	}
	for part := range slices.Chunk(held, cellsAtOnce) {
		if err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.brake(channel, part) }); err != nil {
			return nil, fmt.Errorf("keep back what is too much for channel %s: %w", channel, err)
		}
	}
	return pass, nil
}

// Braked is Brake that stores nothing. It returns how many cells are kept back.
func (l *Ledger) Braked(ctx context.Context, channel string, dirty []DirtyCell) (pass []DirtyCell, held int, err error) {
	b, err := l.braking(ctx, channel)
	if err != nil || len(b.changes) == 0 {
		return dirty, 0, err
	}
	for _, d := range dirty {
		if b.state(d) == "" {
			pass = append(pass, d)
			continue
		}
		held++
		if tighter, tightens := d.tightened(); tightens {
			pass = append(pass, tighter)
		}
	}
	return pass, held, nil
}

// braking is the changes of which something may be too much for a channel.
type braking struct {
	changes []*spread
	behind  map[int64][]int64 // by counter: the mappings whose closing it says by showing no rooms
}

func (l *Ledger) braking(ctx context.Context, channel string) (b braking, err error) {
	rows, err := l.read.SpreadsOf(ctx, channel)
	if err != nil || len(rows) == 0 {
		return b, err
	}
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		b, err = brakingNow(ctx, q, channel)
		return err
	})
	return b, err
}

func brakingNow(ctx context.Context, q *ledgerdb.Queries, channel string) (b braking, err error) {
	list, err := spreadsOf(q.SpreadsOf(ctx, channel))
	if err != nil {
		return b, err
	}
	row, err := q.GetChannel(ctx, channel)
	if err != nil {
		return b, notFound(err)
	}
	at, _, err := placesOf(ctx, q, channel)
	if err != nil {
		return b, err
	}
	var c counted
	if err := c.place(ctx, q, row.PropertyID, at); err != nil {
		return b, err
	}
	for _, s := range list {
		if s.is(spreadCounting) && (s.over(c.through) || c.quiet && c.through == c.newest) {
			continue // it is counted, and not too much
		}
		b.changes = append(b.changes, s)
	}
	b.behind, err = linesBehind(ctx, q, channel)
	return b, err
}

// linesBehind returns the mappings behind each counter of a channel.
func linesBehind(ctx context.Context, q *ledgerdb.Queries, channel string) (map[int64][]int64, error) {
	counters, mappings, err := loadLines(ctx, q, channel)
	behind := map[int64][]int64{}
	for _, c := range counters {
		for _, m := range mappings {
			if c.behind(m) {
				behind[c.Line] = append(behind[c.Line], m.Line)
			}
		}
	}
	return behind, err
}

// state says for what a cell waits, "" for nothing.
func (b braking) state(d DirtyCell) spreadState {
	if d.guarded || !d.opens() {
		return ""
	}
	state := spreadState("")
	for _, s := range b.changes {
		if !b.touches(s, d.Cell, d.closes) {
			continue
		}
		if state = spreadState(s.State); !s.is(spreadCounting) {
			break
		}
	}
	return state
}

// touches reports whether a cell is of a change, or is a counter that says closed by
// showing no rooms and the change opens a product behind it.
func (b braking) touches(s *spread, c hotel.Cell, closes bool) bool {
	return s.has(c) || closes && slices.ContainsFunc(b.behind[c.Line], func(line int64) bool {
		_, there := s.rates[line][c.Night]
		return there
	})
}

// keeps reports whether what a change brings is kept from being sent; while it is counted
// it only comes later.
func (s spreadState) keeps() bool { return s == spreadHeld || s == spreadUndone }

// waitsOf reports whether a cell that is kept back is so because of a change. Nothing
// but prices is ever kept back for another reason; these may be by the price guard while a
// change that they are of is counted.
func waitsOf(changes []*spread, c hotel.Cell) bool {
	return c.Group != hotel.Price || slices.ContainsFunc(changes, func(s *spread) bool { return spreadState(s.State).keeps() && s.has(c) })
}

// brake keeps cells from being sent until something else is wanted, or somebody has
// decided. Where that has been since they were looked at they are free: nobody would
// let them go again.
func (t *tx) brake(channel string, cells []DirtyCell) error {
	row, err := t.q.GetChannel(t.ctx, channel)
	if err != nil {
		return notFound(err)
	}
	b, err := brakingNow(t.ctx, t.q, channel)
	if err != nil {
		return err
	}
	table, names := t.cellsOf(row), make([]hotel.Cell, len(cells))
	for i, d := range cells {
		names[i] = d.Cell
	}
	if err := table.load(names); err != nil {
		return err
	}
	for _, d := range cells {
		waits := b.state(d)
		if g := table.at(d.Cell); !g.guarded && waits.keeps() {
			g.withhold(d.Want)
		}
	}
	return table.save()
}
