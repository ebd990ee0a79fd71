package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ostler.example/internal/auth"
)

// with adds members to a booking.
func with(booking, members string) string {
	return strings.Replace(booking, `"adults":2`, `"adults":2,`+members, 1)
}

func TestSteps(t *testing.T) {
	h := newHouse(t)
	enquiry := with(h.booking("2026-12-01", "2026-12-03"), `"status":"enquired"`)
	for _, c := range []struct {
		name, begin string
		steps       []string // action, body, status that follows or the code of the refusal
	}{
		{"an enquiry that becomes a stay", enquiry, []string{
			"hold", `{"until":"2026-11-22T10:00:00Z"}`, "held", "confirm", ``, "confirmed", "check-in", ``, "invalid_transition", "cancel", `{"reason":"guest"}`, "cancelled",
			"reinstate", `{}`, "confirmed",
		}},
		{"an enquiry that is declined", enquiry, []string{"request", ``, "requested", "decline", `{"decline_reason":"guest"}`, "declined", "decline", ``, "declined", "confirm", ``, "invalid_transition"}},
		{"a guest who walks in", with(h.booking("2026-11-21", "2026-11-23"), `"status":"checked_in"`), []string{
			"undo-check-in", ``, "confirmed", "check-in", `{"room_number":"12"}`, "checked_in", "check-in", ``, "checked_in", "no-show", ``, "invalid_transition",
			"check-out", `{"release_tonight":true}`, "checked_out", "undo-check-out", ``, "checked_in", "undo-check-out", ``, "invalid_transition",
		}},
		{"held for no time", enquiry, []string{"hold", ``, "validation_failed", "hold", `{}`, "validation_failed", "hold", `{"until":"2026-11-20T10:00:00Z"}`, "validation_failed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.call("POST", "/v1/reservations", c.begin).want(t, 201, "").json(t)
			path := "/v1/reservations/" + r["id"].(string) + "/"
			for i := 0; i < len(c.steps); i += 3 {
				got := h.call("POST", path+c.steps[i], c.steps[i+1])
				if outcome := fmt.Sprint(got.json(t)["status"]); got.StatusCode == 200 && outcome != c.steps[i+2] || got.StatusCode != 200 && got.code() != c.steps[i+2] {
					t.Fatalf("%s: %d %s, want %s", c.steps[i], got.StatusCode, got.body, c.steps[i+2])
				}
			}
		})
	}
}

// A step is told of its own members, and not of what they become.
func TestStepsNameTheirOwnMembers(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/reservations", strings.Replace(h.booking("2026-12-01", "2026-12-02"), `{`, `{"status":"enquired",`, 1)).want(t, 201, "").json(t)["id"].(string)
	got := h.call("POST", "/v1/reservations/"+id+"/hold", `{"until":"2020-01-01T00:00:00Z"}`).want(t, 422, "validation_failed")
	if item := got.json(t)["errors"].([]any)[0].(map[string]any); item["pointer"] != "/until" || item["code"] != "min" {
		t.Errorf("named %v", item)
	}
}

func TestStepsAreGuarded(t *testing.T) {
	h := newHouse(t)
	id := h.book("2026-11-22", "2026-11-24")["id"].(string)
	path := "/v1/reservations/" + id
	plain, _ := h.newClient("plain", h.client.Scopes&^auth.ScopesOf(auth.ReservationsOverride), "*")
	as := "Authorization: Bearer " + h.tokenOf(plain)
	h.call("POST", path+"/check-in", ``, as).want(t, 409, "invalid_transition")
	h.call("POST", path+"/cancel", `{"reason":"x","waive_penalty":true}`, as).want(t, 403, "insufficient_scope")
	h.call("POST", path+"/check-in", ``, `If-Match: "r9"`).want(t, 412, "precondition_failed")
	h.call("POST", "/v1/reservations/none/check-in", ``).want(t, 404, "not_found")
	first := h.call("POST", path+"/check-in", `{"room_number":"7"}`, "Idempotency-Key: in").want(t, 200, "").json(t)
	if first["room_number"] != "7" || first["stay_phase"] != "stayover" || first["actual_check_in_at"] == nil {
		t.Errorf("a day early with override: %v", first)
	}
	again := h.call("POST", path+"/check-in", `{"room_number":"7"}`, "Idempotency-Key: in").want(t, 200, "")
	if again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("headers of the second time: %v", again.Header)
	}
}

