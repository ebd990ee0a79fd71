package ledger

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// meet finds whom a booking names among the guests of the property, or makes a
// profile. It returns the profile, and who else it may be.
func (t *tx) meet(property string, g hotel.Guest) (hotel.GuestProfile, []string, error) {
	var same hotel.SamePerson
	if key := g.EmailKey(); key != "" {
		known, err := readAll[hotel.GuestProfile](t.q.GuestsByEmail(t.ctx, ledgerdb.GuestsByEmailParams{PropertyID: property, EmailKey: key}))
		if err != nil {
			return hotel.GuestProfile{}, nil, fmt.Errorf("look for the guest: %w", err)
		}
		same = hotel.Match(g, known)
	}
	if same.Is != nil {
		p := *same.Is
		err := t.learn(&p, g)
		return p, nil, err
	}
	p := hotel.GuestProfile{PropertyID: property, Guest: g, Status: hotel.GuestActive, SaidBy: t.channelThatWrites()}
	p.Entity = t.entity(hotel.NewID("gst"))
	t.newGuests = append(t.newGuests, p.ID)
	return p, same.Suggested, t.putGuest(GuestCreated, nil, &p, GuestFact{})
}

// learn adds to a profile what a booking says and nobody knew.
func (t *tx) learn(p *hotel.GuestProfile, g hotel.Guest) error {
	before := *p
	p.Fill(g)
	if t.channelThatWrites() != p.SaidBy {
		p.SaidBy = "" // more than one speaks of the guest
	}
	if p.Guest == before.Guest && p.SaidBy == before.SaidBy {
		return nil
	}
	return t.putGuest(GuestUpdated, &before, p, GuestFact{})
}

// channelThatWrites returns the channel whose message this item applies, "" when
// somebody else writes.
func (t *tx) channelThatWrites() string {
	if t.by.Actor.Kind == hotel.ActorChannel {
		return t.by.Actor.ID
	}
	return ""
}

// bookedFor gives a reservation the guest whom it names: before is the
// reservation as it was, nil for a new one.
func (t *tx) bookedFor(r, before *hotel.Reservation) error {
	if before == nil && r.GuestID != "" || before != nil && (r.Guest == before.Guest || r.GuestID != before.GuestID) {
		return nil
	}
	if before == nil {
		return t.bookedForNew(r)
	}
	p, err := t.guest(r.GuestID)
	if err != nil {
		return err
	}
	channel := t.channelThatWrites()
	switch {
	case p.Status == hotel.GuestAnonymized && channel != "":
		r.Guest, r.GuestRevision = p.Guest, p.Revision // it is not told again whom it was asked to forget
		return nil
	case p.Status != hotel.GuestActive:
		return t.bookedForNew(r)
	case channel == "":
		return t.reword(&p, r)
	}
	// A channel's message replaces what channels alone have said of a guest with no
	// other booking. What the house knows it can only add to.
	others, err := t.q.OtherBookings(t.ctx, ledgerdb.OtherBookingsParams{GuestID: p.ID, ID: r.ID, ChannelID: r.Source.ChannelID, ChannelRef: r.Source.Reference, Reuse: int64(r.Source.Reuse)})
	if err != nil {
		return fmt.Errorf("look for other bookings of guest %s: %w", p.ID, err)
	}
	own, noEmail := p.SaidBy == channel && !others.Elsewhere, p.Email == "" || r.Guest.Email == ""
	if own && others.InBooking {
		noEmail = false // other rooms of the booking are for whom their own messages name
	}
	same := p.NameKey() == r.Guest.NameKey() && (p.EmailKey() == r.Guest.EmailKey() || noEmail)
	switch {
	case own && (same || r.Guest.Email == "" && !others.InBooking):
		other, err := t.ownOf(r)
		if err != nil {
			return err
		}
		if other == nil || other.ID == p.ID {
			return t.reword(&p, r)
		}
	case same:
		err = t.learn(&p, r.Guest)
		r.Guest, r.GuestRevision = p.Guest, p.Revision
		return err
	}
	return t.bookedForNew(r)
}

// ownOf returns the profile that messages about the booking of a reservation alone have
// made of the person whom it names, nil when there is none.
func (t *tx) ownOf(r *hotel.Reservation) (*hotel.GuestProfile, error) {
	channel, key := t.channelThatWrites(), r.Guest.EmailKey()
	if channel == "" || key == "" || hotel.Relay(r.Guest.Email) {
		return nil, nil
	}
	known, err := readAll[hotel.GuestProfile](t.q.GuestsByEmail(t.ctx, ledgerdb.GuestsByEmailParams{PropertyID: r.PropertyID, EmailKey: key}))
	if err != nil {
		return nil, fmt.Errorf("look for the guest: %w", err)
	}
	for i := range known {
		p := &known[i]
		if p.Status != hotel.GuestActive || p.SaidBy != channel || p.NameKey() != r.Guest.NameKey() {
			continue
		}
		others, err := t.q.OtherBookings(t.ctx, ledgerdb.OtherBookingsParams{GuestID: p.ID, ID: r.ID, ChannelID: r.Source.ChannelID, ChannelRef: r.Source.Reference, Reuse: int64(r.Source.Reuse)})
		if err != nil {
			return nil, fmt.Errorf("look for other bookings of guest %s: %w", p.ID, err)
		}
		if !others.Elsewhere {
			return p, nil
		}
	}
	return nil, nil
}

