package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Outlook is what a channel would be told were it live now, or were it to sell something
// else: the house values of every night that it could be told, and what it is known to
// show.
type Outlook struct {
	Channel  hotel.Channel
	Sequence int64 // of the journal
	Counters []Counter
	Mappings []hotel.Mapping
	Work     Work // up to the horizon, every line, or those that are not as they were
	Shown    map[hotel.Cell]Shown

	inAll inAll
}

// Sold is what the channel is told beside the rooms that a counter is to sell, as in
// [SentCell].
func (o Outlook) Sold(cell hotel.Cell, rooms int64) int { return o.inAll.of(cell, rooms) }

// Shown is what a channel is known to show in one cell.
type Shown struct {
	Value *int64 // the most that it may show; nil: not known
	Sure  bool   // it confirmed the value last, and nothing was sent since
	Told  bool   // it was told something once, whatever became of that, or Value is known

	Least  *int64 // of rooms, the least that it may show; nil: not known
	Before *int64 // what it showed before our pause closed it; nil: none did, or somebody else has changed it since
}

// Outlook looks ahead for a channel in any state. With as it is about what the channel
// would be told of another mapping, of which the refusal names every mistake; nil: about
// all that it takes to go live.
func (l *Ledger) Outlook(ctx context.Context, channel string, reach Reach, as *hotel.Remap) (o Outlook, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		if o.Channel, err = channelOf(row); err != nil {
			return err
		}
		newest, err := q.NewestEntry(ctx)
		if err != nil {
			return err
		}
		o.Sequence = newest.Sequence
		list, err := newWorkList(ctx, q, row, l.clock.Now(), reach)
		if err != nil {
			return err
		}
		list.closed = false
		if as == nil {
			list.everything()
		} else {
			s, err := loadStructure(ctx, q, row.PropertyID)
			if err == nil {
				err = checkMappings(s, as.Mappings)
			}
			if err != nil {
				return err
			}
			list.remap(*as, reach)
		}
		o.Counters, o.Mappings, o.Work.Revision = list.counters, list.mappings, row.Revision
		f, err := l.facts(ctx, q, row.PropertyID)
		if err != nil {
			return err
		}
		if err := list.values(ctx, f, &o.Work); err != nil {
			return err
		}
		if o.Shown, err = shownAt(ctx, q, row, list.horizon, o.Channel); err != nil {
			return err
		}
		o.doubt(list.changed)
		o.inAll, err = (&tx{ctx: ctx, q: q}).inAllOf(row, list.horizon)
		return err
	})
	if err != nil {
		return Outlook{}, fmt.Errorf("outlook of channel %s: %w", channel, err)
	}
	return o, nil
}

// doubt has what is shown under codes that stand for something else count for no more
// than that it may be shown, as the cells have it once they do.
func (o *Outlook) doubt(codes changedCodes) {
	for cell, shown := range o.Shown {
		if !codes.covers(cell) {
			continue
		}
		if shown.Sure = false; cell.Group != hotel.Availability {
			shown.Value = nil
		}
		o.Shown[cell] = shown
	}
}

// shownAt reads what a channel is known to show. In a pause of ours what was read there
// counts only where it is not the closing: then it is newer than what was shown before.
// How few rooms one shows that is neither told nor read any more, nobody knows.
func shownAt(ctx context.Context, q *ledgerdb.Queries, channel ledgerdb.Channel, nights hotel.Span, of hotel.Channel) (map[hotel.Cell]Shown, error) {
	out := map[hotel.Cell]Shown{}
	span := ledgerdb.StockCellsBetweenParams{ChannelID: channel.ID, First: int64(nights.From), Last: int64(nights.To)}
	stock, err := q.StockCellsBetween(ctx, span)
	if err != nil {
		return nil, err
	}
	for _, r := range stock {
		g := stockGroup(r)
		shown := Shown{Value: g.may, Sure: g.sure() && g.last() != nil, Told: !g.fresh(), Least: g.least()}
		switch {
		case !of.Derived():
			shown.Least = nil
		case of.ShutByUs() && (!g.goesByShown() || same(g.shown, g.want)):
			shown.Before = r.Before
		}
		out[hotel.Cell{Line: r.Line, Group: hotel.Availability, Night: hotel.Date(r.Night)}] = shown
	}
	prices, err := q.PriceCellsBetween(ctx, ledgerdb.PriceCellsBetweenParams(span))
	if err != nil {
		return nil, err
	}
	for _, r := range prices {
		for name, g := range priceGroups(r) {
			out[hotel.Cell{Line: r.Line, Group: name, Night: hotel.Date(r.Night)}] = Shown{Value: g.known(), Sure: g.sure(), Told: !g.fresh()}
		}
	}
	further, err := q.OccupancyCellsBetween(ctx, ledgerdb.OccupancyCellsBetweenParams(span))
	if err != nil {
		return nil, err
	}
	for _, r := range further {
		g := occupancyGroup(r)
		out[hotel.Cell{Line: r.Line, Group: hotel.Price, Occupancy: int(r.Occupancy), Night: hotel.Date(r.Night)}] = Shown{Value: g.known(), Sure: g.sure(), Told: !g.fresh()}
	}
	return out, nil
}
