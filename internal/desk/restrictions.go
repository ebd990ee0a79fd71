package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Restrictions lists restrictions by product and night. One that stands for a channel is
// told those of the plans that it sells.
func (d *Desk) Restrictions(ctx context.Context, c Caller, q hotel.CellQuery) ([]hotel.RestrictionCell, error) {
	if err := d.enterCells(ctx, c, auth.RatesRead, q); err != nil {
		return nil, err
	}
	cells, err := d.ledger.RestrictionCells(ctx, q)
	if err != nil || !c.ota() {
		return cells, said(err)
	}
	priced, err := d.pricedFor(ctx, c, q.PropertyID)
	if err != nil {
		return nil, err
	}
	for i := range cells {
		cells[i].Source = c.writer(cells[i].Source)
	}
	return slices.DeleteFunc(cells, func(cell hotel.RestrictionCell) bool { return !priced(cell.RatePlanID) }), nil
}

// UpdateRestrictions changes restrictions. Replayed tells that the request's
// key had its effect before.
func (d *Desk) UpdateRestrictions(ctx context.Context, c Caller, u hotel.RestrictionUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	var once hotel.Once
	if u.Source, once, err = d.enterUpdate(ctx, c, auth.RatesWrite, u.PropertyID, len(u.Entries), ofRestrictions); err != nil {
		return hotel.AriUpdate{}, false, err
	}
	upd, replayed, err = d.ledger.UpdateRestrictions(ctx, c.by(), once, u)
	return upd, replayed, said(err)
}