func TestAcknowledge(t *testing.T) {
	h := newHouse(t)
	id := h.book("2026-12-01", "2026-12-03")["id"].(string)
	path := "/v1/reservations/" + id
	h.call("POST", path+"/acknowledge", `{"revision":2}`).want(t, 409, "version_conflict")
	h.call("POST", path+"/acknowledge", `{}`).want(t, 422, "validation_failed")
	r := h.call("POST", path+"/acknowledge", `{"revision":1,"pms_reference":"P-1"}`).want(t, 200, "").json(t)
	if fmt.Sprint(r["acknowledged"]) != "map[at:2026-11-21T10:00:00.000Z pms_reference:P-1 revision:1]" || r["revision"] != 1.0 {
		t.Errorf("acknowledged %v at revision %v", r["acknowledged"], r["revision"])
	}
	if got := h.call("GET", "/v1/reservations?unacknowledged=true", "").want(t, 200, "").ids(t); got != "" {
		t.Errorf("unacknowledged %s", got)
	}
	h.call("PATCH", path, `{"notes":"late"}`).want(t, 200, "")
	if got := h.call("GET", "/v1/reservations?unacknowledged=true", "").want(t, 200, "").ids(t); got != id {
		t.Errorf("unacknowledged after a change %s", got)
	}
	h.handler.(*server).requireIfMatch = true
	h.call("POST", path+"/check-in", "").want(t, 428, "precondition_required")
	h.call("POST", path+"/acknowledge", `{"revision":2}`, `If-Match: "r1"`).want(t, 412, "precondition_failed")
	h.call("POST", path+"/acknowledge", `{"revision":2}`).want(t, 200, "") // a list of reservations shows no ETag; the body names the revision
}

