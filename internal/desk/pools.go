package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Pools lists the pools of a property, of every granted one when propertyID
// is "".
func (d *Desk) Pools(ctx context.Context, c Caller, propertyID string) ([]hotel.Pool, error) {
	return gather(ctx, d, c, auth.PropertiesRead, propertyID, d.ledger.Pools)
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
