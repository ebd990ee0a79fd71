package desk

import (
	"context"
	"errors"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// Reservation returns one reservation.
func (d *Desk) Reservation(ctx context.Context, c Caller, id string) (hotel.Reservation, error) {
	if err := c.need(auth.ReservationsRead); err != nil {
		return hotel.Reservation{}, err
	}
	return d.reservation(ctx, c, id)
}

// Revisions lists how a reservation has stood, the oldest first.
func (d *Desk) Revisions(ctx context.Context, c Caller, id string) ([]hotel.ReservationRevision, error) {
	if _, err := d.Reservation(ctx, c, id); err != nil {
		return nil, err
	}
	list, err := d.ledger.ReservationRevisions(ctx, id)
	return list, said(err)
}

// Ignored lists the messages of the channel of a reservation that the caller was shown
// which changed nothing.
func (d *Desk) Ignored(ctx context.Context, r hotel.Reservation) ([]hotel.IgnoredMessage, error) {
	list, err := d.ledger.IgnoredMessages(ctx, r)
	return list, said(err)
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
	return r, c.findOwn(r.Source.ChannelID)
}

// Reservations lists reservations of the properties that the filter names; of
// every granted one when it names none. Phases, where there are any, are those of
// each property's business date.
func (d *Desk) Reservations(ctx context.Context, c Caller, f hotel.ReservationFilter, phases ...stay.Phase) ([]hotel.Reservation, error) {
	some, err := d.narrow(ctx, c, &f, phases)
	if err != nil || !some {
		return nil, err
	}
	list, err := d.ledger.Reservations(ctx, f)
	return list, said(err)
}

// CountReservations returns how many [Desk.Reservations] lists on all pages together.
func (d *Desk) CountReservations(ctx context.Context, c Caller, f hotel.ReservationFilter, phases ...stay.Phase) (int, error) {
	some, err := d.narrow(ctx, c, &f, phases)
	if err != nil || !some {
		return 0, err
	}
	n, err := d.ledger.CountReservations(ctx, f)
	return n, said(err)
}

// narrow has a filter select what the caller may see, in some phases where any are named;
// false: nothing is left of it.
func (d *Desk) narrow(ctx context.Context, c Caller, f *hotel.ReservationFilter, phases []stay.Phase) (bool, error) {
	if err := c.need(auth.ReservationsRead); err != nil {
		return false, err
	}
	if c.ota() {
		if !hotel.AnyOf(f.ChannelIDs, c.ChannelID) {
			return false, nothing()
		}
		f.ChannelIDs = []string{c.ChannelID}
	}
	granted, err := d.among(ctx, c, f.PropertyIDs)
	if err != nil {
		return false, err
	}
	f.PropertyIDs = nil
	for _, p := range granted {
		f.PropertyIDs = append(f.PropertyIDs, p.ID)
		for _, phase := range phases {
			f.In = append(f.In, stay.In(phase, p.ID, d.today(&p)))
		}
	}
	return len(granted) > 0, nil // an empty filter would mean every property
}

// booksFor has the bookings of a client that stands for a channel be those of the channel,
// whose id it need not say.
func (c Caller) booksFor(of *hotel.Source) error {
	if !c.ota() {
		return nil
	}
	if of.ChannelID != "" && of.ChannelID != hotel.Direct && of.ChannelID != c.ChannelID {
		return hotel.Invalid("/source/channel_id", "enum", "this client books for %s alone: leave it out", c.ChannelID)
	}
	of.ChannelID = c.ChannelID
	return nil
}

// Book makes a reservation. Replayed tells that the request's key had its
// effect before.
func (d *Desk) Book(ctx context.Context, c Caller, n hotel.NewReservation) (made hotel.Reservation, replayed bool, err error) {
	if err := c.enter(auth.ReservationsWrite, n.PropertyID); err != nil {
		return hotel.Reservation{}, false, err
	}
	if err := c.mayBook(&n); err != nil {
		return hotel.Reservation{}, false, err
	}
	n.Seller = c.seller()
	if err := c.booksFor(&n.Source); err != nil {
		return hotel.Reservation{}, false, err
	}
	if err := d.mayDraw(ctx, c, n.BlockID); err != nil {
		return hotel.Reservation{}, false, err
	}
	return sell(ctx, d, c.by(), func() (hotel.Reservation, bool, error) {
		made, replayed, err := d.ledger.CreateReservation(ctx, c.by(), c.Once, n)
		if errors.Is(err, ledger.ErrNotFound) { // mostly the property, which is looked up only now: a booking mostly has one
			if _, unknown := d.property(ctx, n.PropertyID); unknown != nil {
				err = unknown
			}
		}
		return made, replayed, err
	})
}

// mayBook refuses what a booking asks beyond the everyday, unless the caller may,
// and takes card numbers out of it.
func (c Caller) mayBook(n *hotel.NewReservation) error {
	if n.Overbook || n.SellDealt || len(n.Overrides) > 0 || n.Free || n.HouseUse {
		if err := c.need(auth.ReservationsOverride); err != nil {
			return err
		}
	}
	if n.Profile != nil {
		n.Profile.OnlyAdds = !c.writesProfiles()
	}
	return withoutCards(n)
}

// writesProfiles reports whether the caller may change what is known of guests, also
// through bookings. Whoever makes bookings adds to it.
func (c Caller) writesProfiles() bool { return c.Scopes.Has(auth.GuestsWrite) && !c.ota() }

// mayDraw refuses a caller that stands for a channel rooms of a block that are not promised
// to that channel, in the words for a block that does not exist.
func (d *Desk) mayDraw(ctx context.Context, c Caller, block string) error {
	if block == "" || !c.ota() {
		return nil
	}
	b, err := d.ledger.Block(ctx, block)
	if errors.Is(err, ledger.ErrNotFound) || err == nil && !c.seesChannel(b.ChannelID) {
		return ledger.NoBlock()
	}
	return said(err)
}

// Change makes a reservation different. Replayed tells that the request's key
// had its effect before.
func (d *Desk) Change(ctx context.Context, c Caller, id string, ch hotel.ReservationChange) (changed hotel.Reservation, replayed bool, err error) {
	if err := c.need(auth.ReservationsWrite); err != nil {
		return hotel.Reservation{}, false, err
	}
	if ch.Overbook || ch.SellDealt || len(ch.Overrides) > 0 || ch.Free != nil || ch.HouseUse != nil {
		if err := c.need(auth.ReservationsOverride); err != nil {
			return hotel.Reservation{}, false, err
		}
	}
	if ch.Guest != nil && ch.Guest.Part != nil {
		ch.Guest.Part.OnlyAdds = !c.writesProfiles()
	}
	if err := changeWithoutCards(&ch); err != nil {
		return hotel.Reservation{}, false, err
	}
	if _, err := d.reservation(ctx, c, id); err != nil {
		return hotel.Reservation{}, false, err
	}
	ch.Seller, ch.Override = c.seller(), c.Scopes.Has(auth.ReservationsOverride)
	ch.DoneAtChannel = ch.DoneAtChannel || c.ota()
	return sell(ctx, d, c.by(), func() (hotel.Reservation, bool, error) {
		return d.ledger.ChangeReservation(ctx, c.by(), c.Once, id, ch)
	})
}

// Cancel cancels a reservation. One that is cancelled already stays as it is.
func (d *Desk) Cancel(ctx context.Context, c Caller, id string, why hotel.CancelRequest) (cancelled hotel.Reservation, replayed bool, err error) {
	if err := c.need(auth.ReservationsWrite); err != nil {
		return hotel.Reservation{}, false, err
	}
	if why.WaivePenalty {
		if err := c.need(auth.ReservationsOverride); err != nil {
			return hotel.Reservation{}, false, err
		}
	}
	if _, err := d.reservation(ctx, c, id); err != nil {
		return hotel.Reservation{}, false, err
	}
	mask(&why.Reason, &why.Note)
	why.DoneAtChannel = why.DoneAtChannel || c.ota() // it is the channel itself that says so
	cancelled, replayed, err = d.ledger.CancelReservation(ctx, c.by(), c.Once, id, why)
	return cancelled, replayed, said(err)
}

// Step takes a reservation one step on. One that took it already stays as it is.
func (d *Desk) Step(ctx context.Context, c Caller, id string, a stay.Action, q hotel.StepRequest) (stepped hotel.Reservation, replayed bool, err error) {
	if err := c.need(auth.ReservationsWrite); err != nil {
		return hotel.Reservation{}, false, err
	}
	if q.Overbook || q.SellDealt {
		if err := c.need(auth.ReservationsOverride); err != nil {
			return hotel.Reservation{}, false, err
		}
	}
	if _, err := d.reservation(ctx, c, id); err != nil {
		return hotel.Reservation{}, false, err
	}
	if q.RoomNumber != nil {
		mask(q.RoomNumber)
	}
	q.DoneAtChannel = q.DoneAtChannel || c.ota()
	q.Seller, q.Override = c.seller(), c.Scopes.Has(auth.ReservationsOverride)
	return sell(ctx, d, c.by(), func() (hotel.Reservation, bool, error) {
		return d.ledger.StepReservation(ctx, c.by(), c.Once, id, a, q)
	})
}

// Acknowledge notes that the caller has stored a revision of a reservation.
func (d *Desk) Acknowledge(ctx context.Context, c Caller, id string, q hotel.AcknowledgeRequest) (acknowledged hotel.Reservation, replayed bool, err error) {
	if err := c.need(auth.ReservationsWrite); err != nil {
		return hotel.Reservation{}, false, err
	}
	if _, err := d.reservation(ctx, c, id); err != nil {
		return hotel.Reservation{}, false, err
	}
	mask(&q.Reference)
	acknowledged, replayed, err = d.ledger.AcknowledgeReservation(ctx, c.by(), c.Once, id, q)
	return acknowledged, replayed, said(err)
}