func TestDetails(t *testing.T) {
	h := newHouse(t)
	good := h.booking("2026-12-01", "2026-12-03")
	full := with(good, `"extras":[{"code":"parking","date_from":"2026-12-01","date_to":"2026-12-02","quantity":1,"unit_price":{"amount":"10.00","currency":"EUR"}}],
		"nightly":[{"date":"2026-12-02","amount":{"amount":"50.00","currency":"EUR"},"override":true}],"tags":["vip"],"expected_arrival_time":"17:30",
		"guarantee":{"kind":"card_on_file","card":{"brand":"visa","last4":"4242","token_ref":"tok_1"},
		"card_access":{"kind":"extranet","url":"https://admin.channel.example/b/1","until":"2026-12-10T00:00:00Z"}},"deposit_paid":{"amount":"20.00","currency":"EUR"},
		"invoice_address":{"company":"Analytical Engines","city":"London"},"source":{"channel_reference":"X 4111 1111 1111 1111"},"notes":"card 4111111111111111"`)
	r := h.call("POST", "/v1/reservations", full).want(t, 201, "").json(t)
	total := r["total"].(map[string]any)
	for member, want := range map[string]string{
		"tags": "[vip]", "expected_arrival_time": "17:30", "notes": "card ************1111", "balance": "map[amount:149.00 currency:EUR]",
	} {
		if got := fmt.Sprint(r[member]); got != want {
			t.Errorf("%s is %s, want %s", member, got, want)
		}
	}
	if fmt.Sprint(total["gross"], total["extras"]) != "map[amount:169.00 currency:EUR] map[amount:20.00 currency:EUR]" {
		t.Errorf("total %v", total)
	}
	if access := r["guarantee"].(map[string]any)["card_access"]; fmt.Sprint(access) != "map[kind:extranet until:2026-12-10T00:00:00.000Z url:https://admin.channel.example/b/1]" {
		t.Errorf("access to the card %v", access)
	}
	if strings.Contains(fmt.Sprint(r["source"]), "4111 1111") {
		t.Errorf("source %v", r["source"])
	}
	dup := h.call("POST", "/v1/reservations", full).want(t, 409, "duplicate_reservation").json(t)
	if dup["existing_id"] != r["id"] {
		t.Errorf("duplicate of %v", dup["existing_id"])
	}
	path := "/v1/reservations/" + r["id"].(string)
	for _, c := range []struct{ guarantee, want string }{
		{`{"card_access":{"kind":"none"}}`, "map[card:map[brand:visa last4:4242 token_ref:tok_1] card_access:map[kind:none] kind:card_on_file]"},
		{`{"card_access":null}`, "map[card:map[brand:visa last4:4242 token_ref:tok_1] kind:card_on_file]"},
	} {
		if got := h.call("PATCH", path, `{"guarantee":`+c.guarantee+`}`).want(t, 200, "").json(t)["guarantee"]; fmt.Sprint(got) != c.want {
			t.Errorf("after %s: %v", c.guarantee, got)
		}
	}
	r = h.call("PATCH", path, `{"invoice_address":{"city":null,"tax_id":"GB1"},"tags":["late"],"deposit_paid":null,"extras":[]}`).want(t, 200, "").json(t)
	if fmt.Sprint(r["invoice_address"], r["tags"], r["deposit_paid"], r["extras"]) != "map[company:Analytical Engines tax_id:GB1] [late] <nil> []" {
		t.Errorf("changed to %v %v %v %v", r["invoice_address"], r["tags"], r["deposit_paid"], r["extras"])
	}
	if got := h.call("GET", "/v1/reservations?tag=late", "").want(t, 200, "").ids(t); got != r["id"] {
		t.Errorf("by tag %s", got)
	}
	front, _ := h.newClient("front", auth.ScopesOf(auth.ReservationsRead), "*")
	seen := h.call("GET", path, "", "Authorization: Bearer "+h.tokenOf(front)).want(t, 200, "")
	if strings.Contains(string(seen.body), "Analytical") || strings.Contains(string(seen.body), "4242") || strings.Contains(string(seen.body), "admin.channel") {
		t.Errorf("shown without guests:read: %s", seen.body)
	}
	for name, members := range map[string]string{
		"a card number as token":     `"guarantee":{"kind":"card_on_file","card":{"token_ref":"4111111111111111"}}`,
		"a card number in a link":    `"guarantee":{"card_access":{"kind":"extranet","url":"https://a.example/4111111111111111"}}`,
		"a link without TLS":         `"guarantee":{"card_access":{"kind":"extranet","url":"http://a.example/1"}}`,
		"a link of no kind":          `"guarantee":{"card_access":{"url":"https://a.example/1"}}`,
		"an extra after the stay":    `"extras":[{"code":"x","date_from":"2026-12-09","date_to":"2026-12-09","quantity":1,"unit_price":{"amount":"1.00","currency":"EUR"}}]`,
		"an extra beyond counting":   `"extras":[{"code":"x","date_from":"2026-12-01","date_to":"2026-12-01","quantity":2,"unit_price":{"amount":"999999999999.00","currency":"EUR"}}]`,
		"nights beyond counting":     `"nightly":[{"date":"2026-12-01","amount":{"amount":"999999999999.00","currency":"EUR"},"override":true},{"date":"2026-12-02","amount":{"amount":"1.00","currency":"EUR"},"override":true}]`,
		"a night outside the stay":   `"nightly":[{"date":"2026-12-09","amount":{"amount":"1.00","currency":"EUR"},"override":true}]`,
		"a deposit in dollars":       `"deposit_paid":{"amount":"1.00","currency":"USD"}`,
		"a hold without an end":      `"status":"held"`,
		"a confirmed one that ends":  `"hold_expires_at":"2026-12-01T00:00:00Z"`,
		"an unknown channel":         `"source":{"channel_id":"ch_none"}`,
		"an unknown market segment":  `"market_segment":"none"`,
		"the same tag twice":         `"tags":["a","a"]`,
		"a guest and a guest's id":   `"guest_id":"gst_none"`,
		"an unknown block":           `"block_id":"blk_none"`,
		"a walk-in of another day":   `"status":"checked_in"`,
		"a status that only follows": `"status":"cancelled"`,
	} {
		t.Run(name, func(t *testing.T) {
			h.call("POST", "/v1/reservations", with(good, members)).want(t, 422, "validation_failed")
		})
	}
	plain, _ := h.newClient("plain", h.client.Scopes&^auth.ScopesOf(auth.ReservationsOverride), "*")
	as := "Authorization: Bearer " + h.tokenOf(plain)
	for _, members := range []string{
		`"complimentary":true`, `"house_use":true`, `"nightly":[{"date":"2026-12-02","amount":{"amount":"50.00","currency":"EUR"},"override":true}]`,
	} {
		h.call("POST", "/v1/reservations", with(good, members), as).want(t, 403, "insufficient_scope")
	}
	if r := h.call("POST", "/v1/reservations", with(good, `"complimentary":true`)).want(t, 201, "").json(t); fmt.Sprint(r["total"].(map[string]any)["gross"]) != "map[amount:0.00 currency:EUR]" {
		t.Errorf("a free stay costs %v", r["total"])
	}
}

