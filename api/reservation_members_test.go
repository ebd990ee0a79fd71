package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What a booking says of where it came from and of the card is shown as it was sent,
// every instant in the one form of timestamps.
func TestInstantsOfABooking(t *testing.T) {
	h := newHouse(t)
	body := strings.Replace(h.booking("2026-12-01", "2026-12-03"), `"adults"`, `"source":{"channel_id":"`+h.draft()+`","channel_reference":"B1","channel_modified_at":"2026-11-20T10:00:00+01:00"},
		"guarantee":{"card":{"last4":"4242","virtual":true,"active_from":"2026-12-01T10:00:00Z","active_until":"2027-01-01T10:00:00.123456Z"},
		"card_access":{"kind":"extranet","url":"https://portal.example/b1","until":"2026-12-31T23:00:00+01:00"}},"adults"`, 1)
	id := h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t)["id"].(string)
	read := func() map[string]any { return h.call("GET", "/v1/reservations/"+id, "").want(t, 200, "").json(t) }
	told := func(r map[string]any) string {
		guarantee := r["guarantee"].(map[string]any)
		card := guarantee["card"].(map[string]any)
		return fmt.Sprint(r["source"].(map[string]any)["channel_modified_at"], " ", card["active_from"], " ", card["active_until"], " ", guarantee["card_access"].(map[string]any)["until"])
	}
	want := "2026-11-20T09:00:00.000Z 2026-12-01T10:00:00.000Z 2027-01-01T10:00:00.123Z 2026-12-31T22:00:00.000Z"
	if got := told(read()); got != want {
		t.Errorf("shown %s, want %s", got, want)
	}
	h.call("PATCH", "/v1/reservations/"+id, `{"guarantee":{"card_access":{"kind":"none","until":"2027-01-01T00:00:00Z"}}}`).want(t, 200, "")
	if got := told(read()); got != strings.Replace(want, "2026-12-31T22", "2027-01-01T00", 1) {
		t.Errorf("changed to %s", got)
	}
}

// A member that a reservation cannot be without is not cleared, and null is not read as
// leaving it out.
func TestNullDoesNotClearWhatMustBe(t *testing.T) {
	h := newHouse(t)
	path := "/v1/reservations/" + h.book("2026-12-01", "2026-12-03")["id"].(string)
	for _, member := range []string{"guest", "guarantee", "nightly", "adults"} {
		if got := h.call("PATCH", path, `{"`+member+`":null}`).want(t, 422, "validation_failed").items(t); got != "/"+member+" required" {
			t.Errorf("%s: null is %s", member, got)
		}
	}
}

// Whoever changes the guest through a booking has seen the guest's profile as it is:
// another's change of the profile is not overwritten. Who changes other things is not
// held up by it.
func TestAPatchOfTheGuestNamesTheGuestItHasSeen(t *testing.T) {
	h := newHouse(t)
	made := h.book("2026-12-01", "2026-12-03")
	path := "/v1/reservations/" + made["id"].(string)
	seen := "If-Match: " + h.call("GET", path, "").Header.Get("ETag")
	h.call("PATCH", "/v1/guests/"+guestOfBody(made), `{"email":"king@example.com"}`).want(t, 200, "")
	refused := h.call("PATCH", path, `{"guest":{"email":"byron@example.com"}}`, seen).want(t, 412, "precondition_failed")
	now := h.call("GET", path, "")
	if tag := refused.Header.Get("ETag"); tag != now.Header.Get("ETag") || !strings.Contains(string(now.body), "king@example.com") {
		t.Errorf("refused with %s; now %s %s", tag, now.Header.Get("ETag"), now.body)
	}
	h.call("PATCH", path, `{"guest":{"email":"byron@example.com"}}`, "If-Match: "+now.Header.Get("ETag")).want(t, 200, "")
	seen = "If-Match: " + h.call("GET", path, "").Header.Get("ETag")
	h.call("PATCH", "/v1/guests/"+guestOfBody(made), `{"company":"Analytical Engines"}`).want(t, 200, "")
	h.call("PATCH", path, `{"notes":"late"}`, seen).want(t, 200, "")
}

