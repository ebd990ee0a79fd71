package desk

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// Phase returns where a reservation stands on its property's business date.
func (d *Desk) Phase(ctx context.Context, r hotel.Reservation) (stay.Phase, error) {
	b, err := d.ledger.Board(ctx, r.PropertyID)
	if err != nil {
		return "", said(err)
	}
	return stay.PhaseOn(r.Status, r.Stay, d.today(&b.Property)), nil
}

// Leaves returns when the guest of a reservation is to have left: its check-out at the
// property's time for that.
func (d *Desk) Leaves(ctx context.Context, r hotel.Reservation) (time.Time, error) {
	b, err := d.ledger.Board(ctx, r.PropertyID)
	if err != nil {
		return time.Time{}, said(err)
	}
	return b.Property.Leaves(r.Stay.CheckOut), nil
}

// Permits reports whether a step can be taken with a reservation of a property now, as far as
// its status and the business date tell: whether there is a room is seen when it is taken.
func (d *Desk) Permits(p hotel.Property, r hotel.Reservation, a stay.Action) bool {
	return stay.FactsOf(r, p, d.clock.Now()).Permits(a)
}
