package api

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A member may be named with what has a meaning where huma writes down its place: what is
// wrong behind it is told of the right place, and so is it itself.
func TestPointersBehindOddNames(t *testing.T) {
	h := newHouse(t)
	odd := `"crm.id":"42","a[0]":"1","b]":"2","c.d":"3","\ue001\ue005":"4"`
	booking := `{"property_id":"hotel_123","room_type_id":"standard","rate_plan_id":"flex","check_in":"2026-12-01","check_out":"2026-12-02","metadata":{` + odd + `},"adults":"2","guest":{"last_name":"x"}}`
	id := h.book("2026-12-01", "2026-12-03")["id"].(string)
	entry := `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-01","date_to":"2026-12-01","values":{"keep_back":{"ch.a.b":1},"sell_limit":"x"}}`
	row := `{"room_type_id":"standard","check_in":"2026-12-01","check_out":"2026-12-02","metadata":{` + odd + `},"adults":"2","guest":{"last_name":"x"}}`
	for _, c := range []struct{ name, method, path, body, want string }{
		{
			"what is missing", "POST", "/v1/reservations", `{"property_id":"hotel_123","metadata":{` + odd + `},"adults":2,"guest":{"last_name":"x","foo":1}}`,
			"/check_in /check_out /guest/foo /rate_plan_id /room_type_id",
		},
		{
			"entries of a list", "POST", "/v1/reservation-groups", `{"property_id":"hotel_123","reservations":[` + strings.Join(slices.Repeat([]string{booking}, 3), ",") + `]}`,
			"/reservations/0/adults /reservations/0/property_id /reservations/1/adults /reservations/1/property_id /reservations/2/adults /reservations/2/property_id",
		},
		{"values by name", "POST", "/v1/inventory/updates", `{"property_id":"hotel_123","entries":[` + entry + `,` + entry + `]}`, "/entries/0/values/sell_limit /entries/1/values/sell_limit"},
		{"a change", "PATCH", "/v1/reservations/" + id, `{"metadata":{` + odd + `},"status":"checked_in"}`, "/status"},
		{
			"names that nobody knows", "POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"x","":1,"crm.zip":1,"zip":1,"x[1]":2,"~/.":1,"\ue001":1,"\ue004":1}`,
			"/ /crm.zip /x[1] /zip /~0~1. /\ue001 /\ue004",
		},
		{"a row of an import", "POST", "/v1/imports/reservations", `{"property_id":"hotel_123","rows":[` + row + `]}`, "/rows/0/adults"},
	} {
		for range 8 { // objects are gone through in no order
			r := h.call(c.method, c.path, c.body)
			wrong := r.json(t)["errors"]
			if results, is := r.json(t)["results"].([]any); is {
				wrong = results[0].(map[string]any)["errors"]
			}
			var got []string
			for _, e := range anyList(wrong) {
				got = append(got, fmt.Sprint(e.(map[string]any)["pointer"]))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s: %q\nwant %q", c.name, got, c.want)
				break
			}
		}
	}
	kept := h.call("PATCH", "/v1/reservations/"+id, `{"metadata":{`+odd+`}}`).want(t, 200, "").json(t)["metadata"]
	if got := text(kept); !strings.Contains(got, `"crm.id":"42"`) || !strings.Contains(got, "\ue001\ue005") {
		t.Errorf("kept %s", got)
	}
}
