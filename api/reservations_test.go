package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/internal/auth"
)

func (h *house) book(in, out string) map[string]any {
	h.t.Helper()
	return h.call("POST", "/v1/reservations", h.booking(in, out)).want(h.t, 201, "").json(h.t)
}

func TestBook(t *testing.T) {
	h := newHouse(t)
	body := strings.Replace(h.booking("2026-12-01", "2026-12-03"), `"adults":2`,
		`"adults":2,"children_ages":[4],"notes":"n","guest_requests":"r","metadata":{"k":"v"},"expected_total":{"amount":"198.00","currency":"EUR"}`, 1)
	got := h.call("POST", "/v1/reservations", body).want(t, 201, "")
	r := got.json(t)
	if got.Header.Get("Location") != "https://hotel.example/v1/reservations/"+r["id"].(string) || !strings.HasPrefix(got.Header.Get("ETag"), `"r1-`) {
		t.Errorf("headers %v", got.Header)
	}
	for member, want := range map[string]string{
		"status": "confirmed", "check_in": "2026-12-01", "check_out": "2026-12-03", "original_check_out": "2026-12-03", "adults": "2",
		"children_ages": "[4]", "notes": "n", "guest_requests": "r", "metadata": "map[k:v]", "group_id": "<nil>", "price_known": "true",
		"overbooked": "false", "room_type_id": h.standard.ID, "booked_room_type_id": h.standard.ID, "held_room_type_id": "<nil>",
		"created_at": "2026-11-21T10:00:00.000Z", "revision": "1", "issues": "[]", "cancel": "<nil>",
	} {
		if fmt.Sprint(r[member]) != want {
			t.Errorf("%s: %v, want %s", member, r[member], want)
		}
	}
	total := r["total"].(map[string]any)
	if fmt.Sprint(total["gross"]) != "map[amount:198.00 currency:EUR]" || fmt.Sprint(total["vat"]) != "map[amount:0.00 currency:EUR]" {
		t.Errorf("total %v", total)
	}
	if nights := r["nightly"].([]any); len(nights) != 2 || nights[1].(map[string]any)["date"] != "2026-12-02" {
		t.Errorf("nightly %v", nights)
	}
	if len(r["confirmation_number"].(string)) != 10 || r["source"].(map[string]any)["channel_id"] != "direct" {
		t.Errorf("reservation %v", r)
	}
	read := h.call("GET", "/v1/reservations/"+r["id"].(string), "").want(t, 200, "")
	if string(read.body) != string(got.body) {
		t.Errorf("read  %s\nmade %s", read.body, got.body)
	}
	if again := h.call("GET", "/v1/reservations/"+r["id"].(string), "", "If-None-Match: W/"+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("not modified: %d", again.StatusCode)
	}
}

