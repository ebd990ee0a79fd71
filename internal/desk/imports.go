package desk

import (
	"context"
	"errors"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Import stores reservations that exist already. A client that stands for a channel
// has none: its bookings come by its messages.
func (d *Desk) Import(ctx context.Context, c Caller, i hotel.Import) (hotel.Imported, error) {
	for _, scope := range []auth.Scope{auth.ReservationsWrite, auth.ReservationsOverride} {
		if err := c.enter(scope, i.PropertyID); err != nil {
			return hotel.Imported{}, err
		}
	}
	if err := c.seesHouse(); err != nil {
		return hotel.Imported{}, err
	}
	if _, err := d.property(ctx, i.PropertyID); err != nil {
		return hotel.Imported{}, err
	}
	for at := range i.Rows {
		if err := withoutCards(&i.Rows[at].NewReservation); err != nil {
			refusal, ok := errors.AsType[*hotel.Refusal](err)
			if !ok {
				return hotel.Imported{}, err
			}
			i.Rows[at].Invalid = append(i.Rows[at].Invalid, refusal.Items...)
		}
	}
	out, err := d.ledger.ImportReservations(ctx, c.by(), i)
	if err == nil {
		out.History, err = d.ledger.ImportHistory(ctx, c.by(), i)
	}
	return out, said(err)
}
