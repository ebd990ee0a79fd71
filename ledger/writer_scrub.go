package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/sqlite"
)

// logEmptied is how long somebody waits for readers that keep the log in use.
const logEmptied = 30 * time.Second

// scrub returns when nothing of what was removed can be read in any file. SQLite
// overwrites what it removes, but not the copies that it leaves in the free space
// of a page when rows move to another one: so the database is written anew, between
// two batches, which takes about a second for 200 MB. Then its write-ahead log is
// emptied, which waits for readers that are in the middle of something.
func (w *writer) scrub(ctx context.Context) error {
	if _, err := w.between(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("write the database anew: %w", err)
	}
	ctx, stop := context.WithTimeoutCause(ctx, logEmptied, errors.New("readers keep the log in use"))
	defer stop()
	for {
		busy, err := w.between(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		if err != nil {
			return fmt.Errorf("empty the write-ahead log: %w", err)
		}
		if !busy {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("empty the write-ahead log: %w", context.Cause(ctx))
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// between runs a statement between two batches, where no transaction is open, and
// returns whether readers kept it from what it was to do. It waits for nobody.
func (w *writer) between(ctx context.Context, statement string) (busy bool, err error) {
	var answer int64
	var failed error
	err = w.l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		t.effects.publish = append(t.effects.publish, func() {
			// A caller's context would end the statement in the middle.
			ctx := context.Background()
			// Written anew it needs as much room once more: on the disk, not in memory.
			_, before := w.conn.ExecContext(ctx, "PRAGMA busy_timeout = 0; PRAGMA temp_store = FILE")
			var frames, done int64 // of the log
			err := w.conn.QueryRowContext(ctx, statement).Scan(&answer, &frames, &done)
			if errors.Is(err, sql.ErrNoRows) { // a statement that answers nothing
				err = nil
			}
			_, after := w.conn.ExecContext(ctx, w.l.busyTimeout())
			failed = errors.Join(before, err, after, sqlite.KeepUndoInMemory(ctx, w.conn))
		})
		return nil
	})
	if err != nil {
		return false, err // what the statement writes to may still be written to
	}
	return answer != 0, failed
}
