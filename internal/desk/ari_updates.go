package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// sourceAPI marks what was written through the API.
const sourceAPI = "api"

// AriUpdate returns a bulk update and how far the channels are with it.
func (d *Desk) AriUpdate(ctx context.Context, c Caller, id string) (hotel.AriUpdate, error) {
	if !c.Scopes.Has(auth.RatesRead) {
		if err := c.need(auth.InventoryRead); err != nil {
			return hotel.AriUpdate{}, err
		}
	}
	u, err := d.ledger.AriUpdate(ctx, id)
	if err != nil {
		return hotel.AriUpdate{}, said(err)
	}
	if err := c.find(u.PropertyID); err != nil {
		return hotel.AriUpdate{}, err
	}
	return u, c.seesHouse()
}

// AriUpdates lists the bulk updates of a property.
func (d *Desk) AriUpdates(ctx context.Context, c Caller, f hotel.AriUpdateFilter) ([]hotel.AriUpdate, error) {
	scope := auth.InventoryRead
	if c.Scopes.Has(auth.RatesRead) {
		scope = auth.RatesRead
	}
	if err := c.enter(scope, f.PropertyID); err != nil {
		return nil, err
	}
	if _, err := d.property(ctx, f.PropertyID); err != nil {
		return nil, err
	}
	if err := c.seesHouse(); err != nil {
		return nil, err
	}
	list, err := d.ledger.AriUpdates(ctx, f)
	return list, said(err)
}

// sourcePMS marks what the hotel's own system wrote.
const sourcePMS = "pms"

// enterUpdate checks what holds for every bulk update, and returns the mark of
// its source. What its entries say is the ledger's to check, in the state that
// it changes. truth tells whose word counts for what is written.
func (d *Desk) enterUpdate(
	ctx context.Context, c Caller, scope auth.Scope, propertyID string, entries int, truth func(hotel.Truth) hotel.Authority,
) (source string, err error) {
	if err := c.enter(scope, propertyID); err != nil {
		return "", err
	}
	if entries < 1 || entries > hotel.MaxUpdateEntries {
		return "", hotel.Invalid("/entries", "length", "must have 1 to %d entries", hotel.MaxUpdateEntries)
	}
	p, err := d.property(ctx, propertyID)
	if err != nil {
		return "", err
	}
	if c.Kind == kindPMS {
		return sourcePMS, nil
	}
	if truth(p.Truth) == hotel.ByPMS {
		return "", hotel.Refuse("owned_by_pms", "property %s has given this to its PMS: only a client of kind %s may write it", p.ID, kindPMS)
	}
	return sourceAPI, nil
}

// kindPMS is the kind of a client that stands for the hotel's own system.
const kindPMS = "pms"

func ofStock(t hotel.Truth) hotel.Authority        { return t.Stock }
func ofPrices(t hotel.Truth) hotel.Authority       { return t.Prices }
func ofRestrictions(t hotel.Truth) hotel.Authority { return t.Restrictions }
