package stay

import (
	"errors"
	"slices"
	"testing"

	"ostler.example/hotel"
)

// The table as the contract writes it, apart from the code: for every status the
// statuses that it leads to, each with its actions.
var contract = map[hotel.ReservationStatus]map[hotel.ReservationStatus]Action{
	hotel.Enquired:   {hotel.Requested: Request, hotel.Held: Hold, hotel.Confirmed: Confirm, hotel.Declined: Decline},
	hotel.Requested:  {hotel.Confirmed: Confirm, hotel.Declined: Decline, hotel.Cancelled: Cancel},
	hotel.Held:       {hotel.Confirmed: Confirm, hotel.Declined: Decline, hotel.Cancelled: Cancel},
	hotel.Waitlisted: {hotel.Confirmed: Confirm, hotel.Cancelled: Cancel},
	hotel.Confirmed:  {hotel.CheckedIn: CheckIn, hotel.Cancelled: Cancel, hotel.NoShow: NoShow},
	hotel.CheckedIn:  {hotel.CheckedOut: CheckOut, hotel.Confirmed: UndoCheckIn, hotel.NoShow: NoShow},
	hotel.CheckedOut: {hotel.CheckedIn: UndoCheckOut},
	hotel.Cancelled:  {hotel.Confirmed: Reinstate},
	hotel.NoShow:     {hotel.Confirmed: Reinstate},
	hotel.Declined:   {hotel.Confirmed: Reinstate},
}

func TestEveryPairOfStatuses(t *testing.T) {
	for _, from := range Statuses {
		reached := Reached(from)
		for _, to := range Statuses {
			wanted := contract[from][to]
			if slices.Contains(reached, to) != (wanted != "") {
				t.Errorf("from %s, %s is reached: %v", from, to, wanted == "")
			}
			for _, s := range Steps {
				if s.To != to {
					continue
				}
				again, err := s.Take(from)
				switch safe := from == to && !slices.Contains([]Action{UndoCheckIn, UndoCheckOut, Reinstate}, s.Action); {
				case safe:
					if !again || err != nil {
						t.Errorf("%s again in %s: %v, %v", s.Action, from, again, err)
					}
				case s.Action == wanted:
					if again || err != nil {
						t.Errorf("%s from %s: %v, %v", s.Action, from, again, err)
					}
				default:
					refusal, ok := errors.AsType[*hotel.Refusal](err)
					if !ok || refusal.Code != "invalid_transition" || refusal.Members["from"] != from || refusal.Members["to"] != to ||
						!slices.Equal(refusal.Members["allowed"].([]hotel.ReservationStatus), reached) {
						t.Errorf("%s from %s: %v", s.Action, from, err)
					}
				}
			}
		}
	}
}

func TestEventsAreDistinct(t *testing.T) {
	seen := map[string]Action{}
	for _, s := range Steps {
		if other, twice := seen[s.Event]; twice {
			t.Errorf("%s and %s are both %s", s.Action, other, s.Event)
		}
		seen[s.Event] = s.Action
		if StepOf(s.Action).Event != s.Event {
			t.Errorf("%s is found as another step", s.Action)
		}
	}
}

func TestGuards(t *testing.T) {
	booked := hotel.Stay{CheckIn: 100, CheckOut: 103}
	for _, c := range []struct {
		name   string
		action Action
		facts  Facts
		passes bool
	}{
		{"arrives on the day", CheckIn, Facts{Stay: booked, Today: 100}, true},
		{"arrives on the last night", CheckIn, Facts{Stay: booked, Today: 102}, true},
		{"arrives when the stay is over", CheckIn, Facts{Stay: booked, Today: 103, Override: true}, false},
		{"arrives a day early", CheckIn, Facts{Status: hotel.Confirmed, Stay: booked, Today: 99}, false},
		{"arrives a day early with override", CheckIn, Facts{Stay: booked, Today: 99, Override: true}, true},
		{"arrives two days early with override", CheckIn, Facts{Stay: booked, Today: 98, Override: true}, false},
		{"may still come tonight", NoShow, Facts{Status: hotel.Confirmed, Stay: booked, Today: 100}, false},
		{"did not come", NoShow, Facts{Status: hotel.Confirmed, Stay: booked, Today: 101}, true},
		{"did not come, and was taken to be here", NoShow, Facts{Status: hotel.CheckedIn, Assumed: true, Stay: booked, Today: 101}, true},
		{"was seen", NoShow, Facts{Status: hotel.CheckedIn, Stay: booked, Today: 101}, false},
		{"cancels with a guarantee", Cancel, Facts{Stay: booked, Guaranteed: true}, true},
		{"released with a guarantee", Cancel, Facts{Status: hotel.Confirmed, Stay: booked, Released: true, Guaranteed: true, Releasable: true}, false},
		{"released too early", Cancel, Facts{Status: hotel.Confirmed, Stay: booked, Released: true}, false},
		{"released in time", Cancel, Facts{Stay: booked, Released: true, Releasable: true}, true},
		{"check-in of today undone", UndoCheckIn, Facts{ArrivedOn: 100, Today: 100}, true},
		{"check-in of yesterday undone", UndoCheckIn, Facts{ArrivedOn: 100, Today: 101}, false},
		{"check-out of today undone", UndoCheckOut, Facts{DepartedOn: 103, Today: 103}, true},
		{"check-out of yesterday undone", UndoCheckOut, Facts{DepartedOn: 103, Today: 104}, false},
		{"comes back for the last night", Reinstate, Facts{Stay: booked, Today: 102}, true},
		{"comes back when all is over", Reinstate, Facts{Status: hotel.Cancelled, Stay: booked, Today: 103, Override: true}, false},
		{"leaves", CheckOut, Facts{Stay: booked, Today: 100}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.facts.Check(c.action)
			if (err == nil) != c.passes {
				t.Errorf("%v", err)
			}
			refusal, refused := errors.AsType[*hotel.Refusal](err)
			if refused && slices.Contains(refusal.Members["allowed"].([]hotel.ReservationStatus), StepOf(c.action).To) != c.facts.Released {
				t.Errorf("what is left to do: %v", refusal.Members)
			}
		})
	}
}
