package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// DirtyCell is a cell that differs from something its channel may hold, and may
// be sent now.
type DirtyCell struct {
	Cell hotel.Cell
	Want int64
	Held *int64 // availability: the most that may be shown; nil: nothing is known
	Last *int64 // price, closures: what was last confirmed, whatever may be shown since; nil: none
	Free int    // rooms wanted on the night, for the order of risk; 0 for prices
	Sold int    // as in [SentCell]

	// Open is, of closures that close the night until its price is confirmed, what they are
	// to be then; nil: they close it for something else as well, or what the channel shows
	// is in doubt. Beside that price in one call they may be sent so.
	Open  *int64
	Fresh bool // the channel was never told anything of it, nor is it known what it shows

	guarded, closes bool // availability: granted before it is shown; closed is said by showing no rooms
}

// Dirty lists a channel's dirty cells from its property's calendar today on, the
// nearest nights first, at most limit of each table. A channel that is told
// nothing has none, and one that is paused those of its counters alone.
func (l *Ledger) Dirty(ctx context.Context, channel string, today hotel.Date, limit int) ([]DirtyCell, error) {
	return l.dirty(ctx, channel, func(d *dirtyList) error {
		if err := d.prices(ctx, today, limit); err != nil {
			return err
		}
		return d.occupancies(ctx, today, limit)
	}, today, limit)
}

// Pressing lists what may be a closing of what [Ledger.Dirty] lists: the counters,
// and the closures of products of which the far side has been told something.
func (l *Ledger) Pressing(ctx context.Context, channel string, today hotel.Date, limit int) ([]DirtyCell, error) {
	return l.dirty(ctx, channel, func(d *dirtyList) error { return d.closures(ctx, today, limit) }, today, limit)
}

// dirty lists the dirty counters of a channel, and the further cells where it is
// not paused.
func (l *Ledger) dirty(ctx context.Context, channel string, further func(*dirtyList) error, today hotel.Date, limit int) ([]DirtyCell, error) {
	d := dirtyList{channel: channel}
	err := l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		c, err := channelOf(row)
		if err != nil || !c.Told() {
			return err
		}
		d.q = q
		if err := d.counters(ctx, row, today, limit); err != nil || c.Status == hotel.Paused {
			return err
		}
		return further(&d)
	})
	if err != nil {
		return nil, fmt.Errorf("dirty cells of channel %s: %w", channel, err)
	}
	return d.cells, nil
}

// dirtyList collects the dirty cells of a channel.
type dirtyList struct {
	q       *ledgerdb.Queries
	channel string
	cells   []DirtyCell
}

func (d *dirtyList) counters(ctx context.Context, channel ledgerdb.Channel, today hotel.Date, limit int) error {
	covers := covering(ctx, d.q, channel)
	rows, err := d.q.DirtyStockCells(ctx, ledgerdb.DirtyStockCellsParams{ChannelID: d.channel, First: int64(today), AtMost: int64(limit)})
	if err != nil {
		return err
	}
	inAll, err := inAllOfRows(ctx, d.q, channel, rows)
	if err != nil {
		return err
	}
	for _, r := range rows {
		g := stockGroup(r)
		if !g.sendable() {
			continue
		}
		known, err := covers(g)
		if err != nil {
			return err
		}
		if known {
			d.cells = append(d.cells, dirtyStock(r, &g, inAll))
		}
	}
	return nil
}

func (d *dirtyList) prices(ctx context.Context, today hotel.Date, limit int) error {
	rows, err := d.q.DirtyPriceCells(ctx, ledgerdb.DirtyPriceCellsParams{ChannelID: d.channel, First: int64(today), AtMost: int64(limit)})
	if err != nil {
		return err
	}
	for _, r := range rows {
		d.cells = append(d.cells, dirtyPrices(r, func(_ hotel.Cell, g *group) bool { return g.sendable() })...)
	}
	return nil
}

