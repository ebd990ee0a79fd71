package desk

import (
	"context"
	"maps"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Reservation returns one reservation.
func (d *Desk) Reservation(ctx context.Context, c Caller, id string) (hotel.Reservation, error) {
	if err := c.need(auth.ReservationsRead); err != nil {
		return hotel.Reservation{}, err
	}
	return d.reservation(ctx, c, id)
}

// reservation reads a reservation of a property that the caller was granted.
func (d *Desk) reservation(ctx context.Context, c Caller, id string) (hotel.Reservation, error) {
	r, err := d.ledger.Reservation(ctx, id)
	if err != nil {
		return hotel.Reservation{}, said(err)
	}
	if err := c.find(r.PropertyID); err != nil {
		return hotel.Reservation{}, err
	}
	return r, nil
}

// Reservations lists reservations of the properties that the filter names; of
// every granted one when it names none.
func (d *Desk) Reservations(ctx context.Context, c Caller, f hotel.ReservationFilter) ([]hotel.Reservation, error) {
	if err := c.need(auth.ReservationsRead); err != nil {
		return nil, err
	}
	for _, id := range f.PropertyIDs {
		if !c.Sees(id) {
			return nil, noProperty()
		}
		if _, err := d.property(ctx, id); err != nil {
			return nil, err
		}
	}
	if len(f.PropertyIDs) == 0 && !c.SeesAll() {
		if len(c.PropertyIDs) == 0 {
			return nil, nil // an empty filter would mean every property
		}
		f.PropertyIDs = c.PropertyIDs
	}
	list, err := d.ledger.Reservations(ctx, f)
	return list, said(err)
}

// Book makes a reservation. Replayed tells that the request's key had its
// effect before.
func (d *Desk) Book(ctx context.Context, c Caller, n hotel.NewReservation) (made hotel.Reservation, replayed bool, err error) {
	if err := c.enter(auth.ReservationsWrite, n.PropertyID); err != nil {
		return hotel.Reservation{}, false, err
	}
	if n.Overbook {
		if err := c.need(auth.ReservationsOverride); err != nil {
			return hotel.Reservation{}, false, err
		}
	}
	n.Seller = c.ClientID
	if _, err := d.property(ctx, n.PropertyID); err != nil {
		return hotel.Reservation{}, false, err
	}
	made, replayed, err = d.ledger.CreateReservation(ctx, c.by(), c.Once, n)
	return made, replayed, said(err)
}

// Change is what is to be different about a reservation. Guest and Metadata are
// laid over what is there, member by member.
type Change struct {
	hotel.ReservationChange
	Guest    *GuestChange
	Metadata map[string]*string // nil value: remove the key
}

// GuestChange is what is to be different about a guest; nil: as it is.
type GuestChange struct {
	FirstName, LastName, Email, Phone, Language, Country *string
}

// over returns the guest with the changes.
func (g GuestChange) over(guest hotel.Guest) hotel.Guest {
	for _, f := range []struct{ to, from *string }{
		{&guest.FirstName, g.FirstName},
		{&guest.LastName, g.LastName},
		{&guest.Email, g.Email},
		{&guest.Phone, g.Phone},
		{&guest.Language, g.Language},
		{&guest.Country, g.Country},
	} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	return guest
}

// maxMetadata is how many keys a resource's metadata has at most.
const maxMetadata = 20

// Change makes a reservation different. Replayed tells that the request's key
// had its effect before.
func (d *Desk) Change(ctx context.Context, c Caller, id string, ch Change) (changed hotel.Reservation, replayed bool, err error) {
	if err := c.need(auth.ReservationsWrite); err != nil {
		return hotel.Reservation{}, false, err
	}
	r, err := d.reservation(ctx, c, id)
	if err != nil {
		return hotel.Reservation{}, false, err
	}
	if ch.Guest != nil {
		guest := ch.Guest.over(r.Guest)
		ch.ReservationChange.Guest = &guest
	}
	if ch.Metadata != nil {
		metadata := overMetadata(r.Metadata, ch.Metadata)
		if len(metadata) > maxMetadata {
			return hotel.Reservation{}, false, hotel.Invalid("/metadata", "length", "has at most %d keys", maxMetadata)
		}
		ch.ReservationChange.Metadata = &metadata
	}
	ch.Seller = c.ClientID
	changed, replayed, err = d.ledger.ChangeReservation(ctx, c.by(), c.Once, id, ch.ReservationChange)
	return changed, replayed, said(err)
}

func overMetadata(was map[string]string, change map[string]*string) map[string]string {
	now := maps.Clone(was)
	if now == nil {
		now = map[string]string{}
	}
	for k, v := range change {
		if v == nil {
			delete(now, k)
		} else {
			now[k] = *v
		}
	}
	return now
}

// Cancel cancels a reservation. One that is cancelled already stays as it is.
func (d *Desk) Cancel(ctx context.Context, c Caller, id string, why hotel.CancelRequest) (cancelled hotel.Reservation, replayed bool, err error) {
	if err := c.need(auth.ReservationsWrite); err != nil {
		return hotel.Reservation{}, false, err
	}
	if _, err := d.reservation(ctx, c, id); err != nil {
		return hotel.Reservation{}, false, err
	}
	cancelled, replayed, err = d.ledger.CancelReservation(ctx, c.by(), c.Once, id, why)
	return cancelled, replayed, said(err)
}
