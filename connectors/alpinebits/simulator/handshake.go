package simulator

import (
	"encoding/json"
	"encoding/xml"
	"slices"
)

type agreement struct {
	Versions []edition `json:"versions"`
}

type edition struct {
	Version string   `json:"version"`
	Actions []action `json:"actions,omitempty"`
}

type action struct {
	Action   string   `json:"action"`
	Supports []string `json:"supports,omitempty"`
}

// able is what this portal does, in each of its versions.
func (s *Simulator) able() []action {
	rooms := []string{
		"OTA_HotelInvCountNotif_accept_categories", "OTA_HotelInvCountNotif_accept_complete_set",
		"OTA_HotelInvCountNotif_accept_closing_seasons", "OTA_HotelInvCountNotif_accept_out_of_order",
	}
	plans := []string{
		"OTA_HotelRatePlanNotif_accept_ArrivalDOW", "OTA_HotelRatePlanNotif_accept_DepartureDOW",
		"OTA_HotelRatePlanNotif_accept_RatePlan_RoomType_BookingRule", "OTA_HotelRatePlanNotif_accept_full",
		"OTA_HotelRatePlanNotif_accept_Supplements",
	}
	if s.o.Preset != sets {
		rooms = append(rooms, "OTA_HotelInvCountNotif_accept_deltas")
		plans = append(plans, "OTA_HotelRatePlanNotif_accept_overlay")
	}
	return []action{
		{Action: "action_OTA_Ping"},
		{Action: "action_OTA_HotelInvCountNotif", Supports: rooms},
		{Action: "action_OTA_HotelRatePlanNotif_RatePlans", Supports: plans},
		{Action: "action_OTA_HotelDescriptiveContentNotif_Inventory", Supports: []string{"OTA_HotelDescriptiveContentNotif_Inventory_occupancy_children"}},
		{Action: "action_OTA_Read", Supports: []string{"OTA_Read_accept_RoomRates"}},
	}
}

// handshake answers with what both sides can do.
func (s *Simulator) handshake(c call) any {
	const root = "OTA_PingRS"
	var q struct {
		Echo string `xml:"EchoData"`
	}
	var offered agreement
	if err := read(c.request, "OTA_PingRQ", &q); err != nil {
		return failure(root, "320", err.Error())
	}
	if err := json.Unmarshal([]byte(q.Echo), &offered); err != nil {
		return failure(root, "320", "what is offered is no JSON")
	}
	common := agreement{Versions: []edition{}}
	for _, theirs := range offered.Versions {
		if slices.Contains(s.speaks(), theirs.Version) {
			common.Versions = append(common.Versions, edition{theirs.Version, shared(theirs.Actions, s.able())})
		}
	}
	both, _ := json.Marshal(common) // text only: nothing that can fail
	r := success(root, struct {
		XMLName xml.Name `xml:"EchoData"`
		Text    string   `xml:",chardata"`
	}{Text: q.Echo})
	r.Warnings = &notices{Warning: []notice{{Type: "11", Status: "ALPINEBITS_HANDSHAKE", Text: string(both)}}}
	return r
}

// shared is what both lists have.
func shared(theirs, ours []action) []action {
	var both []action
	for _, t := range theirs {
		for _, o := range ours {
			if o.Action != t.Action {
				continue
			}
			supports := slices.DeleteFunc(slices.Clone(t.Supports), func(what string) bool { return !slices.Contains(o.Supports, what) })
			both = append(both, action{t.Action, supports})
		}
	}
	return both
}
