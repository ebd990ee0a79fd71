package ledger

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// counted is how far changes go at a channel in a step of its work.
type counted struct {
	changes []*spread
	quiet   bool  // no house values of the property are still to be derived
	newest  int64 // entry of the journal
	through int64 // the channel has followed the journal up to here before the step is stored
	ends    bool  // nothing is left to be worked out once it is stored
	known   bool  // changes of the channel are stored already
}

// none reports whether there is nothing to store.
func (c counted) none() bool { return len(c.changes) == 0 && !c.known }

// count finds out which changes have the channel sell more, or at other prices, than
// it is known to show. table has the cells that are wanted otherwise.
func count(ctx context.Context, q *ledgerdb.Queries, channel string, w Work, table *cellTable, news []Wanted) (c counted, err error) {
	changes, by := map[int64]string{}, map[string]*spread{}
	for _, v := range news {
		if !table.opens(v) {
			continue
		}
		for _, p := range slices.Backward(w.took) { // the newest change counts
			if !p.covers(v.Cell) {
				continue
			}
			change, known := changes[p.cause]
			if !known {
				if change, err = changeAt(ctx, q, p.cause); err != nil {
					return c, err
				}
				changes[p.cause] = change
			}
			if change == "" {
				continue
			}
			if by[change] == nil {
				by[change] = newSpread(channel, change, p.cause)
			}
			by[change].add(spreadCell{v.Cell, table.shown(v.Cell), *v.Value})
			break
		}
	}
	for _, change := range slices.Sorted(maps.Keys(by)) {
		c.changes = append(c.changes, by[change])
	}
	stored, err := q.SpreadsOf(ctx, channel)
	if err != nil {
		return c, fmt.Errorf("read how far changes go at %s: %w", channel, err)
	}
	if c.known = len(stored) > 0; c.none() {
		return c, nil
	}
	if err := c.place(ctx, q, w.Property.ID, w.From); err != nil {
		return c, err
	}
	_, ahead, err := entryAhead(ctx, q, w.Property.ID, w.To.least())
	c.ends = c.quiet && !ahead
	return c, err
}

// place looks how far the channel is that has got to its places.
func (c *counted) place(ctx context.Context, q *ledgerdb.Queries, property string, at Places) error {
	newest, err := q.NewestEntry(ctx)
	if err != nil {
		return err
	}
	c.newest, c.through, c.quiet = newest.Sequence, newest.Sequence, true
	first, ahead, err := entryAhead(ctx, q, property, at.least())
	if err != nil {
		return err
	}
	if ahead {
		c.through = first - 1
	}
	for _, of := range []dueKind{dueStock, duePrices} {
		due, err := listDue(ctx, q, property, of)
		if err != nil {
			return err
		}
		c.quiet = c.quiet && len(due) == 0
	}
	return nil
}

// changeAt names the change that an entry is of, "" for none that counts.
func changeAt(ctx context.Context, q *ledgerdb.Queries, sequence int64) (string, error) {
	row, err := q.GetEntry(ctx, sequence)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil // cut away: of months ago
	}
	if err != nil {
		return "", fmt.Errorf("read journal entry %d: %w", sequence, err)
	}
	return changeOf(entryOf(row))
}

// shown is what a stored cell is known to show, or was to show where that is not
// known; nil: neither.
func (c *cellTable) shown(cell hotel.Cell) *int64 {
	g := c.stored.at(cell)
	switch {
	case g == nil:
		return nil
	case cell.Group == hotel.Availability && g.may != nil:
		return g.may
	case cell.Group == hotel.Availability:
		return &c.stocks.at(cell).told
	case cell.Group == hotel.Closures:
		return c.offerBefore(lineNightOf(cell)).shown(g.last())
	case g.last() != nil:
		return g.last()
	}
	return g.want
}

// shown returns the closures of a night that is known to show last of them: what
// cannot be told of them by themselves was to be told by the counter.
func (o offered) shown(last *int64) *int64 {
	if last == nil || o.told == nil {
		return cmp.Or(last, o.told)
	}
	if o.tells == TellsClosures {
		return last
	}
	c := hotel.DecodeOffer(hotel.Closures, *last, "").Closed
	c.Closed = hotel.DecodeOffer(hotel.Closures, *o.told, "").Closed.Closed
	v := hotel.Offer{Closed: c}.Encode(hotel.Closures)
	return &v
}

// opens reports whether the channel is to sell more by a value than it shows, or at
// another price. A counter of a guarded pool is told what it was granted, which no
// change raises by itself.
func (c *cellTable) opens(v Wanted) bool {
	if v.Value == nil {
		return false
	}
	if g := c.stored.at(v.Cell); g != nil && g.guarded && v.Cell.Group == hotel.Availability {
		return false
	}
	return opens(v.Cell.Group, c.shown(v.Cell), *v.Value)
}

// opens reports whether more is sold by a value than by the one that is shown, or
// at another price. Where nothing is known to be shown, nothing is.
func opens(of hotel.Group, shown *int64, v int64) bool {
	switch of {
	case hotel.Availability:
		return shown == nil && v > 0 || shown != nil && v > *shown
	case hotel.Closures:
		closed := hotel.DecodeOffer(of, v, "").Closed.Closed
		return shown == nil && !closed || shown != nil && *shown&^v != 0
	case hotel.Price:
		return shown == nil || v != *shown
	case hotel.Lengths:
	}
	return false
}

