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

	forgot   bool // somebody whom it was for, or who came along, is not to be known any more
	faceless bool // somebody whom it was for is not

	made []ledgerdb.BookedBeforeRow // the messages that said it was made, but for the one at hand
}

// bearers lists the bookings that have had a channel's reference, the first one first, by all
// that is known but the message with a key.
func (t *tx) bearers(property, channel, ref, but string) ([]bearer, error) {
	known, err := t.q.BookingsOfReference(t.ctx, ledgerdb.BookingsOfReferenceParams{ChannelID: channel, Ref: ref})
	if err != nil {
		return nil, fmt.Errorf("look up booking: %w", err)
	}
	rows, err := t.q.ReservationsOfBooking(t.ctx, ledgerdb.ReservationsOfBookingParams{PropertyID: property, ChannelID: channel, ChannelRef: ref})
	if err != nil {
		return nil, fmt.Errorf("look up booking: %w", err)
	}
	made, err := t.q.BookedBefore(t.ctx, ledgerdb.BookedBeforeParams{Ref: ref, ChannelID: channel, Key: but})
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
		b.faceless = b.faceless || row.Guest.Status == string(hotel.GuestAnonymized)
		along, err := t.forgotAny(r.Companions)
		if err != nil {
			return nil, err
		}
		b.forgot = b.forgot || b.faceless || along
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
	m.reuse, m.bygone = int64(at), at < newest && !all[at].lives(m.made.today)
	if at < newest {
		return
	}
	if begins, asks := m.begins(&all[newest]); begins {
		m.reuse, m.asks, m.before = m.reuse+1, asks, &all[newest]
	}
}

// precedes reports whether the message was made before a booking, of which prev had the
// reference before. Of two that live, or where nothing but an import tells of the later one,
// what the message names says more than any time; and a cancellation is of the first one
// while it is owed.
func (m *message) precedes(b, prev *bearer) bool {
	both, owed := prev.lives(m.made.today) && prev.known != nil, m.owed(b, prev)
	if (both || owed || b.known == nil && !m.alters(b, prev)) && len(m.r.Booking.Rooms) > 0 {
		if other := m.others(b); other != m.others(prev) {
			return other
		}
		if other := m.stranger(b); other != m.stranger(prev) {
			return other
		}
	}
	return owed || !m.r.At.IsZero() && m.made.precedes(b, prev)
}

// owed reports whether the message is a cancellation as the channel has still to tell of prev,
// which had to end before a booking that has no time could have its reference. That the house
// has ended it meanwhile, or that its nights have gone by, is not the channel's word; who came
// had not cancelled, nor need anybody whose reference was used again behind the arrival.
func (m *message) owed(b, prev *bearer) bool {
	switch {
	case !m.cancels() || prev.known == nil || !b.madeAt().IsZero():
		return false
	case prev.lives(m.made.today):
		return true
	case prev.known.Event == eventCancelled || b.known == nil || !m.r.At.IsZero():
		return false
	}
	return !slices.ContainsFunc(prev.rooms, func(was hotel.Reservation) bool {
		switch was.Status {
		case hotel.Cancelled, hotel.Declined:
			return false
		case hotel.CheckedIn, hotel.CheckedOut:
			return true
		case hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed, hotel.NoShow:
		}
		return slices.ContainsFunc(b.rooms, func(r hotel.Reservation) bool {
			return m.s.property.BusinessDate(r.CreatedAt) >= was.Stay.CheckIn
		})
	})
}

// alters reports whether the message can but change a booking, though it may bring it to what
// prev was: it was written behind the making of the one and the end of the other, and the guest
// is no other than the booking's.
func (m *message) alters(b, prev *bearer) bool {
	made := b.madeAt()
	return prev.cancelled() && !m.cancels() && m.timed(made) && m.r.At.After(made) && !m.stranger(b)
}

// precedes reports whether what has happened then came before a booking was made, of which
// prev had the reference before.
func (w when) precedes(b, prev *bearer) bool {
	if made := b.madeAt(); !made.IsZero() {
		return w.at.Before(made)
	}
	if end := prev.cancelledAt(); !end.IsZero() {
		return !w.at.After(end)
	}
	left, stayed := prev.stayed(w.today)
	return stayed && w.on < left
}

