package api

import (
	"fmt"
	"strings"
	"testing"
)

// A client that stands for a channel speaks for it: it lengthens, moves and re-plans its
// own bookings, at what the property sells them for, and nothing of that counts as changed
// by hand. Where the house itself asks, the channel is asked.
func TestAChannelsClientChangesItsOwnBookings(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	path := "/v1/reservations/" + h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03"), as).want(t, 201, "").json(t)["id"].(string)
	h.call("PATCH", path, `{"check_out":"2026-12-04"}`).want(t, 409, "channel_owned")
	got := h.call("PATCH", path, `{"check_out":"2026-12-04"}`, as).want(t, 200, "").json(t)
	if nights := got["nightly"].([]any); len(nights) != 3 || nights[2].(map[string]any)["amount"] == nil {
		t.Errorf("lengthened: %v", nights)
	}
	got = h.call("PATCH", path, `{"check_in":"2026-12-03","check_out":"2026-12-05","room_type_id":"`+h.deluxe.ID+`","adults":1,"guest":{"last_name":"Byron"}}`, as).want(t, 200, "").json(t)
	if got["check_in"] != "2026-12-03" || got["room_type_id"] != h.deluxe.ID || got["booked_room_type_id"] != h.deluxe.ID || fmt.Sprint(got["kept_fields"]) != "[]" {
		t.Errorf("moved: %v %v %v %v", got["check_in"], got["room_type_id"], got["booked_room_type_id"], got["kept_fields"])
	}
	h.call("PATCH", path, `{"guest":{"last_name":"King"}}`).want(t, 200, "")
	got = h.call("PATCH", path, `{"guest":{"last_name":"Byron"}}`, as).want(t, 200, "").json(t)
	if fmt.Sprint(got["kept_fields"]) != "[]" {
		t.Errorf("what the channel set last is kept against it: %v", got["kept_fields"])
	}
	h.update("inventory", `{"room_type_id":"`+h.deluxe.ID+`","date_from":"2026-12-05","date_to":"2026-12-05","values":{"channel_limits":{"`+channel+`":0}}}`).want(t, 200, "")
	h.call("PATCH", path, `{"check_out":"2026-12-06"}`, as).want(t, 409, "not_available")
}

// A cut-off binds those that stand for a channel, in what they are told and in what they
// book: not a guest who stands at the desk.
func TestAChannelsClientKeepsTheCutOff(t *testing.T) {
	h := newHouse(t) // it is 21 November, 10:00 in UTC
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	stay := "/v1/availability?property_id=hotel_123&check_in=2026-11-21&check_out=2026-11-23&include=stay_details"
	told := func() (int, string) {
		answer := h.call("GET", stay, "", as).want(t, 200, "").json(t)
		var failed []string
		for _, plan := range answer["stay"].(map[string]any)["rate_plans"].([]any) {
			for _, f := range plan.(map[string]any)["restrictions_failed"].([]any) {
				failed = append(failed, f.(map[string]any)["restriction"].(string))
			}
		}
		return int(answer["rooms"].([]any)[0].(map[string]any)["available"].(float64)), strings.Join(failed, " ")
	}
	book := func(in string, as ...string) reply {
		return h.call("POST", "/v1/reservations", h.booking(in, "2026-11-23"), as...)
	}
	if free, failed := told(); free == 0 || failed != "" {
		t.Fatalf("before: %d rooms, failed %q", free, failed)
	}
	early := "/v1/reservations/" + book("2026-11-22", as).want(t, 201, "").json(t)["id"].(string)
	cutOff := `{"cut_off":{"days_before":0,"time":"08:00"}}`
	for _, at := range []string{"/v1/properties/hotel_123", "/v1/rate-plans/" + h.flex.ID, "/v1/channels/" + channel} {
		h.call("PATCH", at, cutOff).want(t, 200, "")
		if free, failed := told(); free != 0 || !strings.Contains(failed, "cut_off") {
			t.Errorf("%s: %d rooms, failed %q", at, free, failed)
		}
		if said := book("2026-11-21", as).want(t, 409, "restriction_violated"); !strings.Contains(string(said.body), "cut_off") {
			t.Errorf("%s: refused with %s", at, said.body)
		}
		h.call("PATCH", early, `{"check_in":"2026-11-21"}`, as).want(t, 409, "restriction_violated")
		book("2026-11-22", as).want(t, 201, "")
		h.call("PATCH", at, `{"cut_off":null}`).want(t, 200, "")
	}
	h.call("PATCH", "/v1/properties/hotel_123", cutOff).want(t, 200, "")
	book("2026-11-21").want(t, 201, "") // the desk
}

// Such a client reads the restrictions of what it sells, and not who else wrote them.
func TestAChannelsClientReadsItsRestrictions(t *testing.T) {
	h := newHouse(t)
	channel := h.draft()
	as := "Authorization: Bearer " + h.tokenOf(h.ota(channel))
	nights := "/v1/restrictions?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01"
	if cells := h.call("GET", nights, "", as).want(t, 200, "").json(t)["data"].([]any); len(cells) != 0 {
		t.Errorf("it sells nothing, and reads %v", cells)
	}
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	h.update("restrictions", `{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.flex.ID+`","date_from":"2026-12-01","date_to":"2026-12-01","values":{"min_stay_arrival":3}}`).want(t, 200, "")
	cells := h.call("GET", nights, "", as).want(t, 200, "").json(t)["data"].([]any)
	all := h.call("GET", nights, "").want(t, 200, "").json(t)["data"].([]any)
	if len(cells) == 0 || len(cells) >= len(all) {
		t.Fatalf("it reads %d cells of the house's %d", len(cells), len(all))
	}
	for _, c := range cells {
		cell := c.(map[string]any)
		if cell["rate_plan_id"] != h.flex.ID || cell["room_type_id"] == h.standard.ID && cell["min_stay_arrival"] != 3.0 {
			t.Errorf("it reads %v", cell)
		}
	}
}
