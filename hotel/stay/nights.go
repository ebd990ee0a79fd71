package stay

import "ostler.example/hotel"

// Nights returns the nights on which a reservation takes a room, half-open; the
// zero Stay when it takes none. until is the date up to which the room is kept
// where that is not the check-out; 0 when it is.
//
//	status                       takes
//	requested, held, confirmed   the stay
//	checked_in                   the stay, or to until when the guest has not left by then
//	checked_out                  the stay, or to until when the last night was given back
//	no_show                      the first night, or to until when the next nights are kept
//	others                       nothing
func Nights(s hotel.ReservationStatus, stay hotel.Stay, until hotel.Date) hotel.Stay {
	switch s {
	case hotel.Requested, hotel.Held, hotel.Confirmed:
		return stay
	case hotel.CheckedIn:
		stay.CheckOut = max(stay.CheckOut, until)
	case hotel.CheckedOut:
		if until != 0 {
			stay.CheckOut = min(stay.CheckOut, until)
		}
	case hotel.NoShow:
		stay.CheckOut = min(stay.CheckOut, max(until, stay.CheckIn+1))
	case hotel.Enquired, hotel.Waitlisted, hotel.Cancelled, hotel.Declined:
		return hotel.Stay{}
	}
	if stay.CheckOut <= stay.CheckIn {
		return hotel.Stay{}
	}
	return stay
}

// Leave returns the stay of a guest who leaves on a business date, and up to
// which date the room stays taken (0: to the check-out). Leaving early gives the
// nights to come back, but a stay has one night at least. The night that begins
// on the day of departure, where the stay still has it, is given back on demand.
func Leave(stay hotel.Stay, today hotel.Date, releaseTonight bool) (left hotel.Stay, until hotel.Date) {
	left = stay
	left.CheckOut = min(stay.CheckOut, max(stay.CheckIn+1, today))
	if releaseTonight && left.CheckOut > today {
		until = max(today, left.CheckIn)
	}
	return left, until
}
