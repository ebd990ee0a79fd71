package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Conflict returns one conflict, or [ErrNotFound].
func (l *Ledger) Conflict(ctx context.Context, id string) (hotel.Conflict, error) {
	return readOne[hotel.Conflict](l.read.GetConflict(ctx, id))
}

// conflictPage is how many conflicts are looked through at a time.
const conflictPage = 500

// Conflicts lists conflicts of a property that the filter lets through, the newest
// first.
func (l *Ledger) Conflicts(ctx context.Context, f hotel.ConflictFilter) ([]hotel.Conflict, error) {
	var out []hotel.Conflict
	before := f.After
	if before == "" {
		before = "\x7f" // behind every id
	}
	for {
		page, err := readAll[hotel.Conflict](l.read.ListConflicts(ctx, ledgerdb.ListConflictsParams{PropertyID: f.PropertyID, Before: before, AtMost: conflictPage}))
		if err != nil {
			return nil, fmt.Errorf("list conflicts of %s: %w", f.PropertyID, err)
		}
		for i := range page {
			if before = page[i].ID; !f.Matches(&page[i]) {
				continue
			}
			if out = append(out, page[i]); len(out) == f.Limit {
				return out, nil
			}
		}
		if len(page) < conflictPage {
			return out, nil
		}
	}
}
