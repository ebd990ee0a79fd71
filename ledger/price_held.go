package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// HeldPrice is a price in which a channel's guard found something.
type HeldPrice struct {
	SentCell
	Reason string // stable
	By     string // what it was compared with
	Close  bool   // the night goes off sale, instead of keeping what is shown
	Near   *int64 // the nearest price in which it finds nothing; nil: there is none
}

// Hold keeps prices from being sent until they change, or until the channel's
// guard does. A night for which the channel has confirmed a price keeps it, but
// where it is to be closed; one that has none stays closed. It returns the prices
// that somebody has let pass: they are to be sent. [ErrOutrun] says that the channel
// is at another revision than the one whose guard has judged (0: any).
func (l *Ledger) Hold(ctx context.Context, channel string, revision int64, prices []HeldPrice) (pass map[hotel.Cell]bool, err error) {
	var let map[hotel.Cell]bool // no named result: see underKey
	err = l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, _, err := t.channelAt(channel, revision)
		if err != nil {
			return err
		}
		c, err := t.compare(row, ledgerdb.Delivery{})
		if err != nil {
			return err
		}
		if let, err = c.letPass(prices); err != nil {
			return err
		}
		capped, err := c.capped(prices)
		if err != nil {
			return err
		}
		prices := slices.DeleteFunc(slices.Clone(prices), func(p HeldPrice) bool { return let[p.Cell] })
		table := t.cellsOf(row)
		names := make([]hotel.Cell, len(prices))
		for i, p := range prices {
			names[i] = p.Cell
		}
		if err := table.load(names); err != nil {
			return err
		}
		var held []SentCell
		reasons, why := map[hotel.Cell]string{}, withholding
		why.near = map[hotel.Cell]*int64{}
		for _, p := range prices {
			g := table.at(p.Cell)
			if !g.withhold(p.Value) {
				continue // it is wanted no more
			}
			if instead := capped[p.Cell]; instead != nil && *instead != p.Value {
				g.cap(instead, originAt(t.heads.sequence))
				t.effects.touchOffers(row.PropertyID)
				continue
			}
			why.near[p.Cell] = p.Near
			held, reasons[p.Cell] = append(held, p.SentCell), p.Reason+": "+p.By
			if p.Close {
				table.closeFor(p.Cell)
			}
		}
		if err := table.save(); err != nil || len(held) == 0 {
			return err
		}
		if err := t.tellCells(PricesHeld, row, held, reasons); err != nil {
			return err
		}
		return t.parked(why, row, held, reasons)
	})
	if err != nil {
		return nil, fmt.Errorf("hold prices of channel %s: %w", channel, err)
	}
	return let, nil
}

// tellCells journals what was found about values that a channel was to be sent.
func (t *tx) tellCells(kind Kind, c ledgerdb.Channel, cells []SentCell, reasons map[hotel.Cell]string) error {
	_, err := t.append(entry{
		property: c.PropertyID, kind: kind, subject: c.ID, nights: nightsOfCells(cells).spans(), body: cellsBody{packCells(cells, reasons)},
	})
	return err
}

// cellsBody is the body of entries about values that a channel was to be sent.
type cellsBody struct {
	Cells []sentRun `json:"cells"`
}

// closeFor closes the night of a price until the channel confirms another one.
func (c *cellTable) closeFor(price hotel.Cell) {
	key := lineNightOf(price)
	o := c.offer(key)
	switch {
	case price.Occupancy > 0:
		o.mark(price.Occupancy, true)
	case o.waits == confirmed:
		o.waits = unconfirmed
	}
	c.open(key, c.at(price).origin())
}

// release has the held prices of a channel judged again.
func (t *tx) release(channel string) error {
	return errors.Join(t.q.ReleasePrices(t.ctx, channel), t.q.ReleaseOccupancies(t.ctx, channel))
}

// PricesAround lists the prices that a channel last confirmed for a cell's
// product on the same weekday, so many nights around it.
func (l *Ledger) PricesAround(ctx context.Context, channel string, c hotel.Cell, nights int) ([]int64, error) {
	span := ledgerdb.PricesAroundParams{
		ChannelID: channel, Line: c.Line, First: int64(c.Night) - int64(nights), Last: int64(c.Night) + int64(nights), Weekday: int64(c.Night) % 7,
	}
	read := func() ([]*int64, error) { return l.read.PricesAround(ctx, span) }
	if c.Occupancy > 0 {
		read = func() ([]*int64, error) {
			return l.read.OccupancyPricesAround(ctx, ledgerdb.OccupancyPricesAroundParams{
				ChannelID: span.ChannelID, Line: span.Line, First: span.First, Last: span.Last, Weekday: span.Weekday, Occupancy: int64(c.Occupancy),
			})
		}
	}
	rows, err := read()
	if err != nil {
		return nil, fmt.Errorf("prices of channel %s around %s: %w", channel, c.Night, err)
	}
	prices := make([]int64, len(rows))
	for i, p := range rows {
		prices[i] = *p
	}
	return prices, nil
}
