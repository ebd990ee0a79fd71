package alpinebits

import (
	"fmt"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// The operations.
const (
	freeRooms    = "free_rooms"
	ratePlans    = "rate_plans"
	bookingRules = "booking_rules"
)

// takes is what calls may carry. An answer of the portal's is about a whole message
// and names nothing in it: with one category in each, what is wrong with a category
// keeps no other from being told.
func takes(c Config) []connectors.Operation {
	all := []connectors.Operation{
		{Name: freeRooms, Groups: []hotel.Group{hotel.Availability}, About: connectors.OneRoom, Bytes: maxMessage},
	}
	if c.BookingRules { // before prices, which open nothing that is closed
		groups := []hotel.Group{hotel.Closures, hotel.Lengths}
		all = append(all, connectors.Operation{Name: bookingRules, Groups: groups, Joined: groups, About: connectors.OneProduct, Bytes: maxMessage})
	}
	if len(c.StandardGuests) > 0 {
		groups := []hotel.Group{hotel.Price}
		all = append(all, connectors.Operation{Name: ratePlans, Groups: groups, Joined: groups, About: connectors.OneProduct, Bytes: maxMessage})
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

// planForm reports whether a rate plan may have that code.
func planForm(code string) bool {
	n := len([]rune(code))
	return n >= 1 && n <= maxPlan
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
	case k.Group == hotel.Availability && k.Rate != "":
		return "the count is kept for the category, not for each rate"
	case k.Group != hotel.Availability && !planForm(k.Rate):
		return fmt.Sprintf("the code of a rate plan has 1 to %d characters", maxPlan)
	case k.Group != hotel.Price && k.Occupancy != 0:
		return "only prices are told by the number of guests"
	}
	switch k.Group {
	case hotel.Availability:
		if o.Available < 0 || o.Available > maxRooms {
			return fmt.Sprintf("%d rooms are outside 0 to %d", o.Available, maxRooms)
		}
		return ""
	case hotel.Price:
		return c.impossiblePrice(k, o.Amount)
	case hotel.Closures:
		if c.cfg.BookingRules {
			return ""
		}
	case hotel.Lengths:
		if c.cfg.BookingRules {
			return impossibleLengths(o.Lengths)
		}
	}
	return "restrictions are kept at the portal; see the setting booking_rules"
}

func (c *conn) impossiblePrice(k connectors.Key, amount hotel.Money) string {
	switch {
	case len(c.cfg.BaseRates) > 0 && c.cfg.BaseRates[k.Rate] == "":
		return "base_rates does not name this rate plan, and the portal asks for prices"
	case c.cfg.StandardGuests[k.Room] == 0:
		return "standard_guests does not say for how many guests the price of this category is"
	case k.Occupancy != 0 && !c.cfg.OccupancyPrices:
		return "prices are told for the standard number of guests alone; see the setting occupancy_prices"
	case k.Occupancy < 0 || k.Occupancy > maxGuests:
		return fmt.Sprintf("%d guests are outside 1 to %d", k.Occupancy, maxGuests)
	case amount.Minor <= 0:
		return "a price is above zero"
	case !amount.Currency.Known():
		return fmt.Sprintf("%q is not a currency", amount.Currency)
	}
	return ""
}

func impossibleLengths(l hotel.LengthLimits) string {
	all := []int{l.MinStayArrival, l.MaxStayArrival, l.MinStayThrough, l.MaxStayThrough}
	switch {
	case slices.Min(all) < 0 || slices.Max(all) > maxLength:
		return fmt.Sprintf("lengths of stay are told up to %d nights", maxLength)
	case l.MinAdvance != 0 || l.MaxAdvance != 0:
		return "how many days ahead somebody may book is not told"
	}
	return ""
}

// body writes what a call's entries say, as changes of what the portal has. Send makes
// of it what the portal wants to read.
func (c *conn) body(operation string, entries []connectors.Entry) []byte {
	told := map[connectors.Key]hotel.Offer{}
	for _, e := range entries {
		for _, night := range e.Dates() {
			for _, v := range e.Says {
				told[connectors.Key{Room: e.Room, Rate: e.Rate, Group: v.Group, Occupancy: v.Occupancy, Night: night}] = v.Offer
			}
		}
	}
	if operation == freeRooms {
		return message.WriteFreeRooms(c.property(), roomsOf(told))
	}
	return message.WriteRatePlans(message.PlanSet{Hotel: c.property(), Plans: c.overlays(entries[0].Rate, told)})
}
