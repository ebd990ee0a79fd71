package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// RatePlans lists the rate plans of a property, of every granted one when
// propertyID is "".
func (d *Desk) RatePlans(ctx context.Context, c Caller, properties ...string) ([]hotel.RatePlan, error) {
	all, err := gather(ctx, d, c, auth.RatesRead, properties, d.ledger.RatePlans)
	return slices.DeleteFunc(all, func(p hotel.RatePlan) bool { return !c.seesPlan(p) }), err
}

// seesPlan reports whether the caller may see a plan. One that stands for a
// channel sees those that this channel sells.
func (c Caller) seesPlan(p hotel.RatePlan) bool {
	return !c.ota() || slices.Contains(p.SoldBy, c.ChannelID)
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
	if !c.seesPlan(p) {
		return hotel.RatePlan{}, nothing()
	}
	return p, nil
}

// CreateRatePlan makes a rate plan. Replayed tells that the request's key had its effect
// before.
func (d *Desk) CreateRatePlan(ctx context.Context, c Caller, r hotel.RatePlan) (made hotel.RatePlan, replayed bool, err error) {
	return create(ctx, d, c, auth.RatesWrite, r.PropertyID, r, d.ledger.CreateRatePlan)
}

// ChangeRatePlan makes a rate plan different.
func (d *Desk) ChangeRatePlan(ctx context.Context, c Caller, id string, to hotel.Change[hotel.RatePlan]) (hotel.RatePlan, bool, error) {
	return change(ctx, c, auth.RatesWrite, id, to, d.ledger.RatePlan, propertyOfRatePlan, d.ledger.ChangeRatePlan)
}

// ArchiveRatePlan ends a rate plan that nothing needs any more.
func (d *Desk) ArchiveRatePlan(ctx context.Context, c Caller, id string, ifRevision int64) (hotel.RatePlan, bool, error) {
	return change(ctx, c, auth.RatesWrite, id, ifRevision, d.ledger.RatePlan, propertyOfRatePlan, d.ledger.ArchiveRatePlan)
}

func propertyOfRatePlan(r hotel.RatePlan) string { return r.PropertyID }
