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
	b, err := t.blockOf(s, id)
	if err != nil {
		return nil, err
	}
	picked, err := pickedUp(t.ctx, t.q, b)
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
		return b, nil
	}
	refusal := hotel.Refuse("not_available", "the block has no room of this type left on %d of the %d nights", len(missing), len(rooms))
	refusal.Members = map[string]any{"nights": missing, "reason": "block"}
	return nil, refusal
}

// blockOf reads a block of the property that somebody draws from.
func (t *tx) blockOf(s *structure, id string) (*hotel.Block, error) {
	b, err := readOne[hotel.Block](t.q.GetBlock(t.ctx, id))
	switch {
	case errors.Is(err, ErrNotFound) || err == nil && b.PropertyID != s.property.ID:
		return nil, NoBlock()
	case err != nil:
		return nil, fmt.Errorf("read block %s: %w", id, err)
	}
	return &b, nil
}

// agreedPlan puts a draw on the plan that was agreed for its block, whatever plan it
// names: its price, meals and penalties are those of the plan. It reports whether there
// is such a plan; who draws from the block need not sell it otherwise.
func (t *tx) agreedPlan(s *structure, r *hotel.Reservation) (bool, error) {
	if r.BlockID == "" {
		return false, nil
	}
	b, err := t.blockOf(s, r.BlockID)
	if err != nil || b.RatePlanID == "" {
		return false, err
	}
	r.RatePlanID = b.RatePlanID
	return true, nil
}
