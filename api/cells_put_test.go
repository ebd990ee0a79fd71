package api

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

func TestPutCells(t *testing.T) {
	h := newHouse(t)
	const day = "2026-12-03"
	stock := "/v1/inventory/" + h.standard.ID + "/" + day
	first := h.call("PUT", stock, `{"out_of_order":1,"sell_limit":3}`).want(t, 200, "")
	if body := first.json(t); body["out_of_order"] != 1.0 || body["available"] != 3.0 || body["date"] != day || first.Header.Get("ETag") != cellTag(int64(body["version"].(float64))) {
		t.Errorf("body %v with %v", body, first.Header)
	}
	second := h.call("PUT", stock, `{"sell_limit":null}`, "If-Match: "+first.Header.Get("ETag")).want(t, 200, "")
	if body := second.json(t); body["out_of_order"] != 1.0 || body["sell_limit"] != nil {
		t.Errorf("body %v", body)
	}
	stale := h.call("PUT", stock, `{"closed":true}`, "If-Match: "+first.Header.Get("ETag")).want(t, 412, "precondition_failed")
	if stale.Header.Get("ETag") != second.Header.Get("ETag") {
		t.Errorf("ETag %q", stale.Header.Get("ETag"))
	}
	other := h.call("PUT", stock, `{"closed":true}`, `If-Match: "r1"`).want(t, 412, "precondition_failed")
	if other.Header.Get("ETag") != second.Header.Get("ETag") {
		t.Errorf("a tag of something else is refused with ETag %q", other.Header.Get("ETag"))
	}
	h.call("PUT", stock, `{"closed":true}`, `If-Match: *`).want(t, 200, "")

	product := h.flex.ID + "/" + h.standard.ID + "/" + day
	rate := h.call("PUT", "/v1/rates/"+product, `{"adjust":{"kind":"percent","value":"10","rounding":"nearest_1"}}`).want(t, 200, "")
	if amount := rate.json(t)["amount"].(map[string]any)["amount"]; amount != "109.00" {
		t.Errorf("amount %v", amount)
	}
	rule := h.call("PUT", "/v1/restrictions/"+product, `{"min_stay_arrival":2}`, `If-Match: "v0"`).want(t, 200, "")
	if rule.json(t)["own"].(map[string]any)["min_stay_arrival"] != 2.0 {
		t.Errorf("rule %v", rule.json(t))
	}
	h.call("PUT", "/v1/restrictions/"+product, `{"min_stay_arrival":3}`, `If-Match: "v0"`).want(t, 412, "precondition_failed")
}

func TestPutCellRefusals(t *testing.T) {
	h := newHouse(t)
	product := h.flex.ID + "/" + h.standard.ID
	family := h.call("POST", "/v1/room-types", `{"property_id":"hotel_123","code":"family","consumes":[{"any_of":["`+h.standard.Consumes[0].AnyOf[0]+`"],"units":2}],"base_occupancy":2,"max_adults":4,"max_occupancy":4}`).want(t, 201, "").json(t)["id"].(string)
	for _, c := range []struct {
		name, path, body string
		status           int
		code, item, at   string
	}{
		{"no room type", "/v1/inventory/x/2026-12-03", `{"closed":true}`, 404, "not_found", "", ""},
		{"no plan", "/v1/rates/x/" + h.standard.ID + "/2026-12-03", `{"amount":null}`, 404, "not_found", "", ""},
		{"a plan that does not sell the room", "/v1/rates/" + h.flex.ID + "/x/2026-12-03", `{"amount":null}`, 404, "not_found", "", ""},
		{"past", "/v1/inventory/" + h.standard.ID + "/2026-11-20", `{"closed":true}`, 422, "validation_failed", "date_in_past", "date"},
		{"no date", "/v1/inventory/" + h.standard.ID + "/2026-02-30", `{"closed":true}`, 400, "invalid_parameter", "format", "date"},
		{"a pool that is shared", "/v1/inventory/" + family + "/2026-12-03", `{"total":1}`, 422, "validation_failed", "pool_owned", "room_type_id"},
		{"nothing to set", "/v1/inventory/" + h.standard.ID + "/2026-12-03", `{}`, 422, "validation_failed", "length", ""},
		{"out of range", "/v1/inventory/" + h.standard.ID + "/2026-12-03", `{"total":10000}`, 422, "validation_failed", "max", "/total"},
		{"another currency", "/v1/rates/" + product + "/2026-12-03", `{"amount":{"amount":"1","currency":"USD"}}`, 422, "validation_failed", "currency_mismatch", "/amount"},
		{"contradiction", "/v1/restrictions/" + product + "/2026-12-03", `{"min_stay_through":3,"max_stay_through":2}`, 422, "validation_failed", "restriction_contradiction", "/min_stay_through"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.call("PUT", c.path, c.body).want(t, c.status, c.code).json(t)
			if c.item == "" {
				return
			}
			item := got["errors"].([]any)[0].(map[string]any)
			at, inBody := item["pointer"].(string)
			if !inBody {
				at, _ = item["parameter"].(string)
			}
			if item["code"] != c.item || at != c.at {
				t.Errorf("item %v", item)
			}
		})
	}
}