func (t *tx) bookedForNew(r *hotel.Reservation) error {
	own, err := t.ownOf(r)
	if err != nil {
		return err
	}
	if own != nil {
		r.GuestID, r.SuggestedGuests = own.ID, nil
		return t.reword(own, r)
	}
	p, suggested, err := t.meet(r.PropertyID, r.Guest)
	r.GuestID, r.Guest, r.GuestRevision, r.SuggestedGuests = p.ID, p.Guest, p.Revision, suggested
	return err
}

// reword has a profile say of its guest what a reservation says.
func (t *tx) reword(p *hotel.GuestProfile, r *hotel.Reservation) error {
	before := *p
	p.Guest, p.SaidBy = r.Guest, t.channelThatWrites()
	if p.Guest == before.Guest && p.SaidBy == before.SaidBy {
		return nil
	}
	err := t.putGuest(GuestUpdated, &before, p, GuestFact{})
	r.GuestRevision = p.Revision
	return err
}

// guest looks at a guest as a booking names one; what was so before (nil: nothing)
// is let be.
func (w *wrong) guest(r *hotel.Reservation, before *hotel.Guest, today hotel.Date) {
	*w = append(*w, r.Guest.Faults(before, today, "/guest")...)
}

// giveTo gives a reservation to a guest of the property.
func (t *tx) giveTo(w *wrong, r *hotel.Reservation, guest string) error {
	p, there, err := t.guestOf(r.PropertyID, guest)
	if err != nil {
		return err
	}
	if !there {
		w.add("/guest_id", "enum", "the property has no guest by this id, or no longer")
		return nil
	}
	r.GuestID, r.Guest, r.GuestRevision, r.SuggestedGuests = p.ID, p.Guest, p.Revision, nil
	return nil
}

// guestOf returns the profile of that id unless the property has none, or no longer.
func (t *tx) guestOf(property, id string) (p hotel.GuestProfile, there bool, err error) {
	p, err = t.activeGuest(id)
	if _, gone := errors.AsType[*hotel.Refusal](err); gone || errors.Is(err, ErrNotFound) {
		return p, false, nil
	}
	return p, err == nil && p.PropertyID == property, err
}

// checkCompanions looks whether further guests are the property's.
func (t *tx) checkCompanions(w *wrong, r *hotel.Reservation) error {
	for i, id := range r.Companions {
		at := fmt.Sprintf("/additional_guest_ids/%d", i)
		_, there, err := t.guestOf(r.PropertyID, id)
		switch {
		case err != nil:
			return err
		case !there:
			w.add(at, "enum", "the property has no guest by this id, or no longer")
		case slices.Contains(r.Companions[:i], id):
			w.add(at, "enum", "stands there twice")
		}
	}
	return nil
}

// checkSource looks whether the channel that has sold a reservation is the property's.
func (t *tx) checkSource(w *wrong, r *hotel.Reservation) error {
	if r.Source.ChannelID == hotel.Direct {
		return nil
	}
	channel, err := t.q.GetChannel(t.ctx, r.Source.ChannelID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return fmt.Errorf("read channel %s: %w", r.Source.ChannelID, err)
	}
	if err != nil || channel.PropertyID != r.PropertyID {
		w.add("/source/channel_id", "enum", "the property has no channel by this id; bookings of your own are direct")
	}
	return nil
}

// tellProfile has the profile of a booking's guest say what the booking says beside who
// that is (nil: nothing). It is the house's word from then on. Who may not write profiles
// adds to one that was there before what nobody knew.
func (t *tx) tellProfile(s *structure, r *hotel.Reservation, part *hotel.ProfilePart) error {
	if part == nil {
		return nil
	}
	before, err := t.activeGuest(r.GuestID)
	if err != nil {
		return err
	}
	lay := part.Over
	if part.OnlyAdds && !slices.Contains(t.newGuests, before.ID) {
		lay = part.Beside
	}
	p := lay(before)
	if reflect.DeepEqual(p, before) {
		return nil
	}
	if err := p.Check(&before, s.property.Today(t.now)); err != nil {
		return hotel.Within(err, "/guest")
	}
	p.SaidBy = ""
	if err := t.putGuest(GuestUpdated, &before, &p, GuestFact{}); err != nil {
		return hotel.Within(err, "/guest")
	}
	r.GuestRevision = p.Revision
	return nil
}
