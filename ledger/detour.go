package ledger

import (
	"context"
	"maps"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// detour is what a channel is closed for that takes closings and not the counts which they
// stand for: since when, in microseconds, products are closed on nights, and since when
// they are to be.
type detour struct {
	open bool // closings go another way than counts, and further ones are to be used
	was  map[lineNight]int64
	is   map[lineNight]int64
	left map[lineNight]bool // closed as somebody has decided about what the channel shows
	shut map[lineNight]bool // of was and left: that the channel shows it is known
	sold *counting          // the channel's counters, where they were read for it
}

// settled reports whether there is nothing to store.
func (d detour) settled() bool { return maps.Equal(d.was, d.is) }

// covers reports whether a channel sells nothing of the lines on a night, as it has
// confirmed, or has had no time yet to confirm. What is still to be stored covers nothing.
func (d detour) covers(lines []int64, night hotel.Date, now time.Time) bool {
	return len(lines) > 0 && !slices.ContainsFunc(lines, func(line int64) bool {
		key := lineNight{line, night}
		since, stands := d.was[key]
		_, stays := d.is[key]
		if d.left[key] {
			return !d.shut[key]
		}
		return !stands || !stays || !d.shut[key] && now.Sub(instant(since)) >= staleAfter
	})
}

// exceeds reports whether a counter may show more rooms than it is to, or than are free: what it
// is to show is worked out where its channel lives, which may be late, or not be there at all.
func (g *group) exceeds(free int) bool { return g.may == nil || *g.may > min(*g.want, int64(free)) }

// detourOf works out what is to be closed at a channel because it does not know how few rooms
// are left: what the staleness policy finds short while the counter may show too many, unless it
// is left closed already: to close it would be to decide about that anew. It stays
// closed until the counter shows no more than it is to, however many are free by then and
// whether it is paused or not: who resumes it opens it, perhaps before it takes a count.
func (l *Ledger) detourOf(ctx context.Context, q *ledgerdb.Queries, r ledgerdb.Channel, stale staleness) (d detour, err error) {
	d = detour{was: map[lineNight]int64{}, is: map[lineNight]int64{}, left: map[lineNight]bool{}, shut: map[lineNight]bool{}}
	rows, err := q.CutNights(ctx, r.ID)
	if err != nil || len(rows) == 0 && stale.counters.IsZero() {
		return d, err
	}
	c, err := channelOf(r)
	if err != nil {
		return d, err
	}
	terms, err := termsOf(r)
	if err != nil {
		return d, err
	}
	property, err := readOne[hotel.Property](q.GetProperty(ctx, r.PropertyID))
	if err != nil {
		return d, err
	}
	now := l.clock.Now()
	nights := property.Shows(now)
	for _, row := range rows {
		key := lineNight{row.Line, hotel.Date(row.Night)}
		if key.night < nights.From {
			continue // it is over
		}
		g := priceGroups(row)[hotel.Closures]
		d.was[key] = *row.CutAt
		d.shut[key] = g.sure() && closes(g.last())
	}
	policy, _ := hotel.StalenessOf(c.Policies, property.Policies)
	if !policy.Routes() || !terms.ClosesApart || !c.Derived() {
		return d, nil
	}
	d.open = c.Told() && c.Status != hotel.Paused // closings of a paused channel are not told
	due := d.open && policy.Due(stale.counters, now)
	if !due && len(d.was) == 0 {
		return d, nil
	}
	stand, err := q.LeftClosures(ctx, ledgerdb.LeftClosuresParams{ChannelID: r.ID, First: int64(nights.From)})
	if err != nil {
		return d, err
	}
	for _, row := range stand {
		if g := priceGroups(row)[hotel.Closures]; g.leavesClosed() {
			key := lineNight{row.Line, hotel.Date(row.Night)}
			d.left[key], d.shut[key] = true, g.sure() && closes(g.last())
		}
	}
	var cut []hotel.Date
	for key := range d.was {
		cut = append(cut, key.night)
	}
	sold, err := countingOf(ctx, q, r, nights, policy, cut)
	if err != nil {
		return d, err
	}
	d.sold = &sold
	for _, cell := range sold.cells {
		if !cell.exceeds(cell.free) {
			continue
		}
		for _, line := range sold.behind[cell.line] {
			key := lineNight{line, cell.night}
			if since, cut := d.was[key]; cut {
				d.is[key] = since
			} else if due && !d.left[key] && policy.Exposes(cell.may, cell.free) {
				d.is[key] = now.UnixMicro()
			}
		}
	}
	return d, nil
}

// wayRound looks at a channel within an item: how far out of date it is, and what is to be
// closed at it for that.
func (t *tx) wayRound(l *Ledger, id string) (row ledgerdb.Channel, stale staleness, way detour, err error) {
	if row, err = t.q.GetChannel(t.ctx, id); err != nil {
		return row, stale, way, notFound(err)
	}
	if stale, err = l.staleNow(t.ctx, t.q, row); err == nil {
		way, err = l.detourOf(t.ctx, t.q, row, stale)
	}
	return row, stale, way, err
}

// takeDetour closes at a channel what is to be closed there for want of a count, and opens
// what is so no more.
func (t *tx) takeDetour(l *Ledger, id string) error {
	row, _, way, err := t.wayRound(l, id)
	if err != nil {
		return err
	}
	var cells []hotel.Cell
	for _, of := range []map[lineNight]int64{way.was, way.is} {
		for key := range of {
			if way.was[key] != way.is[key] {
				cells = append(cells, hotel.Cell{Line: key.line, Group: hotel.Closures, Night: key.night})
			}
		}
	}
	table := t.cellsOf(row)
	if err := table.load(cells); err != nil {
		return err
	}
	var told []SentCell
	reasons := map[hotel.Cell]string{}
	for _, cell := range cells {
		key := lineNightOf(cell)
		o := table.offer(key)
		if since, cut := way.is[key]; !cut {
			o.cut = nil
		} else {
			o.cut, reasons[cell] = &since, string(hotel.StaleOtherRoute)
		}
		if want := o.want(); want != nil {
			told = append(told, SentCell{Cell: cell, Value: *want})
		}
	}
	if len(told) > 0 {
		if err := t.tellCells(NightsCut, row, told, reasons); err != nil {
			return err
		}
	}
	for _, cell := range cells {
		table.open(lineNightOf(cell), originAt(t.heads.sequence))
	}
	t.effects.touchOffers(row.PropertyID)
	return table.save()
}
