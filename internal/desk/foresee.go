package desk

import (
	"context"
	"errors"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ForeseenPlan is the calls by which a channel would be told of a bulk update.
type ForeseenPlan struct {
	ChannelID, Name string
	hotel.ChannelPlan
	Unknown string // why nobody can say, in words; "": it is known
}

// Foresee works out what each channel of the property that is told what changes would be
// told of a bulk update, were it stored. It needs what writing the update needs, and
// [auth.ChannelsRead]. Nothing is stored or sent.
func (d *Desk) Foresee(ctx context.Context, c Caller, u hotel.AnyUpdate) ([]ForeseenPlan, error) {
	property, err := d.enterAny(ctx, c, u)
	if err != nil {
		return nil, err
	}
	if err := c.enter(auth.ChannelsRead, property); err != nil {
		return nil, err
	}
	foresight, err := d.ledger.Foresee(ctx, u)
	if err != nil {
		return nil, said(err)
	}
	states, err := d.ledger.Channels(ctx, property)
	if err != nil {
		return nil, said(err)
	}
	var list []ForeseenPlan
	for _, s := range states {
		if !c.seesChannel(s.ID) || s.Status != hotel.ChannelActive || s.Shadow {
			continue
		}
		one := ForeseenPlan{ChannelID: s.ID, Name: s.Name}
		one.ChannelPlan, err = d.engine.Foresee(ctx, s.ID, foresight)
		if refused, is := errors.AsType[*hotel.Refusal](err); is { // its connector says nothing: the others do
			one.Unknown, err = refused.Detail, nil
		}
		if err != nil {
			return nil, said(err)
		}
		list = append(list, one)
	}
	return list, nil
}

// enterAny checks what holds for a bulk update of any kind, marks its source, and returns
// its property.
func (d *Desk) enterAny(ctx context.Context, c Caller, u hotel.AnyUpdate) (property string, err error) {
	switch {
	case u.Inventory != nil:
		property = u.Inventory.PropertyID
		u.Inventory.Source, err = d.enterUpdate(ctx, c, auth.InventoryWrite, property, len(u.Inventory.Entries), ofStock)
	case u.Rates != nil:
		property = u.Rates.PropertyID
		u.Rates.Source, err = d.enterUpdate(ctx, c, auth.RatesWrite, property, len(u.Rates.Entries), ofPrices)
	default:
		property = u.Restrictions.PropertyID
		u.Restrictions.Source, err = d.enterUpdate(ctx, c, auth.RatesWrite, property, len(u.Restrictions.Entries), ofRestrictions)
	}
	return property, err
}
