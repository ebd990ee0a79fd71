package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

func (t *tx) ariUpdate(id string) (hotel.AriUpdate, error) {
	row, err := t.q.GetAriUpdate(t.ctx, id)
	return ariUpdateOf(row), err
}

// putUpdate stores the update itself. It made the journal entries from first on;
// those up to its sequence are facts, unless all that follows from them is among
// them already. An update that no channel needs to hear of is complete.
func (t *tx) putUpdate(upd *hotel.AriUpdate, first int64, followed bool) error {
	upd.CreatedAt, upd.UpdatedAt, upd.Revision, upd.Status = t.now, t.now, 1, hotel.UpdateSyncing
	told, err := t.l.told(t.ctx, t.q, upd.PropertyID)
	if err != nil {
		return err
	}
	if !told || upd.CellsChanged == 0 {
		upd.Status = hotel.UpdateCompleted
	}
	row := ledgerdb.InsertAriUpdateParams{
		ID: upd.ID, PropertyID: upd.PropertyID, Kind: upd.Kind, First: first, Sequence: upd.Sequence, Entries: int64(upd.Entries),
		CellsMatched: int64(upd.CellsMatched), CellsChanged: int64(upd.CellsChanged), Status: string(upd.Status), CreatedAt: t.micros(),
	}
	if followed {
		row.Followed = &upd.Sequence
	}
	if err := t.q.InsertAriUpdate(t.ctx, row); err != nil {
		return fmt.Errorf("store update: %w", err)
	}
	return t.putEntryResults(upd.ID, upd.Results)
}

// told reports whether any channel of the property is told anything.
func (l *Ledger) told(ctx context.Context, q *ledgerdb.Queries, property string) (bool, error) {
	rows, err := q.ListChannelsOf(ctx, property)
	if err != nil {
		return false, fmt.Errorf("list channels: %w", err)
	}
	for _, r := range rows {
		c, err := channelOf(r)
		if err != nil {
			return false, err
		}
		if c.Told() {
			return true, nil
		}
	}
	return false, nil
}

// appendFacts journals the new facts of one subject.
func (t *tx) appendFacts(property string, c *change) (*layer, error) {
	spans := make([]hotel.Span, len(c.layer.runs))
	for i, r := range c.layer.runs {
		spans[i] = r.Span
	}
	// What channels are shown of the house is no house value: they read it here.
	seq, err := t.append(entry{
		property: property, kind: c.layer.sheet.kind(), subject: c.layer.subject, offers: c.layer.sheet == shownSheet, nights: spans, body: c.body,
	})
	l := c.layer
	l.sequence, l.at = seq, t.micros()
	return &l, err
}

// storeAtOnce stores the changes, and all that follows from them, in this item.
// It returns the sequence of the last fact.
func (t *tx) storeAtOnce(s *structure, list []change) (int64, error) {
	for i := range list {
		l, err := t.appendFacts(s.property.ID, &list[i])
		if err != nil {
			return 0, err
		}
		if err := t.putFacts(s.property.ID, l, l.span()); err != nil {
			return 0, err
		}
		a := affected{property: s.property.ID, stock: l.sheet.stock(), nights: list[i].nights}
		if !a.stock {
			a.affect(l.sheet.kind(), s.sellingBy(l))
		}
		if err := t.follow(s, a, l.sequence); err != nil {
			return 0, err
		}
	}
	if err := t.turn(); err != nil { // the update is not followed before
		return 0, err
	}
	return t.heads.sequence, nil
}
