package stay

import (
	"slices"

	"ostler.example/hotel"
)

// Statuses are all statuses, in the order of a reservation's life.
var Statuses = []hotel.ReservationStatus{
	hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed,
	hotel.CheckedIn, hotel.CheckedOut, hotel.Cancelled, hotel.NoShow, hotel.Declined,
}

// Initial are the statuses in which a reservation may be made.
var Initial = []hotel.ReservationStatus{
	hotel.Confirmed, hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.CheckedIn,
}

// Live reports whether the reservation takes a room on all of its nights to come:
// its guest is expected, or is here.
func Live(s hotel.ReservationStatus) bool {
	return slices.Contains([]hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Confirmed, hotel.CheckedIn}, s)
}

// Over reports whether nothing more is to come of the reservation. Only words
// about it can still change.
func Over(s hotel.ReservationStatus) bool {
	return slices.Contains([]hotel.ReservationStatus{hotel.CheckedOut, hotel.Cancelled, hotel.NoShow, hotel.Declined}, s)
}

// Expires reports whether the reservation is declined when its time is up.
func Expires(s hotel.ReservationStatus) bool {
	return s == hotel.Enquired || s == hotel.Requested || s == hotel.Held
}
