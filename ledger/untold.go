package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Untold is what a channel is to be told on some nights, whether or not it is told
// anything at present.
type Untold struct {
	Channel  hotel.Channel
	Sequence int64 // of the journal
	Cells    []DirtyCell
	Held     map[string]int // cells that are not sent though they differ, by the code of the reason as in [hotel.GroupSight]

	changes []*spread
}

// Untold looks what a channel is to be told. With all it is what that comes to once
// everything that it shows is put in doubt, as a full run does; counters of guarded
// nights are never put in doubt. A channel that is kept closed is told its counters
// alone.
func (l *Ledger) Untold(ctx context.Context, channel string, nights hotel.Span, all bool) (u Untold, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		u = Untold{Held: map[string]int{}}
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		if u.Channel, err = channelOf(row); err != nil {
			return err
		}
		newest, err := q.NewestEntry(ctx)
		if err != nil {
			return err
		}
		u.Sequence = newest.Sequence
		if u.changes, err = spreadsOf(q.SpreadsOf(ctx, channel)); err != nil {
			return err
		}
		return u.read(ctx, q, row, nights, all)
	})
	if err != nil {
		return Untold{}, fmt.Errorf("what channel %s is to be told: %w", channel, err)
	}
	return u, nil
}

func (u *Untold) read(ctx context.Context, q *ledgerdb.Queries, row ledgerdb.Channel, nights hotel.Span, all bool) error {
	covers := covering(ctx, q, row)
	span := ledgerdb.StockCellsBetweenParams{ChannelID: row.ID, First: int64(nights.From), Last: int64(nights.To)}
	stock, err := q.StockCellsBetween(ctx, span)
	if err != nil {
		return err
	}
	inAll, err := inAllOfRows(ctx, q, row, stock)
	if err != nil {
		return err
	}
	for _, r := range stock {
		g := stockGroup(r)
		if !u.sends(hotel.Cell{Line: r.Line, Group: hotel.Availability, Night: hotel.Date(r.Night)}, &g, all && !g.guarded) {
			continue
		}
		known, err := covers(g)
		if err != nil {
			return err
		}
		if known {
			u.Cells = append(u.Cells, dirtyStock(r, &g, inAll))
		}
	}
	if u.Channel.Status == hotel.Paused && !u.Channel.Frozen {
		return nil
	}
	prices, err := q.PriceCellsBetween(ctx, ledgerdb.PriceCellsBetweenParams(span))
	if err != nil {
		return err
	}
	for _, r := range prices {
		u.Cells = append(u.Cells, dirtyPrices(r, func(cell hotel.Cell, g *group) bool { return u.sends(cell, g, all) })...)
	}
	further, err := q.OccupancyCellsBetween(ctx, ledgerdb.OccupancyCellsBetweenParams(span))
	if err != nil {
		return err
	}
	for _, r := range further {
		cell := hotel.Cell{Line: r.Line, Group: hotel.Price, Occupancy: int(r.Occupancy), Night: hotel.Date(r.Night)}
		if g := occupancyGroup(r); u.sends(cell, &g, all) {
			u.Cells = append(u.Cells, dirtyPrice(cell, &g))
		}
	}
	return nil
}

// sends reports whether a group may be put into a call now, put in doubt before
// where that is asked for. It counts those that may not though they differ.
func (u *Untold) sends(c hotel.Cell, g *group, doubt bool) bool {
	if doubt && g.want != nil && g.sure() {
		g.state = unknown
	}
	switch g.state {
	case rejected:
		u.Held["refused"]++
	case withheld:
		reason := "price_guard"
		if waitsOf(u.changes, c) {
			reason = "blast_radius"
		}
		u.Held[reason]++
	case left:
		u.Held["left_standing"]++
	case inFlight:
		u.Held["under_way"]++
	case settled, unknown, seen:
	}
	return g.sendable()
}
