package api

import (
	"fmt"
	"strings"
	"testing"
)

func (h *house) blockJSON(more string) string {
	return fmt.Sprintf(`{"property_id":"hotel_123","name":"Choir","lines":[{"room_type_id":%q,"date_from":"2026-12-01","date_to":"2026-12-02","units":2}]%s}`, h.standard.ID, more)
}

func TestBlocks(t *testing.T) {
	h := newHouse(t)
	made := h.call("POST", "/v1/blocks", h.blockJSON(`,"contact":"Ada","release_days":3,"amounts":[{"room_type_id":"`+h.standard.ID+`","amount":{"amount":"80.00","currency":"EUR"}}]`)).want(t, 201, "")
	b := made.json(t)
	id := b["id"].(string)
	if b["status"] != "tentative" || b["deducts"] != false || b["release_on"] != nil || b["release_days"] != 3.0 || made.Header.Get("Location") != "https://hotel.example/v1/blocks/"+id {
		t.Errorf("made %s", made.body)
	}
	if nights := fmt.Sprint(b["lines"].([]any)[0].(map[string]any)["nights"]); nights != "[map[date:2026-12-01 picked_up:0 remaining:2] map[date:2026-12-02 picked_up:0 remaining:2]]" {
		t.Errorf("nights %s", nights)
	}
	available := func() any {
		return h.call("GET", "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01&room_type_id="+h.standard.ID, "").json(t)["data"].([]any)[0].(map[string]any)["available"]
	}
	if available() != 5.0 {
		t.Errorf("%v available beside a tentative block", available())
	}
	for _, both := range []reply{
		h.call("PATCH", "/v1/blocks/"+id, `{"release_on":"2026-12-01"}`), h.call("POST", "/v1/blocks", h.blockJSON(`,"release_days":3,"release_on":"2026-12-01"`)),
	} {
		both.want(t, 422, "validation_failed")
		if !strings.Contains(string(both.body), `"pointer":"/release_days"`) {
			t.Errorf("released in two ways: %s", both.body)
		}
	}
	changed := h.call("PATCH", "/v1/blocks/"+id, `{"status":"definite","contact":null,"release_days":null}`, "If-Match: "+made.Header.Get("ETag")).want(t, 200, "")
	if c := changed.json(t); c["status"] != "definite" || c["contact"] != "" || c["release_days"] != nil || c["revision"] != 2.0 || available() != 3.0 {
		t.Errorf("changed %s, %v available", changed.body, available())
	}
	h.call("PATCH", "/v1/blocks/"+id, `{"name":"x"}`, "If-Match: "+made.Header.Get("ETag")).want(t, 412, "precondition_failed")
	got := h.call("GET", "/v1/blocks/"+id, "").want(t, 200, "")
	if got.Header.Get("ETag") != changed.Header.Get("ETag") || string(got.body) != string(changed.body) {
		t.Errorf("read %s %s, changed %s %s", got.Header.Get("ETag"), got.body, changed.Header.Get("ETag"), changed.body)
	}
	if again := h.call("GET", "/v1/blocks/"+id, "", "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("read again: %d", again.StatusCode)
	}
	h.call("POST", "/v1/blocks/"+id+"/release", `{"date_from":"2026-12-02","date_to":"2026-12-05"}`).want(t, 200, "")
	part := h.call("GET", "/v1/blocks/"+id, "").json(t)
	if nights := fmt.Sprint(part["lines"].([]any)[0].(map[string]any)["nights"]); part["status"] != "definite" || !strings.Contains(nights, "remaining:2") || !strings.Contains(nights, "remaining:0") {
		t.Errorf("released in part: %v", part)
	}
	whole := h.call("POST", "/v1/blocks/"+id+"/release", "").want(t, 200, "").json(t)
	if whole["status"] != "released" || available() != 5.0 {
		t.Errorf("released: %v, %v available", whole, available())
	}
	h.call("POST", "/v1/blocks/"+id+"/release", "{}").want(t, 200, "")
}

// TestABlockThatIsDueIsReleasedAtOnce, as the document says.
func TestABlockThatIsDueIsReleasedAtOnce(t *testing.T) {
	h := newHouse(t)
	for days, want := range map[int]string{60: "released", 1: "definite"} {
		if b := h.call("POST", "/v1/blocks", h.blockJSON(fmt.Sprintf(`,"status":"definite","release_days":%d`, days))).want(t, 201, "").json(t); b["status"] != want {
			t.Errorf("%d days before: %v", days, b)
		}
	}
}

