package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/drift"
	"ostler.example/hotel/exposure"
	"ostler.example/ledger/internal/ledgerdb"
)

// overshown is a counter of a guarded pool that shows more than its account leaves it:
// somebody has raised it by hand.
type overshown struct {
	cell    hotel.Cell
	shown   int64
	granted int64 // what is left of it, by what was heard of
}

func overshownBy(h *holding, shown int) overshown {
	e, _ := h.now.Exposure(h.live)
	return overshown{h.cell(), int64(shown), int64(e)}
}

// surelySold is how many bookings of a channel's counters are recorded of which nobody is
// asked whether they count.
func (t *tx) surelySold(row ledgerdb.Channel, span hotel.Span) (map[partyNight]int, error) {
	rows, err := t.q.SurelySold(t.ctx, ledgerdb.SurelySoldParams{ChannelID: row.ID, First: int64(span.From), Last: int64(span.To)})
	if err != nil {
		return nil, fmt.Errorf("what counters of %s have sold: %w", row.ID, err)
	}
	sold := make(map[partyNight]int, len(rows))
	for _, r := range rows {
		sold[partyNight{r.Line, hotel.Date(r.Night)}] = int(r.Rooms)
	}
	return sold, nil
}

// overshownIn looks among counts of guarded pools that were read for those above what
// was granted. Which somebody has raised for certain is closed, and noted as a difference.
// What a guest may explain who is yet to be heard of is looked at again, as [comparison.lasting]
// has it.
func (c *comparison) overshownIn(table *cellTable, cells []SentCell) error {
	held, err := c.t.holdings(c.row.PropertyID, spanOfCells(cells))
	if err != nil {
		return err
	}
	cells = slices.DeleteFunc(cells, func(s SentCell) bool {
		h := held.at(s.Cell.Line, s.Cell.Night)
		return h == nil || h.now.Unknown || int(s.Value)+h.live <= h.now.Account
	})
	if len(cells) == 0 {
		return nil
	}
	sold, err := c.t.surelySold(c.row, spanOfCells(cells))
	if err != nil {
		return err
	}
	lists, a := exposure.LevelOf(c.terms) != exposure.OneWay, exposure.Of(c.terms)
	for _, s := range cells {
		h := held.at(s.Cell.Line, s.Cell.Night)
		rooms, sure := h.now.Beyond(int(s.Value), sold[h.at()], h.ability(a))
		if rooms > 0 && !sure {
			if sure, err = c.lasting(table.at(s.Cell), s); err != nil {
				return err
			}
		}
		if !sure {
			continue
		}
		c.overshows(table, overshownBy(h, int(s.Value)))
		if h.now = h.now.Overshown(rooms); !lists {
			h.now.Accepted = 0 // nothing ever shows what it has sold of them but its own word
		}
	}
	return held.save()
}

// lasting reports whether a count has been seen so for so long that every guest who may have
// given a room back by then is known, while nothing was heard of the counter and nothing was
// told it. Seen for the first time, it is noted.
func (c *comparison) lasting(g *group, s SentCell) (bool, error) {
	rows, err := c.t.q.Drifts(c.t.ctx, ledgerdb.DriftsParams{ChannelID: c.row.ID, Line: s.Cell.Line, First: int64(s.Cell.Night), Last: int64(s.Cell.Night)})
	if err != nil {
		return false, fmt.Errorf("drift of channel %s: %w", c.row.ID, err)
	}
	var row ledgerdb.Drift
	if at := slices.IndexFunc(rows, func(r ledgerdb.Drift) bool { return hotel.Group(r.Grp) == hotel.Availability }); at >= 0 {
		row = rows[at]
	}
	same := drift.Verdict(row.Verdict) == drift.Sale && row.Shown == s.Value && row.LastAt >= c.t.now.Add(-fightFor).UnixMicro() &&
		(g.heldAt == nil || *g.heldAt < row.FirstAt)
	if same && g.ownSeq > 0 {
		heard, err := c.t.q.EntryBefore(c.t.ctx, g.ownSeq)
		if err != nil && !errors.Is(err, sql.ErrNoRows) { // else it was cut away, and is old
			return false, fmt.Errorf("when counter %d was heard of: %w", s.Cell.Line, err)
		}
		same = err != nil || heard.At < row.FirstAt
	}
	if same && c.heard(instant(row.FirstAt)) {
		return true, nil
	}
	if !same {
		row.FirstAt = c.read.SentAt
	}
	err = c.t.q.PutDrift(c.t.ctx, ledgerdb.PutDriftParams{
		ChannelID: c.row.ID, Line: s.Cell.Line, Grp: int64(hotel.Availability), Night: int64(s.Cell.Night),
		Verdict: string(drift.Sale), Shown: s.Value, Before: g.shownSince(), Again: row.Again, FirstAt: row.FirstAt, LastAt: c.t.micros(),
	})
	if err != nil {
		return false, fmt.Errorf("note what channel %s shows: %w", c.row.ID, err)
	}
	return false, nil
}

// overshows notes such a counter among the differences.
func (c *comparison) overshows(table *cellTable, o overshown) {
	g := table.cells.at(o.cell)
	if g == nil {
		return
	}
	c.found = append(c.found, difference{
		SentCell: SentCell{Cell: o.cell, Value: o.shown}, was: &o.granted, want: &o.granted, before: g.shownSince(), held: g.held, told: g.heldSeq, guarded: true,
	})
}

// tellOvershown stores what such counters were seen to show at an instant, in microseconds,
// and tells whom it concerns.
func (t *tx) tellOvershown(row ledgerdb.Channel, at int64, list []overshown) error {
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b overshown) int { return compareCells(a.cell, b.cell) })
	cells, table := make([]SentCell, len(list)), t.cellsOf(row)
	for i, o := range list {
		cells[i] = SentCell{Cell: o.cell, Value: o.shown}
	}
	if err := table.load(cellsOfSent(cells)); err != nil {
		return err
	}
	c, err := t.compare(row, ledgerdb.Delivery{SentAt: at})
	if err != nil {
		return err
	}
	for _, o := range list {
		c.overshows(table, o)
	}
	if err := c.judge(table); err != nil {
		return err
	}
	if err := table.save(); err != nil {
		return err
	}
	if err := t.show(row.ID, at, cells); err != nil {
		return err
	}
	t.effects.touchOffers(row.PropertyID)
	return nil
}
