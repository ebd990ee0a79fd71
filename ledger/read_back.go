package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Reading is what a channel showed when it was asked.
type Reading struct {
	ChannelID  string
	DeliveryID string              // of the stored call that asked, which is still open
	Cells      []SentCell          // what it showed, reduced to the fields that it is told
	LeftOut    map[hotel.Cell]bool // of these it said nothing, which shows that nothing is on sale there
}

// ReadBack stores what a channel showed and what follows from it for each cell, in
// one transaction. A cell that was under way while the channel was asked, or that
// a call without an answer may still change, keeps what is known of it: what was
// shown says nothing about what will be.
func (l *Ledger) ReadBack(ctx context.Context, r Reading) error {
	err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, r.ChannelID)
		if err != nil {
			return notFound(err)
		}
		call, err := t.q.GetDelivery(t.ctx, r.DeliveryID)
		if err != nil {
			return notFound(err)
		}
		touched, err := t.touchedDuring(row, call)
		if err != nil {
			return err
		}
		table := t.cellsOf(row)
		if err := table.load(cellsOfSent(r.Cells)); err != nil {
			return err
		}
		compared, err := t.compare(row, call)
		if err != nil {
			return err
		}
		compared.counts, compared.leftOut = countsOf(r.Cells), r.LeftOut
		compared.cells = r.Cells
		var guarded []SentCell
		for _, c := range r.Cells {
			g := table.cells.at(c.Cell)
			if g == nil || g.ownSeq > call.Sequence {
				continue
			}
			if g.guarded {
				if !touched[c.Cell] {
					guarded = append(guarded, c)
				}
				continue
			}
			if touched[c.Cell] {
				g.waver(c.Value, t.heads.sequence)
				continue
			}
			if g.state == unknown || g.state == rejected && same(g.want, &c.Value) { // or somebody has set it there
				g.saw(c.Value, t.heads.sequence)
				table.answered(c.Cell)
			} else if g.sure() && g.last() != nil { // what was never told cannot differ from what is known
				compared.take(c, g)
			}
		}
		if len(guarded) > 0 {
			if err := compared.overshownIn(table, guarded); err != nil {
				return err
			}
		}
		if err := compared.judge(table); err != nil {
			return err
		}
		if err := table.save(); err != nil {
			return err
		}
		if err := t.show(row.ID, call.SentAt, compared.shown(table, r.Cells)); err != nil {
			return err
		}
		if len(compared.found) > 0 {
			t.effects.touchOffers(row.PropertyID) // it is to be told again
		}
		if err := t.storeTaken(compared.taken); err != nil {
			return err
		}
		return compared.overDrifts()
	})
	if err != nil {
		return fmt.Errorf("store what channel %s shows: %w", r.ChannelID, err)
	}
	return nil
}

// countsOf picks the counters of what was shown.
func countsOf(cells []SentCell) map[hotel.Cell]*int64 {
	counts := map[hotel.Cell]*int64{}
	for i := range cells {
		if cells[i].Cell.Group == hotel.Availability {
			counts[cells[i].Cell] = &cells[i].Value
		}
	}
	return counts
}

// longestCall is longer than any call to a channel takes.
const longestCall = time.Hour

// touchedDuring returns the cells about which a read says nothing: calls that
// carry them were under way while it was, or may act after it.
func (t *tx) touchedDuring(channel ledgerdb.Channel, read ledgerdb.Delivery) (map[hotel.Cell]bool, error) {
	terms, err := termsOf(channel)
	if err != nil {
		return nil, err
	}
	rows, err := t.q.PushesDuring(t.ctx, ledgerdb.PushesDuringParams{
		ChannelID: channel.ID, Began: &read.SentAt,
		Dead: new(read.SentAt - terms.Lifetime.Microseconds()), Oldest: read.SentAt - (longestCall + terms.Lifetime).Microseconds(),
	})
	if err != nil {
		return nil, fmt.Errorf("calls beside a read: %w", err)
	}
	touched := map[hotel.Cell]bool{}
	for _, text := range rows {
		cells, err := unpackCells(text)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			touched[c.Cell] = true
		}
	}
	return touched, nil
}

// show stores the fourth fact of cells: what was shown, and when.
func (t *tx) show(channel string, at int64, cells []SentCell) error {
	for _, r := range packCells(cells, nil) {
		of := ledgerdb.ShowClosuresParams{Shown: &r.Value, At: &at, ChannelID: channel, Line: r.Line, First: int64(r.From), Last: int64(r.To)}
		var err error
		switch {
		case r.Group == hotel.Availability:
			err = t.q.ShowStock(t.ctx, ledgerdb.ShowStockParams(of))
		case r.Group == hotel.Closures:
			err = t.q.ShowClosures(t.ctx, of)
		case r.Group == hotel.Lengths:
			err = t.q.ShowLengths(t.ctx, ledgerdb.ShowLengthsParams(of))
		case r.Occupancy == 0:
			err = t.q.ShowPrices(t.ctx, ledgerdb.ShowPricesParams(of))
		default:
			err = t.q.ShowOccupancies(t.ctx, ledgerdb.ShowOccupanciesParams{
				Shown: of.Shown, At: &at, ChannelID: channel, Line: r.Line, Occupancy: int64(r.Occupancy), First: of.First, Last: of.Last,
			})
		}
		if err != nil {
			return fmt.Errorf("store what counter or mapping %d shows: %w", r.Line, err)
		}
	}
	return nil
}

// ReadDone stores that everything which a channel shows was read, by calls of
// which the first began at an instant.
func (l *Ledger) ReadDone(ctx context.Context, channel string, began time.Time) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		return t.q.SetRead(t.ctx, ledgerdb.SetReadParams{ReadAt: microsOrNil(began), ID: channel})
	})
}

func cellsOfSent(cells []SentCell) []hotel.Cell {
	out := make([]hotel.Cell, len(cells))
	for i, c := range cells {
		out[i] = c.Cell
	}
	return out
}
