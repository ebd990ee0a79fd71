package ledger

import (
	"fmt"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
	"ostler.example/ledger/internal/ledgerdb"
)

// bearer is one of the bookings that have had a reference, as far as it is known. A
// channel may use a reference again when the booking that had it is over.
type bearer struct {
	known *ledgerdb.ChannelBooking // nil: no message has told of it
	rooms []hotel.Reservation

	forgot bool // somebody whom it was for is not to be known any more

	made []ledgerdb.BookedBeforeRow // the messages that said it was made, but for the one at hand
}

// bearers lists the bookings that have had the message's reference, the first one first.
func (m *message) bearers() ([]bearer, error) {
	known, err := m.t.q.BookingsOfReference(m.t.ctx, ledgerdb.BookingsOfReferenceParams{ChannelID: m.r.ChannelID, Ref: m.r.Ref})
	if err != nil {
		return nil, fmt.Errorf("look up booking: %w", err)
	}
	rows, err := m.t.q.ReservationsOfBooking(m.t.ctx, ledgerdb.ReservationsOfBookingParams{
		PropertyID: m.channel.PropertyID, ChannelID: m.r.ChannelID, ChannelRef: m.r.Ref,
	})
	if err != nil {
		return nil, fmt.Errorf("look up booking: %w", err)
	}
	made, err := m.t.q.BookedBefore(m.t.ctx, ledgerdb.BookedBeforeParams{Ref: m.r.Ref, ChannelID: m.r.ChannelID, Key: m.r.Key})
	if err != nil {
		return nil, fmt.Errorf("look for what was told of the booking: %w", err)
	}
	all := make([]bearer, 1)
	of := func(reuse int64) *bearer {
		for int64(len(all)) <= reuse {
			all = append(all, bearer{})
		}
		return &all[reuse]
	}
	for i := range known {
		of(known[i].Reuse).known = &known[i]
	}
	for _, row := range rows {
		r, err := reservationOf(row.Reservation, row.Guest)
		if err != nil {
			return nil, err
		}
		b := of(row.Reservation.Reuse)
		b.rooms = append(b.rooms, r)
		b.forgot = b.forgot || row.Guest.Status == string(hotel.GuestAnonymized)
	}
	for _, row := range made {
		b := of(row.Reuse)
		b.made = append(b.made, row)
	}
	return all, nil
}

// choose finds which booking of those that have had its reference the message is about:
// the newest that it fits, by when it was made, or one that begins with it.
func (m *message) choose(all []bearer) {
	newest := len(all) - 1
	at := newest
	for at > 0 && m.precedes(&all[at], &all[at-1]) {
		at--
	}
	m.reuse, m.bygone = int64(at), at < newest
	if m.bygone {
		return
	}
	if begins, asks := m.begins(&all[newest]); begins {
		m.reuse, m.asks, m.before = m.reuse+1, asks, &all[newest]
	}
}

// precedes reports whether the message was made before a booking, of which prev had the
// reference before.
func (m *message) precedes(b, prev *bearer) bool {
	if m.r.At.IsZero() {
		return false
	}
	if made := b.madeAt(); !made.IsZero() {
		return m.r.At.Before(made)
	}
	if end := prev.cancelledAt(); !end.IsZero() {
		return !m.r.At.After(end)
	}
	left, stayed := m.stayed(prev)
	return stayed && m.madeOn() < left
}

