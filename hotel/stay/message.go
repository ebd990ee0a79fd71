package stay

import "ostler.example/hotel"

// Effect is what a channel's message does to a stay: which of it counts, and
// what somebody should see.
type Effect struct {
	To     hotel.ReservationStatus
	Nights Scope  // of the dates, the room and the amounts by night
	Price  bool   // the total and the commission count, whatever Nights says
	Waived bool   // the fee of the no-show is waived
	Issue  string // code of what is odd, "" for nothing
}

// Scope is how much of the stay a message still moves.
type Scope int

// Everything, the nights from the business date on, or none.
const (
	AllNights Scope = iota
	NightsToCome
	NoNights
)

// The codes of what is odd about a message to a stay that has moved on.
const (
	CancelledInHouse = "cancelled_in_house"
	LateModification = "late_modification"
)

// OnMessage returns what the newest message of a channel does, by where the stay
// is by now. Messages that are older than what is known never come here.
//
//	message    status                   effect
//	booked or  in house                 moves the nights to come
//	modified   checked_out, no_show     the price and the commission; late_modification
//	           cancelled, declined      takes the room again
//	           others                   everything, and it is confirmed
//	cancelled  in house, checked_out    nothing; cancelled_in_house
//	           no_show                  the fee is waived
//	           others                   is cancelled
//
// A message never brings a guest into the house or out of it. Between the other
// statuses the newest decides, in whatever order they come. What the newest left
// as it was (the nights of a guest in house whom it cancels) follows the newest of
// the others.
func OnMessage(cancelled bool, s hotel.ReservationStatus) Effect {
	switch s {
	case hotel.CheckedIn:
		if cancelled {
			return Effect{To: s, Nights: NoNights, Issue: CancelledInHouse}
		}
		return Effect{To: s, Nights: NightsToCome, Price: true}
	case hotel.CheckedOut:
		if cancelled {
			return Effect{To: s, Nights: NoNights, Issue: CancelledInHouse}
		}
		return Effect{To: s, Nights: NoNights, Price: true, Issue: LateModification}
	case hotel.NoShow:
		if cancelled {
			return Effect{To: s, Nights: NoNights, Waived: true}
		}
		return Effect{To: s, Nights: NoNights, Price: true, Issue: LateModification}
	case hotel.Cancelled, hotel.Declined, hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed:
	}
	if cancelled {
		return Effect{To: hotel.Cancelled, Nights: AllNights, Price: true}
	}
	return Effect{To: hotel.Confirmed, Nights: AllNights, Price: true}
}
