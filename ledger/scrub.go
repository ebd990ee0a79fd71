package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// scrubReader is the cursor that counts how often something was removed of which copies may
// be left in the files (position), and up to which of these they are gone (sequence).
const scrubReader = "scrub"

// oweScrub notes that something is removed here of which copies may be left in the files,
// until [Ledger.scrubOwed] has been there: what a program that was killed did not do is done
// by the next start.
func (t *tx) oweScrub() error {
	c, err := t.q.GetCursor(t.ctx, scrubReader)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: scrubReader, Sequence: c.Sequence, Position: c.Position + 1})
}

// scrubOwed lists people who were forgotten, and removes what copies may be left of them
// and of whatever else was to leave none.
//
// The files are written anew by one at a time. Who has waited for that finds that it was
// for its sake too, unless it came after that had begun: however many ask at once, it is
// done twice at the most.
func (l *Ledger) scrubOwed(ctx context.Context) error {
	select {
	case l.scrubbing <- struct{}{}:
		defer func() { <-l.scrubbing }()
	case <-ctx.Done():
		return fmt.Errorf("wait for others who have the files written anew: %w", context.Cause(ctx))
	}
	owed, err := l.read.GetCursor(ctx, scrubReader)
	if errors.Is(err, sql.ErrNoRows) || err == nil && owed.Sequence == owed.Position {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read what copies may be left of: %w", err)
	}
	if err := l.listForgotten(ctx, nil); err != nil {
		return err
	}
	if err := l.w.scrub(ctx); err != nil {
		return err
	}
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		now, err := t.q.GetCursor(t.ctx, scrubReader)
		if err != nil {
			return err
		}
		return t.q.PutCursor(t.ctx, ledgerdb.PutCursorParams{Reader: scrubReader, Sequence: owed.Position, Position: now.Position})
	})
}
