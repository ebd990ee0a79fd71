package desk

import (
	"bytes"
	"context"
	"encoding/json"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// create makes a part of a house in a property that the caller was granted.
func create[R any](
	ctx context.Context, d *Desk, c Caller, scope auth.Scope, propertyID string, r R,
	do func(ctx context.Context, by hotel.By, once hotel.Once, r R) (R, bool, error),
) (made R, replayed bool, err error) {
	if err := c.enter(scope, propertyID); err != nil {
		return made, false, err
	}
	if _, err := d.property(ctx, propertyID); err != nil {
		return made, false, err
	}
	made, replayed, err = do(ctx, c.by(), c.Once, r)
	return made, replayed, said(err)
}

// change changes or archives a part of a house that the caller may see; what says
// how.
func change[R, W any](
	ctx context.Context, c Caller, scope auth.Scope, id string, what W,
	get func(ctx context.Context, id string) (R, error), property func(R) string,
	do func(ctx context.Context, by hotel.By, once hotel.Once, id string, what W) (R, bool, error),
) (changed R, replayed bool, err error) {
	if err := c.need(scope); err != nil {
		return changed, false, err
	}
	r, err := get(ctx, id)
	if err != nil {
		return changed, false, said(err)
	}
	if err := c.find(property(r)); err != nil {
		return changed, false, err
	}
	changed, replayed, err = do(ctx, c.by(), c.Once, id, what)
	return changed, replayed, said(err)
}

// leaves returns a change of a part of a property that is refused where it moves what the
// property has given to its PMS, and the caller is not that. said is the part's word on it.
func leaves[R any](
	ctx context.Context, d *Desk, c Caller, propertyID string, truth func(hotel.Truth) hotel.Authority, said func(*R) any, to hotel.Change[R],
) (hotel.Change[R], error) {
	p, err := d.property(ctx, propertyID)
	if err != nil {
		return to, err
	}
	refusal := c.owned(p, truth)
	if refusal == nil {
		return to, nil
	}
	apply := to.Apply
	to.Apply = func(r *R) error {
		was, err := json.Marshal(said(r)) // a change may write through pointers
		if err != nil {
			return err
		}
		if err := apply(r); err != nil {
			return err
		}
		is, err := json.Marshal(said(r))
		if err == nil && !bytes.Equal(was, is) {
			err = refusal
		}
		return err
	}
	return to, nil
}
