package alpinebits

import (
	"fmt"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// The operations.
const (
	freeRooms = "free_rooms"
	ratePlans = "rate_plans"
)

// takes is what calls may carry. An answer of the portal's is about a whole message
// and names nothing in it: with one category in each, what is wrong with a category
// keeps no other from being told.
func takes(c Config) []connectors.Operation {
	all := []connectors.Operation{
		{Name: freeRooms, Groups: []hotel.Group{hotel.Availability}, About: connectors.OneRoom, Bytes: maxMessage},
	}
	if len(c.StandardGuests) > 0 {
		all = append(all, connectors.Operation{Name: ratePlans, Groups: []hotel.Group{hotel.Price}, About: connectors.OneProduct, Bytes: maxMessage})
	}
	return all
}

// What a message and its codes may be.
const (
	maxMessage  = 1 << 20
	maxCategory = 8
	maxPlan     = 64
)

// categoryForm reports whether a category may have that code.
func categoryForm(code string) bool {
	n := len([]rune(code))
	return n >= 1 && n <= maxCategory
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
	calls, untold := connectors.Pack(takes(c.cfg), sound, c.body)
	return calls, append(refused, untold...)
}

// impossible says why a portal cannot be told of a change, empty when it can.
func (c *conn) impossible(change connectors.Change) string {
	k, o := change.Key, change.Offer
	switch {
	case !categoryForm(k.Room):
		return fmt.Sprintf("the code of a category has 1 to %d characters", maxCategory)
	case k.Occupancy != 0:
		return "prices are told for the standard number of guests alone"
	}
	switch k.Group {
	case hotel.Availability:
		switch {
		case k.Rate != "":
			return "the count is kept for the category, not for each rate"
		case o.Available < 0 || o.Available > maxRooms:
			return fmt.Sprintf("%d rooms are outside 0 to %d", o.Available, maxRooms)
		}
		return ""
	case hotel.Price:
		switch n := len([]rune(k.Rate)); {
		case c.cfg.StandardGuests[k.Room] == 0:
			return "standard_guests does not say for how many guests the price of this category is"
		case n < 1 || n > maxPlan:
			return fmt.Sprintf("the code of a rate plan has 1 to %d characters", maxPlan)
		case o.Amount.Minor <= 0:
			return "a price is above zero"
		case !o.Amount.Currency.Known():
			return fmt.Sprintf("%q is not a currency", o.Amount.Currency)
		}
		return ""
	case hotel.Closures, hotel.Lengths:
	}
	return "only free rooms and prices are told; restrictions are kept at the portal"
}

// body writes a call's message, which is the same in every version.
func (c *conn) body(operation string, entries []connectors.Entry) []byte {
	if operation == ratePlans {
		return c.prices(entries)
	}
	rooms := make([]message.Rooms, 0, len(entries))
	for _, e := range entries {
		rooms = append(rooms, message.Rooms{Category: e.Room, Nights: e.Nights, Free: e.Says[0].Offer.Available})
	}
	return message.WriteFreeRooms(c.property(), rooms)
}

// prices writes the prices of one product.
func (c *conn) prices(entries []connectors.Entry) []byte {
	prices := make([]message.Price, 0, len(entries))
	for _, e := range entries {
		prices = append(prices, message.Price{
			Category: e.Room, Nights: e.Nights, Guests: c.cfg.StandardGuests[e.Room], Amount: e.Says[0].Offer.Amount,
		})
	}
	return message.WritePrices(c.property(), entries[0].Rate, prices)
}
