package stay

import "ostler.example/hotel"

// Phase is where a reservation stands on a business date.
type Phase string

// The phases. Void is a reservation whose guest is not expected.
const (
	Future           Phase = "future"
	DueIn            Phase = "due_in"
	OverdueArrival   Phase = "overdue_arrival"
	Stayover         Phase = "stayover"
	DueOut           Phase = "due_out"
	OverdueDeparture Phase = "overdue_departure"
	Departed         Phase = "departed"
	Void             Phase = "void"
)

// Phases are all phases.
var Phases = []Phase{Future, DueIn, OverdueArrival, Stayover, DueOut, OverdueDeparture, Departed, Void}

// PhaseOn returns the phase on a business date.
func PhaseOn(s hotel.ReservationStatus, stay hotel.Stay, today hotel.Date) Phase {
	switch s {
	case hotel.Requested, hotel.Held, hotel.Confirmed:
		return pick(stay.CheckIn, today, Future, DueIn, OverdueArrival)
	case hotel.CheckedIn:
		return pick(stay.CheckOut, today, Stayover, DueOut, OverdueDeparture)
	case hotel.CheckedOut:
		return Departed
	case hotel.Enquired, hotel.Waitlisted, hotel.Cancelled, hotel.NoShow, hotel.Declined:
	}
	return Void
}

func pick(date, today hotel.Date, ahead, on, behind Phase) Phase {
	switch {
	case date > today:
		return ahead
	case date == today:
		return on
	}
	return behind
}

// In says which reservations are in a phase on a business date, so that they can
// be looked up: their statuses, and the range of check-in or check-out, both
// inclusive; a nil bound does not bind.
func In(p Phase, today hotel.Date) Where {
	expected := []hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Confirmed}
	inHouse := []hotel.ReservationStatus{hotel.CheckedIn}
	before, after := today-1, today+1
	switch p {
	case Future:
		return Where{Statuses: expected, InFrom: &after}
	case DueIn:
		return Where{Statuses: expected, InFrom: &today, InTo: &today}
	case OverdueArrival:
		return Where{Statuses: expected, InTo: &before}
	case Stayover:
		return Where{Statuses: inHouse, OutFrom: &after}
	case DueOut:
		return Where{Statuses: inHouse, OutFrom: &today, OutTo: &today}
	case OverdueDeparture:
		return Where{Statuses: inHouse, OutTo: &before}
	case Departed:
		return Where{Statuses: []hotel.ReservationStatus{hotel.CheckedOut}}
	case Void:
	}
	return Where{Statuses: []hotel.ReservationStatus{hotel.Enquired, hotel.Waitlisted, hotel.Cancelled, hotel.NoShow, hotel.Declined}}
}

// Where selects reservations by status and dates.
type Where struct {
	Statuses       []hotel.ReservationStatus
	InFrom, InTo   *hotel.Date
	OutFrom, OutTo *hotel.Date
}
