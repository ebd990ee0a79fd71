package ledger

import (
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// cellTable reads and writes the cells of one channel within one item. Rows are
// read once for each line and span of nights, changed in memory and written
// back when something of them changed.
type cellTable struct {
	t       *tx
	channel string
	initial *int64 // what a counter shows that was never sent anything
	cells   grid[group]
	stored  grid[group]

	// What decides whether a product is open, and what its counter shows then.
	offers struct {
		now    grid[offered]
		stored grid[offered]
	}
	stocks grid[stocked]
	turned map[lineNight]origin // opened or closed, and its counter has to say so
	behind map[int64][]int64    // the mappings behind each counter
}

func (t *tx) cellsOf(c ledgerdb.Channel) *cellTable {
	return &cellTable{t: t, channel: c.ID, initial: c.Opening, turned: map[lineNight]origin{}, behind: map[int64][]int64{}}
}

// load reads the cells that are named, whatever groups of them exist.
func (c *cellTable) load(cells []hotel.Cell) error {
	type line struct {
		id    int64
		stock bool
	}
	spans := map[line]hotel.Span{}
	occupancies := map[int64]bool{}
	for _, cell := range cells {
		k := line{cell.Line, cell.Group == hotel.Availability}
		s, ok := spans[k]
		if !ok {
			s = hotel.Span{From: cell.Night, To: cell.Night}
		}
		spans[k] = hotel.Span{From: min(s.From, cell.Night), To: max(s.To, cell.Night)}
		if cell.Occupancy > 0 {
			occupancies[cell.Line] = true
		}
	}
	for k, s := range spans {
		if k.stock {
			if err := c.loadStock(k.id, s); err != nil {
				return err
			}
			continue
		}
		if err := c.loadPrices(k.id, s, occupancies[k.id]); err != nil {
			return err
		}
	}
	return nil
}

func (c *cellTable) loadStock(line int64, s hotel.Span) error {
	rows, err := c.t.q.StockCells(c.t.ctx, ledgerdb.StockCellsParams{ChannelID: c.channel, Line: line, First: int64(s.From), Last: int64(s.To)})
	if err != nil {
		return fmt.Errorf("read cells of %s: %w", c.channel, err)
	}
	for _, r := range rows {
		cell := hotel.Cell{Line: line, Group: hotel.Availability, Night: hotel.Date(r.Night)}
		c.put(cell, stockGroup(r))
		if c.stocks.at(cell) == nil {
			c.stocks.put(cell, &stocked{told: r.Told, closes: r.Closes != 0})
		}
	}
	return nil
}

func (c *cellTable) loadPrices(line int64, s hotel.Span, occupancies bool) error {
	rows, err := c.t.q.PriceCells(c.t.ctx, ledgerdb.PriceCellsParams{ChannelID: c.channel, Line: line, First: int64(s.From), Last: int64(s.To)})
	if err != nil {
		return fmt.Errorf("read cells of %s: %w", c.channel, err)
	}
	for _, r := range rows {
		c.loadOffer(r)
		for g, v := range priceGroups(r) {
			c.put(hotel.Cell{Line: line, Group: g, Night: hotel.Date(r.Night)}, v)
		}
	}
	if !occupancies {
		return nil
	}
	further, err := c.t.q.OccupancyCells(c.t.ctx, ledgerdb.OccupancyCellsParams{ChannelID: c.channel, Line: line, First: int64(s.From), Last: int64(s.To)})
	if err != nil {
		return fmt.Errorf("read cells of %s: %w", c.channel, err)
	}
	for _, r := range further {
		c.put(hotel.Cell{Line: line, Group: hotel.Price, Occupancy: int(r.Occupancy), Night: hotel.Date(r.Night)}, occupancyGroup(r))
	}
	return nil
}

// put takes in a row. What the item has made of it meanwhile stays.
func (c *cellTable) put(cell hotel.Cell, g group) {
	c.stored.put(cell, &g)
	if c.cells.at(cell) == nil {
		now := g
		c.cells.put(cell, &now)
	}
}

// at returns the cell, made when the channel has none yet. A new counter shows
// what was stated when the channel went live.
func (c *cellTable) at(cell hotel.Cell) *group {
	if g := c.cells.at(cell); g != nil {
		return g
	}
	g := &group{}
	if cell.Group == hotel.Availability {
		g.held, g.may = c.initial, c.initial
	}
	c.cells.put(cell, g)
	return g
}

// save writes back what changed.
func (c *cellTable) save() error {
	if err := c.closeCounters(); err != nil {
		return err
	}
	prices := map[lineNight]bool{}
	for cell, o := range c.offers.now.all() {
		if was := c.offers.stored.at(cell); was == nil || !same(was.told, o.told) || was.tells != o.tells || was.waits != o.waits || was.amiss != o.amiss || !same(was.cut, o.cut) {
			prices[lineNightOf(cell)] = true
		}
	}
	for cell, g := range c.cells.all() {
		was := c.stored.at(cell)
		if was != nil && equalGroups(was, g) && !c.retold(cell) {
			continue
		}
		var err error
		switch {
		case cell.Group == hotel.Availability:
			err = c.saveStock(cell, g)
		case cell.Occupancy > 0:
			err = c.saveOccupancy(cell, g)
		default:
			prices[lineNightOf(cell)] = true
		}
		if err != nil {
			return fmt.Errorf("store cell of %s: %w", c.channel, err)
		}
	}
	for key := range prices {
		if err := c.savePrices(key); err != nil {
			return fmt.Errorf("store cell of %s: %w", c.channel, err)
		}
	}
	return nil
}

// retold reports whether this item has worked out anew what a counter shows while
// nothing is closed, which may differ though it shows no rooms all the same.
func (c *cellTable) retold(cell hotel.Cell) bool {
	s := c.stocks.at(cell)
	return cell.Group == hotel.Availability && s != nil && s.origin != (origin{})
}

func equalGroups(a, b *group) bool {
	return same(a.want, b.want) && same(a.asked, b.asked) && same(a.held, b.held) && same(a.wantSeq, b.wantSeq) && same(a.entry, b.entry) && same(a.heldSeq, b.heldSeq) &&
		same(a.heldAt, b.heldAt) && same(a.may, b.may) && a.ownSeq == b.ownSeq && a.state == b.state && a.guarded == b.guarded && same(a.ordered, b.ordered)
}

func (c *cellTable) saveStock(cell hotel.Cell, g *group) error {
	if g.want == nil {
		return fmt.Errorf("counter %d has no wanted value on %s", cell.Line, cell.Night)
	}
	s := c.stock(cell)
	return c.t.q.PutStockCell(c.t.ctx, ledgerdb.PutStockCellParams{
		ChannelID: c.channel, Line: cell.Line, Night: int64(cell.Night), Told: s.told, Closes: flag(s.closes), Want: *g.want, WantSeq: *g.wantSeq, WantEntry: *g.entry,
		Held: g.held, HeldSeq: g.heldSeq, HeldAt: g.heldAt, May: g.may, OwnSeq: g.ownSeq, State: int64(g.state),
		Guarded: flag(g.guarded), Ordered: g.ordered, Dirty: flag(g.dirty()),
	})
}

func (c *cellTable) saveOccupancy(cell hotel.Cell, g *group) error {
	return c.t.q.PutOccupancyCell(c.t.ctx, ledgerdb.PutOccupancyCellParams{
		ChannelID: c.channel, Line: cell.Line, Night: int64(cell.Night), Occupancy: int64(cell.Occupancy),
		Want: g.want, Asked: g.asked, WantSeq: g.wantSeq, WantEntry: g.entry, Held: g.held, HeldSeq: g.heldSeq, State: int64(g.state), Dirty: flag(g.dirty()),
	})
}

func (c *cellTable) savePrices(key lineNight) error {
	at := func(g hotel.Group) *group { return c.at(hotel.Cell{Line: key.line, Group: g, Night: key.night}) }
	o := c.offer(key)
	closures, lengths, price := at(hotel.Closures), at(hotel.Lengths), at(hotel.Price)
	return c.t.q.PutPriceCell(c.t.ctx, ledgerdb.PutPriceCellParams{
		ChannelID: c.channel, Line: key.line, Night: int64(key.night), ClosuresTold: o.told, Tells: int64(o.tells), Waits: int64(o.waits), Amiss: o.amiss, CutAt: o.cut,
		ClosuresWant: closures.want, ClosuresAsked: closures.asked, ClosuresWantSeq: closures.wantSeq, ClosuresWantEntry: closures.entry, ClosuresHeld: closures.held, ClosuresHeldSeq: closures.heldSeq, ClosuresState: int64(closures.state),
		LengthsWant: lengths.want, LengthsAsked: lengths.asked, LengthsWantSeq: lengths.wantSeq, LengthsWantEntry: lengths.entry, LengthsHeld: lengths.held, LengthsHeldSeq: lengths.heldSeq, LengthsState: int64(lengths.state),
		PriceWant: price.want, PriceAsked: price.asked, PriceWantSeq: price.wantSeq, PriceWantEntry: price.entry, PriceHeld: price.held, PriceHeldSeq: price.heldSeq, PriceState: int64(price.state),
		Dirty: flag(closures.dirty() || lengths.dirty() || price.dirty()),
	})
}

func stockGroup(r ledgerdb.StockCell) group {
	return group{
		want: &r.Want, wantSeq: &r.WantSeq, entry: &r.WantEntry, shown: r.Shown, shownAt: r.ShownAt, held: r.Held, heldSeq: r.HeldSeq, heldAt: r.HeldAt, may: r.May, ownSeq: r.OwnSeq, state: state(r.State),
		guarded: r.Guarded != 0, ordered: r.Ordered,
	}
}

func occupancyGroup(r ledgerdb.OccupancyCell) group {
	return group{want: r.Want, asked: r.Asked, wantSeq: r.WantSeq, entry: r.WantEntry, shown: r.Shown, shownAt: r.ShownAt, held: r.Held, heldSeq: r.HeldSeq, state: state(r.State)}
}

// pricedGroups are the groups of a cell of prices.
var pricedGroups = []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}

