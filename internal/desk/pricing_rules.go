package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// pricingRules is what is kept of the rules that change prices.
type pricingRules interface {
	PricingRule(ctx context.Context, id string) (hotel.PricingRule, error)
	PricingRules(ctx context.Context, propertyID string) ([]hotel.PricingRule, error)
	SimulatePrices(ctx context.Context, propertyID string, span hotel.Span, rules *[]hotel.PricingRule) ([]hotel.SimulatedPrice, error)

	CreatePricingRule(ctx context.Context, by hotel.By, once hotel.Once, r hotel.PricingRule) (made hotel.PricingRule, replayed bool, err error)
	ChangePricingRule(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.PricingRule]) (changed hotel.PricingRule, replayed bool, err error)
	DeletePricingRule(ctx context.Context, by hotel.By, id string, ifRevision int64) error
}

// PricingRules lists the rules of a property, of every granted one when
// propertyID is "", in the order in which they act. They are none of a channel's
// business.
func (d *Desk) PricingRules(ctx context.Context, c Caller, properties ...string) ([]hotel.PricingRule, error) {
	list, err := gather(ctx, d, c, auth.RatesRead, properties, d.ledger.PricingRules)
	if c.ota() {
		return nil, err
	}
	return list, err
}

// PricingRule returns one rule.
func (d *Desk) PricingRule(ctx context.Context, c Caller, id string) (hotel.PricingRule, error) {
	return d.pricingRule(ctx, c, auth.RatesRead, id)
}

// pricingRule reads a rule that the caller may see.
func (d *Desk) pricingRule(ctx context.Context, c Caller, scope auth.Scope, id string) (hotel.PricingRule, error) {
	if err := c.need(scope); err != nil {
		return hotel.PricingRule{}, err
	}
	r, err := d.ledger.PricingRule(ctx, id)
	if err != nil {
		return hotel.PricingRule{}, said(err)
	}
	if c.ota() {
		return hotel.PricingRule{}, nothing()
	}
	if err := c.find(r.PropertyID); err != nil {
		return hotel.PricingRule{}, err
	}
	return r, nil
}

// enterRules checks what holds for whoever makes or tries rules.
func (d *Desk) enterRules(ctx context.Context, c Caller, scope auth.Scope, propertyID string) error {
	if err := c.enter(scope, propertyID); err != nil {
		return err
	}
	if c.ota() {
		return noProperty()
	}
	_, err := d.property(ctx, propertyID)
	return err
}

// CreatePricingRule makes a rule. Replayed tells that the request's key had its
// effect before.
func (d *Desk) CreatePricingRule(ctx context.Context, c Caller, r hotel.PricingRule) (made hotel.PricingRule, replayed bool, err error) {
	if err := d.enterRules(ctx, c, auth.RatesWrite, r.PropertyID); err != nil {
		return hotel.PricingRule{}, false, err
	}
	made, replayed, err = d.ledger.CreatePricingRule(ctx, c.by(), c.Once, r)
	return made, replayed, said(err)
}

// ChangePricingRule makes a rule different.
func (d *Desk) ChangePricingRule(ctx context.Context, c Caller, id string, change hotel.Change[hotel.PricingRule]) (changed hotel.PricingRule, replayed bool, err error) {
	if _, err := d.pricingRule(ctx, c, auth.RatesWrite, id); err != nil {
		return hotel.PricingRule{}, false, err
	}
	changed, replayed, err = d.ledger.ChangePricingRule(ctx, c.by(), c.Once, id, change)
	return changed, replayed, said(err)
}

// DeletePricingRule takes a rule away; prices go back to what they are without
// it.
func (d *Desk) DeletePricingRule(ctx context.Context, c Caller, id string, ifRevision int64) error {
	if _, err := d.pricingRule(ctx, c, auth.RatesWrite, id); err != nil {
		return err
	}
	return said(d.ledger.DeletePricingRule(ctx, c.by(), id, ifRevision))
}

// SimulatePrices tries rules: the given ones against the stored ones, or, when
// rules is nil, the stored ones against none. Nothing is stored.
func (d *Desk) SimulatePrices(ctx context.Context, c Caller, propertyID string, span hotel.Span, rules *[]hotel.PricingRule) ([]hotel.SimulatedPrice, error) {
	if err := d.enterRules(ctx, c, auth.RatesRead, propertyID); err != nil {
		return nil, err
	}
	cells, err := d.ledger.SimulatePrices(ctx, propertyID, span, rules)
	if err != nil {
		return nil, said(err)
	}
	priced, err := d.pricedFor(ctx, c, propertyID)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(cells, func(p hotel.SimulatedPrice) bool { return !priced(p.RatePlanID) }), nil
}
