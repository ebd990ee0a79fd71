package channex

import (
	"encoding/json"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// The operations, which name the buckets.
const (
	updateAvailability = "update_availability"
	updateRestrictions = "update_restrictions"
)

// maxBody is the most bytes of one call: it has to be less than 10 MB. The number of
// entries is not limited.
const maxBody = 10_000_000 - 1

// takes is what calls may carry. Channex puts counts before everything else that
// waits, so they go by themselves; days of the week are not documented for them. It
// judges each value by itself, so that a closing is a value of its own.
var takes = []connectors.Operation{
	{Name: updateAvailability, Groups: []hotel.Group{hotel.Availability}, Bytes: maxBody, Apart: true},
	restrictions,
}

var restrictions = connectors.Operation{
	Name: updateRestrictions, Groups: []hotel.Group{hotel.Closures, hotel.Lengths, hotel.Price}, Bytes: maxBody,
	Nights: connectors.ByDayOfWeek, Joined: []hotel.Group{hotel.Lengths, hotel.Price}, Apart: true, Opens: true,
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
	calls, untold := connectors.Pack(takes, sound, c.body)
	return calls, append(refused, untold...)
}

// impossible says why Channex cannot hold a change, empty when it can.
func (c *conn) impossible(change connectors.Change) string {
	k, o := change.Key, change.Offer
	switch {
	case k.Room == "":
		return "the room type has no id"
	case k.Group == hotel.Availability && k.Rate != "":
		return "the count is kept for the room type, not for each rate plan"
	case k.Group != hotel.Availability && k.Rate == "":
		return "the rate plan has no id"
	case k.Group != hotel.Price && k.Occupancy != 0:
		return "only prices are told by occupancy"
	}
	switch k.Group {
	case hotel.Availability:
		if o.Available < 0 {
			return fmt.Sprintf("%d rooms are less than none", o.Available)
		}
	case hotel.Closures:
	case hotel.Lengths:
		return c.impossibleLengths(o.Lengths)
	case hotel.Price:
		switch {
		case k.Occupancy < 0:
			return fmt.Sprintf("there are no %d guests", k.Occupancy)
		case k.Occupancy > 0 && c.cfg.mode(k.Rate) != PerPerson:
			return fmt.Sprintf("prices of rate plan %.60q are told for the room, not by occupancy; see the settings sell_mode and other_sell_mode", k.Rate)
		case o.Amount.Minor <= 0:
			return "a price is above zero"
		case o.Amount.Currency != c.cfg.Currency:
			return fmt.Sprintf("a price in %s: the rate plans at Channex are in %s, and it would take the number for theirs", o.Amount.Currency, c.cfg.Currency)
		}
	default:
		return fmt.Sprintf("there is no field group %d", k.Group)
	}
	return ""
}

func (c *conn) impossibleLengths(l hotel.LengthLimits) string {
	switch {
	case min(l.MinStayArrival, l.MinStayThrough, l.MaxStayArrival) < 0:
		return "a length of stay is less than none"
	case l.MaxStayThrough != 0 || l.MinAdvance != 0 || l.MaxAdvance != 0:
		return "it has no word for advance days, nor for a longest stay that is read on every night"
	case l.MinStayThrough > 1 && c.cfg.MinStayType == Arrival:
		return "the property there reads minimum stays on arrival alone; see the setting min_stay_type"
	case l.MinStayArrival > 1 && c.cfg.MinStayType == Through:
		return "the property there reads minimum stays on every night alone; see the setting min_stay_type"
	}
	return ""
}

// body writes a call's body.
func (c *conn) body(operation string, entries []connectors.Entry) []byte {
	if operation == updateAvailability {
		return written(entries, c.availability)
	}
	return written(entries, c.restrictions)
}

func written[V any](entries []connectors.Entry, of func(connectors.Entry) []V) []byte {
	var all values[V]
	for _, e := range entries {
		all.Values = append(all.Values, of(e)...)
	}
	text, _ := json.Marshal(all) // text, numbers and dates: nothing that can fail
	return text
}

func (c *conn) availability(e connectors.Entry) []availabilityValue {
	return []availabilityValue{{Property: c.cfg.Property, RoomType: e.Room, when: whenOf(e), Available: e.Says[0].Offer.Available}}
}

// restrictions makes one value of an entry, or two: prices by occupancy stand in place of
// that of the room, which is the price of the plan's primary occupancy. They come behind
// it, for of two values about the same the later one counts.
func (c *conn) restrictions(e connectors.Entry) []restrictionsValue {
	room := restrictionsValue{Property: c.cfg.Property, RatePlan: e.Rate, when: whenOf(e)}
	guests := room
	for _, v := range e.Says {
		switch o := v.Offer; {
		case v.Group == hotel.Closures:
			room.StopSell, room.ClosedToArrival, room.ClosedToDeparture = &o.Closed.Closed, &o.Closed.Arrival, &o.Closed.Departure
		case v.Group == hotel.Lengths:
			c.tellLengths(&room, o.Lengths)
		case v.Occupancy == 0:
			room.Rate = o.Amount.Amount()
		default:
			guests.Rates = append(guests.Rates, occupancyRate{Occupancy: v.Occupancy, Rate: o.Amount.Amount()})
		}
	}
	switch {
	case guests.Rates == nil:
		return []restrictionsValue{room}
	case room.Rate == "":
		room.Rates = guests.Rates
		return []restrictionsValue{room}
	}
	return []restrictionsValue{room, guests}
}

// tellLengths puts lengths of stay into a value. A minimum of one night is none.
func (c *conn) tellLengths(v *restrictionsValue, l hotel.LengthLimits) {
	if c.cfg.MinStayType != Through {
		v.MinStayArrival = new(max(1, l.MinStayArrival))
	}
	if c.cfg.MinStayType != Arrival {
		v.MinStayThrough = new(max(1, l.MinStayThrough))
	}
	v.MaxStay = new(l.MaxStayArrival)
}
