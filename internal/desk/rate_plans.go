package desk

import (
	"context"
	"fmt"
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

// CreateRatePlan makes a rate plan, whose defaults are restrictions. Replayed tells that the
// request's key had its effect before.
func (d *Desk) CreateRatePlan(ctx context.Context, c Caller, r hotel.RatePlan) (made hotel.RatePlan, replayed bool, err error) {
	do := func(ctx context.Context, by hotel.By, once hotel.Once, r hotel.RatePlan) (hotel.RatePlan, bool, error) {
		known, err := d.sellers(ctx, c, r.PropertyID)
		if err != nil {
			return r, false, err
		}
		if once.Refused = known.check(r.SoldBy); once.Refused == nil && r.Restrictions != (hotel.Restriction{}) {
			p, err := d.property(ctx, r.PropertyID)
			if err != nil {
				return r, false, err
			}
			once.Refused = c.owned(p, ofRestrictions)
		}
		return d.ledger.CreateRatePlan(ctx, by, once, r)
	}
	return create(ctx, d, c, auth.RatesWrite, r.PropertyID, r, do)
}

// ChangeRatePlan makes a rate plan different. Sellers that it names already may stay,
// whatever has become of them. Its defaults are restrictions.
func (d *Desk) ChangeRatePlan(ctx context.Context, c Caller, id string, to hotel.Change[hotel.RatePlan]) (hotel.RatePlan, bool, error) {
	do := func(ctx context.Context, by hotel.By, once hotel.Once, id string, to hotel.Change[hotel.RatePlan]) (hotel.RatePlan, bool, error) {
		p, err := d.ledger.RatePlan(ctx, id)
		if err != nil {
			return p, false, err
		}
		known, err := d.sellers(ctx, c, p.PropertyID)
		if err != nil {
			return p, false, err
		}
		if to, err = leaves(ctx, d, c, p.PropertyID, ofRestrictions, func(p *hotel.RatePlan) any { return p.Restrictions }, to); err != nil {
			return p, false, err
		}
		apply := to.Apply
		to.Apply = func(p *hotel.RatePlan) error {
			named := slices.Clone(p.SoldBy)
			if err := apply(p); err != nil {
				return err
			}
			return known.check(p.SoldBy, named...)
		}
		return d.ledger.ChangeRatePlan(ctx, by, once, id, to)
	}
	return change(ctx, c, auth.RatesWrite, id, to, d.ledger.RatePlan, propertyOfRatePlan, do)
}

// sellers are the ids that a plan may name in sold_by.
type sellers map[string]bool

// sellers returns the channels of a property, and the clients that live where the caller
// does.
func (d *Desk) sellers(ctx context.Context, c Caller, property string) (sellers, error) {
	channels, err := d.ledger.ChannelList(ctx, property)
	if err != nil {
		return nil, said(err)
	}
	clients, err := d.clients.Clients(ctx)
	if err != nil {
		return nil, err
	}
	known := sellers{}
	for _, ch := range channels {
		known[ch.ID] = true
	}
	for _, one := range clients {
		if one.Environment == c.Environment && one.SandboxID == c.SandboxID {
			known[one.ID] = true
		}
	}
	return known, nil
}

// check refuses the ids that are not known; some may be named all the same.
func (known sellers) check(ids []string, named ...string) error {
	var wrong []hotel.RefusedItem
	for i, id := range ids {
		if !known[id] && !slices.Contains(named, id) {
			wrong = append(wrong, hotel.Wrong(fmt.Sprintf("/sold_by/%d", i), "enum", "there is no channel of the property and no client by this id"))
		}
	}
	if wrong == nil {
		return nil
	}
	return hotel.InvalidItems(wrong)
}

// ArchiveRatePlan ends a rate plan that nothing needs any more.
func (d *Desk) ArchiveRatePlan(ctx context.Context, c Caller, id string, ifRevision int64) (hotel.RatePlan, bool, error) {
	return change(ctx, c, auth.RatesWrite, id, ifRevision, d.ledger.RatePlan, propertyOfRatePlan, d.ledger.ArchiveRatePlan)
}

func propertyOfRatePlan(r hotel.RatePlan) string { return r.PropertyID }
