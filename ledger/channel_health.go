package ledger

import (
	"context"
	"fmt"
	"math"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

const (
	acceptedFor  = 24 * time.Hour // counts that were confirmed in this time are measured
	mostOldDirty = 5000           // among so many cells of each table, the nearest nights, the oldest is looked for
)

// ChannelHealth tells how well a channel keeps up with the house.
func (l *Ledger) ChannelHealth(ctx context.Context, id string) (h hotel.ChannelHealth, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, id)
		if err != nil {
			return notFound(err)
		}
		c, err := channelOf(row)
		if err != nil {
			return err
		}
		lag, err := l.lagOf(ctx, q, row)
		if err != nil {
			return err
		}
		now := l.clock.Now()
		if h.Behind, err = l.owesSince(ctx, q, hotel.ChannelState{Channel: c, SyncedThrough: lag.synced}, now); err != nil {
			return err
		}
		property, err := readOne[hotel.Property](q.GetProperty(ctx, row.PropertyID))
		if err != nil {
			return err
		}
		today := property.Today(now)
		if lag.cells > 0 {
			if h.Oldest, err = oldestUnconfirmed(ctx, q, id, today); err != nil {
				return err
			}
		}
		micros, err := q.AcceptedCounts(ctx, ledgerdb.AcceptedCountsParams{ChannelID: id, First: int64(today), Since: new(now.Add(-acceptedFor).UnixMicro())})
		if err != nil {
			return err
		}
		took := make([]time.Duration, len(micros))
		for i, m := range micros {
			took[i] = time.Duration(m) * time.Microsecond
		}
		h.Accepted(took)
		return nil
	})
	if err != nil {
		return hotel.ChannelHealth{}, fmt.Errorf("health of channel %s: %w", id, err)
	}
	return h, nil
}

// oldestUnconfirmed returns the cell that waits for the oldest change, of several the
// nearest night; nil: none waits.
func oldestUnconfirmed(ctx context.Context, q *ledgerdb.Queries, channel string, today hotel.Date) (*hotel.Unconfirmed, error) {
	of := ledgerdb.DirtyStockCellsParams{ChannelID: channel, First: int64(today), AtMost: mostOldDirty}
	stock, err := q.DirtyStockCells(ctx, of)
	if err != nil {
		return nil, err
	}
	prices, err := q.DirtyPriceCells(ctx, ledgerdb.DirtyPriceCellsParams(of))
	if err != nil {
		return nil, err
	}
	occupancies, err := q.DirtyOccupancyCells(ctx, ledgerdb.DirtyOccupancyCellsParams(of))
	if err != nil {
		return nil, err
	}
	var oldest hotel.Cell
	first := int64(math.MaxInt64)
	take := func(cell hotel.Cell, g group) {
		if g.dirty() && g.wantSeq != nil && (*g.wantSeq < first || *g.wantSeq == first && cell.Night < oldest.Night) {
			oldest, first = cell, *g.wantSeq
		}
	}
	for _, r := range stock {
		take(hotel.Cell{Line: r.Line, Group: hotel.Availability, Night: hotel.Date(r.Night)}, stockGroup(r))
	}
	for _, r := range prices {
		groups := priceGroups(r)
		for _, name := range []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price} {
			take(hotel.Cell{Line: r.Line, Group: name, Night: hotel.Date(r.Night)}, groups[name])
		}
	}
	for _, r := range occupancies {
		take(hotel.Cell{Line: r.Line, Group: hotel.Price, Occupancy: int(r.Occupancy), Night: hotel.Date(r.Night)}, occupancyGroup(r))
	}
	if first == math.MaxInt64 {
		return nil, nil
	}
	counters, mappings, err := loadLines(ctx, q, channel)
	if err != nil {
		return nil, err
	}
	u := hotel.Unconfirmed{Night: oldest.Night, Group: oldest.Group}
	for _, c := range counters {
		if oldest.Group == hotel.Availability && c.Line == oldest.Line {
			u.RoomTypeID = c.RoomTypeID
		}
	}
	for _, m := range mappings {
		if oldest.Group != hotel.Availability && m.Line == oldest.Line {
			u.RoomTypeID, u.RatePlanID = m.RoomTypeID, m.RatePlanID
		}
	}
	return &u, nil
}
