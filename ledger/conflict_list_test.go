package ledger

import (
	"context"
	"fmt"
	"testing"

	"ostler.example/hotel"
)

// Open conflicts are listed as all are: the newest first, page by page, and without what
// was settled.
func TestOpenConflictsAreListedByPage(t *testing.T) {
	h, ctx := newHouse(t), context.Background()
	h.newFarSide(t, 5)
	for i := range 5 {
		h.unmapped(t, fmt.Sprint("K", i))
	}
	all := must(h.Conflicts(ctx, hotel.ConflictFilter{PropertyID: h.property.ID, Limit: 10}))(t)
	h.resolve(t, all[1], hotel.OptionKeepUnassigned, "")
	f := hotel.ConflictFilter{PropertyID: h.property.ID, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Kinds: []hotel.ConflictKind{hotel.ConflictUnmapped}, Limit: 3}
	var got []string
	for {
		page := must(h.Conflicts(ctx, f))(t)
		if len(page) == 0 {
			break
		}
		for _, k := range page {
			got = append(got, k.ID)
		}
		f.After, f.Limit = got[len(got)-1], 1
	}
	if want := []string{all[0].ID, all[2].ID, all[3].ID, all[4].ID}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("open are %v, want %v", got, want)
	}
}
