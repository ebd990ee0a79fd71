package api

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// items lists a problem's items as "pointer code".
func (r reply) items(t testing.TB) string {
	t.Helper()
	var p struct {
		Errors []struct{ Pointer, Code string }
	}
	if err := json.Unmarshal(r.body, &p); err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range p.Errors {
		list = append(list, e.Pointer+" "+e.Code)
	}
	return strings.Join(list, "; ")
}

func TestStructureWrites(t *testing.T) {
	h := newHouse(t)
	pool := h.standard.Consumes[0].AnyOf[0]
	for _, c := range []struct{ name, path, body, want string }{
		{"every mistake at once", "/v1/properties", `{"name":"","time_zone":"Mars","currency":"EUR","country":"DE","check_in_time":"25:00"}`, "/name required; /time_zone enum; /check_in_time format"},
		{"a member that nobody knows", "/v1/properties", `{"name":"x","time_zone":"UTC","currency":"EUR","country":"DE","stars":5}`, "/stars unknown_field"},
		{"a member that the server sets", "/v1/properties", `{"name":"x","time_zone":"UTC","currency":"EUR","country":"DE","business_date":"2026-01-01","revision":3}`, "/revision read_only; /business_date read_only"},
		{"one deep inside", "/v1/blocks", `{"property_id":"hotel_123","name":"x","lines":[{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-01","date_to":"2026-12-02","units":1,"nights":[]}]}`, "/lines/0/nights read_only"},
		{"a wrong type deep inside", "/v1/properties", `{"name":"x","time_zone":"UTC","currency":"EUR","country":"DE","taxes":[{"code":"v","name":"V","kind":"percent","value":7,"counts_as":"vat"}]}`, "/taxes/0/value type"},
		{"an amount that its currency has not", "/v1/properties", `{"name":"x","time_zone":"UTC","currency":"JPY","country":"JP","taxes":[{"code":"v","name":"V","kind":"percent","value":"7","counts_as":"vat","cap":{"amount":"1.50","currency":"JPY"}}]}`, "/taxes/0/cap/amount amount_precision"},
		{"a property that is over before it begins", "/v1/properties", `{"name":"x","time_zone":"UTC","currency":"EUR","country":"DE","status":"archived"}`, "/status enum"},
		{"a room type without a size", "/v1/room-types", `{"property_id":"hotel_123","code":"a","base_occupancy":2,"max_adults":2,"max_occupancy":2}`, "/total_units required"},
		{"a size of what belongs to others", "/v1/room-types", `{"property_id":"hotel_123","code":"a","total_units":2,"consumes":[{"any_of":["` + pool + `"]}],"base_occupancy":2,"max_adults":2,"max_occupancy":2}`, "/total_units read_only"},
		{"a number beyond any room", "/v1/room-types", `{"property_id":"hotel_123","code":"a","total_units":2,"base_occupancy":2,"max_adults":2,"max_occupancy":1e30}`, "/max_occupancy max"},
		{"a plan for a room type of nowhere", "/v1/rate-plans", `{"property_id":"hotel_123","code":"a","name":"A","room_type_ids":["none"]}`, "/room_type_ids/0 unknown_room_type"},
		{"a derivation from nowhere", "/v1/rate-plans", `{"property_id":"hotel_123","code":"a","name":"A","room_type_ids":["` + h.standard.ID + `"],"derived_from":{"rate_plan_id":"none","kind":"percent","value":"-10"}}`, "/derived_from/rate_plan_id unknown_rate_plan"},
		{"a pool larger than a house", "/v1/pools", `{"property_id":"hotel_123","code":"a","total_units":10000}`, "/total_units max"},
		{"a protection of no kind", "/v1/pools", `{"property_id":"hotel_123","code":"a","total_units":1,"protection":{"kind":"fort"}}`, "/protection/kind enum"},
		{"guarded at the last of none", "/v1/pools", `{"property_id":"hotel_123","code":"a","total_units":1,"protection":{"kind":"guarded_last"}}`, "/protection/n min"},
	} {
		got := h.call("POST", c.path, c.body).want(t, 422, "validation_failed")
		if diff := cmp.Diff(c.want, got.items(t)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	h.call("POST", "/v1/properties", `{"id":"hotel_123","name":"x","time_zone":"UTC","currency":"EUR","country":"DE"}`).want(t, 409, "duplicate_code")
	h.call("POST", "/v1/pools", `{"property_id":"hotel_123","code":"standard","total_units":1}`).want(t, 409, "duplicate_code")
	if r := h.call("POST", "/v1/room-types", `{"property_id":"hotel_123","code":"standard","total_units":1,"base_occupancy":2,"max_adults":2,"max_occupancy":2}`).want(t, 409, "duplicate_code"); strings.Contains(string(r.body), "pool") {
		t.Errorf("a room type of a code that another has: %s", r.body)
	}
	plan := `{"property_id":"hotel_123","code":"weekly","name":"Weekly","room_type_ids":["` + h.standard.ID + `"],"default_restrictions":{"min_stay_arrival":7}}`
	made := h.call("POST", "/v1/rate-plans", plan).want(t, 201, "").json(t)
	if rules := made["default_restrictions"].(map[string]any); rules["min_stay_arrival"] != 7.0 || rules["closed"] != nil {
		t.Errorf("restrictions of which one was named: %v", rules)
	}
	h.call("POST", "/v1/pools", `{"property_id":"none","code":"x","total_units":1}`).want(t, 404, "property_not_found")
}

// A plan is sold by channels of its property and by clients that there are. Who is gone by
// now keeps nobody from changing it.
func TestAPlanIsSoldByWhoThereIs(t *testing.T) {
	h := newHouse(t)
	elsewhere := must(h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{Name: "Try", Environment: auth.Sandbox, Kind: "pms"}))(t)
	beside := strings.Replace(channel(h.far(), ""), "hotel_123", "hotel_456", 1)
	channel, next := h.draft(), h.call("POST", "/v1/channels", beside).want(t, 201, "").json(t)["id"].(string)
	sold := func(ids ...string) string { return `"sold_by":["` + strings.Join(ids, `","`) + `"]` }
	plan := func(code, soldBy string) reply {
		return h.call("POST", "/v1/rate-plans", `{"property_id":"hotel_123","code":"`+code+`","name":"A","room_type_ids":["`+h.standard.ID+`"],`+soldBy+`}`)
	}
	const wrong = "/sold_by/1 enum; /sold_by/2 enum; /sold_by/3 enum"
	if got := plan("a", sold(channel, "ch_none", next, elsewhere.ID, h.client.ID)).want(t, 422, "validation_failed").items(t); got != wrong {
		t.Errorf("a new plan: %s", got)
	}
	at := "/v1/rate-plans/" + plan("a", sold(channel, h.client.ID)).want(t, 201, "").json(t)["id"].(string)
	if got := h.call("PATCH", at, `{`+sold(channel, "cli_live_none", next, elsewhere.ID)+`}`).want(t, 422, "validation_failed").items(t); got != wrong {
		t.Errorf("a change: %s", got)
	}

	made(h.ledger.ChangeRatePlan(t.Context(), tester, hotel.Once{}, h.flex.ID, hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
		p.SoldBy = []string{"ch_gone"}
		return nil
	}}))(t)
	at = "/v1/rate-plans/" + h.flex.ID
	h.call("PATCH", at, `{"name":"Flexible"}`).want(t, 200, "")
	h.call("PATCH", at, `{`+sold(channel, "ch_gone")+`}`).want(t, 200, "")
	h.call("PATCH", at, `{`+sold(channel)+`}`).want(t, 200, "")
	h.call("PATCH", at, `{`+sold(channel, "ch_gone")+`}`).want(t, 422, "validation_failed")
}

