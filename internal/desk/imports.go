package desk

import (
	"context"
	"errors"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Import stores reservations that exist already. A client that stands for a channel
// has none: its bookings come by its messages.
//
// What was stored is not stored again, so a request that is repeated under its key is
// simply done again, and answered with how things stand now: one that was cut off is
// completed so. It is called a replay where that stored nothing. A dry run keeps no key.
func (d *Desk) Import(ctx context.Context, c Caller, i hotel.Import) (imported hotel.Imported, replayed bool, err error) {
	for _, scope := range []auth.Scope{auth.ReservationsWrite, auth.ReservationsOverride} {
		if err := c.enter(scope, i.PropertyID); err != nil {
			return hotel.Imported{}, false, err
		}
	}
	if err := c.seesHouse(); err != nil {
		return hotel.Imported{}, false, err
	}
	if _, err := d.property(ctx, i.PropertyID); err != nil {
		return hotel.Imported{}, false, err
	}
	for at := range i.Rows {
		if part := i.Rows[at].Profile; part != nil {
			part.OnlyAdds = !c.writesProfiles()
		}
		if err := rowWithoutCards(&i.Rows[at]); err != nil {
			refusal, ok := errors.AsType[*hotel.Refusal](err)
			if !ok {
				return hotel.Imported{}, false, err
			}
			i.Rows[at].Invalid = append(i.Rows[at].Invalid, refusal.Items...)
		}
	}
	if !i.DryRun {
		if replayed, err = d.ledger.NoteRequest(ctx, c.by(), c.Once); err != nil {
			return hotel.Imported{}, false, err
		}
	}
	if imported, err = d.ledger.ImportReservations(ctx, c.by(), i); err == nil {
		imported.History, err = d.ledger.ImportHistory(ctx, c.by(), i)
	}
	return imported, replayed && !imported.Stores(), said(err)
}
