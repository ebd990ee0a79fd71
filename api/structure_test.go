package api

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// ids lists the ids of a page.
func (r reply) ids(t testing.TB) string {
	t.Helper()
	var ids []string
	for _, e := range r.json(t)["data"].([]any) {
		ids = append(ids, e.(map[string]any)["id"].(string))
	}
	return strings.Join(ids, " ")
}

func TestStructure(t *testing.T) {
	h := newHouse(t)
	for path, ids := range map[string]string{
		"/v1/properties":                         "hotel_123 hotel_456",
		"/v1/room-types":                         h.standard.ID + " " + h.deluxe.ID,
		"/v1/room-types?property_id=hotel_123":   h.standard.ID + " " + h.deluxe.ID,
		"/v1/room-types?property_id=hotel_456":   "",
		"/v1/rate-plans":                         h.flex.ID + " " + h.member.ID,
		"/v1/pools?property_id=hotel_123":        h.standard.Consumes[0].AnyOf[0] + " " + h.deluxe.Consumes[0].AnyOf[0],
		"/v1/channels?property_id=hotel_123":     "",
		"/v1/rate-plans?property_id=hotel_123":   h.flex.ID + " " + h.member.ID,
		"/v1/reservations?property_id=hotel_123": "",
	} {
		got := h.call("GET", path, "").want(t, 200, "")
		if got.ids(t) != ids {
			t.Errorf("%s: %s, want %s", path, got.ids(t), ids)
		}
		if strings.Contains(path, "_id") {
			h.call("GET", strings.ReplaceAll(strings.ReplaceAll(path, "hotel_123", "none"), "hotel_456", "none"), "").want(t, 404, "property_not_found")
		}
	}
	for _, path := range []string{
		"/v1/properties/hotel_123", "/v1/room-types/" + h.standard.ID, "/v1/rate-plans/" + h.flex.ID, "/v1/pools/" + h.standard.Consumes[0].AnyOf[0],
	} {
		got := h.call("GET", path, "").want(t, 200, "")
		tag := got.Header.Get("ETag")
		if tag == "" || got.Header.Get("Cache-Control") != "private, no-cache" || got.json(t)["revision"] != 1.0 {
			t.Errorf("%s: %v %s", path, got.Header, got.body)
		}
		if again := h.call("GET", path, "", "If-None-Match: "+tag); again.StatusCode != 304 || len(again.body) > 0 || again.Header.Get("ETag") != tag {
			t.Errorf("%s: %d %s", path, again.StatusCode, again.body)
		}
		if again := h.call("GET", path, "", `If-None-Match: "r2"`); again.StatusCode != 200 {
			t.Errorf("%s: %d with another ETag", path, again.StatusCode)
		}
		h.call("GET", path+"x", "").want(t, 404, map[bool]string{true: "property_not_found", false: "not_found"}[strings.Contains(path, "properties")])
	}
	room := h.call("GET", "/v1/room-types/"+h.standard.ID, "").json(t)
	if room["code"] != "standard" || room["created_at"] != "2026-11-21T10:00:00.000Z" || fmt.Sprint(room["consumes"]) != fmt.Sprintf("[map[any_of:[%s] units:1]]", h.standard.Consumes[0].AnyOf[0]) {
		t.Errorf("room type %v", room)
	}
	if property := h.call("GET", "/v1/properties/hotel_123", "").json(t); property["business_date"] != "2026-11-21" {
		t.Errorf("property %v", property)
	}
}

