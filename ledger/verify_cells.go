package ledger

import (
	"context"
	"fmt"
	"math"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Stage is how the engine makes of house values what a channel is to show: what
// the ledger has to know of the channel's terms, and the step itself. It fails for
// a channel whose connector cannot be configured.
type Stage func(hotel.Channel) (Reach, func(Work) []Wanted, error)

// cells compares what each channel is to show with what the engine's own step
// makes of the house values. The step is given every night at once, where the
// engine gives it the nights that an entry of the journal names: a night that no
// entry named, though it should have, is found.
func (c *check) cells(ctx context.Context) error {
	rows, err := c.q.ListChannels(ctx)
	if err != nil {
		return fmt.Errorf("read channels: %w", err)
	}
	for _, row := range rows {
		channel, err := channelOf(row)
		if err != nil {
			return err
		}
		if row.PropertyID != c.property || !channel.Told() {
			continue
		}
		c.report("cells of "+row.ID, 0.9)
		reach, step, err := c.stage(channel)
		if err != nil {
			c.v.leaveOut("%s: what channel %s is to show: %v", c.property, row.ID, err)
			continue
		}
		of := &channelCheck{check: c, row: row, said: content{}, stored: content{}}
		if err := of.list(ctx, reach); err != nil {
			return fmt.Errorf("cells of channel %s: %w", row.ID, err)
		}
		if err := of.run(ctx, step); err != nil {
			return fmt.Errorf("cells of channel %s: %w", row.ID, err)
		}
	}
	return nil
}

// channelCheck compares the cells of one channel.
type channelCheck struct {
	*check
	row     ledgerdb.Channel
	all     *workList // every line on every night that the channel is told
	pending *workList // what it has yet to look at
	names   map[lineKind]string
	said    content
	stored  content
}

// lineKind names a line: a counter's or a mapping's.
type lineKind struct {
	line  int64
	stock bool
}

// list collects what is to be compared, and what the channel has yet to look at.
func (c *channelCheck) list(ctx context.Context, reach Reach) (err error) {
	for _, list := range []**workList{&c.all, &c.pending} {
		if *list, err = newWorkList(ctx, c.q, c.row, c.now, reach); err != nil {
			return err
		}
	}
	c.all.everything()
	c.names = map[lineKind]string{}
	for _, l := range c.all.counters {
		c.names[lineKind{l.Line, true}] = codes(l.RemoteRoom, l.RemoteRate)
	}
	for _, m := range c.all.mappings {
		c.names[lineKind{m.Line, false}] = codes(m.RemoteRoom, m.RemoteRate)
	}
	at, _, err := placesOf(ctx, c.q, c.row.ID)
	if err != nil {
		return err
	}
	entries, err := entriesAhead(ctx, c.q, c.property, at.least(), math.MaxInt64)
	if err != nil {
		return err
	}
	for _, e := range entries {
		parts, err := c.pending.touched(e)
		if err != nil {
			return err
		}
		for _, p := range parts {
			if e.Sequence > at[p.strand].Sequence {
				c.pending.take(p)
			}
		}
	}
	return nil
}

func codes(room, rate string) string {
	if rate == "" {
		return room
	}
	return room + "/" + rate
}

func (c *channelCheck) run(ctx context.Context, step func(Work) []Wanted) error {
	f, err := c.l.facts(ctx, c.q, c.property)
	if err != nil {
		return err
	}
	var w Work
	if err := c.all.values(ctx, f, &w); err != nil {
		return err
	}
	var fresh []spot
	for _, v := range step(w) {
		if c.waits(v.Cell) {
			continue
		}
		c.wanted(v)
		// A product's night begins with what is said of its stays; that it has no
		// price is no entry's doing.
		if v.Cell.Group == hotel.Price && v.Value == nil && c.waits(hotel.Cell{Line: v.Cell.Line, Group: hotel.Closures, Night: v.Cell.Night}) {
			fresh = append(fresh, c.at(partWanted, v.Cell))
		}
	}
	span := ledgerdb.StockCellsBetweenParams{ChannelID: c.row.ID, First: int64(c.all.horizon.From), Last: int64(c.all.horizon.To)}
	prices, err := c.q.PriceCellsBetween(ctx, ledgerdb.PriceCellsBetweenParams(span))
	if err != nil {
		return err
	}
	open := map[lineNight]offered{}
	for _, r := range prices {
		open[lineNight{r.Line, hotel.Date(r.Night)}] = c.price(r)
	}
	stock, err := c.q.StockCellsBetween(ctx, span)
	if err != nil {
		return err
	}
	for _, r := range stock {
		c.counter(r, open)
	}
	occupancies, err := c.q.OccupancyCellsBetween(ctx, ledgerdb.OccupancyCellsBetweenParams(span))
	if err != nil {
		return err
	}
	for _, r := range occupancies {
		c.occupancy(r)
	}
	for _, at := range fresh {
		if _, there := c.stored[at]; !there {
			delete(c.said, at)
		}
	}
	c.compare(byHouse, c.said, c.stored)
	return nil
}

// waits reports whether the channel has yet to look at a cell, or is not to be
// told it at all.
func (c *channelCheck) waits(cell hotel.Cell) bool {
	return c.pending.has(cell) || !c.all.has(cell)
}