// begins reports whether the message is about a booking that has taken over the reference
// of one that is over: it was made, or changed, when that could not be any more. asks says
// that the message may as well repeat how the other one was made, and somebody has to say
// which it is.
//
//	the booking before         the message                               is about
//	cancelled                  made later, with an earlier number        another
//	                           made or changed later, of another guest   another
//	                           later otherwise                           that one; what does not cancel it has it live again
//	                           not made later                            that one
//	                           booked once more, without a time          another; asks, unless it has a number
//	                                                                     and another guest
//	                           anything else, without a time             that one
//	still to come              booked later, with an earlier number      another
//	                           booked later, with the number that is     another
//	                           known, of another guest or for other
//	                           nights
//	                           anything else                             that one
//	the guest came, or should  cancelled, or names nights of it          that one
//	have                       names later nights, made later            another
//	                           booked once more, for later nights        another
//	                           names later nights, without a time        another; asks, unless it is booked once
//	                                                                     more and the guest is another
func (m *message) begins(b *bearer) (begins, asks bool) {
	if m.silent() || b.known == nil && len(b.rooms) == 0 {
		return false, false
	}
	once := m.r.Event == eventBooked && len(b.made) > 0 && !slices.ContainsFunc(b.made, func(row ledgerdb.BookedBeforeRow) bool {
		at := instantOrZero(row.At)
		return m.timed(at) && m.r.At.Equal(at)
	})
	if left, stayed := m.stayed(b); stayed {
		switch {
		case m.cancels():
			return false, false
		case slices.ContainsFunc(m.r.Booking.Rooms, func(room hotel.ChannelRoom) bool { return room.Stay.CheckIn < left }):
			return false, false
		case m.r.At.IsZero():
			return true, !once || !m.stranger(b)
		}
		return once || m.madeOn() >= left, false
	}
	if !b.cancelled() {
		return m.madeAnew(b), false
	}
	if end := b.cancelledAt(); m.timed(end) {
		later := m.r.At.After(end)
		return later && (b.known != nil && !m.newer(positionOf(*b.known)) || !m.cancels() && m.stranger(b)), false
	}
	switch {
	case !once || b.known == nil || b.known.Event != eventCancelled:
		return false, false
	case m.newer(positionOf(*b.known)):
		return m.stranger(b), false // else it lives again
	}
	return true, m.r.Order == hotel.OrderNone || !m.stranger(b)
}

// madeAnew reports whether a booking that lives, as far as is known, is said to be made
// behind all that is known of it, and its numbers begin again: what was told is of one that
// had the reference before, and has ended unheard. With the number that is known, the guest
// and the nights it is the same one, told once more.
func (m *message) madeAnew(b *bearer) bool {
	if m.r.Event != eventBooked || b.known == nil || b.known.Event == eventCancelled {
		return false
	}
	known := positionOf(*b.known)
	again := m.compare(known.Revision, known.At) == 0 && !m.differs(b)
	return m.timed(known.At) && m.r.At.After(known.At) && m.tells(known.StalePlace) && !m.newer(known) && !again
}

// differs reports whether the message names a guest or a stay that no room of a booking has.
func (m *message) differs(b *bearer) bool {
	return m.stranger(b) || slices.ContainsFunc(m.r.Booking.Rooms, func(room hotel.ChannelRoom) bool {
		return !slices.ContainsFunc(b.rooms, func(r hotel.Reservation) bool { return r.Stay == room.Stay })
	})
}

// outdated reports whether the message was written before its booking was made: it is about
// one that had the reference before, of which nothing is kept.
func (m *message) outdated(b *bearer) bool {
	return slices.ContainsFunc(b.made, func(row ledgerdb.BookedBeforeRow) bool {
		at := instantOrZero(row.At)
		return m.timed(at) && m.r.At.Before(at)
	})
}

// madeOn is the date at the house on which the message was made.
func (m *message) madeOn() hotel.Date { return hotel.DateIn(m.r.At, m.s.property.Zone()) }

// stranger reports whether the message names a guest whom no room of a booking is for. Of
// one whom the house has written in, or who is not to be known any more, nobody can tell.
func (m *message) stranger(b *bearer) bool {
	return len(b.rooms) > 0 && len(m.r.Booking.Rooms) > 0 && !b.forgot && !slices.ContainsFunc(m.r.Booking.Rooms, func(room hotel.ChannelRoom) bool {
		guest := m.guestOf(room)
		return guest == nil || slices.ContainsFunc(b.rooms, func(r hotel.Reservation) bool { return r.Keeps(hotel.KeptGuest) || onePerson(*guest, r.Guest) })
	})
}