// begins reports whether the message is about a booking that has taken over the reference
// of one that is over: it was made, or changed, when that could not be any more. asks says
// that the message may as well repeat how the other one was made, and somebody has to say
// which it is.
//
//	the booking before         the message                               is about
//	cancelled, which its       what is another where that one is still   another
//	channel has not told       to come
//	cancelled                  made later, with an earlier number        another
//	                           made or changed later, of another guest   another
//	                           changed later by ten minutes at most,     that one: the two clocks may differ
//	                           where the house has cancelled it
//	                           later otherwise                           that one; what does not cancel it has it live again
//	                           not made later                            that one
//	                           booked once more, without a time          another; asks, unless it has a number
//	                                                                     and another guest
//	                           anything else, without a time             that one
//	imported as cancelled      of another guest                          another
//	                           booked later, for other nights            another
//	                           anything else                             that one
//	still to come              booked later, with an earlier number      another
//	                           booked later, with the number that is     another
//	                           known, of another guest or of other rooms
//	                           booked once more without a time or a      another; asks
//	                           higher number, of another guest for
//	                           other nights
//	                           anything else                             that one
//	the guest came, or should  names no nights, or some that it took,    that one
//	                           or of the guest who did not come
//	have                       cancelled, without a time                 that one
//	                           names later nights, made later            another
//	                           booked once more, for later nights        another
//	                           names later nights, without a time        another; asks, unless it is booked once
//	                                                                     more and the guest is another
func (m *message) begins(b *bearer) (begins, asks bool) {
	if m.silent() || b.none() {
		return false, false
	}
	once := m.r.Event == eventBooked && len(b.made) > 0 && !slices.ContainsFunc(b.made, func(row ledgerdb.BookedBeforeRow) bool {
		at := instantOrZero(row.At)
		return m.timed(at) && m.r.At.Equal(at)
	})
	if left, stayed := b.stayed(m.made.today); stayed {
		switch {
		case len(m.r.Booking.Rooms) == 0, m.cancels() && m.r.At.IsZero():
			return false, false
		case slices.ContainsFunc(m.r.Booking.Rooms, func(room hotel.ChannelRoom) bool {
			return room.Stay.CheckIn < left || b.booked(room.Stay) && !m.stranger(b)
		}):
			return false, false
		case m.r.At.IsZero():
			return true, !once || !m.stranger(b)
		}
		return once || m.made.on >= left, false
	}
	if m.madeAnew(b) {
		return true, false
	}
	if !b.cancelled() {
		another := once && m.another(b)
		return another, another
	}
	if end := b.cancelledAt(); m.timed(end) {
		if m.r.Event != eventBooked && (b.known == nil || b.known.Event != eventCancelled) {
			end = end.Add(clocksApart) // the house said so, by its own clock
		}
		later := m.r.At.After(end)
		return later && (b.known != nil && !m.newer(positionOf(*b.known)) || !m.cancels() && m.stranger(b)), false
	}
	switch {
	case b.known == nil && !m.cancels(): // no message has told of it
		return m.stranger(b) || m.r.Event == eventBooked && m.timed(b.madeAt()) && m.r.At.After(b.madeAt()) && m.others(b), false
	case !once || b.known == nil || b.known.Event != eventCancelled:
		return false, false
	case m.newer(positionOf(*b.known)):
		return m.stranger(b), false // else it lives again
	}
	return true, m.r.Order == hotel.OrderNone || !m.stranger(b)
}

// madeAnew reports whether a booking of which its channel has told no end is said to be made
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

// another reports whether the message, which says that a booking was made, shares nothing with
// one that lives, and the channel does not say which came first: that one may have ended unheard.
func (m *message) another(b *bearer) bool {
	if b.known == nil || b.known.Event == eventCancelled || m.timed(instantOrZero(b.known.At)) || !m.stranger(b) {
		return false
	}
	return (m.r.Order == hotel.OrderNone || !m.newer(positionOf(*b.known))) &&
		!slices.ContainsFunc(m.r.Booking.Rooms, func(room hotel.ChannelRoom) bool { return b.booked(room.Stay) })
}

