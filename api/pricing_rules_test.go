package api

import (
	"fmt"
	"strings"
	"testing"
)

func ruleJSON(more string) string {
	return `{"property_id":"hotel_123","name":"High season","priority":10,"action":{"kind":"percent","value":"10"}` + more + `}`
}

// priceOf is what a night of the standard room costs under the flexible plan,
// with the rules that made it so.
func (h *house) priceOf(date string) string {
	c := h.call("GET", "/v1/rates?property_id=hotel_123&date_from="+date+"&date_to="+date+"&room_type_id="+h.standard.ID+"&rate_plan_id="+h.flex.ID, "").want(h.t, 200, "")
	return c.cells(h.t, "amount", "origin", "base_amount")[0]
}

func TestPricingRules(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/pricing-rules", ruleJSON(`,"scope":{"date_from":"2026-12-02","days_of_week":["wed","thu"]},"conditions":[{"metric":"rooms_left","op":"between","value":[2,5]}],"ceiling":{"amount":"105.00","currency":"EUR"}`)).want(t, 201, "")
	r := made.json(t)
	id := r["id"].(string)
	if made.Header.Get("Location") != "https://hotel.example/v1/pricing-rules/"+id || r["enabled"] != true || r["stop"] != false || r["floor"] != nil ||
		fmt.Sprint(r["conditions"]) != "[map[metric:rooms_left op:between value:[2 5]]]" || fmt.Sprint(r["scope"]) != "map[date_from:2026-12-02 days_of_week:[wed thu]]" {
		t.Errorf("made %s", made.body)
	}
	plain, ruled := "map[amount:99.00 currency:EUR] manual map[amount:99.00 currency:EUR]", "map[amount:105.00 currency:EUR] rule map[amount:99.00 currency:EUR]"
	if a, b, c := h.priceOf("2026-12-01"), h.priceOf("2026-12-02"), h.priceOf("2026-12-04"); a != plain || b != ruled || c != plain {
		t.Errorf("prices %s, %s, %s", a, b, c)
	}
	get := h.call("GET", "/v1/pricing-rules/"+id, "").want(t, 200, "")
	if string(get.body) != string(made.body) || h.call("GET", "/v1/pricing-rules/"+id, "", "If-None-Match: "+get.Header.Get("ETag")).StatusCode != 304 {
		t.Errorf("read %s", get.body)
	}

	patch := `{"scope":{"days_of_week":null},"conditions":null,"ceiling":null,"action":{"value":"5.5"},"rounding":"nearest_1"}`
	changed := h.call("PATCH", "/v1/pricing-rules/"+id, patch, "If-Match: "+made.Header.Get("ETag")).want(t, 200, "").json(t)
	if changed["revision"] != 2.0 || fmt.Sprint(changed["scope"]) != "map[date_from:2026-12-02]" || fmt.Sprint(changed["conditions"]) != "[]" ||
		fmt.Sprint(changed["action"]) != "map[kind:percent value:5.5]" || changed["ceiling"] != nil || changed["name"] != "High season" {
		t.Errorf("changed %v", changed)
	}
	if got := h.priceOf("2026-12-04"); !strings.HasPrefix(got, "map[amount:104.00 currency:EUR] rule") {
		t.Errorf("after the change %s", got)
	}
	h.call("PATCH", "/v1/pricing-rules/"+id, patch, "If-Match: "+made.Header.Get("ETag")).want(t, 412, "precondition_failed")
	if again := h.call("PATCH", "/v1/pricing-rules/"+id, patch).want(t, 200, "").json(t); again["revision"] != 2.0 {
		t.Errorf("the same change again: %v", again)
	}
	h.call("DELETE", "/v1/pricing-rules/"+id, "", "If-Match: "+made.Header.Get("ETag")).want(t, 412, "precondition_failed")
	h.call("DELETE", "/v1/pricing-rules/"+id, "").want(t, 204, "")
	h.call("DELETE", "/v1/pricing-rules/"+id, "").want(t, 404, "not_found")
	h.call("GET", "/v1/pricing-rules/"+id, "").want(t, 404, "not_found")
	if got := h.priceOf("2026-12-04"); got != plain {
		t.Errorf("after it is gone %s", got)
	}
}

