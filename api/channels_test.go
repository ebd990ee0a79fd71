package api

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"ostler.example/connectors"       //nolint:depguard // a far side to speak to
	"ostler.example/internal/testkit" // which is the real simulator
)

// farSecret is what the far sides of tests know.
const farSecret = "s3cret"

// far opens a far side and returns its address.
func (h *house) far() string {
	h.t.Helper()
	server := httptest.NewServer(openFar(h.t))
	h.t.Cleanup(server.Close)
	return server.URL
}

func openFar(t testing.TB) testkit.FarSide {
	return testkit.OpenFarSide(t, "pull", "far.test", "", nil, []connectors.RemoteProduct{
		{Room: "STD", RoomName: "Standard", Rate: "FLEX", RateName: "Flexible"},
		{Room: "DLX", RoomName: "Deluxe", Rate: "FLEX", RateName: "Flexible"},
	})
}

// channel is the body of a new channel.
func channel(url, more string) string {
	return `{"property_id":"hotel_123","connector":"mock","name":"Mock","settings":{"url":"` + url + `","preset":"pull","hotel":"H1","secret":"secret:mock"}` + more + `}`
}

func (h *house) draft() string {
	h.t.Helper()
	return h.call("POST", "/v1/channels", channel(h.far(), "")).want(h.t, 201, "").json(h.t)["id"].(string)
}

func TestConnectors(t *testing.T) {
	h := newHouse(t)
	list := h.call("GET", "/v1/connectors", "").want(t, 200, "").json(t)["data"].([]any)
	mock := list[slices.IndexFunc(list, func(c any) bool { return c.(map[string]any)["name"] == "mock" })].(map[string]any)
	capabilities := mock["capabilities"].(map[string]any)
	if mock["name"] != "mock" || mock["has_simulator"] != true || capabilities["stock_per"] != "room" || capabilities["receives"] != true || capabilities["stay"] != "both" {
		t.Errorf("connector %v", mock)
	}
	if capabilities["per_seller"] != false || capabilities["difference"] != "none" || capabilities["groups"] != "whole" || capabilities["closes_apart"] != true {
		t.Errorf("capabilities %v", capabilities)
	}
	if b := capabilities["buckets"].([]any)[0].(map[string]any); b["operation"] != "update_availability" || b["limit"] != 300.0 || b["per_seconds"] != 60.0 {
		t.Errorf("limit %v", b)
	}
	properties := mock["settings_schema"].(map[string]any)["properties"].(map[string]any)
	secret := properties["secret"].(map[string]any)
	if secret["writeOnly"] != true || secret["default"] != nil || properties["calls_per_minute"].(map[string]any)["default"] != 300.0 {
		t.Errorf("settings %v", properties)
	}
}

