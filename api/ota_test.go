package api

import (
	"fmt"
	"testing"
)

// A client that stands for a channel books what names the channel, and nothing that is
// sold to everybody else.
func TestAChannelsClientBooksWhatIsSoldToIt(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	body := h.booking("2026-12-01", "2026-12-02")
	errors := h.call("POST", "/v1/reservations", body, as).want(t, 422, "validation_failed").json(t)["errors"].([]any)
	if code := errors[0].(map[string]any)["code"]; code != "unknown_rate_plan" {
		t.Errorf("refused as %v", code)
	}
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	h.call("POST", "/v1/reservations", body, as).want(t, 201, "")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02"), as).want(t, 201, "")
}

// A client that stands for a channel is told the rooms that its channel is shown, in
// every place alike: without those that are kept from it, and of a guarded pool those
// that it was granted, which the desk is not told.
func TestAChannelsClientIsToldTheRoomsOfItsChannel(t *testing.T) {
	h := newHouse(t)
	h.dealt()
	channel := h.call("GET", "/v1/channels", "").want(t, 200, "").ids(t)
	mine, as := "Authorization: Bearer "+h.token, "Authorization: Bearer "+h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-02","date_to":"2026-12-02","values":{"keep_back":{"`+channel+`":2}}}`).want(t, 200, "")
	h.call("PATCH", "/v1/pools/"+h.deluxe.Consumes[0].AnyOf[0], `{"direct_weight":1000000}`).want(t, 200, "")
	h.update("inventory", `{"room_type_id":"`+h.deluxe.ID+`","date_from":"2026-12-01","date_to":"2026-12-05","values":{"total":5}}`).want(t, 200, "")
	told := func(as string) string {
		t.Helper()
		answer := h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&include=stay_details", "", as).want(t, 200, "").json(t)
		said := ""
		for i, room := range answer["rooms"].([]any) {
			more := answer["stay"].(map[string]any)["rooms"].([]any)[i].(map[string]any)
			said += fmt.Sprintf("%v %v %v; ", room.(map[string]any)["available"], more["direct"], more["recallable"])
		}
		return said
	}
	if got := told(as); got != "3 3 0; 3 3 0; " {
		t.Errorf("the channel's client is told %s", got)
	}
	if got := told(mine); got != "5 5 0; 2 2 3; " {
		t.Errorf("the house's client is told %s", got)
	}
	inventory := "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01&channel_id=" + channel + "&room_type_id=" + h.deluxe.ID
	cell := h.call("GET", inventory, "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
	if fmt.Sprint(cell["available"], cell["channel_available"]) != "5 3" {
		t.Errorf("of %v rooms the channel is shown %v", cell["available"], cell["channel_available"])
	}
	past := h.call("GET", inventory+"&as_of=2026-11-21T10:00:00Z", "").want(t, 200, "").json(t)["data"].([]any)[0].(map[string]any)
	if shown, told := past["channel_available"]; told {
		t.Errorf("of the past the channel is said to have been shown %v", shown)
	}
}