// A room type that goes back to its own pool has as many as is said, or as the pool has:
// whatever the pool came to that it drew on.
func TestTotalUnitsOnTheWayBack(t *testing.T) {
	h := newHouse(t)
	own := h.standard.Consumes[0].AnyOf[0]
	other := h.call("POST", "/v1/pools", `{"property_id":"hotel_123","code":"other","total_units":8}`).want(t, 201, "").json(t)["id"].(string)
	path := "/v1/room-types/" + h.standard.ID
	for _, c := range []struct {
		back string
		want float64
	}{
		{`{"consumes":[]}`, 5},
		{`{"consumes":[],"total_units":8}`, 8},
		{`{"consumes":[]}`, 8},
		{`{"consumes":[{"any_of":["` + own + `"]}],"total_units":5}`, 5},
		{`{"consumes":[{"any_of":["` + own + `"]}],"total_units":8}`, 8},
	} {
		away := h.call("PATCH", path, `{"consumes":[{"any_of":["`+other+`"]}],"total_units":`+fmt.Sprint(h.call("GET", path, "").json(t)["total_units"])+`}`).want(t, 200, "").json(t)
		back := h.call("PATCH", path, c.back).want(t, 200, "").json(t)
		if away["total_units"] != 8.0 || back["total_units"] != c.want || h.call("GET", "/v1/pools/"+own, "").json(t)["total_units"] != c.want {
			t.Errorf("%s: from %v to %v, want %v", c.back, away["total_units"], back["total_units"], c.want)
		}
		pool := h.call("GET", "/v1/pools/"+own, "").json(t)
		again := h.call("PATCH", path, c.back).want(t, 200, "").json(t)
		if still := h.call("GET", "/v1/pools/"+own, "").json(t); again["total_units"] != c.want || again["revision"] != back["revision"] || still["revision"] != pool["revision"] {
			t.Errorf("%s once more: %v at %v, was at %v, and its pool is at %v, was at %v", c.back, again["total_units"], again["revision"], back["revision"], still["revision"], pool["revision"])
		}
	}
}