func TestCompactLists(t *testing.T) {
	h := newHouse(t)
	h.update("inventory", `{"room_type_id":"`+h.standard.ID+`","date_from":"2026-12-05","date_to":"2026-12-06","values":{"out_of_order":1}}`).want(t, 200, "")
	span := "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-09&compact=true"
	want := []string{
		h.standard.ID + " 2026-12-01 2026-12-04 0 <nil>", h.standard.ID + " 2026-12-05 2026-12-06 1 <nil>",
		h.standard.ID + " 2026-12-07 2026-12-09 0 <nil>", h.deluxe.ID + " 2026-12-01 2026-12-09 0 <nil>",
	}
	members := []string{"room_type_id", "date_from", "date_to", "out_of_order", "date"}
	if diff := cmp.Diff(want, h.call("GET", span, "").want(t, 200, "").cells(t, members...)); diff != "" {
		t.Error(diff)
	}
	var paged []string
	for next := span + "&limit=1"; next != ""; {
		page := h.call("GET", next, "").want(t, 200, "")
		paged = append(paged, page.cells(t, members...)...)
		cursor, more := page.json(t)["next_cursor"].(string)
		if next = ""; more {
			next = span + "&limit=1&cursor=" + cursor
		}
	}
	if diff := cmp.Diff(want, paged); diff != "" {
		t.Errorf("in pages: %s", diff)
	}
	rates := h.call("GET", "/v1/rates?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-09&compact=true&rate_plan_id="+h.flex.ID, "").want(t, 200, "")
	if got := rates.cells(t, "date_from", "date_to"); len(got) != 2 || got[0] != "2026-12-01 2026-12-09" {
		t.Errorf("rates %v", got)
	}
}

