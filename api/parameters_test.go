package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/internal/auth"
)

// freeTexts are the parameters of which the program does not know every value: what they
// name may be somebody's own.
var freeTexts = []string{
	"cursor", "property_id", "client_id", "channel_id", "sub_channel", "channel_reference", "confirmation_number", "guest_id", "group_id", "block_id", "pool_id",
	"room_type_id", "rate_plan_id", "remote_room_id", "remote_rate_id", "room_type", "tag", "email", "phone", "last_name", "external_id",
}

// ones are the parameters that name one thing by its id, since the answer is about that one:
// what a channel is shown, or the nights of a property.
var ones = []string{
	"GET /inventory?property_id", "GET /rates?property_id", "GET /restrictions?property_id", "GET /availability?property_id",
	"GET /inventory?channel_id", "GET /rates?channel_id", "GET /restrictions?channel_id",
	"GET /channels/{id}/explain?room_type_id", "GET /channels/{id}/explain?rate_plan_id", "GET /channels/{id}/explain?remote_room_id", "GET /channels/{id}/explain?remote_rate_id",
	"POST /imports/reservations?property_id", "GET /webhook-endpoints?client_id",
}

// A filter by an id, or by a value of which the document names all, takes several with
// commas between them: a list is answered with what has one of them.
func TestFiltersTakeSeveral(t *testing.T) {
	h := newHouse(t)
	lists := 0
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			for _, p := range op.Parameters {
				place := method + " " + path + "?" + p.Name
				if p.In != "query" || !strings.HasSuffix(p.Name, "_id") && p.Name != "confirmation_number" && p.Name != "status" && p.Name != "kind" {
					continue
				}
				if p.Name == "external_id" || method != "GET" && p.Name == "kind" || path == "/channels/{id}/plan" {
					continue // somebody else's text; what is done; which plan
				}
				if lists++; (p.Schema.Type != huma.TypeArray) != slices.Contains(ones, place) {
					t.Errorf("%s takes a %s", place, p.Schema.Type)
				}
			}
		}
	}
	if lists < 40 {
		t.Errorf("%d filters were looked at", lists)
	}

	other := `{"name":"Two","id":"hotel_789","time_zone":"Europe/Berlin","currency":"EUR","country":"DE"}`
	h.call("POST", "/v1/properties", other).want(t, 201, "")
	there := h.call("POST", "/v1/room-types", `{"property_id":"hotel_789","code":"attic","position":9,"base_occupancy":2,"max_adults":2,"max_occupancy":2,"total_units":1}`).want(t, 201, "").json(t)["id"].(string)
	first, second := h.book("2026-12-01", "2026-12-02"), h.book("2026-12-02", "2026-12-03")
	h.book("2026-12-03", "2026-12-04")
	of := func(r map[string]any, member string) string { return fmt.Sprint(r[member]) }
	for path, want := range map[string]string{
		"/v1/room-types?property_id=hotel_123,hotel_789":                                                                     h.standard.ID + " " + h.deluxe.ID + " " + there,
		"/v1/room-types?property_id=hotel_456,hotel_789":                                                                     there,
		"/v1/reservations?confirmation_number=" + of(first, "confirmation_number") + "," + of(second, "confirmation_number"): of(first, "id") + " " + of(second, "id"),
		"/v1/reservations?guest_id=" + fmt.Sprint(first["guest"].(map[string]any)["id"]) + ",none&property_id=hotel_123":     h.call("GET", "/v1/reservations", "").ids(t),
		"/v1/reservations?channel_id=none,direct&limit=2":                                                                    of(first, "id") + " " + of(second, "id"),
		"/v1/reservations?group_id=none,nothing":                                                                             "",
	} {
		if got := h.call("GET", path, "").want(t, 200, "").ids(t); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	h.call("GET", "/v1/room-types?property_id=hotel_123,none", "").want(t, 404, "property_not_found")
	h.call("GET", "/v1/events?property_id=hotel_123,none", "").want(t, 404, "property_not_found")
	h.call("GET", "/v1/sync-runs?channel_id=none,nothing", "").want(t, 404, "not_found")
	nights := "?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01"
	for path, want := range map[string]int{
		"/v1/inventory" + nights + "&room_type_id=" + h.standard.ID + "," + h.deluxe.ID:                                        2,
		"/v1/inventory" + nights + "&room_type_id=none," + h.deluxe.ID:                                                         1,
		"/v1/inventory" + nights + "&pool_id=" + h.standard.Consumes[0].AnyOf[0] + "," + h.deluxe.Consumes[0].AnyOf[0]:         2,
		"/v1/rates" + nights + "&room_type_id=" + h.standard.ID + "&rate_plan_id=" + h.flex.ID + "," + h.member.ID:             2,
		"/v1/restrictions" + nights + "&room_type_id=" + h.standard.ID + "," + h.deluxe.ID + "&rate_plan_id=none," + h.flex.ID: 2,
	} {
		if got := len(h.call("GET", path, "").want(t, 200, "").json(t)["data"].([]any)); got != want {
			t.Errorf("%s: %d cells, want %d", path, got, want)
		}
	}
}