func TestBookRefusals(t *testing.T) {
	h := newHouse(t)
	good := h.booking("2026-12-01", "2026-12-03")
	for _, c := range []struct {
		name, old, replacement string
		status                 int
		code, item             string
	}{
		{"price changed", `"adults":2`, `"adults":2,"expected_total":{"amount":"1.00","currency":"EUR"}`, 409, "price_changed", ""},
		{"a total in another currency", `"adults":2`, `"adults":2,"expected_total":{"amount":"198.00","currency":"USD"}`, 422, "validation_failed", "currency_mismatch"},
		{"unknown room type", h.standard.ID, "rt_none", 422, "validation_failed", "unknown_room_type"},
		{"unknown plan", h.flex.ID, "rp_none", 422, "validation_failed", "unknown_rate_plan"},
		{"plan of others", h.flex.ID, h.member.ID, 422, "validation_failed", "unknown_rate_plan"},
		{"too many adults", `"adults":2`, `"adults":3`, 422, "validation_failed", "occupancy_exceeded"},
		{"past", "2026-12-01", "2026-11-20", 422, "validation_failed", "date_in_past"},
		{"no night", "2026-12-03", "2026-12-01", 422, "validation_failed", "date_order"},
		{"no last name", "Lovelace", "", 422, "validation_failed", "length"},
		{"server's member", `"adults"`, `"overbooked":true,"adults"`, 422, "validation_failed", "read_only"},
		{"unknown member", `"adults"`, `"smoking":true,"adults"`, 422, "validation_failed", "unknown_field"},
		{"long value", `"adults":2`, `"adults":2,"metadata":{"k":"` + strings.Repeat("x", 501) + `"}`, 422, "validation_failed", "length"},
		{"other property", "hotel_123", "hotel_456", 422, "validation_failed", "unknown_room_type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.call("POST", "/v1/reservations", strings.ReplaceAll(good, c.old, c.replacement)).want(t, c.status, c.code).json(t)
			if c.item != "" && got["errors"].([]any)[0].(map[string]any)["code"] != c.item {
				t.Errorf("errors %v, want %s", got["errors"], c.item)
			}
		})
	}
	for range 5 {
		h.book("2026-12-02", "2026-12-03")
	}
	full := h.call("POST", "/v1/reservations", good).want(t, 409, "not_available").json(t)
	if fmt.Sprint(full["nights"]) != "[2026-12-02]" || full["reason"] != "full" {
		t.Errorf("full %v", full)
	}
	over := strings.Replace(good, `"adults"`, `"allow_overbooking":true,"adults"`, 1)
	plain, _ := h.newClient("plain", h.client.Scopes&^auth.ScopesOf(auth.ReservationsOverride), "*")
	h.call("POST", "/v1/reservations", over, "Authorization: Bearer "+h.tokenOf(plain)).want(t, 403, "insufficient_scope")
	if r := h.call("POST", "/v1/reservations", over).want(t, 201, "").json(t); r["overbooked"] != true {
		t.Errorf("overbooked: %v", r)
	}
	h.update("restrictions", `{"date_from":"2026-12-10","date_to":"2026-12-10","values":{"closed":true}}`).want(t, 200, "")
	closed := h.call("POST", "/v1/reservations", h.booking("2026-12-10", "2026-12-11")).want(t, 409, "restriction_violated").json(t)
	if len(closed["restrictions"].([]any)) == 0 {
		t.Errorf("closed %v", closed)
	}
}