// spread stores how far changes go at a channel by now, asks about what is too much,
// and forgets what is not once all of it is counted. It is called before the step is
// stored that was counted, so that nothing of it is told before.
func (t *tx) spread(row ledgerdb.Channel, c counted) error {
	if c.none() {
		return nil
	}
	list, err := spreadsOf(t.q.SpreadsOf(t.ctx, row.ID))
	if err != nil {
		return err
	}
	stored := len(list)
	for _, s := range c.changes {
		if at := slices.IndexFunc(list, func(known *spread) bool { return known.Change == s.Change }); at >= 0 {
			list[at].join(s)
		} else {
			list = append(list, s)
		}
	}
	channel, property, err := t.policies(row.PropertyID, row.ID)
	if err != nil {
		return err
	}
	limit, _ := hotel.BlastRadiusOf(channel, property)
	for i, s := range list {
		if s.grown && s.is(spreadCounting) && limit.Exceeded(s.size()) {
			s.State = string(spreadHeld)
		}
		if err := t.followSpread(s, row.PropertyID, c, i < stored); err != nil {
			return err
		}
	}
	return nil
}

// followSpread stores a change as it is by now, or forgets it. stored says that it is
// known to be one of several steps.
func (t *tx) followSpread(s *spread, property string, c counted, stored bool) error {
	settles := c.quiet && s.Until == nil
	switch {
	case !s.is(spreadHeld) && !s.grown && s.over(c.through):
		return t.dropSpread(s, property)
	case !stored && s.is(spreadCounting) && c.ends, !s.grown && !settles:
		return nil
	case settles:
		s.Until = &c.newest
	}
	if err := t.putSpread(s); err != nil || !s.grown || !s.is(spreadHeld) {
		return err
	}
	return t.raiseBlast(property, s.Change)
}

// FollowChanges ends what is kept of how far changes go once nothing of it is left:
// a change that was counted, one that was taken back, and the question about one of
// which nothing waits any more. It is called every minute or so. One channel that
// fails keeps none of the others.
func (l *Ledger) FollowChanges(ctx context.Context) error {
	rows, err := l.read.ListSpreads(ctx)
	if err != nil {
		return fmt.Errorf("read how far changes go: %w", err)
	}
	var failed error
	var channels []string
	waits := map[string]bool{} // by change
	for _, row := range rows {
		if !slices.Contains(channels, row.ChannelID) {
			channels = append(channels, row.ChannelID)
		}
		if row.State != string(spreadHeld) {
			continue
		}
		held := false
		s, err := spreadOf(row)
		if err == nil {
			held, err = l.holds(ctx, s)
		}
		failed = errors.Join(failed, err)
		waits[row.Change] = waits[row.Change] || held || err != nil // where nobody knows, something may
	}
	for _, id := range channels {
		if err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.followChanges(id, waits) }); err != nil {
			failed = errors.Join(failed, fmt.Errorf("follow the changes of channel %s: %w", id, err))
		}
	}
	return failed
}

// followChanges is FollowChanges for one channel. waits says of which changes
// something waits.
func (t *tx) followChanges(channel string, waits map[string]bool) error {
	row, err := t.q.GetChannel(t.ctx, channel)
	if err != nil {
		return notFound(err)
	}
	at, _, err := placesOf(t.ctx, t.q, channel)
	if err != nil {
		return err
	}
	c := counted{known: true}
	if err := c.place(t.ctx, t.q, row.PropertyID, at); err != nil {
		return err
	}
	if err := t.spread(row, c); err != nil {
		return err
	}
	list, err := spreadsOf(t.q.SpreadsOf(t.ctx, channel))
	if err != nil {
		return err
	}
	for _, s := range list {
		known, seen := waits[s.Change]
		if !s.is(spreadHeld) || !s.over(c.through) || !seen || known {
			continue
		}
		if err := t.dropSpread(s, row.PropertyID); err != nil {
			return err
		}
		if err := t.overTopic(row.PropertyID, hotel.ConflictBlastRadius, s.Change); err != nil {
			return err
		}
	}
	return nil
}

// holds reports whether anything of a change is still to be told that opens more
// than is shown, by itself or by the counters that say for it that it is closed.
func (l *Ledger) holds(ctx context.Context, s *spread) (holds bool, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		b := braking{changes: []*spread{s}}
		if b.behind, err = linesBehind(ctx, q, s.ChannelID); err != nil {
			return err
		}
		table := (&tx{ctx: ctx, q: q}).cellsOf(ledgerdb.Channel{ID: s.ChannelID})
		if err := table.load(b.reached(s)); err != nil {
			return err
		}
		for cell, g := range table.stored.all() {
			closes := cell.Group == hotel.Availability && table.stocks.at(cell).closes
			waits := g.dirty() || g.state == withheld || g.state == rejected && cell.Group == hotel.Closures // what it closes was refused
			if b.touches(s, cell, closes) && g.want != nil && waits && opens(cell.Group, g.last(), *g.want) {
				holds = true
				return nil
			}
		}
		return nil
	})
	return holds, err
}

// reached names the first and the last cell of each line that a change may keep back.
// Of prices it names those for every number of guests.
func (b braking) reached(s *spread) (cells []hotel.Cell) {
	name := func(of hotel.Group, line int64, nights nightSet) {
		sorted := nights.sorted()
		for _, d := range []hotel.Date{sorted[0], sorted[len(sorted)-1]} {
			cells = append(cells, hotel.Cell{Line: line, Group: of, Occupancy: int(flag(of == hotel.Price)), Night: d})
		}
	}
	for line, nights := range s.stock {
		name(hotel.Availability, line, nights)
	}
	for line, nights := range s.rates {
		name(hotel.Price, line, nights)
	}
	for counter, lines := range b.behind {
		for _, line := range lines {
			if nights := s.rates[line]; len(nights) > 0 {
				name(hotel.Availability, counter, nights)
			}
		}
	}
	return cells
}
