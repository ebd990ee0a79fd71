package api

import (
	"fmt"
	"strings"
	"testing"
)

// groupOfRooms asks for n rooms on some dates.
func (h *house) groupOfRooms(n int, members, in, out string) string {
	room := fmt.Sprintf(`{"room_type_id":%q,"rate_plan_id":%q,"check_in":%q,"check_out":%q,"adults":2}`, h.standard.ID, h.flex.ID, in, out)
	rooms := strings.TrimSuffix(strings.Repeat(room+",", n), ",")
	return fmt.Sprintf(`{"property_id":"hotel_123","booker":{"last_name":"Byron","email":"b@example.com"}%s,"reservations":[%s]}`, members, rooms)
}

// Who books need not be said where each room says whose it is.
func TestAGroupWithoutABooker(t *testing.T) {
	h := newHouse(t)
	body := strings.Replace(h.groupOfRooms(2, "", "2026-12-01", "2026-12-03"), `"booker":{"last_name":"Byron","email":"b@example.com"},`, "", 1)
	if got := h.call("POST", "/v1/reservation-groups", body).want(t, 422, "validation_failed").items(t); got != "/reservations/0/guest/last_name required" {
		t.Errorf("nobody is named: %s", got)
	}
	body = strings.ReplaceAll(body, `"adults":2`, `"adults":2,"guest":{"last_name":"Lovelace"}`)
	made := h.call("POST", "/v1/reservation-groups", body).want(t, 201, "").json(t)
	if got := h.call("GET", "/v1/reservation-groups/"+made["id"].(string), "").want(t, 200, "").json(t); got["booker"] != nil || len(got["reservations"].([]any)) != 2 {
		t.Errorf("booked %v", got)
	}
}

// Who books for several is looked at as whoever books for one.
func TestABookerIsLookedAt(t *testing.T) {
	h := newHouse(t)
	body := h.groupOfRooms(2, "", "2026-12-01", "2026-12-03")
	for old, as := range map[string][2]string{
		`"email":"b@example.com"`: {`"email":"not an address"`, "/booker/email format"}, `"last_name":"Byron"`: {`"last_name":""`, "/booker/last_name length"},
	} {
		if got := h.call("POST", "/v1/reservation-groups", strings.Replace(body, old, as[0], 1)).want(t, 422, "validation_failed").items(t); got != as[1] {
			t.Errorf("%s: %s, want %s", as[0], got, as[1])
		}
	}
	h.call("POST", "/v1/reservation-groups", body).want(t, 201, "")
}

