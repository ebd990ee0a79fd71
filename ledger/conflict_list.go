package ledger

import (
	"context"
	"fmt"
	"slices"

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
	if slices.Equal(f.Statuses, []hotel.ConflictStatus{hotel.ConflictOpen}) {
		return l.openConflicts(ctx, f)
	}
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

// openConflicts is [Ledger.Conflicts] of those that are open: they are few beside all that
// were ever settled, through which nobody need look for them.
func (l *Ledger) openConflicts(ctx context.Context, f hotel.ConflictFilter) ([]hotel.Conflict, error) {
	open, err := readAll[hotel.Conflict](l.read.OpenConflictsOf(ctx, f.PropertyID))
	if err != nil {
		return nil, fmt.Errorf("list open conflicts of %s: %w", f.PropertyID, err)
	}
	var out []hotel.Conflict
	for i := range slices.Backward(open) {
		if f.After != "" && open[i].ID >= f.After || !f.Matches(&open[i]) {
			continue
		}
		if out = append(out, open[i]); len(out) == f.Limit {
			break
		}
	}
	return out, nil
}
