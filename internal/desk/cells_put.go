package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// PutInventory changes the stock of one room type on one night, and returns it.
func (d *Desk) PutInventory(ctx context.Context, c Caller, e hotel.InventoryEntry) (hotel.InventoryCell, error) {
	property, err := d.cellOf(ctx, c, auth.InventoryWrite, e.RoomTypeID, "")
	if err != nil {
		return hotel.InventoryCell{}, err
	}
	_, _, err = d.UpdateInventory(ctx, c, hotel.InventoryUpdate{PropertyID: property, Entries: []hotel.InventoryEntry{e}})
	if err != nil {
		return hotel.InventoryCell{}, err
	}
	inv, err := d.ledger.Inventory(ctx, hotel.InventoryQuery{PropertyID: property, Span: e.Span, RoomTypeIDs: []string{e.RoomTypeID}})
	return only(inv.Cells, err)
}

// PutRate changes the prices of one product on one night, and returns them.
func (d *Desk) PutRate(ctx context.Context, c Caller, e hotel.RateEntry) (hotel.RateCell, error) {
	property, err := d.cellOf(ctx, c, auth.RatesWrite, e.RoomTypeID, e.RatePlanID)
	if err != nil {
		return hotel.RateCell{}, err
	}
	_, _, err = d.UpdateRates(ctx, c, hotel.RateUpdate{PropertyID: property, Entries: []hotel.RateEntry{e}})
	if err != nil {
		return hotel.RateCell{}, err
	}
	cells, err := d.ledger.RateCells(ctx, hotel.CellQuery{PropertyID: property, Span: e.Span, RoomTypeIDs: []string{e.RoomTypeID}, RatePlanIDs: []string{e.RatePlanID}})
	return only(cells, err)
}

// PutRestriction changes the restrictions of one product on one night, and
// returns what holds there then.
func (d *Desk) PutRestriction(ctx context.Context, c Caller, e hotel.RestrictionEntry) (hotel.RestrictionCell, error) {
	property, err := d.cellOf(ctx, c, auth.RatesWrite, e.RoomTypeID, e.RatePlanID)
	if err != nil {
		return hotel.RestrictionCell{}, err
	}
	_, _, err = d.UpdateRestrictions(ctx, c, hotel.RestrictionUpdate{PropertyID: property, Entries: []hotel.RestrictionEntry{e}})
	if err != nil {
		return hotel.RestrictionCell{}, err
	}
	cells, err := d.ledger.RestrictionCells(ctx, hotel.CellQuery{PropertyID: property, Span: e.Span, RoomTypeIDs: []string{e.RoomTypeID}, RatePlanIDs: []string{e.RatePlanID}})
	return only(cells, err)
}

// cellOf returns the property of a room type, when the caller may write there
// and, where a plan is named, the plan sells it.
func (d *Desk) cellOf(ctx context.Context, c Caller, scope auth.Scope, roomTypeID, ratePlanID string) (string, error) {
	if err := c.need(scope); err != nil {
		return "", err
	}
	room, err := d.ledger.RoomType(ctx, roomTypeID)
	if err != nil {
		return "", said(err)
	}
	if err := c.find(room.PropertyID); err != nil {
		return "", err
	}
	if ratePlanID == "" {
		return room.PropertyID, nil
	}
	plan, err := d.ledger.RatePlan(ctx, ratePlanID)
	if err != nil {
		return "", said(err)
	}
	if plan.PropertyID != room.PropertyID || !slices.Contains(plan.RoomTypeIDs, roomTypeID) {
		return "", nothing()
	}
	return room.PropertyID, nil
}

// PlanCurrency returns the currency of a rate plan, for whoever writes amounts
// without one.
func (d *Desk) PlanCurrency(ctx context.Context, c Caller, ratePlanID string) (hotel.Currency, error) {
	if err := c.need(auth.RatesWrite); err != nil {
		return "", err
	}
	plan, err := d.ledger.RatePlan(ctx, ratePlanID)
	if err != nil {
		return "", said(err)
	}
	return plan.Currency, c.find(plan.PropertyID)
}

// only returns the single cell of a list.
func only[C any](cells []C, err error) (C, error) {
	if err != nil || len(cells) != 1 {
		var none C
		if err == nil {
			err = nothing()
		}
		return none, said(err)
	}
	return cells[0], nil
}
