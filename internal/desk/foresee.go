package desk

import (
	"cmp"
	"context"
	"errors"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// ForeseenPlan is the calls by which a channel would be told of a bulk update.
type ForeseenPlan struct {
	ChannelID, Name string
	hotel.ChannelPlan
	Unknown string // why nobody can say, in words; "": it is known
}

// Foreseen is what a bulk update would do beyond what is typed.
type Foreseen struct {
	Closing, Opening int            // nights of plans that restrictions would close, and that none would close any more
	Plans            []ForeseenPlan // of every channel that would be told, for whoever may see channels
}

// Foresee works out what a bulk update would do, were it stored, and what each channel of the
// property that is told what changes would be told of it. It needs what writing the update
// needs. Nothing is stored or sent.
func (d *Desk) Foresee(ctx context.Context, c Caller, u hotel.AnyUpdate) (Foreseen, error) {
	property, err := d.enterAny(ctx, c, u)
	if err != nil {
		return Foreseen{}, err
	}
	foresight, err := d.ledger.Foresee(ctx, u)
	if err != nil {
		return Foreseen{}, said(err)
	}
	of := Foreseen{Closing: foresight.Closing, Opening: foresight.Opening}
	if c.Scopes.Has(auth.ChannelsRead) {
		of.Plans, err = d.foreseenPlans(ctx, c, property, foresight)
	}
	return of, err
}

func (d *Desk) foreseenPlans(ctx context.Context, c Caller, property string, foresight ledger.Foresight) ([]ForeseenPlan, error) {
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
	var once hotel.Once
	switch {
	case u.Inventory != nil:
		property = u.Inventory.PropertyID
		u.Inventory.Source, once, err = d.enterUpdate(ctx, c, auth.InventoryWrite, property, len(u.Inventory.Entries), ofStock)
	case u.Rates != nil:
		property = u.Rates.PropertyID
		u.Rates.Source, once, err = d.enterUpdate(ctx, c, auth.RatesWrite, property, len(u.Rates.Entries), ofPrices)
	default:
		property = u.Restrictions.PropertyID
		u.Restrictions.Source, once, err = d.enterUpdate(ctx, c, auth.RatesWrite, property, len(u.Restrictions.Entries), ofRestrictions)
	}
	return property, cmp.Or(err, once.Refused)
}