func TestChannelIsMadeAndChanged(t *testing.T) {
	h := newHouse(t)
	full := `,"markup":{"kind":"percent","value":"12.5"},"price_basis":"tax_excluded","currency":"CHF","exchange_rate":{"rate":"0.95","date":"2026-11-20"},` +
		`"price_guard":{"floor":{"amount":"50.00","currency":"CHF"},"max_change_pct":40.5,"too_high":"close"},"cut_off":{"days_before":1,"time":"18:00"},` +
		`"absent":{"min_stay_through":"close"},"commission":{"pct":"15","base":"gross"},"sync":{"reservations_schedule":"@every 2m"}`
	made := h.call("POST", "/v1/channels", channel("http://far.test", full), "Idempotency-Key: a").want(t, 201, "")
	body := made.json(t)
	id := body["id"].(string)
	if made.Header.Get("Location") != "https://hotel.example/v1/channels/"+id || !strings.HasPrefix(made.Header.Get("ETag"), `"r1-`) || body["status"] != "draft" {
		t.Errorf("made %v %s", made.Header, made.body)
	}
	settings := body["settings"].(map[string]any)
	if settings["secret"] != "***" || settings["timeout"] != "10s" || settings["hotel"] != "H1" || strings.Contains(string(made.body), farSecret) {
		t.Errorf("settings %v", settings)
	}
	if b := body["buckets"].([]any); len(b) == 0 || b[0].(map[string]any)["operation"] != "update_availability" || b[0].(map[string]any)["remaining"] == nil {
		t.Errorf("buckets %v", b)
	}
	if body["price_guard"].(map[string]any)["max_change_pct"] != 40.5 {
		t.Errorf("price guard %v", body["price_guard"])
	}
	h.call("PATCH", "/v1/channels/"+id, `{"price_guard":{"max_change_pct":100.5}}`).want(t, 422, "validation_failed")
	for _, member := range []string{"markup", "price_basis", "currency", "exchange_rate", "price_guard", "cut_off", "absent", "commission", "sync", "capabilities"} {
		if body[member] == nil {
			t.Errorf("%s is not shown", member)
		}
	}
	again := h.call("POST", "/v1/channels", channel("http://far.test", full), "Idempotency-Key: a").want(t, 201, "")
	if again.json(t)["id"] != id || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeated: %s", again.body)
	}

	path := "/v1/channels/" + id
	h.call("PATCH", path, `{"name":"x"}`, `If-Match: "r7"`).want(t, 412, "precondition_failed")
	changed := h.call("PATCH", path, `{"name":"Renamed","settings":{"hotel":"H2","secret":"***","timeout":"20s"},"markup":null,"cut_off":null}`, `If-Match: "r1"`).want(t, 200, "").json(t)
	settings = changed["settings"].(map[string]any)
	if changed["name"] != "Renamed" || settings["hotel"] != "H2" || settings["timeout"] != "20s" || settings["secret"] != "***" || changed["markup"] != nil || changed["cut_off"] != nil || changed["commission"] == nil {
		t.Errorf("changed %v", changed)
	}
	changed = h.call("PATCH", path, `{"settings":{"timeout":null}}`).want(t, 200, "").json(t)
	if settings = changed["settings"].(map[string]any); settings["timeout"] != "10s" || settings["hotel"] != "H2" {
		t.Errorf("a key that goes back to its default: %v", settings)
	}
	if got := h.call("GET", "/v1/channels?property_id=hotel_123", "").want(t, 200, ""); got.ids(t) != id {
		t.Errorf("list %s", got.body)
	}
	if got := h.call("GET", path, "").want(t, 200, ""); !strings.HasPrefix(got.Header.Get("ETag"), `"r3-`) || got.json(t)["circuit"] != nil {
		t.Errorf("get %s", got.body)
	}
}

func TestWhatAChannelCannotBe(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct{ name, body, items string }{
		{"no such connector", `{"property_id":"hotel_123","connector":"fax","name":"x","settings":{}}`, "/connector enum"},
		{
			"every mistake of the settings", `{"property_id":"hotel_123","connector":"mock","name":"x","settings":{"timout":"1s","preset":5}}`,
			"/settings/preset format; /settings/timout unknown_field",
		},
		{
			"settings that are not whole", `{"property_id":"hotel_123","connector":"mock","name":"x","settings":{"hotel":"H1"}}`,
			"/settings/url required; /settings/secret required",
		},
		{
			"a secret that is not there", strings.Replace(channel("http://far.test", ""), "secret:mock", "secret:none", 1), "/settings/secret format",
		},
		{
			"prices that cannot be", channel("http://far.test", `,"markup":{"kind":"percent","value":"much"},"exchange_rate":{"rate":"-1","date":"2026-11-20"},"absent":{"amount":"close","color":"close"}`),
			"/markup/value format; /exchange_rate/rate format; /absent/color unknown_field",
		},
		{"no schedule", channel("http://far.test", `,"sync":{"reservations_schedule":"often"}`), "/sync/reservations_schedule format"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.call("POST", "/v1/channels", c.body).want(t, 422, "validation_failed")
			if got.items(t) != c.items || strings.Contains(string(got.body), farSecret) {
				t.Errorf("%s", got.body)
			}
		})
	}
	h.call("POST", "/v1/channels", strings.Replace(channel("http://far.test", ""), "hotel_123", "none", 1)).want(t, 404, "property_not_found")
	id := h.draft()
	h.call("PATCH", "/v1/channels/"+id, `{"settings":{"preset":"fax"}}`).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/channels/"+id, `{"name":null}`).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/channels/"+id, `{"connector":"mock"}`).want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/channels/none", `{"name":"x"}`).want(t, 404, "not_found")
}

