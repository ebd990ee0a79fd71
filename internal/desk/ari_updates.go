package desk

import (
	"cmp"
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Marks of who wrote a fact: a client, and somebody of the house at the console.
const (
	sourceAPI  = string(hotel.FromAPI)
	sourceUser = string(hotel.FromUser)
)

// AriUpdate returns a bulk update and how far the channels are with it.
func (d *Desk) AriUpdate(ctx context.Context, c Caller, id string) (hotel.AriUpdate, error) {
	if err := c.need(readsUpdates(c)); err != nil {
		return hotel.AriUpdate{}, err
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

// readsUpdates is the scope that a caller reads bulk updates by: that of prices or, in its
// place, that of stock.
func readsUpdates(c Caller) auth.Scope {
	if c.Scopes.Has(auth.RatesRead) {
		return auth.RatesRead
	}
	return auth.InventoryRead
}

// AriUpdates lists bulk updates in the order in which they were taken, at most so many
// as the filter says: of some properties, of every granted one when none is named.
func (d *Desk) AriUpdates(ctx context.Context, c Caller, properties []string, f hotel.AriUpdateFilter) ([]hotel.AriUpdate, error) {
	all, err := gather(ctx, d, c, readsUpdates(c), properties, func(ctx context.Context, id string) ([]hotel.AriUpdate, error) {
		if err := c.seesHouse(); err != nil {
			return nil, err
		}
		of := f
		of.PropertyID = id
		return d.ledger.AriUpdates(ctx, of)
	})
	slices.SortFunc(all, func(a, b hotel.AriUpdate) int { return cmp.Compare(a.ID, b.ID) })
	return all[:min(len(all), f.Limit)], err
}

// LatestUpdates lists the newest bulk updates of a property first, those before one of them
// where it is named, with who asked for each.
func (d *Desk) LatestUpdates(ctx context.Context, c Caller, property, before string, limit int) ([]hotel.MadeUpdate, error) {
	if err := c.seesHouse(); err != nil {
		return nil, err
	}
	return gather(ctx, d, c, readsUpdates(c), []string{property}, func(ctx context.Context, id string) ([]hotel.MadeUpdate, error) {
		return d.ledger.LatestAriUpdates(ctx, id, before, limit)
	})
}

// UndoUpdate takes a bulk update back: what held before it is written again, by an update
// that it returns, where nobody has written the cell since; where that is nowhere it is
// refused. ifRevision is the revision that the caller has seen; 0 is any. Replayed tells that the request's key had its effect before.
func (d *Desk) UndoUpdate(ctx context.Context, c Caller, id string, ifRevision int64) (upd hotel.AriUpdate, replayed bool, err error) {
	_, once, err := d.mayUndo(ctx, c, id)
	if err != nil {
		return hotel.AriUpdate{}, false, err
	}
	upd, replayed, err = d.ledger.UndoUpdate(ctx, c.by(), once, id, ifRevision)
	return upd, replayed, said(err)
}

// RehearseUndo says what taking a bulk update, which it returns too, back would do, to
// whoever may do it.
func (d *Desk) RehearseUndo(ctx context.Context, c Caller, id string, ifRevision int64) (undone hotel.AriUpdate, would hotel.Undoing, err error) {
	undone, once, err := d.mayUndo(ctx, c, id)
	if err = cmp.Or(err, once.Refused); err != nil {
		return undone, would, err
	}
	would, err = d.ledger.RehearseUndo(ctx, id, ifRevision)
	return undone, would, said(err)
}

// mayUndo returns an update, and refuses whoever may not write what it wrote, as
// enterUpdate does.
func (d *Desk) mayUndo(ctx context.Context, c Caller, id string) (undone hotel.AriUpdate, once hotel.Once, err error) {
	if undone, err = d.ledger.AriUpdate(ctx, id); err != nil {
		return undone, once, said(err)
	}
	if err := c.find(undone.PropertyID); err != nil {
		return undone, once, err
	}
	if err := c.seesHouse(); err != nil {
		return undone, once, err
	}
	scope, truth := auth.RatesWrite, ofPrices
	switch undone.Kind {
	case "inventory":
		scope, truth = auth.InventoryWrite, ofStock
	case "restrictions":
		truth = ofRestrictions
	}
	_, once, err = d.enterUpdate(ctx, c, scope, undone.PropertyID, 1, truth)
	return undone, once, err
}

// sourcePMS marks what the hotel's own system wrote.
const sourcePMS = "pms"

// enterUpdate checks what holds for every bulk update, and returns the mark of
// its source, and the request's key: with why the update is refused where the PMS alone may
// write, for one that was taken before is answered as it was. What its entries say is the
// ledger's to check, in the state that it changes. truth tells whose word counts for what is
// written.
func (d *Desk) enterUpdate(
	ctx context.Context, c Caller, scope auth.Scope, propertyID string, entries int, truth func(hotel.Truth) hotel.Authority,
) (source string, once hotel.Once, err error) {
	if err := c.enter(scope, propertyID); err != nil {
		return "", once, err
	}
	if entries < 1 || entries > hotel.MaxUpdateEntries {
		return "", once, hotel.Invalid("/entries", "length", "must have 1 to %d entries", hotel.MaxUpdateEntries)
	}
	p, err := d.property(ctx, propertyID)
	if err != nil {
		return "", once, err
	}
	once = c.Once
	once.Refused = cmp.Or(once.Refused, c.owned(p, truth))
	switch {
	case c.Kind == kindPMS:
		source = sourcePMS
	case c.person():
		source = sourceUser
	default:
		source = sourceAPI
	}
	return source, once, nil
}

// owned refuses whoever is not the PMS of a property what that has given to it.
func (c Caller) owned(p hotel.Property, truth func(hotel.Truth) hotel.Authority) error {
	if c.Kind == kindPMS || truth(p.Truth) != hotel.ByPMS {
		return nil
	}
	return hotel.Refuse("owned_by_pms", "property %s has given this to its PMS: only a client of kind %s may write it", p.ID, kindPMS)
}

// kindPMS is the kind of a client that stands for the hotel's own system.
const kindPMS = "pms"

func ofStock(t hotel.Truth) hotel.Authority        { return t.Stock }
func ofPrices(t hotel.Truth) hotel.Authority       { return t.Prices }
func ofRestrictions(t hotel.Truth) hotel.Authority { return t.Restrictions }