// retells reports whether the message says once more, and later, what is known of a
// booking: if that was one that had the reference before, this is the one that has it now.
func (m *message) retells() bool {
	known := positionOf(*m.known)
	return !m.bygone && m.r.Event == known.event && m.compare(known.Revision, known.At) == 0 && m.timed(known.At) && m.r.At.After(known.At)
}

// differs reports whether the message names a guest whom no room of a booking is for, or
// other rooms than it has.
func (m *message) differs(b *bearer) bool {
	left := slices.Clone(b.rooms)
	for _, room := range m.r.Booking.Rooms {
		at := slices.IndexFunc(left, func(r hotel.Reservation) bool { return m.alike(&r, room) })
		if at < 0 {
			return true
		}
		left = slices.Delete(left, at, at+1)
	}
	return m.stranger(b) || slices.ContainsFunc(left, func(r hotel.Reservation) bool { return stay.Live(r.Status) })
}

// others reports whether the message names a guest or nights that no room of a booking has.
// Of a room that was imported another system may know the rest otherwise.
func (m *message) others(b *bearer) bool {
	return m.stranger(b) || slices.ContainsFunc(m.r.Booking.Rooms, func(room hotel.ChannelRoom) bool {
		return !slices.ContainsFunc(b.rooms, func(r hotel.Reservation) bool { return r.Stay == heldStay(room.Stay) })
	})
}

// alike reports whether a stored room may be just what the message says of one. What the
// house has written in itself tells nothing, and no more does what its codes have come to
// mean since.
func (m *message) alike(r *hotel.Reservation, room hotel.ChannelRoom) bool {
	adults, ages := guestsOf(room)
	return r.Stay == heldStay(room.Stay) &&
		(r.Keeps(hotel.KeptParty) || r.Adults == adults && slices.Equal(r.ChildrenAges, ages)) &&
		(r.BookedRoom == "" || m.sells(r, room)) &&
		(!r.PriceKnown || !priced(room) || slices.EqualFunc(r.Nightly, room.Amounts, func(n hotel.NightPrice, amount hotel.Money) bool { return n.Amount == amount }))
}

// sells reports whether the codes of a room in the message mean what a stored one was booked as.
func (m *message) sells(r *hotel.Reservation, room hotel.ChannelRoom) bool {
	return slices.ContainsFunc(m.mappings, func(x hotel.Mapping) bool {
		return x.RemoteRoom == room.Room && (r.BookedRoom == "" || x.RoomTypeID == r.BookedRoom) &&
			(r.RatePlanID == "" || x.RemoteRate == room.Rate && x.RatePlanID == r.RatePlanID)
	})
}

// outdated reports whether the message was written before its booking was made: it is about
// one that had the reference before, of which nothing is kept. A booking that is told once
// more, and as it was, has not been changed before that.
func (m *message) outdated(b *bearer) bool {
	return slices.ContainsFunc(b.made, func(row ledgerdb.BookedBeforeRow) bool {
		at := instantOrZero(row.At)
		return m.timed(at) && m.r.At.Before(at)
	})
}