// None is none: a room type that says no infants takes no infant, and one that does not say
// takes as many as there is room for.
func TestInfantsThatARoomTakes(t *testing.T) {
	h := newHouse(t)
	h.call("PATCH", "/v1/properties/hotel_123", `{"age_bands":[{"code":"baby","from_age":0,"to_age":3,"counts_as":"infant"},{"code":"kid","from_age":3,"to_age":18,"counts_as":"child"}]}`).want(t, 200, "")
	path := "/v1/room-types/" + h.standard.ID
	for _, c := range []struct {
		says  string
		shown any
		ages  string
		fits  bool
	}{
		{`null`, nil, "1,1,2", true}, {`0`, 0.0, "1", false}, {`0`, 0.0, "4", true}, {`1`, 1.0, "1", true}, {`1`, 1.0, "1,2", false},
	} {
		got := h.call("PATCH", path, `{"max_children":2,"max_occupancy":4,"max_infants":`+c.says+`}`).want(t, 200, "").json(t)
		if got["max_infants"] != c.shown {
			t.Errorf("max_infants is %v, want %v", got["max_infants"], c.shown)
		}
		rooms := h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-02&room_type=standard&children_ages="+c.ages, "").want(t, 200, "").json(t)["rooms"].([]any)
		if len(rooms) == 1 != c.fits {
			t.Errorf("max_infants %s with children of %s: %v", c.says, c.ages, rooms)
		}
		stay := `{"property_id":"hotel_123","room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","check_in":"2026-12-01","check_out":"2026-12-02","adults":2,"children_ages":[` + c.ages + `],"guest":{"last_name":"B"}}`
		if answer := h.call("POST", "/v1/reservations", stay); (answer.StatusCode == 201) != c.fits {
			t.Errorf("max_infants %s, a booking with children of %s: %d", c.says, c.ages, answer.StatusCode)
		}
	}
}

