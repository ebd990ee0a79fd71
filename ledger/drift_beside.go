package ledger

import (
	"fmt"

	"ostler.example/hotel"
	"ostler.example/hotel/drift"
	"ostler.example/ledger/internal/ledgerdb"
)

// lookBeside takes in, of counters and prices that differ, what the nights that were not read
// this time were seen to show: a channel that can show more there has no bound that it
// reaches here. Most reads are of a few nights.
func (c *comparison) lookBeside() error {
	looked, read := map[hotel.Cell]bool{}, map[hotel.Cell]bool{}
	for _, s := range c.cells {
		read[s.Cell] = true
	}
	for _, d := range c.found {
		line := lineOf(d.Cell)
		if looked[line] || line.Group != hotel.Availability && line.Group != hotel.Price {
			continue
		}
		looked[line] = true
		seen, err := c.seen(line)
		if err != nil {
			return fmt.Errorf("what channel %s was seen to show: %w", c.row.ID, err)
		}
		for night, shown := range seen {
			at := line
			at.Night = night
			if !read[at] {
				c.beside[line] = append(c.beside[line], drift.Pair{Told: shown, Shown: shown})
			}
		}
	}
	return nil
}

// seen returns by night, from today on, what a counter or a price of a product was seen to
// show when the channel was asked.
func (c *comparison) seen(line hotel.Cell) (map[hotel.Date]int64, error) {
	seen, of := map[hotel.Date]int64{}, ledgerdb.StockShownParams{ChannelID: c.row.ID, Line: line.Line, First: int64(c.property.Today(c.t.now))}
	switch {
	case line.Group == hotel.Availability:
		rows, err := c.t.q.StockShown(c.t.ctx, of)
		for _, r := range rows {
			seen[hotel.Date(r.Night)] = r.Shown
		}
		return seen, err
	case line.Occupancy == 0:
		rows, err := c.t.q.PricesShown(c.t.ctx, ledgerdb.PricesShownParams(of))
		for _, r := range rows {
			seen[hotel.Date(r.Night)] = r.Shown
		}
		return seen, err
	}
	rows, err := c.t.q.OccupanciesShown(c.t.ctx, ledgerdb.OccupanciesShownParams{ChannelID: of.ChannelID, Line: of.Line, Occupancy: int64(line.Occupancy), First: of.First})
	for _, r := range rows {
		seen[hotel.Date(r.Night)] = r.Shown
	}
	return seen, err
}
