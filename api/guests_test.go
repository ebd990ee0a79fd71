package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

const hopper = `{"property_id":"hotel_123","first_name":"Grace","last_name":"Hopper","email":"grace@example.com","phone":"+12025550143","language":"en",
	"date_of_birth":"1906-12-09","address":{"city":"Arlington"},"vip":true,"loyalty":[{"program":"stars","number":"7"}],"external_ids":{"pms":"P1"},
	"marketing_consent":{"granted":true,"at":"2026-11-01T10:00:00Z","source":"form"},"metadata":{"k":"v"}}`

func TestGuestProfile(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/guests", hopper, "Idempotency-Key: g1").want(t, 201, "")
	g := made.json(t)
	id, path := g["id"].(string), "/v1/guests/"+g["id"].(string)
	if g["display_name"] != "Grace Hopper" || g["email_kind"] != "own" || g["status"] != "active" || g["property_id"] != "hotel_123" ||
		g["marketing_consent"].(map[string]any)["at"] != "2026-11-01T10:00:00.000Z" || made.Header.Get("Location") != "https://hotel.example"+path {
		t.Errorf("made %v", g)
	}
	again := h.call("POST", "/v1/guests", hopper, "Idempotency-Key: g1").want(t, 201, "")
	if again.Header.Get("Idempotent-Replayed") != "true" || again.json(t)["id"] != id {
		t.Errorf("again %s", again.body)
	}
	got := h.call("GET", path, "").want(t, 200, "")
	if diff := cmp.Diff(g, got.json(t)); diff != "" {
		t.Error(diff)
	}
	tag := got.Header.Get("ETag")
	if tag != made.Header.Get("ETag") {
		t.Errorf("tags %s, %s", made.Header.Get("ETag"), tag)
	}
	if r := h.call("GET", path, "", "If-None-Match: "+tag); r.StatusCode != 304 {
		t.Errorf("unchanged: %d", r.StatusCode)
	}
	changed := h.call("PATCH", path, `{"email":null,"vip":false,"address":{"region":"VA"},"external_ids":{"pms":null,"crm":"C1"}}`, "If-Match: "+tag).want(t, 200, "").json(t)
	if changed["email"] != "" || changed["email_kind"] != nil || changed["vip"] != false || changed["revision"] != 2.0 ||
		fmt.Sprint(changed["address"], changed["external_ids"]) != "map[city:Arlington region:VA] map[crm:C1]" {
		t.Errorf("changed %v", changed)
	}
	h.call("PATCH", path, `{"vip":true}`, "If-Match: "+tag).want(t, 412, "precondition_failed")
	if r := h.call("PATCH", path, `{}`).want(t, 200, "").json(t); r["revision"] != 2.0 {
		t.Errorf("nothing changed: %v", r["revision"])
	}
	for body, items := range map[string]string{
		`{"last_name":null}`:                         "/last_name required",
		`{"last_name":" "}`:                          "/last_name required",
		`{"status":"merged"}`:                        "/status read_only",
		`{"property_id":"hotel_456"}`:                "/property_id read_only",
		`{"date_of_birth":"2027-01-01"}`:             "/date_of_birth max",
		`{"email":"nobody","phone":"12"}`:            "/email format; /phone format",
		`{"nationality":"XX","language":"no-one!"}`:  "/language format; /nationality enum",
		`{"external_ids":{"pms":""}}`:                "/external_ids/pms required",
		`{"loyalty":[{"program":"x","number":" "}]}`: "/loyalty/0/number required",
	} {
		if got := h.call("PATCH", path, body).want(t, 422, "validation_failed").items(t); got != items {
			t.Errorf("%s: %s", body, got)
		}
	}
	other := h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"Other","external_ids":{"crm":"C1"}}`).want(t, 409, "duplicate_code").json(t)
	if other["existing_id"] != id {
		t.Errorf("whose id it is: %v", other)
	}
}

func TestGuestList(t *testing.T) {
	h := newHouse(t)
	newGuest := func(body string) string {
		t.Helper()
		h.clock.move(time.Minute)
		return h.call("POST", "/v1/guests", body).want(t, 201, "").json(t)["id"].(string)
	}
	a := newGuest(hopper)
	b := newGuest(`{"property_id":"hotel_123","last_name":"HOPPMANN","email":"GRACE@example.com"}`)
	c := newGuest(`{"property_id":"hotel_456","last_name":"Ångström","phone":"+4712345678"}`)
	h.clock.move(time.Minute)
	h.call("PATCH", "/v1/guests/"+a, `{"vip":false}`).want(t, 200, "")
	for query, want := range map[string]string{
		"":                         a + " " + b + " " + c,
		"?property_id=hotel_456":   c,
		"?email=Grace@Example.com": a + " " + b,
		"?email=grace":             "",
		"?phone=%2B1202-555-0143":  a,
		"?last_name=hopp":          a + " " + b,
		"?last_name=Hopper":        a,
		"?last_name=%C3%A5ng":      c,
		"?external_id=P1":          a,
		"?external_id=P2":          "",
		"?status=active":           a + " " + b + " " + c,
		"?status=merged":           "",
		"?sort=-updated_at":        a + " " + c + " " + b,
		"?updated_since=" + strings.ReplaceAll(h.clock.Now().Format(time.RFC3339), "+", "%2B"): a,
	} {
		if got := h.call("GET", "/v1/guests"+query, "").want(t, 200, "").ids(t); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	first := h.call("GET", "/v1/guests?limit=2&sort=-created_at", "").want(t, 200, "")
	next := h.call("GET", "/v1/guests?limit=2&sort=-created_at&cursor="+first.json(t)["next_cursor"].(string), "").want(t, 200, "")
	if got := first.ids(t) + " " + next.ids(t); got != c+" "+b+" "+a || next.json(t)["has_more"] != false {
		t.Errorf("pages %s", got)
	}
	h.call("GET", "/v1/guests?property_id=none", "").want(t, 404, "property_not_found")
	h.call("GET", "/v1/guests/none", "").want(t, 404, "not_found")
}

func TestPreferences(t *testing.T) {
	h := newHouse(t)
	guest := "/v1/guests/" + h.call("POST", "/v1/guests", hopper).want(t, 201, "").json(t)["id"].(string)
	path := guest + "/preferences"
	empty := h.call("GET", path, "").want(t, 200, "")
	if diff := cmp.Diff(map[string]any{
		"tags": []any{}, "notes": []any{}, "dietary": []any{}, "room": map[string]any{"floor": nil, "bed": nil, "smoking": nil, "accessible": nil},
	}, empty.json(t)); diff != "" {
		t.Error(diff)
	}
	whole := `{"tags":[{"value":"quiet","source":"staff"}],"room":{"floor":{"value":"high","source":"guest"},"bed":{"value":"twin","source":"booking"}}}`
	h.call("PUT", path, whole, "If-Match: "+empty.Header.Get("ETag")).want(t, 200, "")
	h.call("PUT", path, whole, `If-Match: "r7"`).want(t, 412, "precondition_failed")
	got := h.call("PATCH", path, `{"room":{"bed":null},"dietary":[{"value":"vegan","source":"system"}]}`).want(t, 200, "").json(t)
	if fmt.Sprint(got["tags"], got["dietary"], got["room"]) !=
		"[map[source:staff value:quiet]] [map[source:system value:vegan]] map[accessible:<nil> bed:<nil> floor:map[source:guest value:high] smoking:<nil>]" {
		t.Errorf("patched %v", got)
	}
	if r := h.call("GET", guest, "").want(t, 200, "").json(t); r["revision"] != 3.0 {
		t.Errorf("they share the revision: %v", r["revision"])
	}
	for body, items := range map[string]string{
		`{"tags":[{"value":"quiet"}]}`:                     "/tags/0/source required",
		`{"tags":[{"value":"quiet","source":"gossip"}]}`:   "/tags/0/source enum",
		`{"room":{"floor":{"value":"","source":"guest"}}}`: "/room/floor/value length",
		`{"sauna":true}`: "/sauna unknown_field",
	} {
		if got := h.call("PUT", path, body).want(t, 422, "validation_failed").items(t); got != items {
			t.Errorf("%s: %s", body, got)
		}
	}
	if got := h.call("PUT", path, `{}`).want(t, 200, "").json(t); fmt.Sprint(got["tags"]) != "[]" {
		t.Errorf("replaced by nothing: %v", got)
	}
}

func TestStaysOfAGuest(t *testing.T) {
	h := newHouse(t)
	first, second := h.book("2026-11-21", "2026-11-23"), h.book("2026-12-01", "2026-12-02")
	h.call("POST", "/v1/reservations/"+first["id"].(string)+"/check-in", `{}`).want(t, 200, "")
	h.call("POST", "/v1/reservations/"+second["id"].(string)+"/cancel", `{"reason":"guest"}`).want(t, 200, "")
	path := "/v1/guests/" + guestOfBody(first)
	stays := h.call("GET", path+"/stays?limit=1", "").want(t, 200, "").json(t)
	if s := stays["data"].([]any)[0].(map[string]any); s["reservation_id"] != second["id"] || s["status"] != "cancelled" || s["nights"] != 1.0 ||
		s["room_type"] != "standard" || s["rate_plan"] != "flex" || s["channel_id"] != "direct" {
		t.Errorf("the newest stay: %v", s)
	}
	rest := h.call("GET", path+"/stays?limit=1&cursor="+stays["next_cursor"].(string), "").want(t, 200, "").json(t)["data"].([]any)
	if len(rest) != 1 || rest[0].(map[string]any)["reservation_id"] != first["id"] {
		t.Errorf("the older stay: %v", rest)
	}
	before := h.call("GET", path, "").want(t, 200, "")
	want := map[string]any{
		"stays": 1.0, "nights": 2.0, "first_stay_on": "2026-11-21", "last_stay_on": "2026-11-21", "cancellations": 1.0, "no_shows": 0.0,
		"lifetime_revenue": []any{map[string]any{"amount": "198.00", "currency": "EUR"}},
	}
	if diff := cmp.Diff(want, before.json(t)["stats"]); diff != "" {
		t.Error(diff)
	}
	h.call("POST", "/v1/reservations/"+first["id"].(string)+"/undo-check-in", `{}`).want(t, 200, "")
	if r := h.call("GET", path, "", "If-None-Match: "+before.Header.Get("ETag")); r.StatusCode != 200 {
		t.Errorf("what the guest has booked is part of the answer: %d", r.StatusCode)
	}
}

// A reservation shows its guest's profile, and is another to whoever kept it when
// that changes.
func TestReservationShowsTheProfile(t *testing.T) {
	h := newHouse(t)
	r := h.book("2026-12-01", "2026-12-02")
	path := "/v1/reservations/" + r["id"].(string)
	tag := h.call("GET", path, "").Header.Get("ETag")
	h.call("PATCH", "/v1/guests/"+guestOfBody(r), `{"title":"Countess","nationality":"GB"}`).want(t, 200, "")
	got := h.call("GET", path, "", "If-None-Match: "+tag).want(t, 200, "")
	if g := got.json(t)["guest"].(map[string]any); g["title"] != "Countess" || g["nationality"] != "GB" || g["email"] != "ada@example.com" {
		t.Errorf("guest %v", g)
	}
	h.call("PATCH", path, `{"notes":"x"}`, "If-Match: "+got.Header.Get("ETag")).want(t, 200, "")
	mate := h.call("POST", "/v1/guests", hopper).want(t, 201, "").json(t)["id"].(string)
	with := h.call("PATCH", path, `{"additional_guest_ids":["`+mate+`"]}`).want(t, 200, "").json(t)
	if fmt.Sprint(with["additional_guest_ids"]) != "["+mate+"]" {
		t.Errorf("with %v", with["additional_guest_ids"])
	}
	if got := h.call("PATCH", path, `{"additional_guest_ids":["none","`+mate+`","`+mate+`"]}`).want(t, 422, "validation_failed").items(t); got != "/additional_guest_ids/0 enum; /additional_guest_ids/2 enum" {
		t.Errorf("nobody, and one twice: %s", got)
	}
	suggest := strings.Replace(h.booking("2026-12-03", "2026-12-04"), `"email"`, `"phone":"+4930111111","email"`, 1)
	known := guestOfBody(h.call("POST", "/v1/reservations", suggest).want(t, 201, "").json(t))
	other := h.call("POST", "/v1/reservations", strings.Replace(suggest, "111111", "222222", 1)).want(t, 201, "").json(t)
	if known != guestOfBody(r) || guestOfBody(other) == known || fmt.Sprint(other["suggested_guest_ids"]) != "["+known+"]" {
		t.Errorf("another number: %v, known as %s", other, known)
	}
}

// A client that stands for a channel sees the guests of its bookings, as far as
// they are its own, and changes none.
func TestAChannelsClientSeesItsGuests(t *testing.T) {
	h := newBusyHouse(t)
	channel := h.ids["/channels/"]
	body := `{"name":"ota","environment":"production","kind":"ota","channel_id":"` + channel + `","property_ids":["hotel_123"],"scopes":["guests:read","reservations:read","reservations:write","events:read"]}`
	id := h.call("POST", "/v1/clients", body).want(t, 201, "").json(t)["id"].(string)
	bound, _, err := h.auth.Client(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	token := "Authorization: Bearer " + h.tokenOf(bound)
	hers := strings.Replace(h.booking("2026-12-20", "2026-12-21"), `"adults"`, `"source":{"channel_id":"`+channel+`","channel_reference":"X1"},"adults"`, 1)
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"sold_by":["`+channel+`"]}`).want(t, 200, "")
	mine := h.call("POST", "/v1/reservations", hers, token).want(t, 201, "").json(t)
	guest := guestOfBody(mine)
	if other := guestOfBody(h.call("GET", "/v1/reservations/"+h.ids["/reservations/"], "").json(t)); other != guest {
		t.Fatal("the guest booked directly too")
	}
	if got := h.call("GET", "/v1/guests", "", token).want(t, 200, "").ids(t); got != guest {
		t.Errorf("sees %s", got)
	}
	if stays := h.call("GET", "/v1/guests/"+guest+"/stays", "", token).want(t, 200, "").json(t)["data"].([]any); len(stays) != 1 {
		t.Errorf("sees %v", stays)
	}
	for _, r := range []reply{
		h.call("GET", "/v1/guests/"+h.ids["/guests/"], "", token),
		h.call("GET", "/v1/guests/"+guest+"/preferences", "", token),
	} {
		r.want(t, 404, "not_found")
	}
	h.call("PATCH", "/v1/guests/"+guest, `{"vip":true}`, token).want(t, 403, "insufficient_scope")
	if types, _ := h.events("?type=guest.*", token); types != "" {
		t.Errorf("hears %s", types)
	}
}

