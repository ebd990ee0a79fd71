package api

import (
	"fmt"
	"testing"
)

// From an empty installation to a guest with a room, through /v1 alone.
func TestANewcomerSellsItsFirstRoom(t *testing.T) {
	h := newHouse(t) // its own properties are nothing to the newcomer
	id := func(path, body string) string {
		t.Helper()
		got := h.call("POST", path, body).want(t, 201, "")
		made := got.json(t)["id"].(string)
		if at := got.Header.Get("Location"); at != "https://hotel.example"+path+"/"+made {
			t.Errorf("%s is at %s", made, at)
		}
		h.call("GET", path+"/"+made, "").want(t, 200, "")
		return made
	}
	property := id("/v1/properties", `{"id":"hotel_new","name":"Zum Anfang","time_zone":"Europe/Berlin","currency":"EUR","country":"DE",
		"taxes":[{"code":"vat","name":"VAT","kind":"percent","value":"7","included":true,"counts_as":"vat"}],
		"age_bands":[{"code":"kid","from_age":0,"to_age":12,"counts_as":"child"}],"booking_horizon_days":365}`)
	double := id("/v1/room-types", `{"property_id":"hotel_new","code":"double","total_units":2,"base_occupancy":2,"max_adults":2,"max_children":1,"max_occupancy":3}`)
	single := id("/v1/room-types", `{"property_id":"hotel_new","code":"single","total_units":1,"base_occupancy":1,"max_adults":1,"max_occupancy":1}`)
	flex := id("/v1/rate-plans", fmt.Sprintf(`{"property_id":"hotel_new","code":"flex","name":"Flexible","room_type_ids":[%q,%q],"audience":"public",
		"cancellation_policy":{"kind":"flexible","steps":[{"until":{"days_before":1,"time":"18:00"},"penalty":{"kind":"none"}},{"penalty":{"kind":"first_night"}}]}}`, double, single))
	saver := id("/v1/rate-plans", fmt.Sprintf(`{"property_id":"hotel_new","code":"saver","name":"Saver","room_type_ids":[%q],"audience":"public",
		"derived_from":{"rate_plan_id":%q,"kind":"percent","value":"-10"}}`, double, flex))
	h.call("POST", "/v1/rates/updates", fmt.Sprintf(`{"property_id":"hotel_new","entries":[
		{"room_type_id":%q,"rate_plan_id":%q,"date_from":"2026-12-01","date_to":"2026-12-31","values":{"amount":{"amount":"100.00","currency":"EUR"}}}]}`, double, flex)).want(t, 200, "")
	ask := "/v1/availability?property_id=hotel_new&check_in=2026-12-01&check_out=2026-12-03"
	if got := h.call("GET", ask, "").want(t, 200, ""); string(got.body) != `{"status":"success","property_id":"hotel_new","available":true,"rooms":[{"type":"Double","available":2,"rate":90}]}`+"\n" {
		t.Errorf("the saver at 90 and two doubles: %s", got.body)
	}
	booked := h.call("POST", "/v1/reservations", fmt.Sprintf(`{"property_id":%q,"room_type_id":%q,"rate_plan_id":%q,"check_in":"2026-12-01","check_out":"2026-12-03",
		"adults":2,"guest":{"last_name":"Lovelace"}}`, property, double, saver)).want(t, 201, "")
	if booked.json(t)["status"] != "confirmed" {
		t.Errorf("booked %s", booked.body)
	}
	if got := h.call("GET", ask, "").want(t, 200, "").json(t); got["rooms"].([]any)[0].(map[string]any)["available"] != 1.0 {
		t.Errorf("then there is %v", got)
	}
}
