package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
)

// pickUp checks that rooms can be drawn from a block, one of the named type on
// each night. It reports whether the block deducts: then the rooms need not be
// free, for they are the block's already. Nights that the same reservation had
// drawn before must have been given back in this item.
func (t *tx) pickUp(s *structure, id string, rooms map[hotel.Date]string) (deducts bool, err error) {
	b, err := readOne[hotel.Block](t.q.GetBlock(t.ctx, id))
	if errors.Is(err, ErrNotFound) || err == nil && b.PropertyID != s.property.ID {
		return false, hotel.Invalid("/block_id", "unknown_option", "the property has no block %q", id)
	}
	if err != nil {
		return false, fmt.Errorf("read block %s: %w", id, err)
	}
	picked, err := pickedUp(t.ctx, t.q, id)
	if err != nil {
		return false, err
	}
	var missing []string
	for _, d := range slices.Sorted(maps.Keys(rooms)) {
		if b.Remaining(rooms[d], d, picked[nightKey{d, product{room: rooms[d]}}]) == 0 {
			missing = append(missing, d.String())
		}
	}
	if len(missing) == 0 {
		return b.TakesRooms(), nil
	}
	refusal := hotel.Refuse("not_available", "the block has no room of this type left on %d of the %d nights", len(missing), len(rooms))
	refusal.Members = map[string]any{"nights": missing, "reason": "block"}
	return false, refusal
}