// stranger reports whether the message names a guest whom no room of a booking is for. Of
// one whom the house has written in, or who is not to be known any more, nobody can tell.
func (m *message) stranger(b *bearer) bool {
	return len(b.rooms) > 0 && len(m.r.Booking.Rooms) > 0 && !b.faceless && !slices.ContainsFunc(m.r.Booking.Rooms, func(room hotel.ChannelRoom) bool {
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
// cancelled is of a guest who has come or should have, or is past. Who did not come left a
// room that others may have from the second night on.
func (b *bearer) stayed(today hotel.Date) (left hotel.Date, stayed bool) {
	for _, r := range b.rooms {
		switch r.Status {
		case hotel.Cancelled, hotel.Declined:
			continue
		case hotel.NoShow:
			left, stayed = max(left, r.Stay.CheckIn+1), true
			continue
		case hotel.CheckedIn, hotel.CheckedOut:
		case hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed:
			if r.Stay.CheckOut > today {
				return 0, false
			}
		}
		left, stayed = max(left, r.Stay.CheckOut), true
	}
	return left, stayed
}

// lives reports whether guests of a booking are still to come.
func (b *bearer) lives(today hotel.Date) bool {
	_, stayed := b.stayed(today)
	return !b.none() && !stayed && !b.cancelled()
}

// booked reports whether some room of a booking that was not cancelled was booked for a night of a stay.
func (b *bearer) booked(s hotel.Stay) bool {
	return slices.ContainsFunc(b.rooms, func(r hotel.Reservation) bool {
		return r.Status != hotel.Cancelled && r.Status != hotel.Declined && r.Stay.CheckIn < s.CheckOut && s.CheckIn < r.Stay.CheckOut
	})
}

// cancelled reports whether no room of the booking is left.
func (b *bearer) cancelled() bool {
	if len(b.rooms) == 0 {
		return b.known != nil && b.known.Event == eventCancelled
	}
	return !slices.ContainsFunc(b.rooms, func(r hotel.Reservation) bool { return !stay.Over(r.Status) })
}

// cancelledAt is when a booking was cancelled, by the channel's word or else by when the
// house heard of it. It is zero for one that was not, and where nobody says: an import does
// not.
func (b *bearer) cancelledAt() (at time.Time) {
	switch {
	case !b.cancelled():
		return at
	case b.known != nil && b.known.Event == eventCancelled:
		return instantOrZero(b.known.At)
	}
	for _, r := range b.rooms {
		if r.Cancel != nil && r.CancelReason != cancelImported && r.Cancel.At.After(at) {
			at = r.Cancel.At
		}
	}
	return at
}

// madeAt is when the booking was made, by the channel's word or else by that of an import. It
// is zero while nobody has said so.
func (b *bearer) madeAt() (at time.Time) {
	for _, row := range b.made {
		if at = instantOrZero(row.At); !at.IsZero() {
			return at
		}
	}
	for i := range b.rooms {
		if told := importedAsBooked(&b.rooms[i]); !told.IsZero() && (at.IsZero() || told.Before(at)) {
			at = told
		}
	}
	return at
}

// none reports whether nothing is known of the booking.
func (b *bearer) none() bool { return b.known == nil && len(b.rooms) == 0 }

// begin ends the booking that had the reference before, if nobody has told of its end, unless
// somebody is to say whether it has.
func (m *message) begin() error {
	if m.before == nil {
		return nil
	}
	if m.before.lives(m.made.today) && !m.asks {
		if err := m.endBefore(); err != nil {
			return err
		}
	}
	return m.t.askNoMore(m.s, m.before)
}

// askNoMore has a channel not be asked any longer about a booking whose reference another one
// has: it would do to the new one what it is asked.
func (t *tx) askNoMore(s *structure, b *bearer) error {
	for i := range b.rooms {
		if b.rooms[i].OpenAction() == nil {
			continue
		}
		was, err := t.reservation(b.rooms[i].ID) // its end may have answered what was asked
		if err != nil {
			return err
		}
		if was.OpenAction() == nil {
			continue
		}
		r := was
		r.SettleAction(hotel.ActionWithdrawn)
		if err := t.bookEntry(ReservationChannelAction, s, &r, &was); err != nil {
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

// passedOn reports whether the channel has given the reference of a booking to another, by
// what it has told or by an import.
func (t *tx) passedOn(r *hotel.Reservation) (bool, error) {
	known, err := t.q.BookingsOfReference(t.ctx, ledgerdb.BookingsOfReferenceParams{ChannelID: r.Source.ChannelID, Ref: r.Source.Reference})
	if err != nil {
		return false, fmt.Errorf("look up booking: %w", err)
	}
	if slices.ContainsFunc(known, func(b ledgerdb.ChannelBooking) bool { return b.Reuse > int64(r.Source.Reuse) }) {
		return true, nil
	}
	rows, err := t.q.ReservationsOfBooking(t.ctx, ledgerdb.ReservationsOfBookingParams{
		PropertyID: r.PropertyID, ChannelID: r.Source.ChannelID, ChannelRef: r.Source.Reference,
	})
	if err != nil {
		return false, fmt.Errorf("look up booking: %w", err)
	}
	return slices.ContainsFunc(rows, func(row ledgerdb.ReservationsOfBookingRow) bool {
		return row.Reservation.SubChannel == r.Source.SubChannel && row.Reservation.Reuse > int64(r.Source.Reuse)
	}), nil
}
