package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// cells lists the members of the cells of a page, one line a cell.
func (r reply) cells(t testing.TB, members ...string) []string {
	t.Helper()
	var lines []string
	for _, e := range r.json(t)["data"].([]any) {
		var line []string
		for _, m := range members {
			line = append(line, fmt.Sprint(e.(map[string]any)[m]))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}

func (h *house) update(kind, entry string, headers ...string) reply {
	h.t.Helper()
	return h.call("POST", "/v1/"+kind+"/updates", `{"property_id":"hotel_123","entries":[`+entry+`]}`, headers...)
}

func TestInventory(t *testing.T) {
	h := newHouse(t)
	const span = "property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-06"
	entry := `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-03","date_to":"2026-12-06","days_of_week":["fri","sat","sun"],"exclude_dates":["2026-12-05"],` +
		`"values":{"out_of_order":1,"sell_limit":3}}`
	got := h.update("inventory", entry).want(t, 200, "")
	body := got.json(t)
	if got.Header.Get("Location") != "https://hotel.example/v1/ari-updates/"+body["id"].(string) {
		t.Errorf("Location %q", got.Header.Get("Location"))
	}
	if body["kind"] != "inventory" || body["status"] != "completed" || body["cells_matched"] != 2.0 || body["cells_changed"] != 2.0 ||
		fmt.Sprint(body["results"]) != "[map[cells_changed:2 index:0 status:applied]]" || fmt.Sprint(body["channels"]) != "[]" {
		t.Errorf("body %v", body)
	}
	read := h.call("GET", "/v1/ari-updates/"+body["id"].(string), "").want(t, 200, "").json(t)
	if read["sequence"] != body["sequence"] || !cmp.Equal(read["results"], body["results"]) || read["revision"] != 1.0 || read["updated_at"] != read["created_at"] {
		t.Errorf("read later %v", read)
	}
	tag := h.call("GET", "/v1/ari-updates/"+body["id"].(string), "").Header.Get("ETag")
	if again := h.call("GET", "/v1/ari-updates/"+body["id"].(string), "", "If-None-Match: "+tag); !strings.HasPrefix(tag, `"r1-`) || again.StatusCode != 304 {
		t.Errorf("with the tag %s: %d", tag, again.StatusCode)
	}
	list := h.call("GET", "/v1/inventory?"+span+"&room_type_id="+h.standard.ID, "").want(t, 200, "")
	want := []string{
		"2026-12-03 5 0 <nil> false 0 5 5", "2026-12-04 5 1 3 false 0 4 3", "2026-12-05 5 0 <nil> false 0 5 5", "2026-12-06 5 1 3 false 0 4 3",
	}
	if diff := cmp.Diff(want, list.cells(t, "date", "total", "out_of_order", "sell_limit", "closed", "sold", "free", "available")); diff != "" {
		t.Error(diff)
	}
	h.update("inventory", strings.Replace(entry, `"out_of_order":1,"sell_limit":3`, `"sell_limit":null,"closed":true`, 1)).want(t, 200, "")
	list = h.call("GET", "/v1/inventory?"+span+"&room_type_id="+h.standard.ID, "").want(t, 200, "")
	if diff := cmp.Diff([]string{"0 <nil> 5", "1 <nil> 0", "0 <nil> 5", "1 <nil> 0"}, list.cells(t, "out_of_order", "sell_limit", "available")); diff != "" {
		t.Error(diff)
	}
	var paged []string
	for next := "/v1/inventory?" + span + "&limit=3"; ; {
		page := h.call("GET", next, "").want(t, 200, "")
		paged = append(paged, page.cells(t, "room_type_id", "date")...)
		cursor, more := page.json(t)["next_cursor"].(string)
		if !more {
			break
		}
		next = "/v1/inventory?" + span + "&limit=3&cursor=" + cursor
	}
	if all := h.call("GET", "/v1/inventory?"+span, "").want(t, 200, ""); cmp.Diff(all.cells(t, "room_type_id", "date"), paged) != "" || len(paged) != 8 {
		t.Errorf("pages %v", paged)
	}
	h.call("GET", "/v1/inventory?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-01", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/inventory?property_id=hotel_123&date_from=2026-12-03&date_to=2028-12-01", "").want(t, 400, "invalid_parameter")
}

func TestRates(t *testing.T) {
	h := newHouse(t)
	entry := `{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","date_from":"2026-12-03","date_to":"2026-12-03","values":{"amount":{"amount":"120.50","currency":"EUR"}}}`
	h.update("rates", entry).want(t, 200, "")
	span := "/v1/rates?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-04&room_type_id=" + h.standard.ID + "&rate_plan_id="
	want := []string{"2026-12-03 map[amount:120.50 currency:EUR] manual", "2026-12-04 map[amount:99.00 currency:EUR] manual"}
	if diff := cmp.Diff(want, h.call("GET", span+h.flex.ID, "").want(t, 200, "").cells(t, "date", "amount", "origin")); diff != "" {
		t.Error(diff)
	}
	h.update("rates", strings.Replace(entry, `{"amount":"120.50","currency":"EUR"}`, "null", 1)).want(t, 200, "")
	want = []string{"2026-12-03 <nil> none", "2026-12-04 map[amount:99.00 currency:EUR] manual"}
	if diff := cmp.Diff(want, h.call("GET", span+h.flex.ID, "").want(t, 200, "").cells(t, "date", "amount", "origin")); diff != "" {
		t.Error(diff)
	}
	beside := strings.Replace(entry, `"amount":{"amount":"120.50","currency":"EUR"}`, `"extra_adult":{"amount":"40.00","currency":"EUR"},"lock":{"by":"Reception","until":"2026-12-31"}`, 1)
	h.update("rates", strings.ReplaceAll(beside, "2026-12-03", "2026-12-04")).want(t, 200, "")
	want = []string{"<nil> <nil>", "map[amount:40.00 currency:EUR] map[by:Reception until:2026-12-31]"}
	if diff := cmp.Diff(want, h.call("GET", span+h.flex.ID+"&include=base", "").want(t, 200, "").cells(t, "extra_adult", "lock")); diff != "" {
		t.Error(diff)
	}
	h.update("rates", strings.Replace(beside, "2026-12-31", "31.12.2026", 1)).want(t, 422, "validation_failed")
	h.update("rates", strings.Replace(beside, `"extra_adult"`, `"extra_child":{"kid":{"amount":"5","currency":"EUR"}},"extra_adult"`, 1)).want(t, 422, "validation_failed")
	h.call("GET", span+h.flex.ID+"&channel_id=ch_none", "").want(t, 400, "invalid_parameter")
	h.call("GET", span+h.flex.ID+"&include=more", "").want(t, 400, "invalid_parameter")
	version := h.call("GET", span+h.flex.ID, "").want(t, 200, "").cells(t, "version")[1]
	at := func(expected string) string {
		return strings.Replace(strings.ReplaceAll(entry, "2026-12-03", "2026-12-04"), `"values"`, `"expected_version":`+expected+`,"values"`, 1)
	}
	h.update("rates", at("99999")).want(t, 409, "version_conflict")
	h.update("rates", at(version)).want(t, 200, "")
	h.update("rates", at("null")).want(t, 200, "")
}

// TestUndoOfAnUpdate: what it wrote is as it was, shown beforehand and done once; whoever
// may not write it may not take it back.
func TestUndoOfAnUpdate(t *testing.T) {
	h := newHouse(t)
	span := "/v1/restrictions?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-04&room_type_id=" + h.standard.ID + "&rate_plan_id=" + h.flex.ID
	closed := func() string {
		return strings.Join(h.call("GET", span, "").want(t, 200, "").cells(t, "closed"), " ")
	}
	id := h.update("restrictions", `{"date_from":"2026-12-03","date_to":"2026-12-04","values":{"closed":true}}`).want(t, 200, "").json(t)["id"].(string)
	h.update("restrictions", `{"date_from":"2026-12-04","date_to":"2026-12-04","values":{"closed_to_arrival":true}}`).want(t, 200, "")
	undo := "/v1/ari-updates/" + id + "/undo"
	would := h.call("POST", undo, `{"dry_run":true}`).want(t, 200, "").json(t)
	if would["dry_run"] != true || would["cells_changed"] != 1.0 || would["cells_opened"] != 1.0 || would["id"] != nil || closed() != "true true" {
		t.Errorf("it would be %v, and %s is closed", would, closed())
	}
	seen := h.call("GET", "/v1/ari-updates/"+id, "").want(t, 200, "").Header.Get("ETag")
	for _, body := range []string{"", `{"dry_run":true}`} {
		if changed := h.call("POST", undo, body, `If-Match: "r999"`).want(t, 412, "precondition_failed"); changed.Header.Get("ETag") != seen || closed() != "true true" {
			t.Errorf("%s is closed, and the update is at %s, not %s", closed(), changed.Header.Get("ETag"), seen)
		}
	}
	h.handler.(*server).requireIfMatch = true
	h.call("POST", undo, "").want(t, 428, "precondition_required")
	h.call("POST", undo, `{"dry_run":true}`).want(t, 200, "")
	h.handler.(*server).requireIfMatch = false
	for _, replayed := range []string{"", "true"} {
		done := h.call("POST", undo, "", "Idempotency-Key: k", "If-Match: "+seen).want(t, 200, "")
		got := done.json(t)
		if got["kind"] != "restrictions" || got["cells_changed"] != 1.0 || got["id"] == id || !strings.HasSuffix(done.Header.Get("Location"), got["id"].(string)) || done.Header.Get("Idempotent-Replayed") != replayed {
			t.Errorf("%v at %s, replayed %q", got, done.Header.Get("Location"), done.Header.Get("Idempotent-Replayed"))
		}
	}
	if closed() != "false true" {
		t.Errorf("%s is closed, want the night that was written again since", closed())
	}
	h.call("POST", undo, "").want(t, 409, "nothing_to_undo")
	h.call("POST", "/v1/ari-updates/ari_none/undo", "").want(t, 404, "not_found")
	h.call("POST", undo, `{"dry":true}`).want(t, 422, "validation_failed")
}

func TestRestrictions(t *testing.T) {
	h := newHouse(t)
	const dates = `"date_from":"2026-12-03","date_to":"2026-12-03"`
	h.update("restrictions", `{`+dates+`,"values":{"closed_to_arrival":true,"min_stay_arrival":2}},{"room_type_id":"`+h.standard.ID+`","rate_plan_id":"`+h.flex.ID+`",`+dates+`,"values":{"min_stay_arrival":3}}`).want(t, 200, "")
	list := h.call("GET", "/v1/restrictions?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-03&rate_plan_id="+h.flex.ID, "").want(t, 200, "")
	want := []string{h.standard.ID + " false true 3 <nil>", h.deluxe.ID + " false true 2 <nil>"}
	if diff := cmp.Diff(want, list.cells(t, "room_type_id", "closed", "closed_to_arrival", "min_stay_arrival", "max_stay_arrival")); diff != "" {
		t.Error(diff)
	}
	own := list.json(t)["data"].([]any)[0].(map[string]any)["own"].(map[string]any)
	if own["min_stay_arrival"] != 3.0 || own["closed_to_arrival"] != nil {
		t.Errorf("own %v", own)
	}
}

// Beside what holds for a product stand, when asked for, what would hold without the plan
// that it is derived from, and what a channel is to show: here the closings alone.
func TestRestrictionsOfAChannelAndBeforeInheritance(t *testing.T) {
	h := newHouse(t)
	channel := h.live()
	derived := h.call("POST", "/v1/rate-plans", `{"property_id":"hotel_123","code":"derived","name":"Derived","room_type_ids":["`+h.standard.ID+`"],
		"derived_from":{"rate_plan_id":"`+h.flex.ID+`","kind":"percent","value":"-10"}}`).want(t, 201, "").json(t)["id"].(string)
	const dates = `"date_from":"2026-12-03","date_to":"2026-12-03"`
	h.update("restrictions", `{"rate_plan_id":"`+h.flex.ID+`",`+dates+`,"values":{"closed_to_arrival":true,"min_stay_arrival":3}},
		{"rate_plan_id":"`+derived+`",`+dates+`,"values":{"min_stay_arrival":2}}`).want(t, 200, "")
	h.tell(channel)
	cells := func(more string) []any {
		return h.call("GET", "/v1/restrictions?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-03&room_type_id="+h.standard.ID+more, "").
			want(t, 200, "").json(t)["data"].([]any)
	}
	says := func(of any) string {
		c, ok := of.(map[string]any)
		if !ok {
			return "nothing"
		}
		return fmt.Sprint(c["closed_to_arrival"], " ", c["min_stay_arrival"])
	}
	for plan, want := range map[string]string{h.flex.ID: "true 3; true 3; true <nil>", derived: "true 3; false 2; nothing"} {
		cell := cells("&rate_plan_id=" + plan + "&include=base&channel_id=" + channel)[0].(map[string]any)
		if got := says(cell) + "; " + says(cell["base"]) + "; " + says(cell["channel"]); got != want {
			t.Errorf("plan %s says %s, want %s", plan, got, want)
		}
	}
	if plain := cells("")[0].(map[string]any); plain["base"] != nil || plain["channel"] != nil {
		t.Errorf("told without being asked: %v", plain)
	}
	h.call("GET", "/v1/restrictions?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-03&channel_id=ch_none", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/restrictions?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-03&include=house", "").want(t, 400, "invalid_parameter")
}

func TestUpdateRefusals(t *testing.T) {
	h := newHouse(t)
	room := `"room_type_id":"` + h.standard.ID + `"`
	product := room + `,"rate_plan_id":"` + h.flex.ID + `"`
	const day = `,"date_from":"2026-12-03","date_to":"2026-12-03"`
	for _, c := range []struct {
		name, kind, entry, item, at string
	}{
		{"no entries", "inventory", ``, "length", "/entries"},
		{"no values", "inventory", `{` + room + day + `,"values":{}}`, "length", "/entries/0/values"},
		{"neither room nor pool", "inventory", `{"date_from":"2026-12-03","date_to":"2026-12-03","values":{"closed":true}}`, "required", "/entries/0/room_type_id"},
		{"negative", "inventory", `{` + room + day + `,"values":{"total":-1}}`, "min", "/entries/0/values/total"},
		{"far too many", "inventory", `{` + room + day + `,"values":{"total":10000}}`, "max", "/entries/0/values/total"},
		{"wrong type", "inventory", `{` + room + day + `,"values":{"total":"5"}}`, "type", "/entries/0/values/total"},
		{"unknown value", "inventory", `{` + room + day + `,"values":{"totl":5}}`, "unknown_field", "/entries/0/values/totl"},
		{"unknown day", "inventory", `{` + room + day + `,"days_of_week":["foo"],"values":{"total":5}}`, "enum", "/entries/0/days_of_week/0"},
		{"no day", "inventory", `{` + room + day + `,"days_of_week":[],"values":{"total":5}}`, "length", "/entries/0/days_of_week"},
		{"too many dates", "inventory", `{` + room + `,"date_from":"2026-12-03","date_to":"9999-12-03","values":{"total":5}}`, "max", "/entries/0/date_to"},
		{"past", "inventory", `{` + room + `,"date_from":"2026-11-20","date_to":"2026-11-21","values":{"total":5}}`, "date_in_past", "/entries/0/date_from"},
		{"beyond the horizon", "inventory", `{` + room + `,"date_from":"2026-12-03","date_to":"2027-01-03","values":{"total":5}}`, "date_horizon", "/entries/0/date_to"},
		{"backwards", "inventory", `{` + room + `,"date_from":"2026-12-03","date_to":"2026-12-01","values":{"total":5}}`, "date_order", "/entries/0/date_to"},
		{"no such room", "rates", `{"room_type_id":"x","rate_plan_id":"` + h.flex.ID + `"` + day + `,"values":{"amount":null}}`, "unknown_room_type", "/entries/0/room_type_id"},
		{"no such plan", "rates", `{` + room + `,"rate_plan_id":"x"` + day + `,"values":{"amount":null}}`, "unknown_rate_plan", "/entries/0/rate_plan_id"},
		{"other currency", "rates", `{` + product + day + `,"values":{"amount":{"amount":"1","currency":"USD"}}}`, "currency_mismatch", "/entries/0/values/amount"},
		{"no currency", "rates", `{` + product + day + `,"values":{"amount":{"amount":"1","currency":"XYZ"}}}`, "enum", "/entries/0/values/amount/currency"},
		{"too precise", "rates", `{` + product + day + `,"values":{"amount":{"amount":"1.001","currency":"EUR"}}}`, "amount_precision", "/entries/0/values/amount/amount"},
		{"a number", "rates", `{` + product + day + `,"values":{"amount":{"amount":1,"currency":"EUR"}}}`, "type", "/entries/0/values/amount/amount"},
		{"negative price", "rates", `{` + product + day + `,"values":{"amount":{"amount":"-1","currency":"EUR"}}}`, "min", "/entries/0/values/amount"},
		{"price by guests of a plan that has none", "rates", `{` + product + day + `,"values":{"occupancy_amounts":{"1":"80.00"}}}`, "type", "/entries/0/values/occupancy_amounts/1"},
		{"guests that are no number", "rates", `{` + product + day + `,"values":{"occupancy_amounts":{"one":"80.00"}}}`, "pattern", "/entries/0/values/occupancy_amounts/one"},
		{"minimum 0", "restrictions", `{` + product + day + `,"values":{"min_stay_arrival":0}}`, "min", "/entries/0/values/min_stay_arrival"},
		{"minimum above maximum", "restrictions", `{` + product + day + `,"values":{"min_stay_arrival":3,"max_stay_arrival":2}}`, "restriction_contradiction", "/entries/0/values/min_stay_arrival"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.update(c.kind, c.entry).want(t, 422, "validation_failed").json(t)
			item := got["errors"].([]any)[0].(map[string]any)
			if item["code"] != c.item || item["pointer"] != c.at {
				t.Errorf("item %v, want %s at %s", item, c.item, c.at)
			}
		})
	}
	long := `{` + room + `,"date_from":"2026-11-21","date_to":"2028-04-03","values":{"total":5}}`
	h.update("inventory", long+strings.Repeat(","+long, 200)).want(t, 413, "body_too_large")
}

// Lists by night answer for any point of the journal.
func TestListsAsOf(t *testing.T) {
	h := newHouse(t)
	span := "property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-03&room_type_id=" + h.standard.ID
	entry := func(limit string) string {
		return `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-03","date_to":"2026-12-03","values":{"sell_limit":` + limit + `}}`
	}
	first := h.update("inventory", entry("3")).want(t, 200, "").json(t)["sequence"].(float64)
	noted := h.clock.Now().UTC().Format(time.RFC3339)
	h.clock.move(time.Minute)
	h.update("inventory", entry("1")).want(t, 200, "")
	for _, test := range []struct{ at, limit string }{
		{"", "1"},
		{"&as_of_sequence=" + fmt.Sprint(first), "3"},
		{"&as_of=" + noted, "3"},
		{"&as_of=" + h.clock.Now().UTC().Format(time.RFC3339), "1"},
	} {
		list := h.call("GET", "/v1/inventory?"+span+test.at, "").want(t, 200, "")
		if got := list.cells(t, "sell_limit"); got[0] != test.limit {
			t.Errorf("%q: sell limit %s, want %s", test.at, got[0], test.limit)
		}
	}
	for _, kind := range []string{"rates", "restrictions"} {
		h.call("GET", "/v1/"+kind+"?"+span+"&as_of_sequence="+fmt.Sprint(first), "").want(t, 200, "")
	}
	for _, test := range []struct {
		at     string
		status int
		code   string
	}{
		{"&as_of=yesterday", 400, "invalid_parameter"},
		{"&as_of=2099-01-01T00:00:00Z", 400, "invalid_parameter"},
		{"&as_of_sequence=0", 400, "invalid_parameter"},
		{"&as_of_sequence=1000000", 400, "invalid_parameter"},
		{"&as_of_sequence=3&as_of=" + noted, 400, "invalid_parameter"},
	} {
		h.call("GET", "/v1/inventory?"+span+test.at, "").want(t, test.status, test.code)
	}
}

// Before anything was written of a property there is nothing to tell, in every list by night:
// of one that is as old as the ledger, and of one that came later.
func TestListsAsOfATimeBeforeTheLedger(t *testing.T) {
	h := newHouse(t)
	began := h.clock.Now()
	h.clock.move(time.Minute)
	late := `{"id":"hotel_late","name":"Late","time_zone":"Europe/Berlin","currency":"EUR","country":"DE"}`
	h.call("POST", "/v1/properties", late).want(t, 201, "")
	client, _ := h.newClient("late", h.client.Scopes, "hotel_late")
	for _, test := range []struct {
		property, token string
		asOf            time.Time
	}{
		{"hotel_123", h.token, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"hotel_late", h.tokenOf(client), began},
	} {
		for _, kind := range []string{"inventory", "rates", "restrictions"} {
			path := "/v1/" + kind + "?date_from=2026-12-03&date_to=2026-12-03&property_id=" + test.property + "&as_of="
			as := "Authorization: Bearer " + test.token
			said := h.call("GET", path+test.asOf.UTC().Format(time.RFC3339), "", as).want(t, 410, "as_of_expired").json(t)
			earliest, _ := said["earliest"].(string)
			h.call("GET", path+earliest, "", as).want(t, 200, "")
		}
	}
}

// What a channel was to show of restrictions in the past is not told by a list that leaves
// it out.
func TestNoRestrictionsOfAChannelAsOf(t *testing.T) {
	h := newHouse(t)
	path := "/v1/restrictions?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-03&channel_id=" + h.draft()
	h.call("GET", path, "").want(t, 200, "")
	h.clock.move(time.Minute)
	past := path + "&as_of=" + h.clock.Now().Add(-time.Second).UTC().Format(time.RFC3339)
	item := h.call("GET", past, "").want(t, 400, "invalid_parameter").json(t)["errors"].([]any)[0].(map[string]any)
	if item["parameter"] != "channel_id" || !strings.Contains(item["detail"].(string), "explain") {
		t.Errorf("refused with %v", item)
	}
}