func TestBlocksAreListed(t *testing.T) {
	h := newHouse(t)
	a := h.call("POST", "/v1/blocks", h.blockJSON("")).want(t, 201, "").json(t)["id"].(string)
	b := h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"definite"`)).want(t, 201, "").json(t)["id"].(string)
	for query, want := range map[string]string{
		"": a + " " + b, "?property_id=hotel_456": "", "?status=definite": b, "?staying_on=2026-12-02": a + " " + b,
		"?staying_on=2026-12-03": "", "?channel_id=ch_none": "", "?limit=1": a,
	} {
		if got := h.call("GET", "/v1/blocks"+query, "").want(t, 200, "").ids(t); got != want {
			t.Errorf("blocks%s: %s, want %s", query, got, want)
		}
	}
	h.call("GET", "/v1/blocks?property_id=none", "").want(t, 404, "property_not_found")
	h.call("GET", "/v1/blocks/none", "").want(t, 404, "not_found")
}

func TestBlocksRefuse(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/blocks", h.blockJSON(`,"status":"definite"`)).want(t, 201, "").json(t)["id"].(string)
	for _, c := range []struct{ name, method, path, body, want string }{
		{"no lines", "POST", "", `{"property_id":"hotel_123","name":"x","lines":[]}`, "/lines"},
		{"no name", "POST", "", strings.Replace(h.blockJSON(""), "Choir", "", 1), "/name"},
		{"a status that is not its beginning", "POST", "", h.blockJSON(`,"status":"released"`), "/status"},
		{"an unknown member", "POST", "", h.blockJSON(`,"nickname":"x"`), "/nickname"},
		{"an unknown room type", "POST", "", strings.Replace(h.blockJSON(""), h.standard.ID, "rt_none", 1), "/lines/0/room_type_id"},
		{"a line backwards", "POST", "", strings.Replace(h.blockJSON(""), "2026-12-02", "2026-11-30", 1), "/lines/0/date_to"},
		{"an amount too fine", "POST", "", h.blockJSON(`,"amounts":[{"room_type_id":"` + h.standard.ID + `","amount":{"amount":"1.234","currency":"EUR"}}]`), "/amounts/0/amount/amount"},
		{"a name that is cleared", "PATCH", "/" + id, `{"name":null}`, "/name"},
		{"lines that are cleared", "PATCH", "/" + id, `{"lines":null}`, "/lines"},
		{"one date of two", "POST", "/" + id + "/release", `{"date_from":"2026-12-01"}`, "/date_to"},
		{"the other date of two", "POST", "/" + id + "/release", `{"date_to":"2026-12-01"}`, "/date_from"},
		{"dates backwards", "POST", "/" + id + "/release", `{"date_from":"2026-12-02","date_to":"2026-12-01"}`, "/date_to"},
		{"nights that it does not have", "POST", "/" + id + "/release", `{"date_from":"2026-12-20","date_to":"2026-12-21"}`, "/date_from"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := h.call(c.method, "/v1/blocks"+c.path, c.body).want(t, 422, "validation_failed")
			if !strings.Contains(string(r.body), fmt.Sprintf("%q", c.want)) {
				t.Errorf("refused %s, want %s", r.body, c.want)
			}
		})
	}
	h.call("PATCH", "/v1/blocks/"+id, `{"status":"tentative"}`).want(t, 409, "invalid_transition")
	h.call("POST", "/v1/blocks", strings.Replace(h.blockJSON(""), "hotel_123", "none", 1)).want(t, 404, "property_not_found")
}

func TestBlocksAreNobodyElses(t *testing.T) {
	h := newHouse(t)
	id := h.call("POST", "/v1/blocks", h.blockJSON("")).want(t, 201, "").json(t)["id"].(string)
	stranger, _ := h.newClient("stranger", h.client.Scopes, "hotel_456")
	as := "Authorization: Bearer " + h.tokenOf(stranger)
	h.call("GET", "/v1/blocks/"+id, "", as).want(t, 404, "not_found")
	h.call("PATCH", "/v1/blocks/"+id, `{"name":"x"}`, as).want(t, 404, "not_found")
	h.call("POST", "/v1/blocks/"+id+"/release", "", as).want(t, 404, "not_found")
	h.call("POST", "/v1/blocks", h.blockJSON(""), as).want(t, 404, "property_not_found")
	if got := h.call("GET", "/v1/blocks", "", as).want(t, 200, "").ids(t); got != "" {
		t.Errorf("a stranger sees %s", got)
	}
}

func TestABlockIsPromisedOnceUnderItsKey(t *testing.T) {
	h := newHouse(t)
	first := h.call("POST", "/v1/blocks", h.blockJSON(""), "Idempotency-Key: k1").want(t, 201, "")
	again := h.call("POST", "/v1/blocks", h.blockJSON(""), "Idempotency-Key: k1").want(t, 201, "")
	if again.Header.Get("Idempotent-Replayed") != "true" || string(again.body) != string(first.body) {
		t.Errorf("again %s", again.body)
	}
	path := "/v1/blocks/" + first.json(t)["id"].(string) + "/release"
	h.call("POST", path, "", "Idempotency-Key: k2").want(t, 200, "")
	if again := h.call("POST", path, "", "Idempotency-Key: k2").want(t, 200, ""); again.Header.Get("Idempotent-Replayed") != "true" {
		t.Error("a release was done twice under one key")
	}
}

// No body makes the server fail, and what it stores can be read.
func FuzzBlock(f *testing.F) {
	h := newHouse(f)
	f.Add(h.blockJSON(""))
	f.Add(h.blockJSON(`,"deducts":true,"release_on":"2026-12-24","amounts":null`))
	f.Add(`{"lines":[{"units":1e9}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		h.t = t
		r := h.call("POST", "/v1/blocks", body)
		if r.StatusCode >= 500 {
			t.Fatalf("%d %s", r.StatusCode, r.body)
		}
		if r.StatusCode == 201 {
			h.call("GET", "/v1/blocks/"+r.json(t)["id"].(string), "").want(t, 200, "")
		}
	})
}
