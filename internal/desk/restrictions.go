package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Restrictions lists restrictions by product and night.
func (d *Desk) Restrictions(ctx context.Context, c Caller, q CellQuery) ([]hotel.RestrictionCell, error) {
	if err := d.enterCells(ctx, c, auth.RatesRead, q); err != nil {
		return nil, err
	}
	cells, err := d.ledger.RestrictionCells(ctx, q.PropertyID, q.Span, q.RoomTypeID, q.RatePlanID)
	return cells, said(err)
}

// UpdateRestrictions changes restrictions. Replayed tells that the request's
// key had its effect before.
func (d *Desk) UpdateRestrictions(ctx context.Context, c Caller, u hotel.RestrictionUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	p, err := d.enterUpdate(ctx, c, auth.RatesWrite, u.PropertyID, len(u.Entries))
	if err != nil {
		return hotel.AriUpdate{}, false, err
	}
	var faults faults
	for i, e := range u.Entries {
		at := faults.entry(i)
		at.dates(e.Dates)
		at.within("/values/min_stay_arrival", e.MinStayArrival, 1, maxNights)
		at.within("/values/min_stay_through", e.MinStayThrough, 1, maxNights)
		at.within("/values/max_stay_arrival", e.MaxStayArrival, 1, maxNights)
		at.within("/values/max_stay_through", e.MaxStayThrough, 1, maxNights)
		at.within("/values/min_advance_days", e.MinAdvance, 0, p.HorizonDays)
		at.within("/values/max_advance_days", e.MaxAdvance, 0, p.HorizonDays)
	}
	if err := faults.refusal(); err != nil {
		return hotel.AriUpdate{}, false, err
	}
	u.Source = sourceAPI
	upd, replayed, err = d.ledger.UpdateRestrictions(ctx, c.by(), c.Once, u)
	return upd, replayed, said(err)
}