func TestChannelGoesLive(t *testing.T) {
	h := newHouse(t)
	path := "/v1/channels/" + h.draft()
	h.call("POST", path+"/activate", `{"mode":"live","plan_id":"x"}`).want(t, 409, "plan_outdated")
	h.call("POST", path+"/sync", `{"kind":"reservations"}`).want(t, 409, "channel_not_active")
	h.call("POST", path+"/pause", "").want(t, 409, "invalid_transition")
	reached := h.call("POST", path+"/test", "").want(t, 200, "").json(t)
	if reached["remote_products"] != 2.0 || h.call("GET", path, "").json(t)["status"] != "testing" {
		t.Errorf("reached %v", reached)
	}
	list := h.call("GET", path+"/remote-products", "").want(t, 200, "").json(t)["data"].([]any)
	offered := list[0].(map[string]any)
	if offered["remote_room_id"] != "STD" || offered["mapped"] != nil {
		t.Errorf("products %v", list)
	}
	if p, ok := offered["proposal"].(map[string]any); !ok || p["room_type_id"] != h.standard.ID || p["confidence"] == "" || len(p["reasons"].([]any)) == 0 {
		t.Errorf("the far side's %v is proposed to be %v", offered["room_name"], offered["proposal"])
	}

	mapping := func(room, remote, rate string) string {
		return `{"room_type_id":"` + room + `","rate_plan_id":"` + h.flex.ID + `","remote_room_id":"` + remote + `","remote_rate_id":"` + rate + `"}`
	}
	bad := h.call("PUT", path+"/mappings", `{"mappings":[`+mapping(h.standard.ID, "STD", "FLEX")+`,`+mapping(h.deluxe.ID, "STD", "FLEX")+`,`+mapping("none", "DLX", "FLEX")+`]}`)
	if bad.want(t, 422, "validation_failed").items(t) != "/mappings/1/remote_room_id ambiguous_mapping; /mappings/2/room_type_id unknown_room_type" {
		t.Errorf("%s", bad.body)
	}
	h.call("PUT", path+"/mappings?dry_run=true", `{"mappings":[`+mapping("none", "DLX", "FLEX")+`]}`).want(t, 422, "validation_failed")
	tried := h.call("PUT", path+"/mappings?dry_run=true", `{"mappings":[`+mapping(h.standard.ID, "STD", "FLEX")+`]}`).want(t, 200, "").json(t)
	if gaps, _ := json.Marshal(tried["coverage"]); len(tried["mappings"].([]any)) != 1 || !strings.Contains(string(gaps), `{"code":"room_not_mapped","detail":"Deluxe is not sold by this channel","rate_plan_id":null,"room_type_id":"`+h.deluxe.ID+`"}`) {
		t.Errorf("tried %v, gaps %s", tried["mappings"], gaps)
	}
	if now := h.call("GET", path+"/mappings", "").json(t)["mappings"].([]any); len(now) != 0 {
		t.Errorf("a dry run has stored %v", now)
	}
	mapped := h.call("PUT", path+"/mappings", `{"mappings":[`+mapping(h.standard.ID, "STD", "FLEX")+`,`+mapping(h.deluxe.ID, "DLX", "FLEX")+`]}`).want(t, 200, "").json(t)
	if len(mapped["mappings"].([]any)) != 2 || mapped["fields"].(map[string]any)["closed"].(map[string]any)["carriage"] != "exact" {
		t.Errorf("mapped %v", mapped)
	}
	if c := mapped["coverage"].([]any)[0].(map[string]any); c["code"] != "plan_not_sold_here" {
		t.Errorf("coverage %v", mapped["coverage"])
	}

	crowd := h.call("PUT", path+"/mappings", `{"mappings":[`+strings.Replace(mapping(h.standard.ID, "STD", "FLEX"), "}", `,"occupancy":9}`, 1)+`]}`)
	if crowd.want(t, 422, "validation_failed").items(t) != "/mappings/0/occupancy occupancy_exceeded" {
		t.Errorf("%s", crowd.body)
	}
	single := h.call("PUT", path+"/mappings", `{"mappings":[`+strings.Replace(mapping(h.standard.ID, "STD", "FLEX"), "}", `,"occupancy":1}`, 1)+`,`+mapping(h.deluxe.ID, "DLX", "FLEX")+`]}`).want(t, 200, "").json(t)
	if m := single["mappings"].([]any); m[0].(map[string]any)["occupancy"] != nil || m[1].(map[string]any)["occupancy"] != 1.0 {
		t.Errorf("mapped at occupancies: %v", m)
	}

	plan := h.call("GET", path+"/plan", "").want(t, 200, "").json(t)
	raises, _ := json.Marshal(plan["raises"])
	if plan["calls_total"] == 0.0 || !strings.Contains(string(raises), `"date_from":"2026-11-21","date_to":"2026-12-31","from":null,"remote_room_id":"DLX"`) {
		t.Errorf("plan %v", plan)
	}
	asked := h.call("POST", path+"/activate", `{"mode":"live","plan_id":"`+plan["plan_id"].(string)+`"}`).want(t, 409, "raises_need_confirmation")
	if listed, _ := json.Marshal(asked.json(t)["raises"]); string(listed) != string(raises) {
		t.Errorf("asked to confirm %s", listed)
	}
	accept := `{"mode":"live","plan_id":"` + plan["plan_id"].(string) + `","accept_raises":` + string(raises)
	h.call("POST", path+"/activate", accept+`}`).want(t, 422, "validation_failed")
	if unchecked := plan["unchecked"].([]any); len(unchecked) != 0 {
		t.Errorf("what cannot be asked for: %v", unchecked)
	}
	h.call("POST", path+"/activate", accept+`,"accepted_by":"Ada","accept_unchecked":["bookings"]}`).want(t, 409, "unchecked_need_confirmation")
	h.call("POST", path+"/activate", accept+`,"accepted_by":"Ada","accept_unchecked":["nights"]}`).want(t, 422, "validation_failed")
	live := h.call("POST", path+"/activate", accept+`,"accepted_by":"Ada"}`, "Idempotency-Key: live").want(t, 200, "").json(t)
	if live["status"] != "active" {
		t.Errorf("live %v", live)
	}
	run := h.call("POST", path+"/sync", `{"kind":"ari_full"}`).want(t, 202, "")
	location := strings.TrimPrefix(run.Header.Get("Location"), "https://hotel.example")
	if got := h.call("GET", location, "").want(t, 200, "").json(t); got["status"] != "queued" || got["kind"] != "ari_full" {
		t.Errorf("run %v", got)
	}
	if got := h.call("GET", "/v1/sync-runs?channel_id="+live["id"].(string), "").want(t, 200, ""); len(got.json(t)["data"].([]any)) != 1 {
		t.Errorf("runs %s", got.body)
	}
	h.call("GET", "/v1/sync-runs/none", "").want(t, 404, "not_found")
	for _, body := range []string{`{"kind":"ari_full","date_from":"2026-12-01"}`, `{"kind":"ari_full","date_to":"2026-12-01"}`, `{"kind":"ari_full","date_from":"2026-12-02","date_to":"2026-12-01"}`} {
		h.call("POST", path+"/sync", body).want(t, 422, "validation_failed")
	}
	some := h.call("POST", path+"/sync", `{"kind":"ari_delta","date_from":"2026-12-01","date_to":"2026-12-05"}`).want(t, 202, "").json(t)
	if some["date_from"] != "2026-12-01" || some["date_to"] != "2026-12-05" {
		t.Errorf("run %v", some)
	}
	runs := func(query string) []any {
		t.Helper()
		return h.call("GET", "/v1/sync-runs"+query, "").want(t, 200, "").json(t)["data"].([]any)
	}
	if got := runs(""); len(got) != 2 || got[0].(map[string]any)["id"] != some["id"] {
		t.Errorf("runs %v", got)
	}
	for query, n := range map[string]int{"?kind=ari_full": 1, "?status=queued": 2, "?status=failed": 0, "?since=2030-01-01T00:00:00Z": 0, "?channel_id=" + live["id"].(string): 2} {
		if got := runs(query); len(got) != n {
			t.Errorf("%s: %d runs, want %d", query, len(got), n)
		}
	}
	first := h.call("GET", "/v1/sync-runs?limit=1", "").want(t, 200, "").json(t)
	if rest := runs("?limit=1&cursor=" + first["next_cursor"].(string)); len(rest) != 1 || rest[0].(map[string]any)["id"] == some["id"] {
		t.Errorf("the page behind the first has %v", rest)
	}

	frozen := h.call("POST", path+"/pause", `{"mode":"freeze"}`).want(t, 200, "").json(t)
	if frozen["status"] != "paused" || frozen["frozen"] != true {
		t.Errorf("frozen %v", frozen)
	}
	paused := h.call("POST", path+"/pause", "").want(t, 200, "").json(t)
	if paused["frozen"] != false {
		t.Errorf("paused %v", paused)
	}
	gone := h.call("POST", path+"/disconnect", `{"force":true}`).want(t, 200, "").json(t)
	if gone["status"] != "disconnected" {
		t.Errorf("disconnected %v", gone)
	}
}

