package ledger

import (
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/stay"
)

// bearers lists the bookings that have had the reference of a row, the first one first.
func (p *importing) bearers(r *hotel.Reservation) ([]bearer, error) {
	all, err := p.t.bearers(p.s.property.ID, r.Source.ChannelID, r.Source.Reference, "")
	for i := range all {
		all[i].rooms = slices.DeleteFunc(all[i].rooms, func(x hotel.Reservation) bool { return !x.Source.SameSeller(r.Source) })
	}
	return all, err
}

// newcomer is a row of which nobody knows yet which of the bookings that have had its
// reference it is about.
type newcomer struct {
	row   *hotel.Reservation
	made  when     // by its word; no instant where it says none
	known []bearer // the bookings that have had the reference
	wrong wrong    // why it cannot be told
}

// booking finds which of the bookings that have had its reference a row is about, by when it
// was booked and by what it is: the newest, one before it, or one that begins with the row.
//
//	the newest booking     the row                                     is about
//	lives                  was booked before it was made               one before it
//	                       anything else                               that one
//	cancelled              was booked behind its cancellation          another
//	                       was booked before                           that one
//	                       is over too                                 that one
//	                       holds a room, and does not say when         nobody can tell: it is asked for
//	                       it was booked
//	the guest has left     was booked behind the departure             another
//	                       names nights before it                      that one
//	                       names later nights, and does not say when   nobody can tell: it is asked for
//
// Where no message has told of a cancelled or past booking, rows that name no room, or
// another one, are further rooms of it unless they were booked later.
func (n *newcomer) booking() (reuse int64) {
	newest := len(n.known) - 1
	switch b := &n.known[newest]; {
	case newest == 0 && b.none():
		return 0
	case n.made.at.IsZero():
		return n.untimed()
	case n.follows(b):
		return int64(newest + 1)
	}
	at := newest
	for at > 0 && n.precedes(&n.known[at], &n.known[at-1]) {
		at--
	}
	if b := &n.known[at]; at == 0 && n.predates(b) || at < newest && !n.over() && !n.in(b) {
		n.wrong.add("/source/channel_reference", "enum",
			"the channel has given this reference to a booking that was made later, and is stored: leave channel_reference out to take the earlier one over, too")
	}
	return int64(at)
}

// untimed does so for a row that does not say when it was booked.
func (n *newcomer) untimed() (reuse int64) {
	at, fits := 0, 0
	for i := range n.known {
		if n.in(&n.known[i]) {
			at, fits = i, fits+1
		}
	}
	b := &n.known[at]
	if fits != 1 && len(n.known) > 1 || n.contests(b) {
		n.askTime()
	}
	return int64(at)
}

func (n *newcomer) askTime() {
	n.wrong.add("/source/booked_at", "required",
		"the channel has given this reference to several bookings, and nobody can tell which of them the row is: say of each when it was booked")
}

// contests reports whether a row that does not say when it was booked holds a room where
// a booking has ended, or is over in a room of it that another guest has for other nights.
func (n *newcomer) contests(b *bearer) bool {
	if n.over() {
		return slices.ContainsFunc(b.rooms, func(x hotel.Reservation) bool {
			return n.lies(&x) && !stay.Over(x.Status) && x.Stay != n.row.Stay && !onePerson(x.Guest, n.row.Guest)
		})
	}
	if left, stayed := b.stayed(n.made.today); stayed {
		return n.row.Stay.CheckIn >= left && (b.known != nil || n.liesIn(b))
	}
	return b.cancelled() && (b.known != nil || n.liesIn(b))
}

// precedes reports whether the row was booked before a booking was made, of which prev had
// the reference before. What it is goes before what the clocks of two systems say.
func (n *newcomer) precedes(b, prev *bearer) bool {
	if in := n.in(b); in != n.in(prev) {
		return !in
	}
	return n.made.precedes(b, prev)
}

// predates reports whether the row is over, and of a room that was booked anew under the
// reference: nothing is kept of the booking that it is about.
func (n *newcomer) predates(b *bearer) bool {
	if made := b.madeAt(); !made.IsZero() {
		return n.over() && n.made.at.Before(made) && n.liesIn(b) && !n.in(b)
	}
	return n.over() && n.contests(b)
}

// follows reports whether the row was booked when a booking had ended.
func (n *newcomer) follows(b *bearer) bool {
	if left, stayed := b.stayed(n.made.today); stayed {
		return n.made.on >= left
	}
	if !b.cancelled() {
		return false
	}
	if end := b.cancelledAt(); !end.IsZero() {
		return n.made.at.After(end)
	}
	if made := b.madeAt(); !made.IsZero() {
		return n.made.at.After(made)
	}
	return n.liesIn(b) // one room has two rows
}

func (n *newcomer) over() bool { return stay.Over(n.row.Status) }

// lies reports whether the row names the channel's reference of a room.
func (n *newcomer) lies(x *hotel.Reservation) bool {
	return n.row.Source.RoomRef != "" && x.Source.RoomRef == n.row.Source.RoomRef
}

func (n *newcomer) liesIn(b *bearer) bool {
	return slices.ContainsFunc(b.rooms, func(x hotel.Reservation) bool { return n.lies(&x) })
}

// in reports whether a booking has a room that is what the row is: of that guest, for those
// nights.
func (n *newcomer) in(b *bearer) bool {
	return slices.ContainsFunc(b.rooms, func(x hotel.Reservation) bool {
		return (n.row.Source.RoomRef == "" || n.lies(&x) || unnamed(&x)) && x.Stay == n.row.Stay && onePerson(x.Guest, n.row.Guest)
	})
}

// when is the time of which something tells, as a property sees it.
type when struct {
	at    time.Time  // zero: nobody says
	on    hotel.Date // the date at the house
	today hotel.Date // the business date now
}

func (t *tx) whenAt(p *hotel.Property, at time.Time) when {
	return when{at: at, on: hotel.DateIn(at, p.Zone()), today: p.BusinessDate(t.now)}
}