// The tag with which a change is answered is the one that the reservation has then.
func TestAChangeIsAnsweredWithTheTagToCome(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 201, "")
	path := "/v1/reservations/" + made.json(t)["id"].(string)
	other := h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"King"}`).want(t, 201, "").json(t)["id"].(string)
	h.call("PATCH", "/v1/guests/"+other, `{"company":"Analytical Engines"}`).want(t, 200, "")
	answered := []reply{made}
	for _, patch := range []string{`{"guest":{"phone":"+4930123456"}}`, `{"notes":"late"}`, `{"guest_id":"` + other + `"}`} {
		got := h.call("GET", path, "", "If-None-Match: "+answered[len(answered)-1].Header.Get("ETag"))
		if got.StatusCode != 304 {
			t.Errorf("before %s: %d", patch, got.StatusCode)
		}
		answered = append(answered, h.call("PATCH", path, patch).want(t, 200, ""))
	}
	if got := h.call("GET", path, "", "If-None-Match: "+answered[3].Header.Get("ETag")); got.StatusCode != 304 {
		t.Errorf("in the end: %d", got.StatusCode)
	}
}

// The guest of a booking is taken, kept and shown with every member, and changed member by member.
func TestEveryMemberOfTheGuestOfABooking(t *testing.T) {
	h := newHouse(t)
	guest := map[string]any{
		"first_name": "Ada", "last_name": "Lovelace", "title": "Countess", "company": "Engines", "email": "ada@example.com", "phone": "+4930123456",
		"language": "en-GB", "country": "GB", "nationality": "GB", "date_of_birth": "1985-12-10",
		"address": map[string]any{"line1": "12 St James's Square", "line2": "2nd floor", "city": "London", "region": "Westminster", "postal_code": "SW1Y"},
	}
	text, err := json.Marshal(guest)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"property_id":"hotel_123","room_type_id":%q,"rate_plan_id":%q,"check_in":"2026-12-01","check_out":"2026-12-02","adults":2,"guest":%s}`,
		h.standard.ID, h.flex.ID, text)
	made := h.call("POST", "/v1/reservations", body).want(t, 201, "").json(t)
	path := "/v1/reservations/" + made["id"].(string)
	shown := func(what string) {
		t.Helper()
		got := h.call("GET", path, "").want(t, 200, "").json(t)["guest"].(map[string]any)
		profile := h.call("GET", "/v1/guests/"+got["id"].(string), "").want(t, 200, "").json(t)
		for name, want := range guest {
			if fmt.Sprint(got[name]) != fmt.Sprint(want) || fmt.Sprint(profile[name]) != fmt.Sprint(want) {
				t.Errorf("%s: %s is %v, in the profile %v, not %v", what, name, got[name], profile[name], want)
			}
		}
	}
	shown("booked")
	guest = map[string]any{
		"first_name": "Augusta", "last_name": "King", "title": "Lady", "company": "Notes", "email": "king@example.com", "phone": "+4930654321",
		"language": "fr", "country": "FR", "nationality": "FR", "date_of_birth": "1985-12-11",
		"address": map[string]any{"line1": "1 rue A", "line2": "fond de cour", "city": "Paris", "region": "IDF", "postal_code": "75001"},
	}
	if text, err = json.Marshal(guest); err != nil {
		t.Fatal(err)
	}
	h.call("PATCH", path, fmt.Sprintf(`{"guest":%s}`, text)).want(t, 200, "")
	shown("changed")
	h.call("PATCH", path, `{"guest":{"address":{"line2":null,"city":"Lyon"}}}`).want(t, 200, "")
	guest["address"] = map[string]any{"line1": "1 rue A", "city": "Lyon", "region": "IDF", "postal_code": "75001"}
	shown("another town")
	long := strings.Repeat("x", 201)
	if got := h.call("PATCH", path, `{"guest":{"address":{"city":"`+long+`"}}}`).want(t, 422, "validation_failed").items(t); got != "/guest/address/city length" {
		t.Errorf("too long: %s", got)
	}
	h.call("PATCH", path, `{"guest":{"address":null}}`).want(t, 200, "")
	if got := h.call("GET", path, "").want(t, 200, "").json(t)["guest"].(map[string]any); got["address"] != nil || got["last_name"] != "King" {
		t.Errorf("without an address: %v", got)
	}
}