// A room type that is sold to two at the least is not offered to one, who can stay there
// all the same once it was agreed.
func TestARoomForSeveral(t *testing.T) {
	h := newHouse(t)
	couple := h.booking("2026-12-01", "2026-12-03")
	alone := strings.Replace(couple, `"adults":2`, `"adults":1`, 1)
	h.call("PATCH", "/v1/room-types/"+h.standard.ID, `{"min_occupancy":2}`, "Content-Type: application/merge-patch+json").want(t, 200, "")
	if got := h.call("POST", "/v1/reservations", alone).want(t, 422, "validation_failed").items(t); got != "/adults min" {
		t.Errorf("one guest: %s", got)
	}
	query := func(adults string) string {
		return fmt.Sprint(h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&adults="+adults, "").want(t, 200, "").json(t)["rooms"])
	}
	if one, two := query("1"), query("2"); strings.Contains(one, "Standard") || !strings.Contains(one, "Deluxe") || !strings.Contains(two, "Standard") {
		t.Errorf("offered to one: %s, to two: %s", one, two)
	}
	id := h.call("POST", "/v1/reservations", couple).want(t, 201, "").json(t)["id"].(string)
	h.call("PATCH", "/v1/reservations/"+id, `{"adults":1}`, "Content-Type: application/merge-patch+json").want(t, 200, "")
}

func TestGuestNeedsScope(t *testing.T) {
	h := newHouse(t)
	id := h.book("2026-12-01", "2026-12-02")["id"].(string)
	full := h.call("GET", "/v1/reservations/"+id, "").json(t)["guest"].(map[string]any)
	if full["email"] != "ada@example.com" || full["last_name"] != "Lovelace" || full["display_name"] != "Ada Lovelace" {
		t.Errorf("guest %v", full)
	}
	front, _ := h.newClient("front", auth.ScopesOf(auth.ReservationsRead), "*")
	as := "Authorization: Bearer " + h.tokenOf(front)
	for _, path := range []string{"/v1/reservations/" + id, "/v1/reservations"} {
		if got := h.call("GET", path, "", as).want(t, 200, ""); strings.Contains(string(got.body), "ada@example.com") || !strings.Contains(string(got.body), "Ada Lovelace") {
			t.Errorf("%s: %s", path, got.body)
		}
	}
}

func TestChange(t *testing.T) {
	h := newHouse(t)
	id := h.book("2026-12-01", "2026-12-03")["id"].(string)
	path := "/v1/reservations/" + id
	patch := func(body string, headers ...string) reply { return h.call("PATCH", path, body, headers...) }

	got := patch(`{"check_out":"2026-12-04","guest":{"phone":"+4930123456","email":null},"notes":"late","metadata":{"a":"1","b":"2"}}`, `If-Match: "r1"`).want(t, 200, "")
	r := got.json(t)
	guest := r["guest"].(map[string]any)
	if !strings.HasPrefix(got.Header.Get("ETag"), `"r2-`) || r["check_out"] != "2026-12-04" || r["notes"] != "late" || len(r["nightly"].([]any)) != 3 ||
		guest["phone"] != "+4930123456" || guest["email"] != nil || guest["first_name"] != "Ada" {
		t.Errorf("changed: %s", got.body)
	}
	r = patch(`{"notes":null,"metadata":{"a":null,"c":"3"}}`, "Content-Type: application/merge-patch+json").want(t, 200, "").json(t)
	if r["notes"] != "" || fmt.Sprint(r["metadata"]) != "map[b:2 c:3]" {
		t.Errorf("merged: %v", r)
	}
	if r = patch(`{"metadata":null}`).want(t, 200, "").json(t); fmt.Sprint(r["metadata"]) != "map[]" {
		t.Errorf("cleared: %v", r["metadata"])
	}
	nothing := patch(`{}`).want(t, 200, "")
	if unchanged := nothing.json(t); unchanged["revision"] != r["revision"] {
		t.Errorf("nothing to change made revision %v", unchanged["revision"])
	}
	stale := patch(`{"notes":"x"}`, `If-Match: "r1"`).want(t, 412, "precondition_failed")
	if stale.Header.Get("ETag") != nothing.Header.Get("ETag") {
		t.Errorf("ETag %q", stale.Header.Get("ETag"))
	}
	patch(`{"notes":"x"}`, `If-Match: W/"r4"`).want(t, 412, "precondition_failed")
	patch(`{"notes":"x"}`, `If-Match: *`).want(t, 200, "")
	patch(`{"adults":null}`).want(t, 422, "validation_failed")
	patch(`{"guest":{"last_name":null}}`).want(t, 422, "validation_failed")
	patch(`{"rate_plan_id":"`+h.member.ID+`"}`).want(t, 422, "validation_failed")
	patch(`{"status":"cancelled"}`).want(t, 422, "validation_failed")
	if r = patch(`{"room_type_id":"`+h.deluxe.ID+`"}`).want(t, 200, "").json(t); r["room_type_id"] != h.deluxe.ID {
		t.Errorf("moved: %v", r)
	}
	other := h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"Other"}`).want(t, 201, "").json(t)["id"].(string)
	if r = patch(`{"guest_id":"`+other+`"}`).want(t, 200, "").json(t); guestOfBody(r) != other {
		t.Errorf("given to %s: %v", other, r["guest"])
	}
	for _, body := range []string{`{"guest_id":null}`, `{"guest_id":"none"}`, `{"guest_id":"` + other + `","guest":{"phone":null}}`} {
		patch(body).want(t, 422, "validation_failed")
	}
	h.call("PATCH", "/v1/reservations/none", `{}`).want(t, 404, "not_found")
}

func TestCancel(t *testing.T) {
	h := newHouse(t)
	id := h.book("2026-12-01", "2026-12-03")["id"].(string)
	path := "/v1/reservations/" + id
	h.call("POST", path+"/cancel", `{}`).want(t, 422, "validation_failed")
	h.call("POST", path+"/cancel", `{"reason":"guest"}`, `If-Match: "r9"`).want(t, 412, "precondition_failed")
	got := h.call("POST", path+"/cancel", `{"reason":"guest","note":"rang"}`).want(t, 200, "")
	r := got.json(t)
	if r["status"] != "cancelled" || fmt.Sprint(r["cancel"]) != "map[at:2026-11-21T10:00:00.000Z by:client note:rang penalty:map[amount:0.00 currency:EUR] reason:guest waived:false]" || !strings.HasPrefix(got.Header.Get("ETag"), `"r2-`) {
		t.Errorf("cancelled %s", got.body)
	}
	if again := h.call("POST", path+"/cancel", `{"reason":"again"}`).want(t, 200, "").json(t); again["revision"] != 2.0 {
		t.Errorf("cancelled again: %v", again)
	}
	gone := h.call("PATCH", path, `{"check_out":"2026-12-05"}`).want(t, 409, "invalid_transition").json(t)
	if gone["from"] != "cancelled" {
		t.Errorf("change of a cancelled one: %v", gone)
	}
	h.call("PATCH", path, `{"notes":"kept"}`).want(t, 200, "")
	h.call("POST", "/v1/reservations/none/cancel", `{"reason":"x"}`).want(t, 404, "not_found")
}