func TestFarSideThatCannotBeAsked(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/channels", channel("http://127.0.0.1:1", "")).want(t, 201, "").json(t)["id"].(string)
	for _, ask := range [][2]string{{"POST", "/test"}, {"GET", "/remote-products"}} {
		got := h.call(ask[0], "/v1/channels/"+id+ask[1], "").want(t, 502, "channel_error")
		if !strings.Contains(string(got.body), "refused") || strings.Contains(string(got.body), farSecret) {
			t.Errorf("%s", got.body)
		}
	}
	if got := h.call("GET", "/v1/channels/"+id, "").json(t); got["status"] != "draft" {
		t.Errorf("status %v", got["status"])
	}
}

// FuzzChannel looks for a body that brings the server down.
func FuzzChannel(f *testing.F) {
	f.Add(channel("http://far.test", ""))
	f.Add(`{"property_id":"hotel_123","connector":"mock","name":"x","settings":null}`)
	f.Add(`{"property_id":"hotel_123","connector":"mock","name":"x","settings":{"url":{"a":[1]}},"absent":{"":"close"},"markup":{"kind":"percent","value":"1e999999999"}}`)
	h := newHouse(f)
	f.Fuzz(func(t *testing.T, body string) {
		h := *h
		h.t = t
		if got := h.call("POST", "/v1/channels", body); got.StatusCode >= 500 {
			t.Errorf("%d %s", got.StatusCode, got.body)
		}
	})
}