func TestPatchesOfTheHouse(t *testing.T) {
	h := newHouse(t)
	property, room, plan := "/v1/properties/hotel_123", "/v1/room-types/"+h.standard.ID, "/v1/rate-plans/"+h.flex.ID
	pool := "/v1/pools/" + h.standard.Consumes[0].AnyOf[0]
	patch := func(path, body string) map[string]any {
		t.Helper()
		return h.call("PATCH", path, body).want(t, 200, "").json(t)
	}
	patch(property, `{"address":{"city":"Berlin","line1":"Weg 1"},"metadata":{"a":"1","b":"2"}}`)
	got := patch(property, `{"address":{"line1":null,"region":"BE"},"metadata":{"a":null,"c":"3"},"phone":"+4930123456"}`)
	if diff := cmp.Diff(map[string]any{"city": "Berlin", "region": "BE"}, got["address"]); diff != "" {
		t.Errorf("address: %s", diff)
	}
	if diff := cmp.Diff(map[string]any{"b": "2", "c": "3"}, got["metadata"]); diff != "" {
		t.Errorf("metadata: %s", diff)
	}
	if got["phone"] != "+4930123456" || got["revision"] != 3.0 || got["name"] != "Zur Post" {
		t.Errorf("property %v", got)
	}
	if got := patch(property, `{"phone":null,"check_in_time":null}`); got["phone"] != nil || got["check_in_time"] != "15:00" {
		t.Errorf("cleared %v", got)
	}
	if got := patch(room, `{"total_units":9}`); got["total_units"] != 9.0 {
		t.Errorf("room type %v", got)
	}
	if got := h.call("GET", pool, "").json(t); got["total_units"] != 9.0 || got["revision"] != 2.0 {
		t.Errorf("its pool %v", got)
	}
	got = patch(plan, `{"price_limits":[{"date_from":"2026-12-01","date_to":"2026-12-31","floor":{"amount":"50","currency":"EUR"}}],"default_restrictions":{"min_stay_arrival":2},"cut_off":{"days_before":1,"time":"12:00"}}`)
	if fmt.Sprint(got["price_limits"]) != "[map[date_from:2026-12-01 date_to:2026-12-31 floor:map[amount:50.00 currency:EUR]]]" {
		t.Errorf("limits %v", got["price_limits"])
	}
	if got := patch(plan, `{"cut_off":{"time":"10:00"}}`); fmt.Sprint(got["cut_off"]) != "map[days_before:1 time:10:00]" {
		t.Errorf("cut-off %v", got["cut_off"])
	}
	for _, c := range []struct{ path, body, want string }{
		{property, `{"name":null}`, "/name required"},
		{property, `{"id":"other"}`, "/id read_only"},
		{property, `{"status":"archived"}`, "/status enum"},
		{property, `{"currency":"USD"}`, "/currency read_only"},
		{room, `{"status":"archived"}`, "/status read_only"},
		{room, `{"property_id":"hotel_456"}`, "/property_id read_only"},
		{room, `{"consumes":[{"any_of":["none"]}]}`, "/consumes/0/any_of/0 unknown_pool"},
		{room, `{"max_adults":"two"}`, "/max_adults type"},
		{plan, `{"derived_from":{"rate_plan_id":"` + h.flex.ID + `","kind":"percent","value":"5"}}`, "/derived_from/rate_plan_id max"},
		{plan, `{"colour":"red"}`, "/colour unknown_field"},
		{plan, `{"cancellation_policy":{"colour":"red"}}`, "/cancellation_policy/colour unknown_field"},
		{pool, `{"own_of":null}`, "/own_of read_only"},
		{pool, `{"total_units":null}`, "/total_units required"},
		{room, `{"total_units":null}`, "/total_units required"},
		{plan, `{"derived_from":{"rate_plan_id":"` + h.member.ID + `","kind":"percent","value":"5","per":"person"}}`, "/derived_from/per enum"},
	} {
		if got := h.call("PATCH", c.path, c.body).want(t, 422, "validation_failed").items(t); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.path, c.body, got, c.want)
		}
	}
	h.call("PATCH", room, `{"code":"deluxe"}`).want(t, 409, "duplicate_code")
	h.call("PATCH", "/v1/room-types/none", `{}`).want(t, 404, "not_found")
	h.call("PATCH", "/v1/properties/none", `{}`).want(t, 404, "property_not_found")
}

