package api

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

func TestMergeGuests(t *testing.T) {
	h := newHouse(t)
	r := h.book("2026-12-01", "2026-12-02")
	from, into := guestOfBody(r), h.call("POST", "/v1/guests", hopper).want(t, 201, "").json(t)["id"].(string)
	path := "/v1/guests/" + into
	h.call("POST", path+"/merge", `{"source_guest_id":"none"}`).want(t, 422, "validation_failed")
	h.call("POST", path+"/merge", `{"source_guest_id":"`+from+`"}`, `If-Match: "r9"`).want(t, 412, "precondition_failed")
	got := h.call("POST", path+"/merge", `{"source_guest_id":"`+from+`"}`, "Idempotency-Key: m").want(t, 200, "").json(t)
	if got["revision"] != 2.0 || got["last_name"] != "Hopper" || got["stats"].(map[string]any)["stays"] != 0.0 {
		t.Errorf("merged %v", got)
	}
	again := h.call("POST", path+"/merge", `{"source_guest_id":"`+from+`"}`, "Idempotency-Key: m").want(t, 200, "")
	if again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("merged twice")
	}
	for below, method := range map[string]string{"": "GET", "/stays": "GET", "/preferences": "GET", "/export": "GET", "/anonymize": "POST"} {
		body := ""
		if method == "POST" {
			body = `{"reason":"x"}`
		}
		gone := h.call(method, "/v1/guests/"+from+below, body).want(t, 308, "guest_merged")
		if gone.Header.Get("Location") != "https://hotel.example/v1/guests/"+into+below || gone.json(t)["merged_into"] != into {
			t.Errorf("%s: %v %s", below, gone.Header, gone.body)
		}
	}
	if to := h.call("GET", "/v1/guests/"+from+"/stays?limit=10&cursor=x%26y", "").want(t, 308, "guest_merged").Header.Get("Location"); to != "https://hotel.example/v1/guests/"+into+"/stays?limit=10&cursor=x%26y" {
		t.Errorf("a later page goes on at %s", to)
	}
	h.call("GET", path, "").want(t, 200, "")
	export := string(h.call("GET", path+"/export", "").want(t, 200, "").body)
	for _, part := range []string{"Lovelace", "ada@example.com", `"operation":"create-reservation"`, `"operation":"get-guest"`} { // what was kept under the other profile
		if !strings.Contains(export, part) {
			t.Errorf("%s is not in %s", part, export)
		}
	}
	if followed := h.call("GET", "/v1/reservations/"+r["id"].(string), "").want(t, 200, "").json(t); guestOfBody(followed) != into {
		t.Errorf("the reservation stays behind: %v", followed["guest"])
	}
	if types, _ := h.events("?type=guest.*"); types != "guest.created guest.created guest.merged guest.updated" {
		t.Errorf("told %s", types)
	}
}

func TestExportAndForgetAGuest(t *testing.T) {
	h := newHouse(t)
	r := h.call("POST", "/v1/reservations", strings.Replace(h.booking("2026-12-01", "2026-12-02"), `"adults"`, `"notes":"allergic","adults"`, 1)).want(t, 201, "").json(t)
	booking, path := "/v1/reservations/"+r["id"].(string), "/v1/guests/"+guestOfBody(r)
	h.call("PATCH", booking, `{"guest":{"phone":"+4930111"}}`).want(t, 200, "")
	h.call("PATCH", path+"/preferences", `{"notes":[{"value":"likes Byron","source":"staff"}]}`).want(t, 200, "")
	export := string(h.call("GET", path+"/export", "").want(t, 200, "").body)
	for _, part := range []string{"Lovelace", "ada@example.com", "likes Byron", "allergic", "+4930111", `"operation":"create-reservation"`, `"earlier_details":[{"reservation_id"`} {
		if !strings.Contains(export, part) {
			t.Errorf("%s is not in %s", part, export)
		}
	}
	open := h.call("POST", path+"/anonymize", `{"reason":"guest_request"}`).want(t, 409, "resource_in_use").json(t)
	if fmt.Sprint(open["reservation_ids"]) != "["+r["id"].(string)+"]" {
		t.Errorf("open %v", open)
	}
	h.call("POST", booking+"/cancel", `{"reason":"guest"}`).want(t, 200, "")
	h.call("POST", path+"/anonymize", `{"reason":"Ada asked"}`).want(t, 422, "validation_failed")
	h.call("POST", path+"/anonymize", `{"reason":"x"}`, `If-Match: "r9"`).want(t, 412, "precondition_failed")
	left := h.call("POST", path+"/anonymize", `{"reason":"guest_request"}`, "Idempotency-Key: f").want(t, 200, "").json(t)
	if left["status"] != "anonymized" || left["last_name"] != nil || left["display_name"] != "" {
		t.Errorf("left %v", left)
	}
	if again := h.call("POST", path+"/anonymize", `{"reason":"guest_request"}`, "Idempotency-Key: f").want(t, 200, ""); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("forgotten twice")
	}
	if stats := h.call("GET", path, "").want(t, 200, "").json(t)["stats"]; !reflect.DeepEqual(stats, left["stats"]) {
		t.Errorf("anonymized with %v, read with %v", left["stats"], stats)
	}
	if got := h.call("GET", path, "").want(t, 200, "").json(t); got["status"] != "anonymized" || got["email"] != "" {
		t.Errorf("reads as %v", got)
	}
	for _, ask := range [][3]string{
		{"GET", "/stays", ""},
		{"GET", "/preferences", ""},
		{"GET", "/export", ""},
		{"PATCH", "", `{"vip":true}`},
		{"PUT", "/preferences", `{}`},
		{"POST", "/anonymize", `{"reason":"x"}`},
		{"POST", "/merge", `{"source_guest_id":"x"}`},
	} {
		h.call(ask[0], path+ask[1], ask[2]).want(t, 410, "anonymized")
	}
	for _, target := range []string{booking, booking + "/revisions", "/v1/reservations", "/v1/events", "/v1/guests"} {
		if body := string(h.call("GET", target, "").want(t, 200, "").body); strings.Contains(body, "Lovelace") || strings.Contains(body, "allergic") || strings.Contains(body, "+4930111") {
			t.Errorf("%s still has it: %s", target, body)
		}
	}
	accesses := must(h.ledger.PersonalAccesses(t.Context(), guestOfBody(r)))(t)
	if len(accesses) == 0 || accesses[0].By.Kind != hotel.ActorClient {
		t.Errorf("who was shown it stays: %v", accesses)
	}
}

