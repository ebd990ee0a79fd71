package desk

import (
	"context"
	"errors"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// Properties lists the properties that the caller was granted.
func (d *Desk) Properties(ctx context.Context, c Caller) ([]hotel.Property, error) {
	if err := c.need(auth.PropertiesRead); err != nil {
		return nil, err
	}
	return d.granted(ctx, c)
}

// Property returns one property.
func (d *Desk) Property(ctx context.Context, c Caller, id string) (hotel.Property, error) {
	if err := c.enter(auth.PropertiesRead, id); err != nil {
		return hotel.Property{}, err
	}
	return d.property(ctx, id)
}

// Today returns the property's business date.
func (d *Desk) Today(p hotel.Property) hotel.Date { return d.today(&p) }

// granted lists the properties of the caller, whatever its scopes.
func (d *Desk) granted(ctx context.Context, c Caller) ([]hotel.Property, error) {
	all, err := d.ledger.Properties(ctx)
	if err != nil {
		return nil, said(err)
	}
	return slices.DeleteFunc(all, func(p hotel.Property) bool { return !c.Sees(p.ID) }), nil
}

// among lists the properties that something is asked of: those that are named,
// every granted one when none is.
func (d *Desk) among(ctx context.Context, c Caller, ids []string) ([]hotel.Property, error) {
	granted, err := d.granted(ctx, c)
	if err != nil || len(ids) == 0 {
		return granted, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(granted, func(p hotel.Property) bool { return p.ID == id }) {
			return nil, noProperty()
		}
	}
	return slices.DeleteFunc(granted, func(p hotel.Property) bool { return !slices.Contains(ids, p.ID) }), nil
}

// property reads a property that the caller was granted.
func (d *Desk) property(ctx context.Context, id string) (hotel.Property, error) {
	p, err := d.ledger.Property(ctx, id)
	if errors.Is(err, ledger.ErrNotFound) {
		return hotel.Property{}, noProperty()
	}
	return p, said(err)
}

// gather lists what read gives for each of the properties that are named; for every
// granted one when none is.
func gather[T any](
	ctx context.Context, d *Desk, c Caller, scope auth.Scope, properties []string,
	read func(ctx context.Context, propertyID string) ([]T, error),
) ([]T, error) {
	if err := c.need(scope); err != nil {
		return nil, err
	}
	among, err := d.among(ctx, c, properties)
	if err != nil {
		return nil, err
	}
	var all []T
	for _, p := range among {
		list, err := read(ctx, p.ID)
		if err != nil {
			return nil, said(err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// CreateProperty makes a property. Replayed tells that the request's key had its
// effect before.
func (d *Desk) CreateProperty(ctx context.Context, c Caller, p hotel.Property) (made hotel.Property, replayed bool, err error) {
	if err := c.need(auth.PropertiesWrite); err != nil {
		return made, false, err
	}
	if !c.SeesAll() && (p.ID == "" || !c.Sees(p.ID)) {
		return made, false, hotel.Refuse("insufficient_scope", "only a client that was granted every property, or this one by its id, can make it")
	}
	made, replayed, err = d.ledger.CreateProperty(ctx, c.by(), c.Once, p)
	return made, replayed, said(err)
}

// ChangeProperty makes a property different.
func (d *Desk) ChangeProperty(ctx context.Context, c Caller, id string, to hotel.Change[hotel.Property]) (hotel.Property, bool, error) {
	if err := c.enter(auth.PropertiesWrite, id); err != nil {
		return hotel.Property{}, false, err
	}
	return change(ctx, c, auth.PropertiesWrite, id, to, d.property, ofItself, d.ledger.ChangeProperty)
}

// ArchiveProperty ends a property that nothing needs any more.
func (d *Desk) ArchiveProperty(ctx context.Context, c Caller, id string, ifRevision int64) (hotel.Property, bool, error) {
	if err := c.enter(auth.PropertiesWrite, id); err != nil {
		return hotel.Property{}, false, err
	}
	return change(ctx, c, auth.PropertiesWrite, id, ifRevision, d.property, ofItself, d.ledger.ArchiveProperty)
}

func ofItself(p hotel.Property) string { return p.ID }
