package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Policies are the policies of a channel or a property: its own, and those that
// apply beside them.
type Policies struct {
	Own       hotel.Policies
	Inherited hotel.Policies // of a channel: its property's
	RateRank  hotel.Applied  // whose price comes first in the property
	Revision  int64          // of whatever they are kept with
}

// ChannelPolicies returns the policies of a channel.
func (d *Desk) ChannelPolicies(ctx context.Context, c Caller, id string) (Policies, error) {
	state, err := d.channel(ctx, c, auth.ChannelsRead, id)
	if err != nil {
		return Policies{}, err
	}
	return d.policiesOf(ctx, state.Channel)
}

// SetChannelPolicies replaces a channel's own policies. ifRevision refuses it at
// another revision of the channel; 0 is any. To have an option taken that was not so
// far needs what taking it needs.
func (d *Desk) SetChannelPolicies(ctx context.Context, c Caller, id string, ifRevision int64, p hotel.Policies) (Policies, error) {
	was, err := d.channel(ctx, c, auth.ChannelsWrite, id)
	if err != nil {
		return Policies{}, err
	}
	if len(p.RateRank) > 0 {
		return Policies{}, hotel.Invalid("/rate_rank", "unknown_field", "ranks the sources of the property's prices: set it with the policies of property %s", was.PropertyID)
	}
	if err := c.mayPut(p, was.Policies); err != nil {
		return Policies{}, err
	}
	ch, _, err := d.ledger.ChangeChannel(ctx, c.by(), c.Once, id, ifRevision, func(ch *hotel.Channel) error {
		ch.Policies = p
		return nil
	})
	if err != nil {
		return Policies{}, said(err)
	}
	return d.policiesOf(ctx, ch)
}

func (d *Desk) policiesOf(ctx context.Context, c hotel.Channel) (Policies, error) {
	property, err := d.ledger.Property(ctx, c.PropertyID)
	return Policies{Own: c.Policies, Inherited: property.Policies, Revision: c.Revision}, said(err)
}

// PropertyPolicies returns the policies of a property.
func (d *Desk) PropertyPolicies(ctx context.Context, c Caller, id string) (Policies, error) {
	if err := c.enterHouse(auth.ChannelsRead, id); err != nil {
		return Policies{}, err
	}
	p, err := d.property(ctx, id)
	return housePolicies(p), err
}

func housePolicies(p hotel.Property) Policies {
	return Policies{Own: p.Policies, RateRank: hotel.RateRankApplied(&p), Revision: p.Revision}
}

// SetPropertyPolicies replaces a property's policies, as SetChannelPolicies does
// those of a channel. To rank the sources of prices in another way decides what rooms
// cost, and needs what writing prices needs.
func (d *Desk) SetPropertyPolicies(ctx context.Context, c Caller, id string, ifRevision int64, p hotel.Policies) (Policies, error) {
	if err := c.enterHouse(auth.ChannelsWrite, id); err != nil {
		return Policies{}, err
	}
	was, err := d.property(ctx, id)
	if err != nil {
		return Policies{}, err
	}
	if err := c.mayPut(p, was.Policies); err != nil {
		return Policies{}, err
	}
	if !slices.Equal(p.RateRank, was.Policies.RateRank) {
		if err := c.need(auth.RatesWrite); err != nil {
			return Policies{}, err
		}
	}
	changed, _, err := d.ledger.ChangeProperty(ctx, c.by(), c.Once, id, hotel.Change[hotel.Property]{IfRevision: ifRevision, Apply: func(property *hotel.Property) error {
		property.Policies = p
		return nil
	}})
	return housePolicies(changed), said(err)
}

// mayPut refuses policies that cannot be, and those in the place of others of which the
// caller lacks what they decide by themselves.
func (c Caller) mayPut(p, before hotel.Policies) error {
	if err := p.Check(); err != nil {
		return err
	}
	return c.needAll(p.Needs(before))
}

// enterHouse refuses whom [Caller.enter] refuses, and whoever stands for a channel.
func (c Caller) enterHouse(scope auth.Scope, propertyID string) error {
	if err := c.enter(scope, propertyID); err != nil {
		return err
	}
	if c.ota() {
		return noProperty()
	}
	return nil
}
