package stay

import (
	"slices"

	"ostler.example/hotel"
)

// Action is what somebody does to a reservation, by the name that the API gives
// it.
type Action string

// The actions.
const (
	Request      Action = "request"
	Hold         Action = "hold"
	Confirm      Action = "confirm"
	Decline      Action = "decline"
	Cancel       Action = "cancel"
	CheckIn      Action = "check-in"
	CheckOut     Action = "check-out"
	NoShow       Action = "no-show"
	UndoCheckIn  Action = "undo-check-in"
	UndoCheckOut Action = "undo-check-out"
	Reinstate    Action = "reinstate"
)

// Step is one row of the table of transitions.
type Step struct {
	Action Action
	From   []hotel.ReservationStatus
	To     hotel.ReservationStatus
	Clock  Clock  // what takes the step without anybody asking
	Event  string // what it is called in the journal
	Once   bool   // asking again in To is a mistake, not a safe repetition
}

// Clock is what time does by itself.
type Clock string

// A deadline passes, or the business date moves on where stays are assumed.
const (
	Nobody   Clock = ""
	Deadline Clock = "deadline"
	DayRoll  Clock = "day_roll"
)

// Steps is the table: which actions lead from where to where. Guards that look
// at more than the status are in [Facts.Check]; whether a room is free is for
// whoever counts rooms.
var Steps = []Step{
	{Request, []hotel.ReservationStatus{hotel.Enquired}, hotel.Requested, Nobody, "reservation.requested", false},
	{Hold, []hotel.ReservationStatus{hotel.Enquired}, hotel.Held, Nobody, "reservation.held", false},
	{Confirm, []hotel.ReservationStatus{hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted}, hotel.Confirmed, Nobody, "reservation.confirmed", false},
	{Decline, []hotel.ReservationStatus{hotel.Enquired, hotel.Requested, hotel.Held}, hotel.Declined, Deadline, "reservation.declined", false},
	{Cancel, []hotel.ReservationStatus{hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed}, hotel.Cancelled, Nobody, "reservation.cancelled", false},
	{CheckIn, []hotel.ReservationStatus{hotel.Confirmed}, hotel.CheckedIn, DayRoll, "reservation.checked_in", false},
	{CheckOut, []hotel.ReservationStatus{hotel.CheckedIn}, hotel.CheckedOut, DayRoll, "reservation.checked_out", false},
	{NoShow, []hotel.ReservationStatus{hotel.Confirmed, hotel.CheckedIn}, hotel.NoShow, Nobody, "reservation.no_show", false},
	{UndoCheckIn, []hotel.ReservationStatus{hotel.CheckedIn}, hotel.Confirmed, Nobody, "reservation.check_in_reverted", true},
	{UndoCheckOut, []hotel.ReservationStatus{hotel.CheckedOut}, hotel.CheckedIn, Nobody, "reservation.check_out_reverted", true},
	{Reinstate, []hotel.ReservationStatus{hotel.Cancelled, hotel.NoShow, hotel.Declined}, hotel.Confirmed, Nobody, "reservation.reinstated", true},
}

// StepOf returns the action's row.
func StepOf(a Action) Step {
	return Steps[slices.IndexFunc(Steps, func(s Step) bool { return s.Action == a })]
}

// Take decides whether an action can be taken in a status. again means that it
// was taken before and nothing is left to do. The error is a refusal that names
// the statuses that can be reached.
func (s Step) Take(from hotel.ReservationStatus) (again bool, err error) {
	if from == s.To && !s.Once {
		return true, nil
	}
	if !slices.Contains(s.From, from) {
		return false, refuse(from, s.To, "a reservation that is %s cannot become %s by %s", from, s.To, s.Action)
	}
	return false, nil
}

// Reached lists the statuses that can follow a status.
func Reached(from hotel.ReservationStatus) []hotel.ReservationStatus {
	to := []hotel.ReservationStatus{}
	for _, s := range Steps {
		if slices.Contains(s.From, from) && !slices.Contains(to, s.To) {
			to = append(to, s.To)
		}
	}
	return to
}

func refuse(from, to hotel.ReservationStatus, format string, args ...any) *hotel.Refusal {
	r := hotel.Refuse("invalid_transition", format, args...)
	r.Members = map[string]any{"from": from, "to": to, "allowed": Reached(from)}
	return r
}
