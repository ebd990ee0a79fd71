package alpinebits

import (
	"fmt"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

// freeRooms is the one operation.
const freeRooms = "free_rooms"

// takes is what calls may carry. An answer of the portal's is about a whole message
// and names nothing in it: with one category in each, what is wrong with a category
// keeps no other from being told.
var takes = []connectors.Operation{
	{Name: freeRooms, Groups: []hotel.Group{hotel.Availability}, About: connectors.OneRoom, Bytes: 1 << 20},
}

// maxCategory is the longest code of a category.
const maxCategory = 8

// Encode implements [connectors.Connector].
func (c *conn) Encode(changes []connectors.Change) (calls []connectors.Call, refused []connectors.Refusal) {
	var sound []connectors.Change
	for _, change := range changes {
		if why := impossible(change); why != "" {
			refused = append(refused, connectors.Refusal{Change: change, Reason: why})
			continue
		}
		sound = append(sound, change)
	}
	calls, untold := connectors.Pack(takes, sound, c.body)
	return calls, append(refused, untold...)
}

// impossible says why a portal cannot be told of a change, empty when it can.
func impossible(change connectors.Change) string {
	k := change.Key
	switch n := len([]rune(k.Room)); {
	case k.Group != hotel.Availability:
		return "only free rooms are told; rates and restrictions are kept at the portal"
	case n == 0 || n > maxCategory:
		return fmt.Sprintf("the code of a category has 1 to %d characters", maxCategory)
	case k.Rate != "" || k.Occupancy != 0:
		return "the count is kept for the category, not for each rate"
	case change.Offer.Available < 0 || change.Offer.Available > maxRooms:
		return fmt.Sprintf("%d rooms are outside 0 to %d", change.Offer.Available, maxRooms)
	}
	return ""
}

// body writes a call's message, which is the same in every version.
func (c *conn) body(_ string, entries []connectors.Entry) []byte {
	rooms := make([]message.Rooms, 0, len(entries))
	for _, e := range entries {
		rooms = append(rooms, message.Rooms{Category: e.Room, Nights: e.Nights, Free: e.Says[0].Offer.Available})
	}
	return message.WriteFreeRooms(c.property(), rooms)
}
