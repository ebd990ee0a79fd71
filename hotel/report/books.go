package report

import (
	"time"

	"ostler.example/hotel"
)

// Books are what the reports of one property are worked out from.
type Books struct {
	Property    hotel.Property
	Rooms       map[string]int              // physical rooms that a room type counts as, by id; those that are archived too
	Supply      []Supply                    // of every pool and night
	Blocked     []Blocked                   // what blocks still hold
	Bookings    []hotel.Reservation         // all that touch the nights
	History     []History                   // what an earlier system sold of the nights
	Commissions map[string]hotel.Commission // what channels take, by id, where it was told; of single sellers by id and name
}

// Supply is what a pool has on a night, in physical rooms.
type Supply struct {
	Night      hotel.Date
	RoomTypeID string // of the only type that is sold from these rooms; "" when others are too
	Total      int
	Available  int // less those that are out of inventory; those out of order are among them
	OutOfOrder int
}

// Blocked is how many physical rooms of a type blocks hold on a night, less those
// that were picked up.
type Blocked struct {
	Night      hotel.Date
	RoomTypeID string
	Rooms      int
}

// History is what an earlier system sold of a night, in sum.
type History struct {
	hotel.PastSales
	Later bool // the night was not over yet: how much of it was sold by then is not known
}

// Query is what a report is asked for.
type Query struct {
	Span     hotel.Span // of dates, both inclusive
	GroupBy  []Dimension
	Currency hotel.Currency // of all its money
	ByBooked bool           // cancellations: dates are those on which was booked, and not those of arrival

	// ChannelID has the report made for one channel: of its bookings and of the work done
	// for it alone. What the house has, and a share in all that it sells, is not known
	// then. "" is the whole house.
	ChannelID string

	// Dated puts what happened on a date under another one: what is compared stands
	// under the date that it is compared with. Nothing is known of a date that has
	// none. Nil leaves every date as it is.
	Dated func(hotel.Date) (hotel.Date, bool)
}

// date returns under which date of the report something is told, if it is at all.
func (q *Query) date(d hotel.Date) (hotel.Date, bool) {
	d, ok := q.dated(d)
	return d, ok && q.Span.Contains(d)
}

func (q *Query) dated(d hotel.Date) (hotel.Date, bool) {
	if q.Dated == nil {
		return d, true
	}
	return q.Dated(d)
}

// bookedOn returns the property's date on which a booking was made.
func bookedOn(p *hotel.Property, r *hotel.Reservation) hotel.Date {
	at := r.Source.BookedAt
	if at.IsZero() {
		at = r.CreatedAt
	}
	return hotel.DateIn(at, p.Zone())
}

// At returns a reservation that was imported as it stood at an instant before that:
// it is taken to have been booked as it is known to be, and not cancelled before it
// was. ok is false when it was not booked yet.
func At(r hotel.Reservation, at time.Time) (_ hotel.Reservation, ok bool) {
	if r.Source.BookedAt.After(at) {
		return r, false
	}
	if r.Status == hotel.Cancelled && r.Cancel != nil && r.Cancel.At.After(at) {
		r.Status, r.Cancel = hotel.Confirmed, nil
	}
	return r, true
}
