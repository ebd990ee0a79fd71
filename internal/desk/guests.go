package desk

import (
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// guests is what is kept by person.
type guests interface {
	Guest(ctx context.Context, id string) (hotel.GuestProfile, error)
	Guests(ctx context.Context, f hotel.GuestFilter) ([]hotel.GuestProfile, error)
	BookedByGuest(ctx context.Context, id string) ([]hotel.Reservation, error)

	MessagesOfGuest(ctx context.Context, id string) ([]hotel.GuestMessage, error)
	PersonalAccesses(ctx context.Context, id string) ([]hotel.PersonalAccess, error)
	TracesOfGuest(ctx context.Context, id string) (profiles, bookings []string, err error)
	AlongWith(ctx context.Context, guest string) ([]hotel.Reservation, error)
	NoteShown(ctx context.Context, by hotel.By, operation string, people []string) error

	CreateGuest(ctx context.Context, by hotel.By, once hotel.Once, p hotel.GuestProfile) (made hotel.GuestProfile, replayed bool, err error)
	ChangeGuest(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.GuestProfile]) (changed hotel.GuestProfile, replayed bool, err error)
	MergeGuest(ctx context.Context, by hotel.By, once hotel.Once, id string, m hotel.GuestMerger) (merged hotel.GuestProfile, replayed bool, err error)
	ForgetGuest(ctx context.Context, by hotel.By, once hotel.Once, id string, q hotel.ForgetRequest) (left hotel.GuestProfile, replayed bool, err error)
}

// Guests lists profiles of a property, of every granted one when the filter names
// none. A caller that stands for a channel sees the guests of its own bookings.
func (d *Desk) Guests(ctx context.Context, c Caller, f hotel.GuestFilter) ([]hotel.GuestProfile, error) {
	if err := c.need(auth.GuestsRead); err != nil {
		return nil, err
	}
	if c.ota() {
		f.ChannelID = c.ChannelID
	}
	granted, err := d.among(ctx, c, f.PropertyIDs)
	if err != nil || len(granted) == 0 {
		return nil, err // an empty filter would mean every property
	}
	f.PropertyIDs = nil
	for _, p := range granted {
		f.PropertyIDs = append(f.PropertyIDs, p.ID)
	}
	list, err := d.ledger.Guests(ctx, f)
	if err != nil {
		return nil, said(err)
	}
	for i := range list {
		booked, err := d.booked(ctx, c, list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i].Stats = hotel.StatsOf(booked)
	}
	return list, nil
}

// Guest returns one profile, also of somebody who was forgotten: nothing but its
// id is left of that.
func (d *Desk) Guest(ctx context.Context, c Caller, id string) (hotel.GuestProfile, error) {
	if err := c.need(auth.GuestsRead); err != nil {
		return hotel.GuestProfile{}, err
	}
	p, _, err := d.guest(ctx, c, id)
	return p, err
}

// Booked is what somebody has booked, with the names of the room types and rate
// plans that are in it, by id.
type Booked struct {
	Booked []hotel.Reservation
	Names  map[string]string
}

// Stays lists what a guest has booked, the newest stay first. A caller that stands
// for a channel sees its own bookings.
func (d *Desk) Stays(ctx context.Context, c Caller, id string) (Booked, error) {
	if err := c.need(auth.GuestsRead); err != nil {
		return Booked{}, err
	}
	p, booked, err := d.guest(ctx, c, id)
	if err != nil {
		return Booked{}, err
	}
	if err := present(p); err != nil {
		return Booked{}, err
	}
	names := map[string]string{}
	rooms, err := d.ledger.RoomTypes(ctx, p.PropertyID)
	if err != nil {
		return Booked{}, said(err)
	}
	for _, r := range rooms {
		names[r.ID] = r.Name
	}
	plans, err := d.ledger.RatePlans(ctx, p.PropertyID)
	for _, r := range plans {
		names[r.ID] = r.Name
	}
	return Booked{booked, names}, said(err)
}