func TestGroups(t *testing.T) {
	h := newHouse(t)
	body := h.groupOfRooms(3, `,"source":{"channel_reference":"G1"}`, "2026-12-01", "2026-12-03")
	made := h.call("POST", "/v1/reservation-groups", body, "Idempotency-Key: g").want(t, 201, "")
	g := made.json(t)
	path := "/v1/reservation-groups/" + g["id"].(string)
	rooms := g["reservations"].([]any)
	if len(rooms) != 3 || made.Header.Get("Location") != "https://hotel.example"+path || g["booker"].(map[string]any)["email"] != "b@example.com" {
		t.Fatalf("made %s", made.body)
	}
	first := rooms[0].(map[string]any)
	if first["group_id"] != g["id"] || guestOfBody(first) != g["booker"].(map[string]any)["id"] {
		t.Errorf("first room %v", first)
	}
	if again := h.call("POST", "/v1/reservation-groups", body, "Idempotency-Key: g").want(t, 201, "").json(t); again["id"] != g["id"] {
		t.Errorf("a second time made %v", again["id"])
	}
	if dup := h.call("POST", "/v1/reservation-groups", body).want(t, 409, "duplicate_reservation").json(t); dup["existing_id"] != g["id"] {
		t.Errorf("duplicate of %v", dup["existing_id"])
	}
	over := h.call("POST", "/v1/reservation-groups", h.groupOfRooms(3, "", "2026-12-02", "2026-12-03")).want(t, 409, "not_available").json(t)
	if over["pointer"] != "/reservations/2" {
		t.Errorf("refused %v", over)
	}
	if got := h.call("GET", "/v1/reservations?check_in_from=2026-12-02", "").want(t, 200, "").ids(t); got != "" {
		t.Errorf("rooms of a refused group are booked: %s", got)
	}
	whole := h.call("GET", "/v1/reservations/"+first["id"].(string)+"?include=group,revisions,guest", "").want(t, 200, "").json(t)
	if len(whole["group"].(map[string]any)["reservations"].([]any)) != 3 || len(whole["revisions"].([]any)) != 1 {
		t.Errorf("with its group %v", whole)
	}
	with := "/v1/reservations/" + first["id"].(string) + "?include=group,revisions"
	held := h.call("GET", with, "").want(t, 200, "").Header.Get("ETag")
	if got := h.call("GET", with, "", "If-None-Match: "+held); got.StatusCode != 304 {
		t.Errorf("with what it shows besides, unchanged: %d", got.StatusCode)
	}
	second := "/v1/reservations/" + whole["group"].(map[string]any)["reservations"].([]any)[1].(map[string]any)["id"].(string)
	h.call("PATCH", second, `{"notes":"x"}`).want(t, 200, "")
	if got := h.call("GET", with, "", "If-None-Match: "+held).want(t, 200, ""); got.Header.Get("ETag") == held {
		t.Errorf("another room of the group has changed, and the tag is still %s", held)
	}
	h.call("PATCH", strings.TrimSuffix(with, "?include=group,revisions"), `{"notes":"y"}`, "If-Match: "+held).want(t, 200, "")
	tag := h.call("GET", path, "").want(t, 200, "").Header.Get("ETag")
	if got := h.call("GET", path, "", "If-None-Match: "+tag); got.StatusCode != 304 {
		t.Errorf("unchanged: %d", got.StatusCode)
	}
	h.call("POST", "/v1/reservations/"+first["id"].(string)+"/cancel", `{"reason":"x"}`).want(t, 200, "")
	cancelled := h.call("POST", path+"/cancel", `{"reason":"x"}`).want(t, 200, "").json(t)
	for _, r := range cancelled["reservations"].([]any) {
		if r.(map[string]any)["status"] != "cancelled" {
			t.Errorf("left over %v", r)
		}
	}
	if again := h.call("POST", path+"/cancel", `{"reason":"x"}`).want(t, 200, "").json(t); again["revision"] != cancelled["revision"] {
		t.Errorf("cancelled again at revision %v", again["revision"])
	}
	h.call("GET", "/v1/reservation-groups/none", "").want(t, 404, "not_found")
	h.call("POST", "/v1/reservation-groups/none/cancel", `{"reason":"x"}`).want(t, 404, "not_found")
	h.call("POST", "/v1/reservation-groups", h.groupOfRooms(1, "", "2026-12-03", "2026-12-01")).want(t, 422, "validation_failed")
}

func TestGroupWithAGuestInTheHouseIsNotCancelled(t *testing.T) {
	h := newHouse(t)
	g := h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-11-21", "2026-11-23")).want(t, 201, "").json(t)
	second := g["reservations"].([]any)[1].(map[string]any)["id"].(string)
	h.call("POST", "/v1/reservations/"+second+"/check-in", ``).want(t, 200, "")
	refused := h.call("POST", "/v1/reservation-groups/"+g["id"].(string)+"/cancel", `{"reason":"x"}`).want(t, 409, "invalid_transition").json(t)
	if refused["pointer"] != "/reservations/1" {
		t.Errorf("refused %v", refused)
	}
	if got := h.call("GET", "/v1/reservations?status=cancelled", "").want(t, 200, "").ids(t); got != "" {
		t.Errorf("cancelled all the same: %s", got)
	}
}