func (d *dirtyList) closures(ctx context.Context, today hotel.Date, limit int) error {
	rows, err := d.q.PressingClosures(ctx, ledgerdb.PressingClosuresParams{ChannelID: d.channel, First: int64(today), AtMost: int64(limit)})
	if err != nil {
		return err
	}
	for _, r := range rows {
		d.add(hotel.Cell{Line: r.Line, Group: hotel.Closures, Night: hotel.Date(r.Night)}, priceGroups(r)[hotel.Closures])
	}
	return nil
}

func (d *dirtyList) occupancies(ctx context.Context, today hotel.Date, limit int) error {
	rows, err := d.q.DirtyOccupancyCells(ctx, ledgerdb.DirtyOccupancyCellsParams{ChannelID: d.channel, First: int64(today), AtMost: int64(limit)})
	if err != nil {
		return err
	}
	for _, r := range rows {
		d.add(hotel.Cell{Line: r.Line, Group: hotel.Price, Occupancy: int(r.Occupancy), Night: hotel.Date(r.Night)}, occupancyGroup(r))
	}
	return nil
}

// add takes in a group of a product if it may be sent now.
func (d *dirtyList) add(cell hotel.Cell, g group) {
	if g.sendable() {
		d.cells = append(d.cells, dirtyPrice(cell, &g))
	}
}

// dirtyPrices lists the groups of a product's night that may be sent now.
func dirtyPrices(r ledgerdb.PriceCell, sends func(hotel.Cell, *group) bool) []DirtyCell {
	var out []DirtyCell
	groups := priceGroups(r)
	closures, lengths, price := groups[hotel.Closures], groups[hotel.Lengths], groups[hotel.Price]
	for _, of := range []struct {
		name hotel.Group
		*group
	}{{hotel.Closures, &closures}, {hotel.Lengths, &lengths}, {hotel.Price, &price}} {
		if cell := (hotel.Cell{Line: r.Line, Group: of.name, Night: hotel.Date(r.Night)}); sends(cell, of.group) {
			out = append(out, dirtyPrice(cell, of.group))
		}
	}
	if len(out) > 0 && out[0].Cell.Group == hotel.Closures {
		out[0].Open = offeredOf(r).atPrice(&closures, &price)
	}
	return out
}

func dirtyStock(r ledgerdb.StockCell, g *group, of inAll) DirtyCell {
	cell := hotel.Cell{Line: r.Line, Group: hotel.Availability, Night: hotel.Date(r.Night)}
	return DirtyCell{Cell: cell, Want: *g.next(), Held: g.most(), Fresh: g.fresh(), Free: int(r.Want), Sold: of.of(cell, *g.next()), guarded: g.guarded, closes: r.Closes != 0}
}

func dirtyPrice(cell hotel.Cell, g *group) DirtyCell {
	d := DirtyCell{Cell: cell, Want: *g.want, Held: g.known(), Fresh: g.fresh()}
	switch cell.Group {
	case hotel.Price:
		d.Last = g.held
	case hotel.Closures:
		d.Last = g.last()
	case hotel.Availability, hotel.Lengths:
	}
	return d
}

// opens reports whether the cell is to sell more than the channel is known to show,
// or at another price. A price that was confirmed once may be, whatever is shown; and
// closures that were may still be shown.
func (d DirtyCell) opens() bool {
	switch d.Cell.Group {
	case hotel.Price:
		return !same(d.Last, &d.Want) && opens(hotel.Price, d.Held, d.Want)
	case hotel.Closures:
		return opens(hotel.Closures, d.Held, d.Want) || d.Last != nil && opens(hotel.Closures, d.Last, d.Want)
	case hotel.Availability, hotel.Lengths:
	}
	return opens(d.Cell.Group, d.Held, d.Want)
}

// tightened is a cell that closes something beyond what was last confirmed, and opens
// nothing of it whatever else is wanted; false: it closes nothing. Where nobody knows
// what is shown, what was closed may be open.
func (d DirtyCell) tightened() (DirtyCell, bool) {
	if d.Cell.Group != hotel.Closures || d.Last == nil {
		return d, false
	}
	both := tighter(*d.Last, d.Want)
	if both == *d.Last && (d.Held != nil || both == 0) {
		return d, false
	}
	d.Want = both
	return d, true
}
