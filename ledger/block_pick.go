package ledger

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"ostler.example/hotel"
)

// NoBlock refuses to draw from a block that there is not, or not for who asks.
func NoBlock() error {
	return hotel.Invalid("/block_id", "unknown_option", "the property has no block of that id")
}

// pickUp returns the block when rooms can be drawn from it, one of the named type
// on each night. Nights that the same reservation had drawn before must have been
// given back in this item.
func (t *tx) pickUp(s *structure, id string, rooms map[hotel.Date]string) (*hotel.Block, error) {
	return t.pickUpBeside(s, id, rooms, nil)
}

// pickUpBeside is pickUp where others draw from the block whom nothing stored tells
// of.
func (t *tx) pickUpBeside(s *structure, id string, rooms map[hotel.Date]string, others map[nightKey]int) (*hotel.Block, error) {
	b, err := readOne[hotel.Block](t.q.GetBlock(t.ctx, id))
	if errors.Is(err, ErrNotFound) || err == nil && b.PropertyID != s.property.ID {
		return nil, NoBlock()
	}
	if err != nil {
		return nil, fmt.Errorf("read block %s: %w", id, err)
	}
	picked, err := pickedUp(t.ctx, t.q, &b)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, d := range slices.Sorted(maps.Keys(rooms)) {
		at := nightKey{d, product{room: rooms[d]}}
		if b.Remaining(rooms[d], d, picked[at]+others[at]) == 0 {
			missing = append(missing, d.String())
		}
	}
	if len(missing) == 0 {
		return &b, nil
	}
	refusal := hotel.Refuse("not_available", "the block has no room of this type left on %d of the %d nights", len(missing), len(rooms))
	refusal.Members = map[string]any{"nights": missing, "reason": "block"}
	return nil, refusal
}