func TestPricingRulesAreListed(t *testing.T) {
	h := newHouse(t)
	rule := func(priority string) string {
		return h.call("POST", "/v1/pricing-rules", strings.Replace(ruleJSON(""), `"priority":10`, `"priority":`+priority, 1)).want(t, 201, "").json(t)["id"].(string)
	}
	b, a := rule("20"), rule("5")
	if got := h.call("GET", "/v1/events?type=pricing_rule.*", "").want(t, 200, "").json(t)["data"].([]any); len(got) != 2 ||
		got[0].(map[string]any)["data"].(map[string]any)["object"].(map[string]any)["id"] != b {
		t.Errorf("events %v", got)
	}
	for query, want := range map[string]string{"": a + " " + b, "?property_id=hotel_456": "", "?limit=1": a} {
		if got := h.call("GET", "/v1/pricing-rules"+query, "").want(t, 200, "").ids(t); got != want {
			t.Errorf("rules%s: %s, want %s", query, got, want)
		}
	}
	stranger, _ := h.newClient("stranger", h.client.Scopes, "hotel_456")
	as := "Authorization: Bearer " + h.tokenOf(stranger)
	h.call("GET", "/v1/pricing-rules/"+a, "", as).want(t, 404, "not_found")
	h.call("PATCH", "/v1/pricing-rules/"+a, `{"name":"x"}`, as).want(t, 404, "not_found")
	h.call("DELETE", "/v1/pricing-rules/"+a, "", as).want(t, 404, "not_found")
	h.call("POST", "/v1/pricing-rules", ruleJSON(""), as).want(t, 404, "property_not_found")
	h.call("POST", "/v1/pricing-rules/simulations", `{"property_id":"hotel_123","date_from":"2026-12-01","date_to":"2026-12-02"}`, as).want(t, 404, "property_not_found")
	if got := h.call("GET", "/v1/pricing-rules", "", as).want(t, 200, "").ids(t); got != "" {
		t.Errorf("a stranger sees %s", got)
	}
}

func TestPricingRulesRefuse(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/pricing-rules", ruleJSON("")).want(t, 201, "").json(t)["id"].(string)
	for _, c := range []struct{ name, method, path, body, want string }{
		{"no action", "POST", "", strings.Replace(ruleJSON(""), `"action":{"kind":"percent","value":"10"}`, `"enabled":true`, 1), "/action"},
		{"a priority too high", "POST", "", strings.Replace(ruleJSON(""), `10,`, `1001,`, 1), "/priority"},
		{"an action that is no number", "POST", "", strings.Replace(ruleJSON(""), `"10"}`, `"ten"}`, 1), "/action/value"},
		{"a percentage too far down", "POST", "", strings.Replace(ruleJSON(""), `"10"}`, `"-100.1"}`, 1), "/action/value"},
		{"an unknown plan", "POST", "", ruleJSON(`,"scope":{"rate_plan_ids":["rp_none"]}`), "/scope/rate_plan_ids/0"},
		{"an unknown room type", "POST", "", ruleJSON(`,"scope":{"room_type_ids":["rt_none"]}`), "/scope/room_type_ids/0"},
		{"dates backwards", "POST", "", ruleJSON(`,"scope":{"date_from":"2026-12-02","date_to":"2026-12-01"}`), "/scope/date_to"},
		{"no such day", "POST", "", ruleJSON(`,"scope":{"days_of_week":["someday"]}`), "/scope/days_of_week/0"},
		{"between one number", "POST", "", ruleJSON(`,"conditions":[{"metric":"rooms_left","op":"between","value":2}]`), "/conditions/0/value"},
		{"a value that is a text", "POST", "", ruleJSON(`,"conditions":[{"metric":"rooms_left","op":"lt","value":"2"}]`), "/conditions/0/value"},
		{"a number with an exponent", "POST", "", ruleJSON(`,"conditions":[{"metric":"rooms_left","op":"lt","value":2e-1}]`), "/conditions/0/value"},
		{"limits in another currency", "POST", "", ruleJSON(`,"floor":{"amount":"5","currency":"JPY"}`), "/floor"},
		{"a hysteresis that is a text", "POST", "", ruleJSON(`,"hysteresis_pct":"5"`), "/hysteresis_pct"},
		{"a hysteresis too fine", "POST", "", ruleJSON(`,"hysteresis_pct":5.125`), "/hysteresis_pct"},
		{"a hysteresis beyond the value", "PATCH", "/" + id, `{"hysteresis_pct":101}`, "/hysteresis_pct"},
		{"a hysteresis with an exponent", "POST", "", ruleJSON(`,"hysteresis_pct":5e-1`), "/hysteresis_pct"},
		{"no change at all", "PATCH", "/" + id, `{"max_changes_per_day":0}`, "/max_changes_per_day"},
		{"an unknown member", "POST", "", ruleJSON(`,"colour":"x"`), "/colour"},
		{"a name that is cleared", "PATCH", "/" + id, `{"name":null}`, "/name"},
		{"an action that is cleared", "PATCH", "/" + id, `{"action":null}`, "/action"},
		{"too many days to simulate", "POST", "/simulations", `{"property_id":"hotel_123","date_from":"2026-12-01","date_to":"2028-12-02"}`, "/date_to"},
		{"an unknown plan to simulate", "POST", "/simulations", `{"property_id":"hotel_123","date_from":"2026-12-01","date_to":"2026-12-02","rules":[{"name":"a","priority":1,"action":{"kind":"set","value":"1"},"scope":{"rate_plan_ids":["rp_none"]}}]}`, "/rules/0/scope/rate_plan_ids/0"},
		{"an amount too fine to simulate", "POST", "/simulations", `{"property_id":"hotel_123","date_from":"2026-12-01","date_to":"2026-12-02","rules":[{"name":"a","priority":1,"action":{"kind":"set","value":"1"},"floor":{"amount":"1.234","currency":"EUR"}}]}`, "/rules/0/floor/amount"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.call(c.method, "/v1/pricing-rules"+c.path, c.body).want(t, 422, "validation_failed")
			if !strings.Contains(string(r.body), fmt.Sprintf("%q", c.want)) {
				t.Errorf("refused %s, want %s", r.body, c.want)
			}
		})
	}
	h.call("POST", "/v1/pricing-rules", strings.Replace(ruleJSON(""), "hotel_123", "none", 1)).want(t, 404, "property_not_found")
}

