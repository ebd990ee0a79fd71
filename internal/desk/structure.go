package desk

import (
	"context"

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