// FuzzMappings does the same with mappings.
func FuzzMappings(f *testing.F) {
	f.Add(`{"mappings":[]}`)
	f.Add(`{"mappings":[{"room_type_id":"a","rate_plan_id":"b","remote_room_id":"c","remote_rate_id":""}]}`)
	h := newHouse(f)
	id := h.draft()
	f.Fuzz(func(t *testing.T, body string) {
		h := *h
		h.t = t
		if got := h.call("PUT", "/v1/channels/"+id+"/mappings", body); got.StatusCode >= 500 {
			t.Errorf("%d %s", got.StatusCode, got.body)
		}
	})
}

// The mapping of a channel says what it costs that it knows few restrictions.
func TestMappingsTellWhatIsLost(t *testing.T) {
	h := newHouse(t)
	lean := strings.Replace(channel(h.far(), `,"absent":{"max_advance_days":"close"}`), `"preset":"pull"`, `"preset":"lean"`, 1)
	path := "/v1/channels/" + h.call("POST", "/v1/channels", lean).want(t, 201, "").json(t)["id"].(string)
	h.call("POST", "/v1/restrictions/updates", `{"property_id":"hotel_123","entries":[{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.flex.ID+
		`","date_from":"2026-12-10","date_to":"2026-12-10","values":{"min_stay_through":3}}]}`).want(t, 200, "")
	fields := h.call("PUT", path+"/mappings", `{"mappings":[{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.flex.ID+
		`","remote_room_id":"STD","remote_rate_id":"FLEX"}]}`).want(t, 200, "").json(t)["fields"].(map[string]any)
	for name, want := range map[string]string{
		"closed":              "map[carriage:exact]",
		"min_stay_arrival":    "map[carriage:exact max:28 min:1]",
		"min_stay_through":    "map[carriage:coarser legal_stays_lost:1]",
		"closed_to_departure": "map[carriage:coarser legal_stays_lost:0]",
		"max_advance_days":    "map[carriage:absent policy:close]",
	} {
		if got := fmt.Sprint(fields[name]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Whoever changes a channel may name the revision that it has seen, and may
// repeat what it is not sure of.
func TestChannelChangesNameTheRevisionAndCanBeRepeated(t *testing.T) {
	h := newHouse(t)
	id := h.draft()
	path := "/v1/channels/" + id
	h.call("POST", path+"/test", "").want(t, 200, "")
	const mappings = `{"mappings":[]}`
	stale := h.call("PUT", path+"/mappings", mappings, `If-Match: "r99"`).want(t, 412, "precondition_failed")
	seen := h.call("GET", path+"/mappings", "").want(t, 200, "").Header.Get("ETag")
	if stale.Header.Get("ETag") != seen || seen == "" {
		t.Errorf("the refusal tells %q, the channel is at %q", stale.Header.Get("ETag"), seen)
	}
	mapped := h.call("PUT", path+"/mappings", mappings, "If-Match: "+seen).want(t, 200, "").Header.Get("ETag")
	if mapped == seen || mapped != h.call("GET", path+"/mappings", "").Header.Get("ETag") {
		t.Errorf("mapped, it is at %s", mapped)
	}
	revision, _, _ := strings.Cut(mapped, "-")
	if tag := h.call("GET", path, "").Header.Get("ETag"); !strings.HasPrefix(tag, revision+"-") {
		t.Errorf("its mappings are at %s, and it is at %s", mapped, tag)
	}
	if err := h.ledger.GoLive(t.Context(), tester, id, 0); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ name, body string }{
		{"/activate", `{"mode":"live","plan_id":"x"}`}, {"/pause", ""}, {"/disconnect", `{"force":true}`},
	} {
		h.call("POST", path+step.name, step.body, "If-Match: "+seen).want(t, 412, "precondition_failed")
	}
	now := "If-Match: " + h.call("GET", path, "").Header.Get("ETag")
	for _, step := range []struct{ name, body string }{{"/sync", `{"kind":"ari_full"}`}, {"/pause", `{"mode":"freeze"}`}, {"/disconnect", `{"force":true}`}} {
		first := h.call("POST", path+step.name, step.body, now, "Idempotency-Key: k").json(t)
		again := h.call("POST", path+step.name, step.body, now, "Idempotency-Key: k")
		if again.Header.Get("Idempotent-Replayed") != "true" || again.json(t)["id"] != first["id"] || again.json(t)["status"] != first["status"] {
			t.Errorf("%s repeated: %v, then %v", step.name, first, again.json(t))
		}
		now = "If-Match: *"
	}
}

func TestChannelInShadow(t *testing.T) {
	h := newHouse(t)
	path := "/v1/channels/" + h.draft()
	shadow := `{"mode":"shadow"}`
	h.call("POST", path+"/activate", shadow).want(t, 409, "invalid_transition")
	h.call("POST", path+"/test", "").want(t, 200, "")
	if got := h.call("GET", path, "").json(t); got["mode"] != "shadow" || got["status"] != "testing" {
		t.Errorf("in testing: %v", got["mode"])
	}
	h.call("POST", path+"/activate", shadow, `If-Match: "r9"`).want(t, 412, "precondition_failed")
	got := h.call("POST", path+"/activate", shadow, "Idempotency-Key: s").want(t, 200, "").json(t)
	if got["mode"] != "shadow" || got["status"] != "active" {
		t.Errorf("activated: %v %v", got["mode"], got["status"])
	}
	if again := h.call("POST", path+"/activate", shadow, "Idempotency-Key: s").want(t, 200, ""); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("not replayed")
	}
	h.call("POST", path+"/sync", `{"kind":"ari_full"}`).want(t, 409, "channel_in_shadow")
	h.call("POST", path+"/sync", `{"kind":"read_back"}`).want(t, 202, "") // it is told nothing by being read
	h.call("PATCH", path, `{"mode":"live"}`).want(t, 422, "validation_failed")
	h.call("POST", path+"/activate", `{"mode":"live"}`).want(t, 422, "validation_failed")
	plan := h.call("GET", path+"/plan", "").want(t, 200, "").json(t)
	live := h.call("POST", path+"/activate", `{"mode":"live","plan_id":"`+plan["plan_id"].(string)+`"}`).want(t, 200, "").json(t)
	if live["mode"] != "live" {
		t.Errorf("live: %v", live["mode"])
	}
	if back := h.call("PATCH", path, shadow).want(t, 200, "").json(t); back["mode"] != "shadow" || back["status"] != "active" {
		t.Errorf("back: %v", back["mode"])
	}
}

// TestSellersBehindARelay: single sellers have terms of their own where there are any, and
// a price of their own nowhere.
func TestSellersBehindARelay(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/channels", channel("http://far.test", "")).want(t, 201, "").json(t)["id"].(string)
	path, sellers := "/v1/channels/"+id, `"sellers":{"Booking.com":{"commission":{"pct":"18","base":"gross"}}}`
	h.call("PATCH", path, `{`+sellers+`}`).want(t, 422, "validation_failed")
	hub := h.call("PATCH", path, `{"settings":{"preset":"hub","cut_off":true},`+sellers+`}`).want(t, 200, "").json(t)
	of, _ := hub["sellers"].(map[string]any)["Booking.com"].(map[string]any)
	if commission, _ := of["commission"].(map[string]any); commission["pct"] != 18.0 || commission["on_no_show_charge"] != true || of["markup"] != nil {
		t.Errorf("sellers %v", hub["sellers"])
	}
	if hub["capabilities"].(map[string]any)["cut_off"] != true {
		t.Errorf("capabilities %v", hub["capabilities"])
	}
	h.call("PATCH", path, `{"sellers":{"Booking.com":{"markup":{"kind":"percent","value":"3"}}}}`).want(t, 422, "validation_failed")
	h.call("PATCH", path, `{"sellers":{"Booking.com":{"commission":{"pct":"much","base":"gross"}}}}`).want(t, 422, "validation_failed")
	if none := h.call("PATCH", path, `{"sellers":null}`).want(t, 200, "").json(t); len(none["sellers"].(map[string]any)) != 0 {
		t.Errorf("sellers %v", none["sellers"])
	}
}

// Null in a patch goes back to the default, of one schedule and of all of them.
func TestChannelSchedulesGoBackToTheDefault(t *testing.T) {
	h := newHouse(t)
	path := "/v1/channels/" + h.draft()
	first := text(h.call("GET", path, "").want(t, 200, "").json(t)["sync"])
	said := func(patch string) string {
		t.Helper()
		return text(h.call("PATCH", path, `{"sync":`+patch+`}`).want(t, 200, "").json(t)["sync"])
	}
	const own = `{"horizon_days":90,"read_back_schedule":"@every 2h","reservations_schedule":"@every 5m"}`
	if got := said(own); got != own {
		t.Errorf("set to %s", got)
	}
	if got := said(`{"read_back_schedule":null,"horizon_days":null}`); got != strings.Replace(first, "@every 60s", "@every 5m", 1) {
		t.Errorf("without a schedule of its own it is %s", got)
	}
	if got := said(`{"reservations_schedule":null}`); got != first {
		t.Errorf("without schedules of its own it is %s, want %s", got, first)
	}
	said(own)
	if got := said(`null`); got != first {
		t.Errorf("without any of its own it is %s, want %s", got, first)
	}
	h.call("PATCH", path, `{"sync":{"reservations_schedule":""}}`).want(t, 422, "validation_failed")
}

// A commission is a number, as other percentages are; its text is taken too.
func TestCommissionIsANumber(t *testing.T) {
	h := newHouse(t)
	path := "/v1/channels/" + h.draft()
	for _, sent := range []string{`12.5`, `"12.5"`, `"12.50"`} {
		got := h.call("PATCH", path, `{"commission":{"pct":`+sent+`,"base":"gross"}}`).want(t, 200, "").json(t)["commission"].(map[string]any)
		if got["pct"] != 12.5 {
			t.Errorf("%s is shown as %v", sent, got["pct"])
		}
	}
}

// A patch is laid over what a channel's prices are made into member by member: a floor that
// nobody names stays.
func TestChannelPatchKeepsWhatItDoesNotName(t *testing.T) {
	h := newHouse(t)
	full := `,"price_guard":{"floor":{"amount":"50.00","currency":"CHF"},"max_change_pct":40.5,"too_high":"close"},"currency":"CHF","absent":{"min_stay_through":"close","min_stay_arrival":"close"},` +
		`"commission":{"pct":"15","base":"gross","on_no_show_charge":false}`
	path := "/v1/channels/" + h.call("POST", "/v1/channels", channel("http://far.test", full)).want(t, 201, "").json(t)["id"].(string)
	h.call("PATCH", path, `{"settings":{"preset":"hub"},"sellers":{"A":{"commission":{"pct":"12","base":"gross"}},"B":{"commission":{"pct":"10","base":"net_of_tax"}}}}`).want(t, 200, "")
	changed := h.call("PATCH", path, `{"price_guard":{"max_change_pct":20,"too_high":null},"commission":{"pct":12},"absent":{"min_stay_through":null},"sellers":{"A":{"commission":{"base":"net_of_tax"}},"B":null}}`).want(t, 200, "").json(t)
	for member, want := range map[string]string{
		"price_guard": `{"floor":{"amount":"50.00","currency":"CHF"},"max_change_pct":20}`,
		"commission":  `{"base":"gross","on_no_show_charge":false,"pct":12}`,
		"absent":      `{"min_stay_arrival":"close"}`,
		"sellers":     `{"A":{"commission":{"base":"net_of_tax","on_no_show_charge":true,"pct":12}}}`,
	} {
		if got, _ := json.Marshal(changed[member]); string(got) != want {
			t.Errorf("%s is %s, want %s", member, got, want)
		}
	}
	for patch, pointer := range map[string]string{
		`{"commission":{"base":null}}`:                      "/commission/base",
		`{"commission":{"pct":"-15"}}`:                      "/commission/pct",
		`{"commission":{"pct":-15}}`:                        "/commission/pct",
		`{"commission":{"pct":12.345}}`:                     "/commission/pct",
		`{"sellers":{"A":{"commission":{"pct":"1500"}}}}`:   "/sellers/A/commission/pct",
		`{"markup":{"kind":"percent"}}`:                     "/markup/value",
		`{"price_guard":{"floor":{"amount":"0.001"}}}`:      "/price_guard/floor/amount",
		`{"exchange_rate":{"rate":"0.95","date":"spring"}}`: "/exchange_rate/date",
	} {
		if got := h.call("PATCH", path, patch).want(t, 422, "validation_failed"); !strings.Contains(string(got.body), `"`+pointer) {
			t.Errorf("%s: %s", patch, got.body)
		}
	}
	if got := h.call("PATCH", path, `{"price_guard":{"floor":null,"max_change_pct":null},"commission":null}`).want(t, 200, "").json(t); got["price_guard"] != nil || got["commission"] != nil {
		t.Errorf("cleared %v %v", got["price_guard"], got["commission"])
	}
}

// A channel that is live is told of another mapping by its plan alone: what it would be
// told is seen first, and the nights that it would show more rooms on are named.
func TestMappingALiveChannel(t *testing.T) {
	h := newHouse(t)
	id := h.live()
	path := "/v1/channels/" + id + "/mappings"
	entry := func(room, remote string) string {
		return `{"room_type_id":"` + room + `","rate_plan_id":"` + h.flex.ID + `","remote_room_id":"` + remote + `","remote_rate_id":"FLEX"}`
	}
	put := func(mappings string, consent string, more ...string) reply {
		t.Helper()
		return h.call("PUT", path+strings.Join(more, ""), `{"mappings":[`+mappings+`]`+consent+`}`)
	}
	now := entry(h.standard.ID, "STD") + "," + entry(h.deluxe.ID, "DLX")
	then := now + "," + entry(h.standard.ID, "NEW")
	if plan, _ := put(now, "", "?dry_run=true").want(t, 200, "").json(t)["plan"].(map[string]any); plan["calls_total"] != 0.0 {
		t.Errorf("as it is: %v", plan)
	}
	put(now, "").want(t, 200, "") // it is told nothing
	if got := put(then, "").want(t, 422, "validation_failed").items(t); got != "/plan_id required" {
		t.Errorf("without a plan: %s", got)
	}
	put(entry("none", "STD"), "").want(t, 422, "validation_failed")
	put(entry("none", "STD"), "", "?dry_run=true").want(t, 422, "validation_failed")

	plan := put(then, "", "?dry_run=true").want(t, 200, "").json(t)["plan"].(map[string]any)
	calls, raises := plan["calls"].([]any), plan["raises"].([]any)
	if plan["kind"] != "mapping" || len(calls) == 0 || calls[0].(map[string]any)["opens"].(float64)+calls[len(calls)-1].(map[string]any)["opens"].(float64) == 0 || len(raises) == 0 {
		t.Fatalf("the plan is %v", plan)
	}
	for _, r := range raises {
		if r := r.(map[string]any); r["remote_room_id"] != "NEW" || r["from"] != nil {
			t.Errorf("raised is %v", r)
		}
	}
	planned := `,"plan_id":"` + plan["plan_id"].(string) + `"`
	named := func(list any) string { return planned + `,"accept_raises":` + string(must(json.Marshal(list))(t)) }
	if refused := put(then, planned).want(t, 409, "raises_need_confirmation").json(t); len(refused["raises"].([]any)) != len(raises) {
		t.Errorf("named are %v", refused["raises"])
	}
	put(then, named(raises[1:])+`,"accepted_by":"Ada"`).want(t, 409, "raises_need_confirmation")
	put(then, named(raises)).want(t, 422, "validation_failed")
	put(now+","+entry(h.deluxe.ID, "NEW"), named(raises)+`,"accepted_by":"Ada"`).want(t, 409, "plan_outdated")
	h.call("POST", "/v1/channels/"+id+"/plan/"+plan["plan_id"].(string)+"/apply", "").want(t, 409, "plan_outdated")
	if m := h.call("GET", path, "").json(t)["mappings"].([]any); len(m) != 2 {
		t.Fatalf("refused, and %d are mapped", len(m))
	}
	put(then, named(raises)+`,"accepted_by":"Ada"`).want(t, 200, "")
	if m := h.call("GET", path, "").json(t)["mappings"].([]any); len(m) != 3 {
		t.Errorf("%d are mapped", len(m))
	}
	put(then, named(raises)+`,"accepted_by":"Ada"`).want(t, 200, "") // repeated, it is told nothing more
	h.call("PATCH", "/v1/channels/"+id, `{"mode":"shadow"}`).want(t, 200, "")
	if m := put(now, "", "?dry_run=true").want(t, 200, "").json(t); m["plan"] != nil {
		t.Errorf("in shadow there is a plan: %v", m["plan"])
	}
	put(now, "").want(t, 200, "")
}
