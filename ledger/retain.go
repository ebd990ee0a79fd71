package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// retainReader is the cursor that notes when Retain last ran through.
const retainReader = "retain"

// Retain removes what is older than so many months, counted in whole ones: what
// was overwritten in the journal, settled calls to channels, who was shown which
// person's data, how well the service worked, and what channels were to show on nights that are over. 0 keeps everything. It works once a day,
// however often it is called.
func (l *Ledger) Retain(ctx context.Context, months int) error {
	if months == 0 {
		return nil
	}
	now := l.clock.Now().UTC()
	last, err := l.read.GetCursor(ctx, retainReader)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read when old things were removed: %w", err)
	}
	if dateOf(instant(last.Position)) == dateOf(now) {
		return nil
	}
	before := time.Date(now.Year(), now.Month()-time.Month(months), 1, 0, 0, 0, 0, time.UTC)
	if err := l.CutJournal(ctx, before); err != nil {
		return err
	}
	if err := l.pruneDeliveries(ctx, before); err != nil {
		return err
	}
	if err := l.pruneAccesses(ctx, before); err != nil {
		return fmt.Errorf("remove who was shown people's data: %w", err)
	}
	if err := l.pruneCells(ctx, dateOf(before)-1); err != nil {
		return err
	}
	return l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		if err := t.q.DeleteWork(t.ctx, int64(dateOf(before))); err != nil {
			return fmt.Errorf("remove what the service did: %w", err)
		}
		return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: retainReader, Position: t.micros()})
	})
}

func dateOf(t time.Time) hotel.Date {
	y, m, d := t.UTC().Date()
	return hotel.DateOf(y, m, d)
}

func (l *Ledger) pruneDeliveries(ctx context.Context, before time.Time) error {
	ids, err := l.read.OldDeliveries(ctx, before.UnixMicro())
	if err != nil {
		return fmt.Errorf("list old calls: %w", err)
	}
	for part := range slices.Chunk(ids, cutItem) {
		err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
			return t.q.DeleteDeliveries(t.ctx, part)
		})
		if err != nil {
			return fmt.Errorf("remove old calls: %w", err)
		}
	}
	return nil
}

// pruneCells removes the cells of nights before one, and what is told of calls
// that were removed, an item for each line of each channel.
func (l *Ledger) pruneCells(ctx context.Context, before hotel.Date) error {
	channels, err := l.read.ListChannels(ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	for _, c := range channels {
		counters, mappings, err := loadLines(ctx, l.read, c.ID)
		if err != nil {
			return err
		}
		for _, line := range counters {
			if err := l.pruneLine(ctx, func(t *tx) error {
				return errors.Join(
					t.q.DeleteStockCells(t.ctx, ledgerdb.DeleteStockCellsParams{ChannelID: c.ID, Line: line.Line, Night: int64(before)}),
					t.q.DeleteCarried(t.ctx, ledgerdb.DeleteCarriedParams{ChannelID: c.ID, Stock: 1, Line: line.Line}),
				)
			}); err != nil {
				return err
			}
		}
		for _, line := range mappings {
			if err := l.pruneLine(ctx, func(t *tx) error {
				return errors.Join(
					t.q.DeletePriceCells(t.ctx, ledgerdb.DeletePriceCellsParams{ChannelID: c.ID, Line: line.Line, Night: int64(before)}),
					t.q.DeleteOccupancyCells(t.ctx, ledgerdb.DeleteOccupancyCellsParams{ChannelID: c.ID, Line: line.Line, Night: int64(before)}),
					t.q.DeleteCarried(t.ctx, ledgerdb.DeleteCarriedParams{ChannelID: c.ID, Line: line.Line}),
				)
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Ledger) pruneLine(ctx context.Context, remove func(t *tx) error) error {
	if err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, remove); err != nil {
		return fmt.Errorf("remove cells of nights that are over: %w", err)
	}
	return nil
}