// The currency of a house is free again once nothing that has prices is left in it.
func TestCurrencyWithoutPlans(t *testing.T) {
	h := newHouse(t)
	rule := h.call("POST", "/v1/pricing-rules", `{"property_id":"hotel_123","name":"full","priority":1,"action":{"kind":"percent","value":"5"},"floor":{"amount":"50","currency":"EUR"}}`).want(t, 201, "").json(t)
	property, inDollars := "/v1/properties/hotel_123", `{"currency":"USD"}`
	for _, plan := range []string{h.member.ID, h.flex.ID} {
		if got := h.call("PATCH", property, inDollars).want(t, 422, "validation_failed").items(t); got != "/currency read_only" {
			t.Errorf("while a plan is sold: %s", got)
		}
		h.call("POST", "/v1/rate-plans/"+plan+"/archive", "").want(t, 200, "")
	}
	if got := h.call("PATCH", property, inDollars).want(t, 409, "resource_in_use").json(t); !strings.Contains(got["detail"].(string), rule["id"].(string)) {
		t.Errorf("while a pricing rule has a floor in it: %v", got["detail"])
	}
	h.call("DELETE", "/v1/pricing-rules/"+rule["id"].(string), "").want(t, 204, "")
	if got := h.call("PATCH", property, inDollars).want(t, 200, "").json(t); got["currency"] != "USD" {
		t.Errorf("without a plan it is %v", got["currency"])
	}
	plan := h.call("POST", "/v1/rate-plans", `{"property_id":"hotel_123","code":"new","name":"New","room_type_ids":["`+h.standard.ID+`"]}`).want(t, 201, "").json(t)
	if plan["currency"] != "USD" {
		t.Errorf("a new plan is in %v", plan["currency"])
	}
}

func TestEtagsOfTheHouse(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{"/v1/properties/hotel_123", "/v1/room-types/" + h.standard.ID, "/v1/rate-plans/" + h.flex.ID, "/v1/pools/" + h.standard.Consumes[0].AnyOf[0]} {
		tag := h.call("GET", path, "").Header.Get("ETag")
		changed := h.call("PATCH", path, `{"name":"Anders"}`, "If-Match: "+tag).want(t, 200, "")
		if now := changed.Header.Get("ETag"); now == tag || now == "" {
			t.Errorf("%s: %s after %s", path, now, tag)
		}
		late := h.call("PATCH", path, `{"name":"Wieder anders"}`, "If-Match: "+tag).want(t, 412, "precondition_failed")
		if late.Header.Get("ETag") != changed.Header.Get("ETag") {
			t.Errorf("%s: the present tag is told as %s", path, late.Header.Get("ETag"))
		}
		h.call("POST", path+"/archive", "", "If-Match: "+tag).want(t, 412, "precondition_failed")
	}
	h.handler.(*server).requireIfMatch = true
	h.call("PATCH", "/v1/room-types/"+h.standard.ID, `{"name":"x"}`).want(t, 428, "precondition_required")
	h.call("POST", "/v1/room-types/"+h.standard.ID+"/archive", "").want(t, 428, "precondition_required")
	h.call("PATCH", "/v1/room-types/"+h.standard.ID, `{"name":"x"}`, "If-Match: *").want(t, 200, "")
	product := h.flex.ID + "/" + h.standard.ID + "/2026-12-03"
	for path, body := range map[string]string{
		"/v1/inventory/" + h.standard.ID + "/2026-12-03": `{"closed":true}`, "/v1/rates/" + product: `{"amount":null}`, "/v1/restrictions/" + product: `{"closed":true}`,
	} {
		h.call("PUT", path, body).want(t, 428, "precondition_required")
		h.call("PUT", path, body, "If-Match: *").want(t, 200, "")
	}
}

