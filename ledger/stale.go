package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// staleAfter is how long a channel may owe something before it is stale.
const staleAfter = time.Minute

// staleSince returns since when a channel shows something that is out of date: the
// instant of the oldest entry that it has not confirmed, or its own last change
// where that is later. Zero: it is not stale. It is worked out each time, so that
// nothing has to notice, or to survive a restart.
func staleSince(ctx context.Context, q *ledgerdb.Queries, c hotel.ChannelState, now time.Time) (time.Time, error) {
	if !c.Told() {
		return time.Time{}, nil
	}
	at, err := q.EntryTimeAfter(ctx, c.SyncedThrough)
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, nil // it owes nothing
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("what channel %s owes: %w", c.ID, err)
	}
	since := instant(at.At)
	if c.UpdatedAt.After(since) {
		since = c.UpdatedAt
	}
	if now.Sub(since) < staleAfter {
		return time.Time{}, nil
	}
	return since, nil
}