// onePerson reports whether two accounts of a guest may be of one person: by the addresses
// where both have one that is the guest's own, else by the names.
func onePerson(a, b hotel.Guest) bool {
	own := func(g hotel.Guest) bool { return g.Email != "" && !hotel.Relay(g.Email) }
	if own(a) && own(b) {
		return a.EmailKey() == b.EmailKey()
	}
	return a.FirstName == b.FirstName && a.NameKey() == b.NameKey()
}

// stayed returns when the last guest of a booking leaves, if every room of it that was not
// cancelled is of a guest who has come or should have, or is past.
func (m *message) stayed(b *bearer) (left hotel.Date, stayed bool) {
	today := m.s.property.BusinessDate(m.t.now)
	for _, r := range b.rooms {
		switch r.Status {
		case hotel.Cancelled, hotel.Declined:
			continue
		case hotel.CheckedIn, hotel.CheckedOut, hotel.NoShow:
		case hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed:
			if r.Stay.CheckOut > today {
				return 0, false
			}
		}
		left, stayed = max(left, r.Stay.CheckOut), true
	}
	return left, stayed
}

// cancelled reports whether no room of the booking is left.
func (b *bearer) cancelled() bool {
	if len(b.rooms) == 0 {
		return b.known != nil && b.known.Event == eventCancelled
	}
	return !slices.ContainsFunc(b.rooms, func(r hotel.Reservation) bool { return !stay.Over(r.Status) })
}

// cancelledAt is when a booking was cancelled, by the channel's word or else by when the
// house heard of it. It is zero for one that was not, and where nobody says.
func (b *bearer) cancelledAt() (at time.Time) {
	switch {
	case !b.cancelled():
		return at
	case b.known != nil && b.known.Event == eventCancelled:
		return instantOrZero(b.known.At)
	}
	for _, r := range b.rooms {
		if r.Cancel != nil && r.Cancel.At.After(at) {
			at = r.Cancel.At
		}
	}
	return at
}

// madeAt is when the booking was made, zero while nobody has said so.
func (b *bearer) madeAt() time.Time {
	for _, row := range b.made {
		if at := instantOrZero(row.At); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// begin ends the booking that had the reference before, if nobody has told of its end. What
// its channel is still asked to do about it would be taken now for the new one.
func (m *message) begin() error {
	if m.before == nil {
		return nil
	}
	if _, stayed := m.stayed(m.before); !stayed && !m.before.cancelled() {
		return m.endBefore()
	}
	for _, was := range m.before.rooms {
		if was.OpenAction() == nil {
			continue
		}
		r := was
		r.SettleAction(hotel.ActionWithdrawn)
		if err := m.t.bookEntry(ReservationChannelAction, m.s, &r, &was); err != nil {
			return err
		}
	}
	return nil
}

// endBefore cancels the booking that had the reference before, as the message would that
// has not come: behind all that is known of it.
func (m *message) endBefore() error {
	known := m.before.known
	end, err := m.t.openMessage(Receipt{
		ChannelID: m.r.ChannelID, Ref: m.r.Ref, Revision: known.Ordering, At: instantOrZero(known.At), Event: eventCancelled, Order: m.r.Order, Adjusts: m.r.Adjusts,
	}, about(known.Reuse))
	if err != nil {
		return err
	}
	if err := end.apply(); err != nil {
		return err
	}
	return end.know()
}

// passedOn reports whether the channel has given the reference of a booking to another.
func (t *tx) passedOn(r *hotel.Reservation) (bool, error) {
	known, err := t.q.BookingsOfReference(t.ctx, ledgerdb.BookingsOfReferenceParams{ChannelID: r.Source.ChannelID, Ref: r.Source.Reference})
	if err != nil {
		return false, fmt.Errorf("look up booking: %w", err)
	}
	return slices.ContainsFunc(known, func(b ledgerdb.ChannelBooking) bool { return b.Reuse > int64(r.Source.Reuse) }), nil
}
