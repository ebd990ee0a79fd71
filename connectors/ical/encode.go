package ical

import (
	"encoding/json"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// publish is the one operation: counts are put where the site reads them.
const publish = "publish"

var takes = []connectors.Operation{{Name: publish, Groups: []hotel.Group{hotel.Availability}}}

// maxAvailable is the largest count that makes sense.
const maxAvailable = 9999

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
	calls, untold := connectors.Pack(takes, sound, body)
	return calls, append(refused, untold...)
}

// impossible says why a calendar cannot tell a change, empty when it can.
func impossible(change connectors.Change) string {
	k, n := change.Key, change.Offer.Available
	switch {
	case k.Room == "":
		return "the room has no code"
	case k.Group != hotel.Availability:
		return "a calendar tells which nights are taken, and nothing else"
	case k.Rate != "" || k.Occupancy != 0:
		return "a calendar is of a room, whatever its rates"
	case n < 0 || n > maxAvailable:
		return fmt.Sprintf("%d rooms are outside 0 to %d", n, maxAvailable)
	}
	return ""
}

// told is a count on a run of nights, as a call has it and the shelf keeps it. Both
// ends are included.
type told struct {
	Room      string     `json:"room"`
	From      hotel.Date `json:"from"`
	To        hotel.Date `json:"to"`
	Available int        `json:"available"`
}

func body(_ string, entries []connectors.Entry) []byte {
	all := make([]told, len(entries))
	for i, e := range entries {
		all[i] = told{e.Room, e.Nights.From, e.Nights.To, e.Says[0].Offer.Available}
	}
	text, _ := json.Marshal(all) // text, numbers and dates: nothing that can fail
	return text
}
