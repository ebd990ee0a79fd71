package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
)

// MergeGuest makes two profiles of one person one.
func (d *Desk) MergeGuest(ctx context.Context, c Caller, id string, m hotel.GuestMerger) (merged hotel.GuestProfile, replayed bool, err error) {
	if err := d.mayChange(ctx, c, id); err != nil {
		return merged, false, err
	}
	merged, replayed, err = d.ledger.MergeGuest(ctx, c.by(), c.Once, id, m)
	if err != nil {
		return merged, replayed, said(err)
	}
	booked, err := d.booked(ctx, c, id)
	merged.Stats = hotel.StatsOf(booked)
	return merged, replayed, err
}

// ForgetGuest leaves nothing of a person but the id of the profile.
func (d *Desk) ForgetGuest(ctx context.Context, c Caller, id string, q hotel.ForgetRequest) (left hotel.GuestProfile, replayed bool, err error) {
	if err := d.mayChange(ctx, c, id); err != nil {
		return left, false, err
	}
	left, replayed, err = d.ledger.ForgetGuest(ctx, c.by(), c.Once, id, q)
	if err != nil {
		return left, replayed, said(err)
	}
	booked, err := d.booked(ctx, c, id)
	left.Stats = hotel.StatsOf(booked)
	return left, replayed, err
}

// GuestExport is all that is kept of a person.
type GuestExport struct {
	hotel.GuestProfile
	Booked   []hotel.Reservation         // whole, with what people wrote
	Earlier  []hotel.ReservationRevision // that said something else of the guest than the profile does
	Along    []Accompanied               // bookings of others that they come along with
	Messages []hotel.GuestMessage        // of channels, about bookings that never were anybody else's
	Accesses []hotel.PersonalAccess      // who was shown any of it
}

// Accompanied is a booking of somebody else that a person comes along with, without what it
// says of that guest.
type Accompanied struct {
	ReservationID, PropertyID string
	Stay                      hotel.Stay
}

// Export returns all that is kept of a person, under this profile and those that were
// merged into it. A caller that stands for a channel
// has no say in that.
func (d *Desk) Export(ctx context.Context, c Caller, id string) (GuestExport, error) {
	p, err := d.Preferences(ctx, c, id)
	if err != nil {
		return GuestExport{}, err
	}
	out := GuestExport{GuestProfile: p}
	names, bookings, err := d.ledger.TracesOfGuest(ctx, id)
	if err != nil {
		return out, said(err)
	}
	for _, booking := range bookings {
		r, err := d.ledger.Reservation(ctx, booking)
		if err != nil {
			return out, said(err)
		}
		last := p.Guest
		if r.GuestID == id {
			out.Booked = append(out.Booked, r)
		} else {
			last = hotel.Guest{} // by now it is somebody else's, and nothing but its past tells of this person
		}
		revisions, err := d.ledger.ReservationRevisions(ctx, r.ID)
		if err != nil {
			return out, said(err)
		}
		for _, v := range revisions {
			if slices.Contains(names, v.GuestID) && v.Guest != last {
				out.Earlier = append(out.Earlier, v)
				last = v.Guest
			}
		}
	}
	along, err := d.ledger.AlongWith(ctx, id)
	if err != nil {
		return out, said(err)
	}
	for _, r := range along {
		out.Along = append(out.Along, Accompanied{r.ID, r.PropertyID, r.Stay})
	}
	if out.Messages, err = d.ledger.MessagesOfGuest(ctx, id); err != nil {
		return out, said(err)
	}
	for _, name := range names {
		shown, err := d.ledger.PersonalAccesses(ctx, name)
		if err != nil {
			return out, said(err)
		}
		out.Accesses = append(out.Accesses, shown...)
	}
	slices.SortStableFunc(out.Accesses, func(a, b hotel.PersonalAccess) int { return a.At.Compare(b.At) })
	return out, nil
}
