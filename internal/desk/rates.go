package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Rates lists prices by product and night, of the plans whose prices the caller sees.
func (d *Desk) Rates(ctx context.Context, c Caller, q hotel.CellQuery) ([]hotel.RateCell, error) {
	if err := d.enterCells(ctx, c, auth.RatesRead, q); err != nil {
		return nil, err
	}
	cells, err := d.ledger.RateCells(ctx, q)
	if err != nil {
		return nil, said(err)
	}
	priced, err := d.pricedFor(ctx, c, q.PropertyID)
	if err != nil {
		return nil, err
	}
	for i := range cells {
		cells[i].Source = c.writer(cells[i].Source)
	}
	return slices.DeleteFunc(cells, func(cell hotel.RateCell) bool { return !priced(cell.RatePlanID) }), nil
}

// pricedFor tells of which plans a caller sees the prices: of those that it sells, by
// whatever name it is in sold_by or because they are public. People of the house see
// every one, and so does who writes prices: it has to read what it wrote.
func (d *Desk) pricedFor(ctx context.Context, c Caller, propertyID string) (func(plan string) bool, error) {
	if c.person() || c.Scopes.Has(auth.RatesWrite) {
		return func(string) bool { return true }, nil
	}
	b, err := d.board(ctx, propertyID)
	if err != nil {
		return nil, err
	}
	return func(plan string) bool {
		i, known := b.Plan(plan)
		return known && b.Sells(i, c.seller())
	}, nil
}

// UpdateRates changes prices. Replayed tells that the request's key had its
// effect before.
func (d *Desk) UpdateRates(ctx context.Context, c Caller, u hotel.RateUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	var once hotel.Once
	if u.Source, once, err = d.enterUpdate(ctx, c, auth.RatesWrite, u.PropertyID, len(u.Entries), ofPrices); err != nil {
		return hotel.AriUpdate{}, false, err
	}
	upd, replayed, err = d.ledger.UpdateRates(ctx, c.by(), once, u)
	return upd, replayed, said(err)
}

// PlanCurrencies returns the currency of each rate plan of a property, for
// whoever writes amounts without one.
func (d *Desk) PlanCurrencies(ctx context.Context, c Caller, propertyID string) (map[string]hotel.Currency, error) {
	if err := c.enter(auth.RatesWrite, propertyID); err != nil {
		return nil, err
	}
	b, err := d.board(ctx, propertyID)
	if err != nil {
		return nil, err
	}
	currencies := make(map[string]hotel.Currency, len(b.Plans))
	for _, p := range b.Plans {
		currencies[p.ID] = p.Currency
	}
	return currencies, nil
}
