package stay

import "ostler.example/hotel"

// House is how a property treats time.
type House struct {
	Today        hotel.Date // the business date
	Assumed      bool       // stays move on by themselves
	OverdueHolds bool       // a guest who has not left keeps the room
}

// Due returns the action that time takes on a stay at the day roll, "" for none,
// and the date up to which its room is taken (0: to the check-out). It is asked
// again after each action, since a roll that comes late may owe several.
//
// Whoever was to arrive on a business date that is over has arrived, and whoever
// was to leave has left. Where stays are recorded nothing moves, but a guest who
// should have left takes the room for tonight too.
func (h House) Due(s hotel.ReservationStatus, stay hotel.Stay, until hotel.Date) (a Action, room hotel.Date) {
	switch {
	case h.Assumed && s == hotel.Confirmed && stay.CheckIn < h.Today:
		return CheckIn, until
	case h.Assumed && s == hotel.CheckedIn && stay.CheckOut < h.Today:
		return CheckOut, until
	case !h.Assumed && h.OverdueHolds && s == hotel.CheckedIn && stay.CheckOut < h.Today:
		return "", h.Today + 1
	}
	return "", until
}
