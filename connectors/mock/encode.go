package mock

import (
	"encoding/json"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// The operations, which name the buckets.
const (
	updateAvailability = "update_availability"
	updateRates        = "update_rates"
)

// What the far side takes.
const (
	maxEntries   = 200 // updates in one call
	maxAvailable = 999
	maxLength    = 99 // nights
	leanLength   = 28 // nights, with the preset lean
	maxAdvance   = 999
	maxGuests    = 20
)

// takes is what calls may carry: counts go in those of one operation, everything
// else in those of another.
var takes = []connectors.Operation{
	{Name: updateAvailability, Groups: []hotel.Group{hotel.Availability}, Entries: maxEntries},
	{Name: updateRates, Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Entries: maxEntries},
}

// Encode implements [connectors.Connector].
func (c *conn) Encode(changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
	var sound []connectors.Change
	for _, change := range changes {
		if why := c.impossible(change); why != "" {
			refused = append(refused, connectors.Refusal{Change: change, Reason: why})
			continue
		}
		sound = append(sound, change)
	}
	calls, untold := connectors.Pack(takes, sound, body)
	return calls, append(refused, untold...)
}

// impossible says why the far side cannot hold a change, empty when it can.
func (c *conn) impossible(change connectors.Change) string {
	k, o := change.Key, change.Offer
	switch {
	case k.Room == "":
		return "the room has no code"
	case k.Group == hotel.Availability && k.Rate != "":
		return "the count is kept for the room, not for each rate"
	case k.Group != hotel.Availability && k.Rate == "":
		return "the rate has no code"
	case k.Group != hotel.Price && k.Occupancy != 0:
		return "only prices are told by occupancy"
	}
	switch k.Group {
	case hotel.Availability:
		if o.Available < 0 || o.Available > maxAvailable {
			return fmt.Sprintf("%d rooms are outside 0 to %d", o.Available, maxAvailable)
		}
	case hotel.Closures:
		if c.cfg.Preset == Lean && o.Closed.Departure {
			return "it has no word for closed to departure"
		}
	case hotel.Lengths:
		l := o.Lengths
		if c.cfg.Preset == Lean && l != (hotel.LengthLimits{MinStayArrival: min(l.MinStayArrival, leanLength), MaxStayArrival: min(l.MaxStayArrival, leanLength)}) {
			return fmt.Sprintf("it knows lengths of up to %d nights, read on arrival, and nothing else", leanLength)
		}
		for _, nights := range []int{l.MinStayArrival, l.MinStayThrough, l.MaxStayArrival, l.MaxStayThrough} {
			if nights < 0 || nights > maxLength {
				return fmt.Sprintf("%d nights are outside 0 to %d", nights, maxLength)
			}
		}
		if min(l.MinAdvance, l.MaxAdvance) < 0 || max(l.MinAdvance, l.MaxAdvance) > maxAdvance {
			return fmt.Sprintf("advance days are outside 0 to %d", maxAdvance)
		}
	case hotel.Price:
		switch {
		case k.Occupancy < 0 || k.Occupancy > maxGuests:
			return fmt.Sprintf("%d guests are outside 0 to %d", k.Occupancy, maxGuests)
		case o.Amount.Minor <= 0:
			return "a price is above zero"
		case !o.Amount.Currency.Known():
			return fmt.Sprintf("%q is not a currency", o.Amount.Currency)
		}
	default:
		return fmt.Sprintf("there is no field group %d", k.Group)
	}
	return ""
}

// body writes a call's body.
func body(operation string, entries []connectors.Run) []byte {
	if operation == updateAvailability {
		return written(entries, availabilityEntry)
	}
	return written(entries, ratesEntry)
}

func written[U any](entries []connectors.Run, entry func(connectors.Run) U) []byte {
	var all updates[U]
	for _, e := range entries {
		all.Updates = append(all.Updates, entry(e))
	}
	text, _ := json.Marshal(all) // text, numbers and dates: nothing that can fail
	return text
}

func availabilityEntry(r connectors.Run) availabilityUpdate {
	return availabilityUpdate{Room: r.Key.Room, From: r.Key.Night, To: r.Last, Available: r.Offer.Available}
}

func ratesEntry(r connectors.Run) ratesUpdate {
	u := ratesUpdate{Room: r.Key.Room, Rate: r.Key.Rate, From: r.Key.Night, To: r.Last}
	switch r.Key.Group {
	case hotel.Closures:
		u.Closures = &closures{Closed: r.Offer.Closed.Closed, Arrival: r.Offer.Closed.Arrival, Departure: r.Offer.Closed.Departure}
	case hotel.Lengths:
		u.Lengths = &r.Offer.Lengths
	case hotel.Price:
		u.Price = &price{Guests: r.Key.Occupancy, Amount: r.Offer.Amount.Amount(), Currency: string(r.Offer.Amount.Currency)}
	case hotel.Availability:
	}
	return u
}
