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

// In says which reservations of a property are in a phase on a business date, so
// that they can be looked up.
func In(p Phase, property string, today hotel.Date) hotel.Standing {
	s := hotel.Standing{PropertyID: property}
	before, after := today-1, today+1
	switch p {
	case Future, DueIn, OverdueArrival:
		s.Statuses = []hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Confirmed}
	case Stayover, DueOut, OverdueDeparture:
		s.Statuses = []hotel.ReservationStatus{hotel.CheckedIn}
	case Departed:
		s.Statuses = []hotel.ReservationStatus{hotel.CheckedOut}
	case Void:
		s.Statuses = []hotel.ReservationStatus{hotel.Enquired, hotel.Waitlisted, hotel.Cancelled, hotel.NoShow, hotel.Declined}
	}
	switch p { //nolint:exhaustive // the others are told by the status alone
	case Future:
		s.InFrom = &after
	case DueIn:
		s.InFrom, s.InTo = &today, &today
	case OverdueArrival:
		s.InTo = &before
	case Stayover:
		s.OutFrom = &after
	case DueOut:
		s.OutFrom, s.OutTo = &today, &today
	case OverdueDeparture:
		s.OutTo = &before
	}
	return s
}