func TestReservationList(t *testing.T) {
	h := newHouse(t)
	first := h.book("2026-12-05", "2026-12-08")
	h.clock.move(time.Minute)
	second := h.book("2026-12-01", "2026-12-02")
	h.clock.move(time.Minute)
	third := h.book("2026-12-03", "2026-12-04")
	h.clock.move(time.Minute)
	a, b, c := first["id"].(string), second["id"].(string), third["id"].(string)
	h.call("POST", "/v1/reservations/"+a+"/cancel", `{"reason":"x"}`).want(t, 200, "")
	for query, want := range map[string]string{
		"":                                  a + " " + b + " " + c,
		"?sort=-created_at":                 c + " " + b + " " + a,
		"?sort=check_in":                    b + " " + c + " " + a,
		"?sort=updated_at":                  b + " " + c + " " + a,
		"?status=confirmed":                 b + " " + c,
		"?status=confirmed,cancelled":       a + " " + b + " " + c,
		"?check_in_from=2026-12-03":         a + " " + c,
		"?check_in_to=2026-12-03":           b + " " + c,
		"?staying_on=2026-12-03":            c,
		"?staying_on=2026-12-07":            "", // cancelled
		"?check_out_from=2026-12-04":        a + " " + c,
		"?check_out_to=2026-12-04":          b + " " + c,
		"?stay_phase=future":                b + " " + c,
		"?stay_phase=due_in":                "",
		"?stay_phase=void,future":           a + " " + b + " " + c,
		"?unacknowledged=true":              a + " " + b + " " + c,
		"?tag=none":                         "",
		"?guest_id=" + guestOfBody(second):  a + " " + b + " " + c, // the same person
		"?block_id=none":                    "",
		"?sub_channel=none":                 "",
		"?rate_plan_id=" + h.flex.ID:        a + " " + b + " " + c,
		"?staying_on=2026-12-08":            "",
		"?room_type_id=" + h.deluxe.ID:      "",
		"?channel_id=direct":                a + " " + b + " " + c,
		"?group_id=none":                    "",
		"?channel_reference=none":           "",
		"?created_since=" + stampOf(second): b + " " + c,
		"?created_before=" + stampOf(third): a + " " + b,
		"?updated_since=" + strings.ReplaceAll(h.clock.Now().Format(time.RFC3339), "+", "%2B"): a,
		"?confirmation_number=" + second["confirmation_number"].(string):                       b,
	} {
		if got := h.call("GET", "/v1/reservations"+query, "").want(t, 200, "").ids(t); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	var seen []string
	for cursor := ""; ; {
		page := h.call("GET", "/v1/reservations?sort=-check_in&limit=1&cursor="+cursor, "").want(t, 200, "")
		seen = append(seen, page.ids(t))
		if len(seen) == 1 {
			h.book("2026-12-20", "2026-12-21") // before the page that was read: the rest stays as it was
		}
		next, more := page.json(t)["next_cursor"].(string)
		if !more {
			break
		}
		cursor = next
	}
	if got, want := strings.Join(seen, " "), a+" "+c+" "+b; got != want {
		t.Errorf("pages %s, want %s", got, want)
	}
	h.call("GET", "/v1/reservations?status=unknown", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/reservations?sort=name", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/reservations?created_since=yesterday", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/reservations?staying_on=2026-02-30", "").want(t, 400, "invalid_parameter")
}

func stampOf(reservation map[string]any) string { return reservation["created_at"].(string) }

func guestOfBody(reservation map[string]any) string {
	return reservation["guest"].(map[string]any)["id"].(string)
}

// The price of one night that is set by hand is the only one that changes.
func TestAPriceByHandLeavesTheOtherNightsTheirs(t *testing.T) {
	h := newHouse(t)
	path := "/v1/reservations/" + h.book("2026-12-01", "2026-12-04")["id"].(string)
	h.update("rates", `{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.flex.ID+`","date_from":"2026-12-01","date_to":"2026-12-02","values":{"amount":{"amount":"150.00","currency":"EUR"}}},
		{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.flex.ID+`","date_from":"2026-12-03","date_to":"2026-12-03","values":{"amount":null}}`).want(t, 200, "")
	var prices []string
	for _, n := range h.call("PATCH", path, `{"nightly":[{"date":"2026-12-02","amount":{"amount":"50.00","currency":"EUR"},"override":true}]}`).want(t, 200, "").json(t)["nightly"].([]any) {
		prices = append(prices, n.(map[string]any)["amount"].(map[string]any)["amount"].(string))
	}
	if got := strings.Join(prices, " "); got != "99.00 50.00 99.00" {
		t.Errorf("nights at %s, want 99.00 50.00 99.00", got)
	}
}

// A child of whom nobody has said how old is booked, shown, and sent back as it is shown.
func TestChildrenWithoutAnAge(t *testing.T) {
	h := newHouse(t)
	ages := func(r reply) string { return fmt.Sprint(r.json(t)["children_ages"]) }
	body := strings.Replace(h.booking("2026-12-01", "2026-12-03"), `"adults":2`, `"adults":1,"children_ages":[null]`, 1)
	made := h.call("POST", "/v1/reservations", body).want(t, 201, "")
	if got := ages(made); got != "[<nil>]" {
		t.Errorf("booked with the ages %s", got)
	}
	at := "/v1/reservations/" + made.json(t)["id"].(string)
	if made.json(t)["guest_id"] != guestOfBody(made.json(t)) {
		t.Errorf("it is of guest %v, and of %s", made.json(t)["guest_id"], guestOfBody(made.json(t)))
	}
	if got := ages(h.call("PATCH", at, `{"children_ages":[7]}`).want(t, 200, "")); got != "[7]" {
		t.Errorf("changed to the ages %s", got)
	}
	if got := ages(h.call("PATCH", at, `{"children_ages":null}`).want(t, 200, "")); got != "[]" {
		t.Errorf("without children they are %s", got)
	}
	h.call("PATCH", at, `{"children_ages":[-1]}`).want(t, 422, "validation_failed")
}