func TestPartialAndDryUpdates(t *testing.T) {
	h := newHouse(t)
	entries := `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-03","date_to":"2026-12-04","values":{"total":9}},` +
		`{"room_type_id":"x","date_from":"2026-12-03","date_to":"2026-12-03","values":{"total":9}}`
	send := func(more string) reply {
		t.Helper()
		return h.call("POST", "/v1/inventory/updates", `{"property_id":"hotel_123",`+more+`"entries":[`+entries+`]}`)
	}
	send("").want(t, 422, "validation_failed")
	dry := send(`"mode":"partial","dry_run":true,`).want(t, 200, "")
	if body := dry.json(t); dry.Header.Get("Location") != "" || body["id"] != nil || body["dry_run"] != true || body["cells_changed"] != 2.0 {
		t.Errorf("dry run %v", body)
	}
	body := send(`"mode":"partial",`).want(t, 200, "").json(t)
	results := body["results"].([]any)
	rejected := results[1].(map[string]any)
	if results[0].(map[string]any)["status"] != "applied" || rejected["status"] != "rejected" || body["cells_changed"] != 2.0 ||
		rejected["errors"].([]any)[0].(map[string]any)["code"] != "unknown_room_type" {
		t.Errorf("body %v", body)
	}
	list := h.call("GET", "/v1/ari-updates?property_id=hotel_123&kind=inventory", "").want(t, 200, "")
	if got := list.cells(t, "id"); len(got) != 1 || got[0] != body["id"] {
		t.Errorf("updates %v", got)
	}
	h.call("GET", "/v1/ari-updates?property_id=hotel_123&status=gone", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/ari-updates?property_id=none", "").want(t, 404, "property_not_found")
}

// What a property has given to its PMS is the PMS's to write.
func TestOwnedByPMS(t *testing.T) {
	h := newHouse(t)
	h.call("PATCH", "/v1/properties/hotel_123", `{"truth":{"stock":"pms"}}`).want(t, 200, "")
	entry := `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-03","date_to":"2026-12-03","values":{"total":9}}`
	h.update("inventory", entry).want(t, 200, "") // the client of the tests is a PMS
	c, err := h.auth.CreateClient(t.Context(), tester, hotel.Once{}, auth.Client{
		Name: "group", Environment: auth.Production, Kind: "enterprise", Scopes: auth.AllScopes() &^ auth.ScopesOf(auth.AdminClients), PropertyIDs: []string{"*"},
	})
	if err != nil {
		t.Fatal(err)
	}
	other := "Authorization: Bearer " + h.tokenOf(c.Client)
	h.update("inventory", entry, other).want(t, 409, "owned_by_pms")
	h.call("PUT", "/v1/inventory/"+h.standard.ID+"/2026-12-03", `{"total":8}`, other).want(t, 409, "owned_by_pms")
	h.call("PUT", "/v1/rates/"+h.flex.ID+"/"+h.standard.ID+"/2026-12-03", `{"amount":null}`, other).want(t, 200, "")
	room, pool, plan := "/v1/room-types/"+h.standard.ID, "/v1/pools/"+h.standard.Consumes[0].AnyOf[0], "/v1/rate-plans/"+h.flex.ID
	h.call("PATCH", plan, `{"default_restrictions":{"min_stay_arrival":2}}`, other).want(t, 200, "")
	h.call("PATCH", "/v1/properties/hotel_123", `{"truth":{"stock":"pms","restrictions":"pms"}}`).want(t, 200, "")
	for _, part := range []struct{ path, theirs, own string }{
		{room, `{"total_units":8}`, `{"name":"Standard","total_units":5}`},
		{pool, `{"total_units":7}`, `{"direct_weight":3}`},
		{plan, `{"default_restrictions":{"min_stay_arrival":3}}`, `{"name":"Flexible","default_restrictions":{"min_stay_arrival":2}}`},
	} {
		h.call("PATCH", part.path, part.theirs, other).want(t, 409, "owned_by_pms")
		h.call("PATCH", part.path, part.own, other).want(t, 200, "")
		h.call("PATCH", part.path, part.theirs).want(t, 200, "")
	}
	elsewhere := h.call("POST", "/v1/pools", `{"property_id":"hotel_123","code":"elsewhere","total_units":6}`).want(t, 201, "").json(t)["id"].(string)
	own := h.standard.Consumes[0].AnyOf[0]
	h.call("PATCH", room, `{"consumes":[{"any_of":["`+elsewhere+`"]}],"total_units":7}`, other).want(t, 200, "")
	h.call("PATCH", "/v1/pools/"+own, `{"total_units":5}`).want(t, 200, "")
	h.call("PATCH", room, `{"consumes":[],"total_units":6}`, other).want(t, 409, "owned_by_pms")
	h.call("PATCH", room, `{"consumes":[{"any_of":["`+own+`"]}],"total_units":6}`, other).want(t, 409, "owned_by_pms")
	h.call("PATCH", room, `{"consumes":[]}`, other).want(t, 200, "")
	made := func(code, more string) string {
		return `{"property_id":"hotel_123","code":"` + code + `","name":"N","room_type_ids":["` + h.standard.ID + `"]` + more + `}`
	}
	h.call("POST", "/v1/rate-plans", made("one", ""), other).want(t, 201, "")
	h.call("POST", "/v1/rate-plans", made("two", `,"default_restrictions":{"min_stay_arrival":2}`), other).want(t, 409, "owned_by_pms")
	h.call("POST", "/v1/rate-plans", made("two", `,"default_restrictions":{"min_stay_arrival":2}`)).want(t, 201, "")
	h.call("POST", "/v1/room-types", `{"property_id":"hotel_123","code":"c","total_units":2,"base_occupancy":2,"max_adults":2,"max_occupancy":2}`, other).want(t, 201, "")
}

// FuzzUpdates sends bodies of the three bulk updates: whatever they say, the
// answer is one that a client can act on, and a dry run says what the update then
// does.
func FuzzUpdates(f *testing.F) {
	h := newHouse(f)
	for _, entry := range []string{
		`{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-03","date_to":"2026-12-05","days_of_week":["fri"],"values":{"total":3,"closed":null}}`,
		`{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","date_from":"2026-12-03","date_to":"2026-12-05","values":{"adjust":{"kind":"percent","value":"-10"}}}`,
		`{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","date_from":"2026-12-03","date_to":"2026-12-03","values":{"amount":{"amount":"1.00","currency":"EUR"}}}`,
		`{"date_from":"2026-12-03","date_to":"2026-12-04","exclude_dates":["2026-12-04"],"expected_version":0,"values":{"min_stay_arrival":2,"closed":true}}`,
		`{"date_from":"2026-12-05","date_to":"2026-12-04","values":{}}`, `null`, `{"values":{"occupancy_amounts":{"1":null}}}`,
	} {
		for kind := range uint8(3) {
			f.Add(kind, entry)
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, entry string) {
		h.t = t
		path := "/v1/" + []string{"inventory", "rates", "restrictions"}[kind%3] + "/updates"
		body := `{"property_id":"hotel_123","mode":"partial","dry_run":%,"entries":[` + entry + `]}`
		send := func(dry string) reply {
			r := h.call("POST", path, strings.Replace(body, "%", dry, 1))
			if r.StatusCode >= 500 {
				t.Fatalf("%s answers %d %s", entry, r.StatusCode, r.code())
			}
			return r
		}
		dry := send("true")
		stored := send("false")
		if dry.StatusCode != stored.StatusCode {
			t.Fatalf("%s: %d, and dry %d", entry, stored.StatusCode, dry.StatusCode)
		}
		if stored.StatusCode == 200 && cmp.Diff(dry.json(t)["results"], stored.json(t)["results"]) != "" {
			t.Errorf("%s: %v, and dry %v", entry, stored.json(t), dry.json(t))
		}
	})
}

// An entry that cannot be read is refused like one that the ledger refuses: alone when
// the update is partial, with every other fault when it is not.
func TestEntriesThatCannotBeReadDoNotHinderOthers(t *testing.T) {
	h := newHouse(t)
	product := `{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","date_from":"2026-12-03","date_to":"2026-12-03","values":`
	entries := product + `{"amount":{"amount":"88.00","currency":"EUR"}}},` +
		product + `{"amount":{"amount":"1.005","currency":"EUR"}}},` +
		product + `{"amount":{"amount":"1.00","currency":"XXY"},"occupancy_amounts":{"two":"5.00","2":"5.001"}}},` +
		product + `{}},` +
		strings.Replace(product, `"values"`, `"days_of_week":[],"values"`, 1) + `{"amount":null}}`
	want := []string{
		"/entries/1/values/amount/amount amount_precision",
		"/entries/2/values/amount/currency enum",
		"/entries/2/values/occupancy_amounts/2 amount_precision",
		"/entries/2/values/occupancy_amounts/two pattern",
		"/entries/3/values length",
		"/entries/4/days_of_week length",
	}
	told := func(errs []any) (list []string) {
		for _, e := range errs {
			list = append(list, e.(map[string]any)["pointer"].(string)+" "+e.(map[string]any)["code"].(string))
		}
		slices.Sort(list)
		return list
	}
	atomic := h.call("POST", "/v1/rates/updates", `{"property_id":"hotel_123","entries":[`+entries+`]}`).want(t, 422, "validation_failed")
	if diff := cmp.Diff(want, told(atomic.json(t)["errors"].([]any))); diff != "" {
		t.Errorf("atomic: %s", diff)
	}
	partial := h.call("POST", "/v1/rates/updates", `{"property_id":"hotel_123","mode":"partial","entries":[`+entries+`]}`).want(t, 200, "").json(t)
	var got []string
	for i, r := range partial["results"].([]any) {
		if i > 0 {
			got = append(got, told(r.(map[string]any)["errors"].([]any))...)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("partial: %s", diff)
	}
	// Who has not had the answer reads it, and has it under the same key.
	read := h.call("GET", "/v1/ari-updates/"+partial["id"].(string), "").want(t, 200, "").json(t)
	if diff := cmp.Diff(partial["results"], read["results"]); diff != "" {
		t.Errorf("read later (-first +read): %s", diff)
	}
	body := `{"property_id":"hotel_123","mode":"partial","entries":[` + entries + `]}`
	first := h.call("POST", "/v1/rates/updates", body, "Idempotency-Key: partly-good").want(t, 200, "").json(t)
	again := h.call("POST", "/v1/rates/updates", body, "Idempotency-Key: partly-good").want(t, 200, "")
	if diff := cmp.Diff(first["results"], again.json(t)["results"]); diff != "" || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("replayed %q (-first +again): %s", again.Header.Get("Idempotent-Replayed"), diff)
	}
	list := h.call("GET", "/v1/ari-updates?property_id=hotel_123", "").want(t, 200, "").json(t)
	for _, u := range list["data"].([]any) {
		if u.(map[string]any)["results"] != nil {
			t.Errorf("a list tells of every entry: %v", u)
		}
	}
	// What was sent by mistake is not kept.
	carded := h.call("POST", "/v1/inventory/updates", `{"property_id":"hotel_123","mode":"partial","entries":[{"room_type_id":"`+h.standard.ID+
		`","date_from":"2026-12-03","date_to":"2026-12-03","values":{"keep_back":{"4111 1111 1111 1111":1}}}]}`).want(t, 200, "").json(t)
	kept := string(h.call("GET", "/v1/ari-updates/"+carded["id"].(string), "").want(t, 200, "").body)
	if !strings.Contains(kept, "/keep_back/**** **** **** 1111") || strings.Contains(kept, "4111") {
		t.Errorf("kept of a card's number: %s", kept)
	}
	rates := h.call("GET", "/v1/rates?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-03&rate_plan_id="+h.flex.ID+"&room_type_id="+h.standard.ID, "").want(t, 200, "").json(t)
	if amount := rates["data"].([]any)[0].(map[string]any)["amount"].(map[string]any)["amount"]; amount != "88.00" {
		t.Errorf("the good entry left %v, want 88.00", amount)
	}
}