func TestArchiving(t *testing.T) {
	h := newHouse(t)
	room, plan := "/v1/room-types/"+h.deluxe.ID, "/v1/rate-plans/"+h.member.ID
	refused := h.call("POST", room+"/archive", "").want(t, 409, "resource_in_use").json(t)
	if fmt.Sprint(refused["rate_plan_ids"]) != fmt.Sprint([]string{h.flex.ID, h.member.ID}) {
		t.Errorf("it is in use by %v", refused["rate_plan_ids"])
	}
	if got := h.call("POST", plan+"/archive", "").want(t, 200, "").json(t); got["status"] != "archived" {
		t.Errorf("archived %v", got)
	}
	h.call("POST", plan+"/archive", "").want(t, 200, "")
	h.call("PATCH", plan, `{"name":"x"}`).want(t, 409, "invalid_transition")
	h.call("PATCH", "/v1/rate-plans/"+h.flex.ID, `{"room_type_ids":["`+h.standard.ID+`"]}`).want(t, 200, "")
	h.call("POST", room+"/archive", "").want(t, 200, "")
	for path, want := range map[string]string{
		"/v1/room-types?status=active":          h.standard.ID,
		"/v1/room-types?status=archived":        h.deluxe.ID,
		"/v1/room-types?status=archived,active": h.standard.ID + " " + h.deluxe.ID,
		"/v1/rate-plans?status=active":          h.flex.ID,
		"/v1/pools?status=archived":             h.deluxe.Consumes[0].AnyOf[0],
		"/v1/properties?status=suspended":       "",
		"/v1/properties?status=active&limit=1":  "hotel_123",
	} {
		if got := h.call("GET", path, "").want(t, 200, "").ids(t); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	h.call("GET", "/v1/room-types?status=gone", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-02&room_type=deluxe", "").want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/properties/hotel_123", `{"status":"suspended"}`).want(t, 200, "")
	if got := h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-02", "").want(t, 200, "").json(t); got["available"] != false {
		t.Errorf("a suspended house sells %v", got)
	}
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 409, "restriction_violated")
}

func TestRepeatedWritesOfTheHouse(t *testing.T) {
	h := newHouse(t)
	body := `{"property_id":"hotel_123","code":"annex","total_units":4}`
	first := h.call("POST", "/v1/pools", body, "Idempotency-Key: k").want(t, 201, "")
	again := h.call("POST", "/v1/pools", body, "Idempotency-Key: k").want(t, 201, "")
	if first.json(t)["id"] != again.json(t)["id"] || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("made %s and %s", first.body, again.body)
	}
	h.call("POST", "/v1/pools", strings.Replace(body, "4", "5", 1), "Idempotency-Key: k").want(t, 422, "idempotency_key_reused")
	path := "/v1/pools/" + first.json(t)["id"].(string)
	for range 2 {
		h.call("PATCH", path, `{"name":"Anbau"}`, "Idempotency-Key: p").want(t, 200, "")
	}
	if got := h.call("GET", path, "").json(t); got["revision"] != 2.0 {
		t.Errorf("changed to %v", got)
	}
	var both sync.WaitGroup
	for _, body := range []string{`{"metadata":{"a":"1"}}`, `{"metadata":{"b":"2"}}`} {
		both.Go(func() { h.call("PATCH", "/v1/properties/hotel_123", body).want(t, 200, "") })
	}
	both.Wait()
	if got := h.call("GET", "/v1/properties/hotel_123", "").json(t); fmt.Sprint(got["metadata"]) != "map[a:1 b:2]" {
		t.Errorf("of two patches at a time %v is left", got["metadata"])
	}
}

// Who was granted single properties cannot make others, and sees no strangers.
func TestGrantsForWritingTheHouse(t *testing.T) {
	h := newHouse(t)
	stranger, _ := h.newClient("stranger", h.client.Scopes, "hotel_456", "hotel_789")
	as := "Authorization: Bearer " + h.tokenOf(stranger)
	body := `{"id":%q,"name":"x","time_zone":"UTC","currency":"EUR","country":"DE"}`
	h.call("POST", "/v1/properties", fmt.Sprintf(body, "hotel_000"), as).want(t, 403, "insufficient_scope")
	h.call("POST", "/v1/properties", fmt.Sprintf(body, "hotel_789"), as).want(t, 201, "")
	h.call("PATCH", "/v1/properties/hotel_123", `{"name":"x"}`, as).want(t, 404, "property_not_found")
	h.call("POST", "/v1/properties/hotel_123/archive", "", as).want(t, 404, "property_not_found")
	for _, path := range []string{"/v1/room-types/" + h.standard.ID, "/v1/rate-plans/" + h.flex.ID, "/v1/pools/" + h.standard.Consumes[0].AnyOf[0]} {
		h.call("PATCH", path, `{"name":"x"}`, as).want(t, 404, "not_found")
		h.call("POST", path+"/archive", "", as).want(t, 404, "not_found")
	}
	h.call("POST", "/v1/pools", `{"property_id":"hotel_123","code":"x","total_units":1}`, as).want(t, 404, "property_not_found")
	reader, _ := h.newClient("reader", auth.ScopesOf(auth.PropertiesRead, auth.RatesRead), "*")
	h.call("PATCH", "/v1/room-types/"+h.standard.ID, `{}`, "Authorization: Bearer "+h.tokenOf(reader)).want(t, 403, "insufficient_scope")
}

