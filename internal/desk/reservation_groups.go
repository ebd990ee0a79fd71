package desk

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// Group returns rooms that were booked together.
func (d *Desk) Group(ctx context.Context, c Caller, id string) (hotel.ReservationGroup, error) {
	if err := c.need(auth.ReservationsRead); err != nil {
		return hotel.ReservationGroup{}, err
	}
	return d.group(ctx, c, id)
}

// group reads a group that the caller may see.
func (d *Desk) group(ctx context.Context, c Caller, id string) (hotel.ReservationGroup, error) {
	g, err := d.ledger.ReservationGroup(ctx, id)
	if err != nil {
		return hotel.ReservationGroup{}, said(err)
	}
	if err := c.find(g.PropertyID); err != nil {
		return hotel.ReservationGroup{}, err
	}
	return g, c.findOwn(g.Source.ChannelID)
}

// BookGroup books several rooms at once, or none.
func (d *Desk) BookGroup(ctx context.Context, c Caller, n hotel.NewReservationGroup) (made hotel.ReservationGroup, replayed bool, err error) {
	if err := c.enter(auth.ReservationsWrite, n.PropertyID); err != nil {
		return hotel.ReservationGroup{}, false, err
	}
	if n.Booker != nil {
		maskGuest(n.Booker)
	}
	mask(&n.Source.Reference, &n.Source.SubChannel)
	for i := range n.Reservations {
		if err := c.mayBook(&n.Reservations[i]); err != nil {
			return hotel.ReservationGroup{}, false, err
		}
		if err := d.mayDraw(ctx, c, n.Reservations[i].BlockID); err != nil {
			return hotel.ReservationGroup{}, false, hotel.Within(err, fmt.Sprintf("/reservations/%d", i))
		}
	}
	if _, err := d.property(ctx, n.PropertyID); err != nil {
		return hotel.ReservationGroup{}, false, err
	}
	n.Seller = c.seller()
	if err := c.booksFor(&n.Source); err != nil {
		return hotel.ReservationGroup{}, false, err
	}
	return sell(ctx, d, c.by(), func() (hotel.ReservationGroup, bool, error) {
		return d.ledger.CreateReservationGroup(ctx, c.by(), c.Once, n)
	})
}

// CancelGroup cancels what is left of a group.
func (d *Desk) CancelGroup(ctx context.Context, c Caller, id string, why hotel.CancelRequest) (cancelled hotel.ReservationGroup, replayed bool, err error) {
	if err := c.need(auth.ReservationsWrite); err != nil {
		return hotel.ReservationGroup{}, false, err
	}
	if why.WaivePenalty {
		if err := c.need(auth.ReservationsOverride); err != nil {
			return hotel.ReservationGroup{}, false, err
		}
	}
	if _, err := d.group(ctx, c, id); err != nil {
		return hotel.ReservationGroup{}, false, err
	}
	mask(&why.Reason, &why.Note)
	why.DoneAtChannel = why.DoneAtChannel || c.ota()
	cancelled, replayed, err = d.ledger.CancelReservationGroup(ctx, c.by(), c.Once, id, why)
	return cancelled, replayed, said(err)
}
