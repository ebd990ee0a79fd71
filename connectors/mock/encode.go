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
// else in those of another. With the preset hub an update may mean days of the week, and
// say lengths and prices together, and an opening beside its price; closings stay by
// themselves, since an update is refused as a whole.
func (c Config) takes() []connectors.Operation {
	counts := connectors.Operation{Name: updateAvailability, Groups: []hotel.Group{hotel.Availability}, Entries: maxEntries}
	rates := connectors.Operation{Name: updateRates, Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Entries: maxEntries}
	if c.Preset == Hub {
		counts.Nights, rates.Nights = connectors.ByDayOfWeek, connectors.ByDayOfWeek
		rates.Joined, rates.Apart, rates.Opens = []hotel.Group{hotel.Lengths, hotel.Price}, true, true
	}
	return []connectors.Operation{counts, rates}
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
	calls, untold := connectors.Pack(c.cfg.takes(), sound, body)
	return calls, append(refused, untold...)
}

// impossible says why the far side cannot hold a change, empty when it can.
func (c *conn) impossible(change connectors.Change) string {
	k, o := change.Key, change.Offer
	switch {
	case k.Room == "":
		return "the room has no code"
	case k.Group == hotel.Availability && k.Rate != "" && c.cfg.Preset != Plans:
		return "the count is kept for the room, not for each rate"
	case k.Rate == "" && (k.Group != hotel.Availability || c.cfg.Preset == Plans):
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
		case c.cfg.Preset == Strict && o.Amount.Currency != strictCurrency:
			return fmt.Sprintf("a price in %s: it takes those in %s alone", o.Amount.Currency, strictCurrency)
		}
	default:
		return fmt.Sprintf("there is no field group %d", k.Group)
	}
	return ""
}

// body writes a call's body.
func body(operation string, entries []connectors.Entry) []byte {
	if operation == updateAvailability {
		return written(entries, availabilityEntry)
	}
	return written(entries, ratesEntry)
}

func written[U any](entries []connectors.Entry, entry func(connectors.Entry) U) []byte {
	var all updates[U]
	for _, e := range entries {
		all.Updates = append(all.Updates, entry(e))
	}
	text, _ := json.Marshal(all) // text, numbers and dates: nothing that can fail
	return text
}

func availabilityEntry(e connectors.Entry) availabilityUpdate {
	return availabilityUpdate{Room: e.Room, Rate: e.Rate, From: e.Nights.From, To: e.Nights.To, Days: daysOf(e.Days), Available: e.Says[0].Offer.Available}
}

func ratesEntry(e connectors.Entry) ratesUpdate {
	u := ratesUpdate{Room: e.Room, Rate: e.Rate, From: e.Nights.From, To: e.Nights.To, Days: daysOf(e.Days)}
	for _, v := range e.Says {
		switch v.Group {
		case hotel.Closures:
			u.Closures = &closures{Closed: v.Offer.Closed.Closed, Arrival: v.Offer.Closed.Arrival, Departure: v.Offer.Closed.Departure}
		case hotel.Lengths:
			u.Lengths = &v.Offer.Lengths
		case hotel.Price:
			u.Prices = append(u.Prices, price{Guests: v.Occupancy, Amount: v.Offer.Amount.Amount(), Currency: string(v.Offer.Amount.Currency)})
		case hotel.Availability:
		}
	}
	return u
}