func TestRevisions(t *testing.T) {
	h := newHouse(t)
	r := h.book("2026-12-01", "2026-12-03")
	path := "/v1/reservations/" + r["id"].(string)
	h.call("PATCH", path, `{"guest":{"phone":"+4930123456"},"check_out":"2026-12-04"}`).want(t, 200, "")
	h.call("PATCH", path, `{"tags":["late"]}`).want(t, 200, "")
	h.call("POST", path+"/cancel", `{"reason":"guest"}`).want(t, 200, "")
	list := h.call("GET", path+"/revisions", "").want(t, 200, "").json(t)["data"].([]any)
	var told []string
	for _, v := range list {
		rev := v.(map[string]any)
		line := fmt.Sprint(rev["revision"], rev["event"], rev["origin"])
		for _, c := range rev["changes"].([]any) {
			change := c.(map[string]any)
			if f := change["field"]; f != "nightly" && f != "total.room" {
				line += fmt.Sprintf(" %v:%v>%v", f, change["from"], change["to"])
			}
		}
		told = append(told, line)
	}
	want := []string{
		"1reservation.createdapi",
		"2reservation.updatedapi balance:map[amount:198.00 currency:EUR]>map[amount:297.00 currency:EUR] check_out:2026-12-03>2026-12-04 " +
			"guest.phone:<nil>>+4930123456 total.gross:map[amount:198.00 currency:EUR]>map[amount:297.00 currency:EUR]",
		"3reservation.updatedapi tags:[]>[late]",
	}
	for i, w := range want {
		if told[i] != w {
			t.Errorf("revision %d\n%s, want\n%s", i+1, told[i], w)
		}
	}
	if len(told) != 4 || !strings.HasPrefix(told[3], "4reservation.cancelledapi") || !strings.Contains(told[3], "status:confirmed>cancelled") {
		t.Errorf("revisions %v", told)
	}
	snapshot := list[0].(map[string]any)["snapshot"].(map[string]any)
	if snapshot["check_out"] != "2026-12-03" || snapshot["guest"].(map[string]any)["phone"] != nil || snapshot["status"] != "confirmed" {
		t.Errorf("first snapshot %v", snapshot)
	}
	h.call("GET", "/v1/reservations/none/revisions", "").want(t, 404, "not_found")
	page := h.call("GET", path+"/revisions?limit=2", "").want(t, 200, "").json(t)
	next := h.call("GET", path+"/revisions?limit=2&cursor="+page["next_cursor"].(string), "").want(t, 200, "").json(t)["data"].([]any)
	if next[0].(map[string]any)["revision"] != 3.0 {
		t.Errorf("second page %v", next)
	}
}

// A room joins a group of its property and source, when it is booked or later, and leaves
// it again.
func TestARoomJoinsAGroup(t *testing.T) {
	h := newHouse(t)
	group := h.call("POST", "/v1/reservation-groups", h.groupOfRooms(2, "", "2026-12-01", "2026-12-02")).want(t, 201, "").json(t)["id"].(string)
	in := func(group string) string {
		return strings.Replace(h.booking("2026-12-01", "2026-12-02"), `"adults"`, `"group_id":"`+group+`","adults"`, 1)
	}
	size := func() int {
		return len(h.call("GET", "/v1/reservation-groups/"+group, "").want(t, 200, "").json(t)["reservations"].([]any))
	}
	if got := h.call("POST", "/v1/reservations", in("grp_nowhere")).want(t, 422, "validation_failed").items(t); got != "/group_id unknown_group" {
		t.Errorf("of no group: %s", got)
	}
	made := h.call("POST", "/v1/reservations", in(group)).want(t, 201, "").json(t)
	path := "/v1/reservations/" + made["id"].(string)
	if made["group_id"] != group || size() != 3 {
		t.Errorf("it is in group %v, which has %d rooms", made["group_id"], size())
	}
	if got := h.call("PATCH", path, `{"group_id":null}`).want(t, 200, "").json(t); got["group_id"] != nil || size() != 2 {
		t.Errorf("left: it is in group %v, which has %d rooms", got["group_id"], size())
	}
	h.call("PATCH", path, `{"group_id":"`+group+`"}`).want(t, 200, "")
	if size() != 3 {
		t.Errorf("joined again: the group has %d rooms", size())
	}
	channel := h.draft()
	theirs := strings.Replace(h.booking("2026-12-01", "2026-12-02"), `"adults"`, `"source":{"channel_id":"`+channel+`","channel_reference":"A1"},"adults"`, 1)
	path = "/v1/reservations/" + h.call("POST", "/v1/reservations", theirs).want(t, 201, "").json(t)["id"].(string)
	if got := h.call("PATCH", path, `{"group_id":"`+group+`"}`).want(t, 422, "validation_failed").items(t); got != "/group_id read_only" {
		t.Errorf("a channel's booking: %s", got)
	}
}