func TestARuleIsMadeOnceUnderItsKey(t *testing.T) {
	h := newHouse(t)
	first := h.call("POST", "/v1/pricing-rules", ruleJSON(""), "Idempotency-Key: k1").want(t, 201, "")
	again := h.call("POST", "/v1/pricing-rules", ruleJSON(""), "Idempotency-Key: k1").want(t, 201, "")
	if again.Header.Get("Idempotent-Replayed") != "true" || string(again.body) != string(first.body) {
		t.Errorf("again %s", again.body)
	}
	h.call("POST", "/v1/pricing-rules", ruleJSON(`,"stop":true`), "Idempotency-Key: k1").want(t, 422, "idempotency_key_reused")
	path := "/v1/pricing-rules/" + first.json(t)["id"].(string)
	h.call("PATCH", path, `{"stop":true}`, "Idempotency-Key: k2").want(t, 200, "")
	if again := h.call("PATCH", path, `{"stop":true}`, "Idempotency-Key: k2").want(t, 200, ""); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("a change was made twice under one key")
	}
}

func TestSimulatedRules(t *testing.T) {
	h := newHouse(t)
	h.call("POST", "/v1/pricing-rules", ruleJSON("")).want(t, 201, "")
	try := func(rules string) []string {
		r := h.call("POST", "/v1/pricing-rules/simulations", `{"property_id":"hotel_123","date_from":"2026-12-03","date_to":"2026-12-03"`+rules+`}`).want(t, 200, "")
		var cells []string
		for _, c := range r.json(t)["data"].([]any) {
			if c := c.(map[string]any); c["room_type_id"] == h.standard.ID && c["rate_plan_id"] == h.flex.ID {
				cells = append(cells, fmt.Sprint(c["before"].(map[string]any)["amount"], " ", c["after"].(map[string]any)["amount"], " ", len(c["applied_rule_ids"].([]any))))
			}
		}
		return cells
	}
	for rules, want := range map[string]string{
		"": "[99.00 108.90 1]", `,"rules":[]`: "[108.90 99.00 0]",
		`,"rules":[{"name":"a","priority":1,"action":{"kind":"amount","value":"-9"}},{"name":"b","priority":2,"action":{"kind":"set","value":"70"}}]`: "[108.90 70.00 2]",
	} {
		if got := fmt.Sprint(try(rules)); got != want {
			t.Errorf("simulation of %q: %s, want %s", rules, got, want)
		}
	}
	// Of equal priority the earlier in the request acts first, also behind the tenth.
	off := `{"name":"a","priority":1,"enabled":false,"action":{"kind":"set","value":"1"}},`
	many := `,"rules":[` + strings.Repeat(off, 2) + strings.Replace(off, `false,"action":{"kind":"set","value":"1"}`, `true,"action":{"kind":"set","value":"70"}`, 1) +
		strings.Repeat(off, 7) + `{"name":"b","priority":1,"action":{"kind":"set","value":"80"}}]`
	if got, want := fmt.Sprint(try(many)), "[108.90 80.00 2]"; got != want {
		t.Errorf("eleven rules: %s, want %s", got, want)
	}
	if got := h.priceOf("2026-12-03"); !strings.Contains(got, "108.90") {
		t.Errorf("a simulation left %s", got)
	}
}

// No body makes the server fail, and what it stores can be read.
func FuzzPricingRule(f *testing.F) {
	h := newHouse(f)
	f.Add(ruleJSON(""))
	f.Add(ruleJSON(`,"conditions":[{"metric":"pickup_7d","op":"between","value":[-1.5,2]}],"scope":{"days_of_week":["mon"]}`))
	f.Add(ruleJSON(`,"conditions":[{"metric":"rooms_left","op":"lt","value":[1e9,null]}]`))
	f.Fuzz(func(t *testing.T, body string) {
		h.t = t
		r := h.call("POST", "/v1/pricing-rules", body)
		if r.StatusCode >= 500 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
		if r.StatusCode == 201 {
			id := "/v1/pricing-rules/" + r.json(t)["id"].(string)
			h.call("GET", id, "").want(t, 200, "")
			h.priceOf("2026-12-03")
			h.call("DELETE", id, "").want(t, 204, "")
		}
	})
}
