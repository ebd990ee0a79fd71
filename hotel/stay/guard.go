package stay

import (
	"errors"
	"slices"
	"time"

	"ostler.example/hotel"
)

// Facts are what the guards of the steps look at.
type Facts struct {
	Status     hotel.ReservationStatus
	Stay       hotel.Stay
	Assumed    bool       // it was checked in by the day roll, not by anybody who saw the guest
	ArrivedOn  hotel.Date // business date of the check-in
	DepartedOn hotel.Date // business date of the check-out
	Today      hotel.Date // the business date
	Guaranteed bool       // by a card, a deposit or payment
	Releasable bool       // the release time of its arrival day has passed
	Released   bool       // the reason of a cancellation is that the room was given away
	Override   bool       // the caller may go beyond what the desk does every day
}

// FactsOf are the facts of a reservation of a property at a time, without what the
// caller of a step adds.
func FactsOf(r hotel.Reservation, p hotel.Property, now time.Time) Facts {
	f := Facts{
		Status: r.Status, Stay: r.Stay, Today: p.BusinessDate(now),
		Guaranteed: r.Guarantee != "" && r.Guarantee != "none", Releasable: !now.Before(p.ReleasedAt(r.Stay.CheckIn)),
	}
	if r.Arrived != nil {
		f.Assumed, f.ArrivedOn = r.Arrived.Assumed, r.Arrived.On
	}
	if r.Departed != nil {
		f.DepartedOn = r.Departed.On
	}
	return f
}

// Permits reports whether a step leads on from the status and nothing is in its way.
func (f Facts) Permits(a Action) bool {
	return slices.Contains(StepOf(a).From, f.Status) && f.Check(a) == nil
}

// Check looks at what a step needs besides the status. The refusal says what is
// in the way.
//
//	check-in         from the day of arrival until before the departure; a day early with override
//	no-show          once the arrival night's business date is over; in house by assumption only
//	cancel           as released: without guarantee, from the release time of the arrival day
//	undo-check-in    on the business date of the check-in
//	undo-check-out   on the business date of the check-out
//	reinstate        while a night is still to come
func (f Facts) Check(a Action) error {
	step := StepOf(a)
	err := f.check(step)
	// What follows from the status and cannot be done now is none of what is left to do. A
	// room that is not to be released can still be cancelled.
	if refusal, ok := errors.AsType[*hotel.Refusal](err); ok && !f.Released {
		refusal.Members["allowed"] = slices.DeleteFunc(Reached(f.Status), func(s hotel.ReservationStatus) bool { return s == step.To })
	}
	return err
}

func (f Facts) check(step Step) error {
	switch step.Action {
	case CheckIn:
		first := f.Stay.CheckIn
		if f.Override {
			first--
		}
		if f.Today < first || f.Today >= f.Stay.CheckOut {
			return refuse(f.Status, step.To, "the stay is from %s to %s and the business date is %s; a day early needs the scope reservations:override", f.Stay.CheckIn, f.Stay.CheckOut, f.Today)
		}
	case NoShow:
		if f.Status == hotel.CheckedIn && !f.Assumed {
			return refuse(f.Status, step.To, "somebody checked the guest in: undo the check-in, or check the guest out")
		}
		if f.Today <= f.Stay.CheckIn {
			return refuse(f.Status, step.To, "the guest may still come: the arrival night is over when the business date moves on from %s", f.Stay.CheckIn)
		}
	case Cancel:
		if f.Released && (f.Guaranteed || !f.Releasable) {
			return refuse(f.Status, step.To, "a room is released only from the release time of its arrival day, and only without a guarantee")
		}
	case UndoCheckIn:
		if f.ArrivedOn != f.Today {
			return refuse(f.Status, step.To, "the check-in was on business date %s; only one of today (%s) can be undone", f.ArrivedOn, f.Today)
		}
	case UndoCheckOut:
		if f.DepartedOn != f.Today {
			return refuse(f.Status, step.To, "the check-out was on business date %s; only one of today (%s) can be undone", f.DepartedOn, f.Today)
		}
	case Reinstate:
		if f.Stay.CheckOut <= f.Today {
			return refuse(f.Status, step.To, "all nights of the stay are over (the business date is %s)", f.Today)
		}
	case Request, Hold, Confirm, Decline, CheckOut:
	}
	return nil
}