// Every parameter of every operation either is of a form that is checked, or one of the
// values that the document names; what is none of them is refused, with the values, and
// never answered with an empty list.
func TestParametersAreOneOfTheirValues(t *testing.T) {
	h := newHouse(t)
	h.serve(auth.Tiers{auth.Standard: 1 << 30})
	operator, _ := h.newClient("operator", auth.AllScopes(), "*")
	h.token = h.tokenOf(operator)
	checked := 0
	for path, item := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(item) {
			for _, p := range op.Parameters {
				s := p.Schema
				if p.In != "query" || s.Type == huma.TypeBoolean || s.Type == huma.TypeInteger || s.Format != "" || s.Pattern != "" {
					continue
				}
				if s.Type == huma.TypeArray {
					s = s.Items
				}
				if s.Type == huma.TypeInteger || slices.Contains(freeTexts, p.Name) {
					continue
				}
				place := method + " " + path + "?" + p.Name
				if len(s.Enum) == 0 {
					t.Errorf("%s takes any text: the document names no values, and no form", place)
					continue
				}
				checked++
				target := prefix + strings.NewReplacer("{id}", "none", "{sid}", "none").Replace(path) + "?" + p.Name + "="
				refusal := h.call(method, target+"nix", "").want(t, 400, "invalid_parameter").json(t)
				said := fmt.Sprint(refusal["errors"])
				for _, v := range s.Enum {
					if !strings.Contains(said, "parameter:"+p.Name+"]") || !strings.Contains(said, fmt.Sprint(v)) {
						t.Errorf("%s: the refusal does not name %v: %s", place, v, said)
					}
				}
				if got := h.call(method, fmt.Sprint(target, s.Enum[0]), ""); strings.Contains(fmt.Sprint(string(got.body)), `"parameter":"`+p.Name+`"`) {
					t.Errorf("%s: %v is one of the values, and refused: %s", place, s.Enum[0], got.body)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d parameters with values were looked at", checked)
	}
}

// A form that is missed is named.
func TestFormsAreNamed(t *testing.T) {
	h := newHouse(t)
	const stamp = "must be a timestamp of RFC 3339, such as 2026-11-21T00:00:00Z"
	body := func(more string) string {
		return `{"property_id":"hotel_123","room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","check_in":"2026-12-01","check_out":"2026-12-02","adults":1,` + more + `}`
	}
	for _, c := range []struct{ method, path, body, want string }{
		{"GET", "/v1/reservations?created_since=2026-11-21", "", stamp},
		{"GET", "/v1/reservations?created_since=2026-11-21T00:00:00", "", stamp},
		{"POST", "/v1/reservations", body(`"status":"held","hold_expires_at":"2026-11-21","guest":{"last_name":"B"}`), stamp},
		{"POST", "/v1/reservations", body(`"guest":{"last_name":"B","email":"x"}`), "must be an e-mail address"},
	} {
		items := h.call(c.method, c.path, c.body).json(t)["errors"].([]any)
		if got := items[0].(map[string]any); got["code"] != "format" || got["detail"] != c.want {
			t.Errorf("%s %s: %v, want %s", c.method, c.path, got, c.want)
		}
	}
}
