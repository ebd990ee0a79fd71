package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// RatePlans lists the rate plans of a property, of every granted one when
// propertyID is "".
func (d *Desk) RatePlans(ctx context.Context, c Caller, propertyID string) ([]hotel.RatePlan, error) {
	return gather(ctx, d, c, auth.RatesRead, propertyID, d.ledger.RatePlans)
}

// RatePlan returns one rate plan.
func (d *Desk) RatePlan(ctx context.Context, c Caller, id string) (hotel.RatePlan, error) {
	if err := c.need(auth.RatesRead); err != nil {
		return hotel.RatePlan{}, err
	}
	p, err := d.ledger.RatePlan(ctx, id)
	if err != nil {
		return hotel.RatePlan{}, said(err)
	}
	if err := c.find(p.PropertyID); err != nil {
		return hotel.RatePlan{}, err
	}
	return p, nil
}
