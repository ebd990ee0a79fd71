package api

import "ostler.example/hotel"

// cellsByState is how the groups of a channel's cells stand. Of the states that
// apply to a group the first counts.
type cellsByState struct {
	InFlight int `json:"in_flight"`
	Unknown  int `json:"unknown"`
	Rejected int `json:"rejected"`
	Held     int `json:"held"`
	Drifted  int `json:"drifted"`
	Pending  int `json:"pending"`
	InSync   int `json:"in_sync"`
}

type keptNightsBody struct {
	Field    string `json:"field"`
	Nights   int    `json:"nights" doc:"Nights of products on which the house makes use of it."`
	DateFrom string `json:"date_from" format:"date" doc:"The first of them."`
	DateTo   string `json:"date_to" format:"date" doc:"The last of them."`
}

func tallyOf(t hotel.Tally) (*cellsByState, []keptNightsBody) {
	s := t.States
	kept := make([]keptNightsBody, len(t.Kept))
	for i, k := range t.Kept {
		kept[i] = keptNightsBody{string(k.Field), k.Nights, k.From.String(), k.To.String()}
	}
	return &cellsByState{
		InFlight: s[hotel.InFlight], Unknown: s[hotel.Unclear], Rejected: s[hotel.Rejected], Held: s[hotel.HeldBack],
		Drifted: s[hotel.Drifted], Pending: s[hotel.Pending], InSync: s[hotel.InSync],
	}, kept
}