// Preferences returns the profile of somebody of whom it is asked what they like.
func (d *Desk) Preferences(ctx context.Context, c Caller, id string) (hotel.GuestProfile, error) {
	if err := c.need(auth.GuestsRead); err != nil {
		return hotel.GuestProfile{}, err
	}
	if err := c.seesHouse(); err != nil {
		return hotel.GuestProfile{}, err
	}
	p, _, err := d.guest(ctx, c, id)
	if err != nil {
		return p, err
	}
	return p, present(p)
}

// guest reads a profile that the caller may see, with what the guest has booked.
func (d *Desk) guest(ctx context.Context, c Caller, id string) (hotel.GuestProfile, []hotel.Reservation, error) {
	p, err := d.ledger.Guest(ctx, id)
	if err != nil {
		return p, nil, said(err)
	}
	if err := c.find(p.PropertyID); err != nil {
		return hotel.GuestProfile{}, nil, err
	}
	booked, err := d.booked(ctx, c, id)
	switch {
	case err != nil:
		return hotel.GuestProfile{}, nil, err
	case c.ota() && len(booked) == 0:
		return hotel.GuestProfile{}, nil, nothing()
	case p.Status == hotel.GuestMerged:
		return hotel.GuestProfile{}, nil, ledger.MergedGuest(p.MergedInto)
	}
	p.Stats = hotel.StatsOf(booked)
	return p, booked, nil
}

// booked lists what a guest has booked, as far as the caller may know.
func (d *Desk) booked(ctx context.Context, c Caller, id string) ([]hotel.Reservation, error) {
	all, err := d.ledger.BookedByGuest(ctx, id)
	if err != nil {
		return nil, said(err)
	}
	return slices.DeleteFunc(all, func(r hotel.Reservation) bool { return !c.seesChannel(r.Source.ChannelID) }), nil
}

// present refuses a profile of which nothing is left.
func present(p hotel.GuestProfile) error {
	if p.Status == hotel.GuestAnonymized {
		return ledger.Forgotten()
	}
	return nil
}

// CreateGuest stores the profile of somebody. Replayed tells that the request's
// key had its effect before.
func (d *Desk) CreateGuest(ctx context.Context, c Caller, p hotel.GuestProfile) (made hotel.GuestProfile, replayed bool, err error) {
	if err := c.enter(auth.GuestsWrite, p.PropertyID); err != nil {
		return made, false, err
	}
	if c.ota() {
		return made, false, noProperty()
	}
	if _, err := d.property(ctx, p.PropertyID); err != nil {
		return made, false, err
	}
	maskProfile(&p)
	made, replayed, err = d.ledger.CreateGuest(ctx, c.by(), c.Once, p)
	return made, replayed, said(err)
}

// ChangeGuest makes a profile different. The profiles are the house's: a caller
// that stands for a channel changes its guests through its bookings.
func (d *Desk) ChangeGuest(ctx context.Context, c Caller, id string, to hotel.Change[hotel.GuestProfile]) (changed hotel.GuestProfile, replayed bool, err error) {
	if err := d.mayChange(ctx, c, id); err != nil {
		return changed, false, err
	}
	apply := to.Apply
	to.Apply = func(p *hotel.GuestProfile) error {
		err := apply(p)
		maskProfile(p)
		return err
	}
	changed, replayed, err = d.ledger.ChangeGuest(ctx, c.by(), c.Once, id, to)
	if err != nil {
		return changed, replayed, said(err)
	}
	booked, err := d.booked(ctx, c, changed.ID)
	changed.Stats = hotel.StatsOf(booked)
	return changed, replayed, err
}

// mayChange refuses a caller who must not change the profile.
func (d *Desk) mayChange(ctx context.Context, c Caller, id string) error {
	if err := c.need(auth.GuestsWrite); err != nil {
		return err
	}
	if err := c.seesHouse(); err != nil {
		return err
	}
	p, err := d.ledger.Guest(ctx, id)
	if err != nil {
		return said(err)
	}
	return c.find(p.PropertyID)
}

// Shown writes down that the caller was shown what is known of people, who are named by
// the ids of what is known of them: guests, access requests, blocks, properties for those
// whom they notify. What cannot be written down is not to be
// shown.
func (d *Desk) Shown(ctx context.Context, c Caller, operation string, people []string) error {
	if len(people) == 0 {
		return nil
	}
	return said(d.ledger.NoteShown(ctx, c.by(), operation, people))
}
