package ledger

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// alarm is the conflict about what a channel may sell that is short: the open
// one, and the one that there should be. Nil is none.
type alarm struct{ was, is *hotel.Conflict }

// settled reports whether there is nothing to store.
func (a alarm) settled() bool {
	if a.was == nil || a.is == nil {
		return a.was == a.is
	}
	return a.was.Severity == a.is.Severity && bytes.Equal(a.was.Facts, a.is.Facts)
}

// alarmOf works out what the staleness policy of a channel comes to now. It
// changes nothing. A channel that is behind with prices alone can be told of sales.
// What is closed by another route is at risk no more.
func (l *Ledger) alarmOf(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, stale staleness, way detour) (a alarm, err error) {
	was, err := readOne[hotel.Conflict](q.OpenConflict(ctx, ledgerdb.OpenConflictParams{PropertyID: r.PropertyID, Kind: string(hotel.ConflictExposed), Topic: r.ID}))
	if err == nil {
		a.was = &was
	} else if !errors.Is(err, ErrNotFound) {
		return a, err
	}
	if stale.counters.IsZero() {
		return a, nil
	}
	c, err := channelOf(r)
	if err != nil {
		return a, err
	}
	property, err := readOne[hotel.Property](q.GetProperty(ctx, r.PropertyID))
	if err != nil {
		return a, err
	}
	policy, applied := hotel.StalenessOf(c.Policies, property.Policies)
	step, before := policy.Step()
	now := l.clock.Now()
	if step == "" || !policy.Due(stale.counters, now) {
		return a, nil
	}
	facts := ExposedFacts{Reason: exposedStale, Since: stale.counters, Sequence: stale.entry}
	if way.open {
		facts.Tried = before
	} else {
		facts.Unavailable = before
	}
	sold := way.sold
	if sold == nil {
		read, err := countingOf(ctx, q, r, property.Shows(now), policy, nil)
		if err != nil {
			return a, err
		}
		sold = &read
	}
	if facts.Nights = sold.exposed(policy, property.Shows(now), way, now); len(facts.Nights) == 0 {
		return a, nil
	}
	if a.was == nil {
		last, err := leftExposed(ctx, q, r, stale.counters)
		if err != nil || last != nil && (step != hotel.StaleCloseOut || last.DecidedBy != hotel.ByPolicy) {
			return a, err
		}
		if last != nil { // of these nights some may have become short since
			facts.Nights = slices.DeleteFunc(facts.Nights, func(n ExposedNights) bool { return n.Free < 1 })
		}
		if len(facts.Nights) == 0 {
			return a, nil
		}
	}
	if a.is, err = facts.conflict(c, applied); err == nil && step == hotel.StaleCloseOut {
		a.is.Deadline, a.is.OnDeadline = &now, hotel.OptionCloseAll
	}
	return a, err
}

// counting is what a channel may show too much of.
type counting struct {
	behind map[int64][]int64 // by counter: its mappings
	cells  []shortCell
}

// shortCell is a counter that may show a room on a night, how many it may and is to show,
// and how many are free. A counter of a guarded pool is none: it sells what it was granted,
// whatever else is sold.
type shortCell struct {
	lineNight
	room string
	group
	free int
}

// countingOf reads of the counters of a channel on a span of nights those that a staleness
// policy may find short, and those of the nights that are named. It is asked for every few
// seconds while a channel is out of date, of which all the others would be most.
func countingOf(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, nights hotel.Span, policy hotel.StalenessPolicy, named []hotel.Date) (c counting, err error) {
	rows, err := q.CountersShort(ctx, ledgerdb.CountersShortParams{
		PropertyID: r.PropertyID, ChannelID: r.ID, First: int64(nights.From), Last: int64(nights.To), AtMost: int64(policy.FreeAtMost), Nights: nightList(named),
	})
	if err != nil || len(rows) == 0 {
		return c, err
	}
	for _, row := range rows {
		cell := row.StockCell
		c.cells = append(c.cells, shortCell{lineNight{cell.Line, hotel.Date(cell.Night)}, row.RoomTypeID, stockGroup(cell), int(row.Free)})
	}
	counters, mappings, err := loadLines(ctx, q, r.ID)
	if err != nil {
		return c, err
	}
	c.behind = make(map[int64][]int64, len(counters))
	for _, of := range counters {
		for _, m := range mappings {
			if !m.Retired && of.behind(m) {
				c.behind[of.Line] = append(c.behind[of.Line], m.Line)
			}
		}
	}
	return c, nil
}

// exposed lists the nights on which the channel may sell what is short. Those that are closed
// by another route are left out, and where there is one those that need not be yet.
func (c counting) exposed(policy hotel.StalenessPolicy, nights hotel.Span, way detour, now time.Time) []ExposedNights {
	shown := map[string]map[hotel.Date]shortCell{}
	for _, cell := range c.cells {
		if !policy.Exposes(cell.may, cell.free) || way.open && !cell.exceeds(cell.free) || way.covers(c.behind[cell.line], cell.night, now) {
			continue
		}
		if shown[cell.room] == nil {
			shown[cell.room] = map[hotel.Date]shortCell{}
		}
		if before, known := shown[cell.room][cell.night]; !known || before.may != nil && (cell.may == nil || *cell.may > *before.may) {
			shown[cell.room][cell.night] = cell
		}
	}
	var list []ExposedNights
	for _, room := range sortedKeys(shown) {
		for d := nights.From; d <= nights.To; d++ {
			most, at := shown[room][d]
			if !at {
				continue
			}
			n := ExposedNights{room, hotel.Span{From: d, To: d}, most.may, most.free}
			if last := len(list) - 1; last >= 0 && list[last].goesOn(n) {
				list[last].To = d
				continue
			}
			list = append(list, n)
		}
	}
	return list
}

// goesOn reports whether n is the night behind the run, and like it.
func (e ExposedNights) goesOn(n ExposedNights) bool {
	return e.RoomTypeID == n.RoomTypeID && e.To+1 == n.From && same(e.Shown, n.Shown) && e.Free == n.Free
}

// leftExposed returns the conflict in which it was decided about the same outage
// already, nil when there is none.
func leftExposed(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, since time.Time) (*hotel.Conflict, error) {
	last, err := readOne[hotel.Conflict](q.LastConflict(ctx, ledgerdb.LastConflictParams{PropertyID: r.PropertyID, Kind: string(hotel.ConflictExposed), Topic: r.ID}))
	if errors.Is(err, ErrNotFound) || err == nil && last.DecidedBy == hotel.ByItself {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	facts, err := exposedFactsOf(&last)
	if err != nil || !facts.Since.Equal(since) {
		return nil, err
	}
	return &last, nil
}

// noteAlarm raises the conflict that there should be about a channel, or ends
// the one that there is.
func (t *tx) noteAlarm(l *Ledger, id string) error {
	row, stale, way, err := t.wayRound(l, id)
	if err != nil {
		return err
	}
	a, err := l.alarmOf(t.ctx, t.q, row, stale, way)
	switch {
	case err != nil:
		return err
	case a.is != nil:
		return t.raise(*a.is)
	case a.was != nil:
		return t.over(a.was)
	}
	return nil
}
