package ledger

import (
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// wanted notes what a cell should hold.
func (c *channelCheck) wanted(v Wanted) {
	at := c.at(partWanted, v.Cell)
	switch {
	case v.Cell.Group == hotel.Availability:
		c.said[at] = stockedText(*v.Value, v.Closes)
	case v.Cell.Group == hotel.Closures:
		c.said[at] = closuresText(v.Value, v.Tells)
	case v.Cell.Group == hotel.Price && v.Cell.Occupancy == 0:
		c.said[at] = priceText(v.Value, v.Missing)
	default:
		c.said[at] = valueText(v.Cell.Group, v.Value)
	}
}

// counter takes in what is stored of a counter's night. While a product behind it
// is closed it shows no rooms, if that is the way to say so.
func (c *channelCheck) counter(r ledgerdb.StockCell, open map[lineNight]offered) {
	cell := hotel.Cell{Line: r.Line, Group: hotel.Availability, Night: hotel.Date(r.Night)}
	if c.waits(cell) {
		return
	}
	c.stored[c.at(partWanted, cell)] = stockedText(r.Told, r.Closes != 0)
	g, rooms := stockGroup(r), r.Told
	if r.Closes != 0 && c.closedBehind(r.Line, cell.Night, open) {
		rooms = 0
	}
	c.follows(cell, g, &rooms)
	c.flag(c.at(partDirty, cell), g.dirty(), r.Dirty)
}

// closedBehind reports whether any product behind a counter is closed.
func (c *channelCheck) closedBehind(line int64, night hotel.Date, open map[lineNight]offered) bool {
	i := slices.IndexFunc(c.all.counters, func(k Counter) bool { return k.Line == line })
	counter := c.all.counters[i]
	return slices.ContainsFunc(c.all.mappings, func(m hotel.Mapping) bool {
		o, known := open[lineNight{m.Line, night}]
		return !m.Retired && counter.behind(m) && (!known || o.closed())
	})
}

// price takes in what is stored of a product's night, and returns what decides
// whether it is open.
func (c *channelCheck) price(r ledgerdb.PriceCell) offered {
	o := offeredOf(r)
	groups, dirty := priceGroups(r), false
	for name, g := range groups {
		dirty = dirty || g.dirty()
		cell := hotel.Cell{Line: r.Line, Group: name, Night: hotel.Date(r.Night)}
		if c.waits(cell) {
			continue
		}
		at := c.at(partWanted, cell)
		switch name {
		case hotel.Closures:
			c.stored[at] = closuresText(o.told, o.tells)
			c.follows(cell, g, o.want())
		case hotel.Price:
			c.stored[at] = priceText(g.house(), o.waits == hasNone || g.want == nil && o.waits == unconfirmed)
		case hotel.Availability, hotel.Lengths:
			c.stored[at] = valueText(name, g.house())
		}
	}
	c.flag(c.place("product", partDirty, hotel.Cell{Line: r.Line, Group: hotel.Price, Night: hotel.Date(r.Night)}), dirty, r.Dirty)
	return o
}

// occupancy takes in what is stored of a price for a number of guests. One that is
// not wanted any more is kept without a value.
func (c *channelCheck) occupancy(r ledgerdb.OccupancyCell) {
	cell := hotel.Cell{Line: r.Line, Group: hotel.Price, Occupancy: int(r.Occupancy), Night: hotel.Date(r.Night)}
	if c.waits(cell) {
		return
	}
	g := occupancyGroup(r)
	if at := c.at(partWanted, cell); g.want != nil || c.said[at] != "" {
		c.stored[at] = valueText(cell.Group, g.house())
	}
	c.flag(c.at(partDirty, cell), g.dirty(), r.Dirty)
}

// follows notes what a cell is to be told, which follows from the rest of its row.
func (c *channelCheck) follows(cell hotel.Cell, g group, want *int64) {
	at := c.at(partTold, cell)
	c.said[at], c.stored[at] = valueText(cell.Group, want), valueText(cell.Group, g.house())
}

// flag notes whether a cell is to be sent, which the planner looks cells up by.
func (c *channelCheck) flag(at spot, is bool, stored int64) {
	c.said[at], c.stored[at] = dirtyWord(is), dirtyWord(stored != 0)
}