// A booking that was somebody's and is another's by now is told to the first of them by
// what it said of them, and to the other without that.
func TestExportOfWhoGaveABookingAway(t *testing.T) {
	h := newHouse(t)
	r := h.book("2026-12-01", "2026-12-02")
	first, second := guestOfBody(r), h.call("POST", "/v1/guests", hopper).want(t, 201, "").json(t)["id"].(string)
	h.call("PATCH", "/v1/reservations/"+r["id"].(string), `{"guest_id":"`+second+`"}`).want(t, 200, "")
	of := func(id string) (booked int, earlier []any) {
		export := h.call("GET", "/v1/guests/"+id+"/export", "").want(t, 200, "").json(t)
		return len(export["reservations"].([]any)), export["earlier_details"].([]any)
	}
	booked, earlier := of(first)
	if booked != 0 || len(earlier) != 1 || earlier[0].(map[string]any)["reservation_id"] != r["id"] || !strings.Contains(fmt.Sprint(earlier), "Lovelace") {
		t.Errorf("whoever booked is told of %d bookings and %v", booked, earlier)
	}
	if booked, earlier = of(second); booked != 1 || strings.Contains(fmt.Sprint(earlier), "Lovelace") {
		t.Errorf("whoever comes is told of %d bookings and %v", booked, earlier)
	}
}

// TestExportOfWhoComesAlong: whoever comes along with somebody else is told where and when,
// and nothing of whoever has booked it.
func TestExportOfWhoComesAlong(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/guests", hopper).want(t, 201, "").json(t)["id"].(string)
	r := h.book("2026-12-01", "2026-12-02")
	h.call("PATCH", "/v1/reservations/"+r["id"].(string), `{"additional_guest_ids":["`+id+`"]}`).want(t, 200, "")
	got := h.call("GET", "/v1/guests/"+id+"/export", "").want(t, 200, "")
	want := []any{map[string]any{"reservation_id": r["id"], "property_id": r["property_id"], "check_in": "2026-12-01", "check_out": "2026-12-02"}}
	if diff := cmp.Diff(want, got.json(t)["accompanied"]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if strings.Contains(string(got.body), "Lovelace") {
		t.Errorf("whoever has booked is told of in %s", got.body)
	}
	h.call("POST", "/v1/guests/"+id+"/anonymize", `{"reason":"guest_request"}`).want(t, 409, "resource_in_use")
}

// What a channel sent about a booking names whoever had it then. Once it has changed
// hands it is in nobody's export; that the guest was one under two profiles is no change.
func TestExportLeavesOutMessagesOfBookingsThatChangedHands(t *testing.T) {
	h := newHouse(t)
	channel := h.live()
	messages := func(id string) string {
		return fmt.Sprint(h.call("GET", "/v1/guests/"+id+"/export", "").want(t, 200, "").json(t)["channel_messages"])
	}
	profile := func() string {
		return h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"Hopper"}`).want(t, 201, "").json(t)["id"].(string)
	}
	given, kept := h.sold(channel, "B1"), h.sold(channel, "B2")
	of := func(reservation string) string {
		return guestOfBody(h.call("GET", "/v1/reservations/"+reservation, "").want(t, 200, "").json(t))
	}
	first, second := of(given), profile()
	if got := messages(first); !strings.Contains(got, "B1") {
		t.Fatalf("whoever booked is not given %s", got)
	}
	h.call("PATCH", "/v1/reservations/"+given, `{"guest_id":"`+second+`"}`).want(t, 200, "")
	for who, id := range map[string]string{"whoever booked": first, "whoever comes": second} {
		if got := messages(id); strings.Contains(got, "B1") {
			t.Errorf("%s is given %s", who, got)
		}
	}
	one := profile()
	h.call("POST", "/v1/guests/"+one+"/merge", `{"source_guest_id":"`+of(kept)+`"}`).want(t, 200, "")
	if got := messages(one); !strings.Contains(got, "B2") {
		t.Errorf("under the other profile there is %s", got)
	}
}