// Whoever is shown a guest's data is written down, by every operation that shows
// any, and nobody else.
func TestWhoIsShownGuestsIsWrittenDown(t *testing.T) {
	h := newHouse(t)
	r := h.book("2026-12-01", "2026-12-02")
	guest := guestOfBody(r)
	without, _ := h.newClient("without", auth.AllScopes()&^auth.ScopesOf(auth.GuestsRead, auth.AdminClients), "*")
	token := "Authorization: Bearer " + h.tokenOf(without)
	for _, target := range []string{
		"/v1/reservations", "/v1/reservations/" + r["id"].(string), "/v1/reservations/" + r["id"].(string) + "/revisions",
		"/v1/events?type=reservation.created", "/v1/guests?limit=1", "/v1/guests/" + guest, "/v1/guests/" + guest + "/stays", "/v1/guests/" + guest + "/preferences",
	} {
		h.call("GET", target, "", "X-Request-Id: ask-1").want(t, 200, "")
		if !strings.HasPrefix(target, "/v1/guests") {
			h.call("GET", target, "", token).want(t, 200, "")
		}
	}
	var got []string
	for _, a := range must(h.ledger.PersonalAccesses(t.Context(), guest))(t) {
		if a.By != (hotel.Actor{Kind: hotel.ActorClient, ID: h.client.ID}) || a.RequestID == "" || !a.At.Equal(h.clock.Now()) {
			t.Errorf("access %+v", a)
		}
		if a.RequestID == "ask-1" {
			got = append(got, a.Operation)
		}
	}
	want := []string{
		"get-guest", "get-guest-preferences", "get-reservation", "list-events", "list-guest-stays", "list-guests", "list-reservation-revisions", "list-reservations",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
	same := h.booking("2026-12-01", "2026-12-02")
	for _, c := range []struct {
		id   string
		with string // a header
		want int    // times that somebody was shown the guest
	}{{"book-1", "Idempotency-Key: k", 1}, {"book-2", "Idempotency-Key: k", 1}, {"book-3", token, 0}} {
		made := h.call("POST", "/v1/reservations", same, "X-Request-Id: "+c.id, c.with).want(t, 201, "").json(t)
		n := 0
		for _, a := range must(h.ledger.PersonalAccesses(t.Context(), guestOfBody(made)))(t) {
			if a.RequestID == c.id && a.Operation == "create-reservation" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("who books as %s is written down %d times, want %d", c.id, n, c.want)
		}
	}
	types, page := h.events("?type=guest.*")
	event := fmt.Sprint(page["data"].([]any)[0].(map[string]any)["data"])
	if types != "guest.created" || event != "map[object:map[changed:[] id:"+guest+"]]" {
		t.Errorf("events are thin: %s %s", types, event)
	}
}
