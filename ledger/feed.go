package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sort"
	"time"
)

// Entry returns one entry of the journal by its id, or [ErrNotFound].
func (l *Ledger) Entry(ctx context.Context, id string) (Entry, error) {
	row, err := l.read.GetEntryByID(ctx, id)
	if err != nil {
		return Entry{}, notFound(err)
	}
	return entryOf(row), nil
}

// NextEntryAt returns the instant of the first entry behind a sequence; it
// reports false when there is none.
func (l *Ledger) NextEntryAt(ctx context.Context, after int64) (time.Time, bool, error) {
	row, err := l.read.EntryTimeAfter(ctx, after)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read the journal behind %d: %w", after, err)
	}
	return instant(row.At), true, nil
}

// SequenceBefore returns the sequence of the last entry that is older than an
// instant, 0 when there is none. Instants of entries never decrease, so that it
// is found by halves.
func (l *Ledger) SequenceBefore(ctx context.Context, at time.Time) (int64, error) {
	newest, err := l.Sequence(ctx)
	if err != nil {
		return 0, err
	}
	var failed error
	n := sort.Search(int(newest), func(after int) bool {
		next, there, err := l.NextEntryAt(ctx, int64(after))
		failed = errors.Join(failed, err)
		return !there || !next.Before(at)
	})
	return int64(n), failed
}