func TestChangeOfAStayUnderWay(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/reservations", with(h.booking("2026-11-21", "2026-11-24"), `"status":"checked_in"`)).want(t, 201, "").json(t)["id"].(string)
	path := "/v1/reservations/" + id
	plain, _ := h.newClient("plain", h.client.Scopes&^auth.ScopesOf(auth.ReservationsOverride), "*")
	h.clock.move(24 * time.Hour)
	as, boss := "Authorization: Bearer "+h.tokenOf(plain), "Authorization: Bearer "+h.tokenOf(h.client)
	r := h.call("PATCH", path, `{"room_type_id":"`+h.deluxe.ID+`"}`, as).want(t, 200, "").json(t)
	nights := r["nightly"].([]any)
	for i, want := range []string{h.standard.ID, h.deluxe.ID, h.deluxe.ID} {
		if n := nights[i].(map[string]any); n["room_type_id"] != want || fmt.Sprint(n["amount"]) != "map[amount:99.00 currency:EUR]" {
			t.Errorf("night %d: %v", i, n)
		}
	}
	// A night can be sent back as it was shown, with another price; it moves nobody.
	night := func(room, plan string) string {
		return `{"nightly":[{"date":"2026-11-22","room_type_id":"` + room + `","rate_plan_id":"` + plan + `","amount":{"amount":"99.00","currency":"EUR"},"override":true}]}`
	}
	h.call("PATCH", path, night(h.deluxe.ID, h.flex.ID), boss).want(t, 200, "")
	for at, body := range map[string]string{"room_type_id": night(h.standard.ID, h.flex.ID), "rate_plan_id": night(h.deluxe.ID, h.member.ID)} {
		item := h.call("PATCH", path, body, boss).want(t, 422, "validation_failed").json(t)["errors"].([]any)[0].(map[string]any)
		if item["pointer"] != "/nightly/0/"+at || item["code"] != "read_only" {
			t.Errorf("refused %v", item)
		}
	}
	h.call("PATCH", path, `{"check_in":"2026-11-22"}`, as).want(t, 409, "business_date_closed")
	h.call("PATCH", path, `{"check_out":"2026-11-22"}`, as).want(t, 200, "")
	h.call("PATCH", path, `{"check_in":"2026-11-20"}`, as).want(t, 409, "business_date_closed")
	h.call("PATCH", path, `{"check_in":"2026-11-20"}`, boss).want(t, 409, "restriction_violated") // yesterday has no price
	r = h.call("PATCH", path, `{"check_in":"2026-11-20","nightly":[{"date":"2026-11-20","amount":{"amount":"80.00","currency":"EUR"},"override":true}]}`, boss).want(t, 200, "").json(t)
	if fmt.Sprint(r["total"].(map[string]any)["gross"]) != "map[amount:179.00 currency:EUR]" {
		t.Errorf("total %v", r["total"])
	}
}

// No body makes the server fail, and what it stores can be read.
func FuzzReservation(f *testing.F) {
	h := newHouse(f)
	f.Add("", h.booking("2026-12-01", "2026-12-03"))
	f.Add("", with(h.booking("2026-12-01", "2026-12-03"), `"extras":[{"code":"x","date_from":"2026-12-01","date_to":"2026-12-02","quantity":1,"unit_price":{"amount":"10.00","currency":"EUR"}}]`))
	f.Add("", `{"adults":1e9,"guest":null,"children_ages":[null]}`)
	f.Add("/hold", `{"until":"2026-11-22T10:00:00Z"}`)
	f.Add("/check-in", `{"room_number":null,"at":"0001-01-01T00:00:00Z"}`)
	f.Add("/no-show", `{"charge":null}`)
	f.Add("/acknowledge", `{"revision":-1}`)
	f.Add("/cancel", `{"reason":"released"}`)
	id := h.book("2026-12-10", "2026-12-12")["id"].(string)
	f.Fuzz(func(t *testing.T, step, body string) {
		h.t = t
		path := "/v1/reservations"
		switch step {
		case "/hold", "/check-in", "/no-show", "/acknowledge", "/cancel":
			path += "/" + id + step
		}
		r := h.call("POST", path, body)
		if r.StatusCode >= 500 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
		if r.StatusCode == 201 {
			h.call("GET", "/v1/reservations/"+r.json(t)["id"].(string), "").want(t, 200, "")
		}
		if p := h.call("PATCH", "/v1/reservations/"+id, body); p.StatusCode >= 500 {
			t.Fatalf("%d %s", p.StatusCode, p.body)
		}
	})
}

// A revision is acknowledged of the reservation that was read, where that is asked for.
func TestAnAcknowledgementHeedsIfMatch(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "")
	path := "/v1/reservations/" + made.json(t)["id"].(string)
	h.call("POST", path+"/acknowledge", `{"revision":1}`, `If-Match: "r7"`).want(t, 412, "precondition_failed")
	h.call("POST", path+"/acknowledge", `{"revision":1}`, "If-Match: "+made.Header.Get("ETag")).want(t, 200, "")
}
