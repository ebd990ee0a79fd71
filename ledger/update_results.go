package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/hotel/card"
	"ostler.example/ledger/internal/ledgerdb"
)

// keptFaults is how many faults of an update's entries are kept, and at least one of each
// entry: whoever sends a thousand bad entries shall not fill the disk with them.
const keptFaults = 1000

// putEntryResults keeps what became of the entries of an update, so that who has not had
// the answer can read it.
func (t *tx) putEntryResults(id string, results []hotel.EntryResult) error {
	list := make([]any, len(results))
	for i, r := range results {
		if list[i] = r.Changed; len(r.Faults) > 0 {
			list[i] = withoutCards(r.Faults[:min(len(r.Faults), max(1, keptFaults/len(results)))])
		}
	}
	text, err := json.Marshal(list)
	if err == nil {
		err = t.q.InsertAriUpdateResult(t.ctx, ledgerdb.InsertAriUpdateResultParams{UpdateID: id, Entries: string(text)})
	}
	if err != nil {
		return fmt.Errorf("store what became of the entries of %s: %w", id, err)
	}
	return nil
}

// withoutCards are faults as they are kept: one may tell what was sent.
func withoutCards(faults []hotel.RefusedItem) []hotel.RefusedItem {
	faults = slices.Clone(faults)
	for i := range faults {
		for _, text := range []*string{&faults[i].Pointer, &faults[i].Detail} {
			*text = string(card.Mask([]byte(*text)))
		}
	}
	return faults
}

// entryResults is what became of the entries of an update.
func entryResults(ctx context.Context, q *ledgerdb.Queries, id string) ([]hotel.EntryResult, error) {
	text, err := q.GetAriUpdateResult(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read what became of the entries of %s: %w", id, err)
	}
	var list []json.RawMessage
	err = json.Unmarshal([]byte(text), &list)
	var results []hotel.EntryResult // nil of an undo, which has no entries
	if len(list) > 0 {
		results = make([]hotel.EntryResult, len(list))
	}
	for i := range list {
		if err != nil {
			break
		}
		if list[i][0] == '[' {
			err = json.Unmarshal(list[i], &results[i].Faults)
		} else {
			err = json.Unmarshal(list[i], &results[i].Changed)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("decode what became of the entries of %s: %w", id, err)
	}
	return results, nil
}