func TestPropertyGrants(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "").json(t)["id"].(string)
	upd := h.call("POST", "/v1/inventory/updates", `{"property_id":"hotel_123","entries":[{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-01","date_to":"2026-12-01","values":{"closed":false}}]}`).want(t, 200, "").json(t)["id"].(string)
	stranger, _ := h.newClient("stranger", h.client.Scopes, "hotel_456")
	nobody, _ := h.newClient("nobody", h.client.Scopes)
	for _, c := range []auth.Client{stranger, nobody} {
		as := "Authorization: Bearer " + h.tokenOf(c)
		for _, path := range []string{
			"/v1/properties/hotel_123", "/v1/room-types?property_id=hotel_123", "/v1/pools?property_id=hotel_123",
			"/v1/rate-plans?property_id=hotel_123", "/v1/channels?property_id=hotel_123", "/v1/reservations?property_id=hotel_123",
			"/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01",
			"/v1/rates?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01",
			"/v1/restrictions?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01",
			"/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-02",
		} {
			h.call("GET", path, "", as).want(t, 404, "property_not_found")
		}
		for _, path := range []string{
			"/v1/room-types/" + h.standard.ID, "/v1/rate-plans/" + h.flex.ID, "/v1/pools/" + h.standard.Consumes[0].AnyOf[0],
			"/v1/reservations/" + made, "/v1/ari-updates/" + upd,
		} {
			h.call("GET", path, "", as).want(t, 404, "not_found")
		}
		for _, path := range []string{"/v1/room-types", "/v1/rate-plans", "/v1/pools", "/v1/channels", "/v1/reservations"} {
			if got := h.call("GET", path, "", as).want(t, 200, ""); got.ids(t) != "" {
				t.Errorf("%s shows %s", path, got.ids(t))
			}
		}
		h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02"), as).want(t, 404, "property_not_found")
		h.call("PATCH", "/v1/reservations/"+made, `{"notes":"x"}`, as).want(t, 404, "not_found")
		h.call("POST", "/v1/reservations/"+made+"/cancel", `{"reason":"x"}`, as).want(t, 404, "not_found")
		for _, kind := range []string{"inventory", "rates", "restrictions"} {
			body := `{"property_id":"hotel_123","entries":[{"room_type_id":"x","rate_plan_id":"y","date_from":"2026-12-01","date_to":"2026-12-01","values":{%s}}]}`
			values := map[string]string{"inventory": `"closed":true`, "rates": `"amount":null`, "restrictions": `"closed":true`}[kind]
			if kind == "inventory" {
				body = strings.Replace(body, `"rate_plan_id":"y",`, "", 1)
			}
			h.call("POST", "/v1/"+kind+"/updates", fmt.Sprintf(body, values), as).want(t, 404, "property_not_found")
		}
	}
}

func TestPaging(t *testing.T) {
	h := newHouse(t)
	first := h.call("GET", "/v1/room-types?limit=1", "").want(t, 200, "")
	page := first.json(t)
	cursor, _ := page["next_cursor"].(string)
	if page["has_more"] != true || cursor == "" || first.ids(t) != h.standard.ID {
		t.Fatalf("first page %v", page)
	}
	link := first.Header.Get("Link")
	want := `<https://hotel.example/v1/room-types?cursor=` + url.QueryEscape(cursor) + `&limit=1>; rel="next", <https://hotel.example/v1/room-types?limit=1>; rel="first"`
	if link != want {
		t.Errorf("Link %s\nwant %s", link, want)
	}
	second := h.call("GET", "/v1/room-types?limit=1&cursor="+cursor, "").want(t, 200, "")
	if page := second.json(t); page["has_more"] != false || page["next_cursor"] != nil || second.ids(t) != h.deluxe.ID {
		t.Errorf("second page %v", page)
	}
	h.call("GET", "/v1/room-types?limit=200&cursor="+cursor, "").want(t, 200, "")
	h.call("GET", "/v1/room-types?property_id=hotel_123&limit=1&cursor="+cursor, "").want(t, 400, "cursor_mismatch")
	h.call("GET", "/v1/rate-plans?limit=1&cursor="+cursor, "").want(t, 400, "cursor_mismatch")
	forged := []byte(cursor)
	if middle := len(forged) / 2; forged[middle] == 'A' {
		forged[middle] = 'B'
	} else {
		forged[middle] = 'A'
	}
	h.call("GET", "/v1/room-types?limit=1&cursor="+string(forged), "").want(t, 400, "cursor_invalid")
	h.call("GET", "/v1/room-types?limit=1&cursor=x", "").want(t, 400, "cursor_invalid")
	h.call("GET", "/v1/room-types?limit=0", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/room-types?limit=201", "").want(t, 400, "invalid_parameter")
}