// priceGroup is one of them.
func priceGroup(r *ledgerdb.PriceCell, of hotel.Group) group {
	if of == hotel.Closures {
		return group{want: r.ClosuresWant, asked: r.ClosuresAsked, wantSeq: r.ClosuresWantSeq, entry: r.ClosuresWantEntry, shown: r.ClosuresShown, shownAt: r.ShownAt, held: r.ClosuresHeld, heldSeq: r.ClosuresHeldSeq, state: state(r.ClosuresState)}
	}
	if of == hotel.Lengths {
		return group{want: r.LengthsWant, asked: r.LengthsAsked, wantSeq: r.LengthsWantSeq, entry: r.LengthsWantEntry, shown: r.LengthsShown, shownAt: r.ShownAt, held: r.LengthsHeld, heldSeq: r.LengthsHeldSeq, state: state(r.LengthsState)}
	}
	return group{want: r.PriceWant, asked: r.PriceAsked, wantSeq: r.PriceWantSeq, entry: r.PriceWantEntry, shown: r.PriceShown, shownAt: r.ShownAt, held: r.PriceHeld, heldSeq: r.PriceHeldSeq, state: state(r.PriceState)}
}

func priceGroups(r ledgerdb.PriceCell) map[hotel.Group]group {
	groups := make(map[hotel.Group]group, len(pricedGroups))
	for _, g := range pricedGroups {
		groups[g] = priceGroup(&r, g)
	}
	return groups
}
