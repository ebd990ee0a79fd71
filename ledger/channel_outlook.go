package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Outlook is what a channel would be told were it live now: the house values of
// every night that it could be told, and what it is known to show.
type Outlook struct {
	Channel  hotel.Channel
	Sequence int64 // of the journal
	Work     Work  // every line on every night up to the horizon
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
	Before *int64 // what it showed before a pause closed it; nil: no pause did
}

// Outlook looks ahead for a channel in any state.
func (l *Ledger) Outlook(ctx context.Context, channel string, reach Reach) (o Outlook, err error) {
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
		list.everything()
		o.Work.Revision = row.Revision
		f, err := l.facts(ctx, q, row.PropertyID)
		if err != nil {
			return err
		}
		if err := list.values(ctx, f, &o.Work); err != nil {
			return err
		}
		if o.Shown, err = shownAt(ctx, q, row, list.horizon); err != nil {
			return err
		}
		o.inAll, err = (&tx{ctx: ctx, q: q}).inAllOf(row, list.horizon)
		return err
	})
	if err != nil {
		return Outlook{}, fmt.Errorf("outlook of channel %s: %w", channel, err)
	}
	return o, nil
}

// shownAt reads what a channel is known to show.
func shownAt(ctx context.Context, q *ledgerdb.Queries, channel ledgerdb.Channel, nights hotel.Span) (map[hotel.Cell]Shown, error) {
	out := map[hotel.Cell]Shown{}
	span := ledgerdb.StockCellsBetweenParams{ChannelID: channel.ID, First: int64(nights.From), Last: int64(nights.To)}
	stock, err := q.StockCellsBetween(ctx, span)
	if err != nil {
		return nil, err
	}
	for _, r := range stock {
		g := stockGroup(r)
		out[hotel.Cell{Line: r.Line, Group: hotel.Availability, Night: hotel.Date(r.Night)}] = Shown{Value: g.may, Sure: g.sure() && g.last() != nil, Told: !g.fresh(), Least: g.least(), Before: r.Before}
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
