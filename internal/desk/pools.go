package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Pools lists the pools of a property, of every granted one when propertyID
// is "".
func (d *Desk) Pools(ctx context.Context, c Caller, properties ...string) ([]hotel.Pool, error) {
	return gather(ctx, d, c, auth.PropertiesRead, properties, d.ledger.Pools)
}

// Pool returns one pool.
func (d *Desk) Pool(ctx context.Context, c Caller, id string) (hotel.Pool, error) {
	if err := c.need(auth.PropertiesRead); err != nil {
		return hotel.Pool{}, err
	}
	p, err := d.ledger.Pool(ctx, id)
	if err != nil {
		return hotel.Pool{}, said(err)
	}
	if err := c.find(p.PropertyID); err != nil {
		return hotel.Pool{}, err
	}
	return p, nil
}

// RoomTypesAround lists the room types of the property of a pool that the caller sees.
func (d *Desk) RoomTypesAround(ctx context.Context, p hotel.Pool) ([]hotel.RoomType, error) {
	list, err := d.ledger.RoomTypes(ctx, p.PropertyID)
	return list, said(err)
}

// CreatePool makes a pool. Replayed tells that the request's key had its effect
// before.
func (d *Desk) CreatePool(ctx context.Context, c Caller, r hotel.Pool) (made hotel.Pool, replayed bool, err error) {
	return create(ctx, d, c, auth.PropertiesWrite, r.PropertyID, r, d.ledger.CreatePool)
}

// ChangePool makes a pool different. How many units it has is stock.
func (d *Desk) ChangePool(ctx context.Context, c Caller, id string, to hotel.Change[hotel.Pool]) (hotel.Pool, bool, error) {
	do := func(ctx context.Context, by hotel.By, once hotel.Once, id string, to hotel.Change[hotel.Pool]) (hotel.Pool, bool, error) {
		r, err := d.ledger.Pool(ctx, id)
		if err != nil {
			return r, false, err
		}
		if to, err = leaves(ctx, d, c, r.PropertyID, ofStock, func(r *hotel.Pool) any { return r.TotalUnits }, to); err != nil {
			return r, false, err
		}
		return d.ledger.ChangePool(ctx, by, once, id, to)
	}
	return change(ctx, c, auth.PropertiesWrite, id, to, d.ledger.Pool, propertyOfPool, do)
}

// ArchivePool ends a pool that nothing needs any more.
func (d *Desk) ArchivePool(ctx context.Context, c Caller, id string, ifRevision int64) (hotel.Pool, bool, error) {
	return change(ctx, c, auth.PropertiesWrite, id, ifRevision, d.ledger.Pool, propertyOfPool, d.ledger.ArchivePool)
}

func propertyOfPool(r hotel.Pool) string { return r.PropertyID }
