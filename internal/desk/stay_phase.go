package desk

import (
	"context"

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