// Whatever a resource can say, its body says too: no member is lost on the way
// out, nor on the way in.
func TestBodiesSayEverything(t *testing.T) {
	for _, c := range []struct{ whole, body any }{
		{hotel.Property{}, propertyBody{}}, {hotel.Pool{}, poolBody{}}, {hotel.RoomType{}, roomTypeBody{}}, {hotel.RatePlan{}, ratePlanBody{}},
	} {
		told := map[string]bool{}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c.body)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			told[name] = true
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c.whole)) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if len(f.Index) == 1 && name != "-" && name != "policies" && name != "notifications" && !told[name] { // which have addresses of their own
				t.Errorf("%T does not say %s", c.body, name)
			}
		}
	}
}

func FuzzStructureBodies(f *testing.F) {
	h := newHouse(f)
	for _, seed := range []string{
		`{"name":"x","address":{"city":null},"taxes":[{"cap":{"amount":"1.234","currency":"XXX"}}],"metadata":{"a":null}}`,
		`{"consumes":[{"any_of":["a","a"],"units":0}],"total_units":1e99}`, `{"derived_from":{"value":"x"},"price_limits":[{"date_from":"x"}]}`,
		`[]`, `null`, `{"booking_horizon_days":-1}`, `{"id":1}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		for _, path := range []string{"properties", "pools", "room-types", "rate-plans"} {
			h.t = t
			if got := h.call("POST", "/v1/"+path, body); got.StatusCode >= 500 {
				t.Errorf("POST %s: %d %s", path, got.StatusCode, got.body)
			}
		}
		for _, path := range []string{"properties/hotel_123", "pools/" + h.standard.Consumes[0].AnyOf[0], "room-types/" + h.standard.ID, "rate-plans/" + h.flex.ID} {
			if got := h.call("PATCH", "/v1/"+path, body); got.StatusCode >= 500 {
				t.Errorf("PATCH %s: %d %s", path, got.StatusCode, got.body)
			}
		}
	})
}

// A room type with a pool of its own has as many units as that, though its rooms be given
// and not counted, and when it is archived with its pool.
func TestUnitsOfARoomTypeWithItsOwnPool(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/room-types", `{"property_id":"hotel_123","code":"given","availability_mode":"given","total_units":4,"base_occupancy":2,"max_adults":2,"max_occupancy":2}`).want(t, 201, "").json(t)
	path := "/v1/room-types/" + made["id"].(string)
	units := func(of string, want float64, seen map[string]any) {
		t.Helper()
		if seen["total_units"] != want {
			t.Errorf("%s: %v units, want %v", of, seen["total_units"], want)
		}
	}
	units("made", 4, made)
	units("read", 4, h.call("GET", path, "").json(t))
	units("changed", 6, h.call("PATCH", path, `{"total_units":6}`).want(t, 200, "").json(t))
	units("archived", 6, h.call("POST", path+"/archive", "").want(t, 200, "").json(t))
	units("read when it is archived", 6, h.call("GET", path, "").json(t))
	list := h.call("GET", "/v1/room-types?property_id=hotel_123&status=archived", "").want(t, 200, "").json(t)["data"].([]any)
	if len(list) != 1 {
		t.Fatalf("%d archived room types", len(list))
	}
	units("listed", 6, list[0].(map[string]any))
}
