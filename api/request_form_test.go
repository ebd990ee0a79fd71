package api

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// raw sends a request with header lines as they are, several of one name too.
func (h *house) raw(method, target, body string, lines ...string) reply {
	h.t.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+h.token)
	for _, line := range lines {
		name, value, _ := strings.Cut(line, ": ")
		r.Header[name] = append(r.Header[name], value)
	}
	rec := httptest.NewRecorder()
	h.handler.ServeHTTP(rec, r)
	return reply{rec.Result(), rec.Body.Bytes()}
}

// An operation that takes no body takes nothing or an empty object: whatever else is sent
// was meant to say something, and nothing is done.
func TestABodyWhereNoneIsTaken(t *testing.T) {
	h := newAuditedHouse(t)
	checked := 0
	for _, op := range h.document() {
		if op.Method == "GET" || op.RequestBody != nil {
			continue
		}
		checked++
		is := asking{}
		if ask := h.asks[op.OperationID]; ask != nil {
			is = ask()
		}
		if is.target == "" {
			is.target = h.target(op.Path)
		}
		if is.token == "" {
			is.token = h.token
		}
		for i, c := range []struct {
			body, code string
			status     int
		}{
			{`{"foo":`, "malformed_json", 400},
			{`{"foo":1,"foo":2}`, "malformed_json", 400},
			{`[]`, "validation_failed", 422},
			{`null`, "validation_failed", 422},
			{`{"foo/~bar":1}`, "validation_failed", 422},
		} {
			request := "body-" + op.OperationID + "-" + string(rune('a'+i))
			got := h.call(op.Method, is.target, c.body, "Authorization: Bearer "+is.token, "X-Request-Id: "+request)
			if got.StatusCode != c.status || got.code() != c.code {
				t.Errorf("%s with %s: %d %s", op.OperationID, c.body, got.StatusCode, got.body)
			}
			if strings.Contains(c.body, "~") && !strings.Contains(string(got.body), `"pointer":"/foo~1~0bar","code":"unknown_field"`) {
				t.Errorf("%s does not name the member: %s", op.OperationID, got.body)
			}
			if h.journalled(request) {
				t.Errorf("%s is done, with the body %s", op.OperationID, c.body)
			}
		}
		if got := h.call(op.Method, is.target, ` {} `, "Authorization: Bearer "+is.token); got.StatusCode >= 300 {
			t.Errorf("%s with an empty object: %d %s", op.OperationID, got.StatusCode, got.body)
		}
	}
	if checked < 15 {
		t.Errorf("%d operations take no body, which proves little", checked)
	}
}

// A key that is there and empty, or there twice, was meant to be one: without it, what
// its sender repeats would be done again.
func TestAnIdempotencyKeyThatIsNone(t *testing.T) {
	h := newHouse(t)
	json := "Content-Type: " + mediaJSON
	for name, lines := range map[string][]string{
		"empty":         {"Idempotency-Key: "},
		"spaces":        {"Idempotency-Key:   "},
		"twice":         {"Idempotency-Key: a", "Idempotency-Key: a"},
		"twice, of two": {"Idempotency-Key: a", "Idempotency-Key: b"},
		"empty first":   {"Idempotency-Key: ", "Idempotency-Key: b"},
	} {
		got := h.raw("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02"), append(lines, json)...)
		if got.StatusCode != 400 || got.code() != "invalid_parameter" || !strings.Contains(string(got.body), `"header":"Idempotency-Key"`) {
			t.Errorf("%s: %d %s", name, got.StatusCode, got.body)
		}
	}
	if n := len(h.call("GET", "/v1/reservations", "").json(t)["data"].([]any)); n != 0 {
		t.Errorf("%d bookings were made", n)
	}
}

// The lines of a header that is a list are one list, and a body has one media type.
func TestHeadersOnSeveralLines(t *testing.T) {
	h := newHouse(t)
	if got := h.raw("GET", "/v1/properties", "", "Accept: text/html", "Accept: application/json"); got.StatusCode != 200 {
		t.Errorf("Accept on two lines: %d %s", got.StatusCode, got.body)
	}
	h.raw("GET", "/v1/properties", "", "Accept: text/html", "Accept: text/plain").want(t, 406, "not_acceptable")
	path := "/v1/properties/hotel_123"
	tag := h.call("GET", path, "").want(t, 200, "").Header.Get("Etag")
	if got := h.raw("GET", path, "", `If-None-Match: "r99"`, "If-None-Match: "+tag); got.StatusCode != 304 {
		t.Errorf("If-None-Match on two lines: %d", got.StatusCode)
	}
	json := "Content-Type: " + mediaJSON
	// An If-Match of several is refused on one line, and so on two, whichever comes first.
	for _, lines := range [][]string{{"If-Match: " + tag, `If-Match: "r99"`}, {`If-Match: "r99"`, "If-Match: " + tag}, {"If-Match: " + tag + `, "r99"`}} {
		h.raw("PATCH", path, `{"name":"Other"}`, append(lines, json)...).want(t, 412, "precondition_failed")
	}
	h.raw("PATCH", path, `{"name":"Other"}`, json, "Content-Type: text/plain").want(t, 415, "unsupported_media_type")
	h.raw("PATCH", path, `{"name":"Other"}`, json, json).want(t, 415, "unsupported_media_type")
	h.raw("PATCH", path, `{"name":"Other"}`, "If-Match: "+tag, json).want(t, 200, "")
}

// A bound is said as a client writes it.
func TestBoundsAreWrittenInDigits(t *testing.T) {
	h := newHouse(t)
	box := "Authorization: Bearer " + h.sandboxToken()
	for _, c := range []struct{ path, body, as, want string }{
		{"/v1/sandbox/clock", `{"advance":3e9}`, box, "expected number <= 31622400"},
		{"/v1/clients", `{"name":"A","environment":"production","hourly_limit":100000001}`, h.admin(), "expected number <= 100000000"},
		{"/v1/room-types", `{"property_id":"hotel_123","code":"a","total_units":2,"base_occupancy":1e17,"max_adults":2,"max_occupancy":2}`, "", "expected number <= 20"},
	} {
		if c.as == "" {
			c.as = "Authorization: Bearer " + h.token
		}
		got := h.call("POST", c.path, c.body, c.as).want(t, 422, "validation_failed").json(t)["errors"].([]any)[0].(map[string]any)
		if got["detail"] != c.want {
			t.Errorf("%s: %v, want %q", c.path, got, c.want)
		}
	}
	for said, want := range map[string]string{
		"expected number >= -9.007199254740991e+15": "expected number >= -9007199254740991", "expected number < 0.5": "expected number < 0.5",
		"expected length <= 40": "expected length <= 40", `expected value to be one of "a, 1e3"`: `expected value to be one of "a, 1e3"`,
	} {
		if got := inDigits(said); got != want {
			t.Errorf("%s is written as %s", said, got)
		}
	}
}

// What is not known is named as it was sent, whatever it is called.
func TestMembersThatNobodyKnows(t *testing.T) {
	h := newHouse(t)
	for body, want := range map[string]string{
		`{"drift.available":"ours"}`:                  "/drift.available",
		`{"drift":{"amount":"ours","a.b[0]":"ours"}}`: "/drift/a.b[0]",
		`{"drift":{"amount":"ours"},"a/b":1}`:         "/a~1b",
		`{"available":1}`:                             "/available",
	} {
		items := h.call("PUT", "/v1/properties/hotel_123/policies", body).want(t, 422, "validation_failed").json(t)["errors"].([]any)
		if got := items[0].(map[string]any); len(items) != 1 || got["code"] != "unknown_field" || got["pointer"] != want {
			t.Errorf("%s: %v, want %s", body, items, want)
		}
	}
}

// A query of which a part cannot be read is refused, and not answered without that part.
func TestQueriesThatCannotBeRead(t *testing.T) {
	h := newHouse(t)
	stay := "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-02"
	for _, path := range []string{
		"/v1/reservations?tag=100%", "/v1/reservations?tag=a;b", "/v1/reservations?limit=1;tag=a", "/v1/inventory?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-02&room_type_id=%zz",
		"/v1/events?after=%zz", "/v1/properties?what%zz=1", stay + "&room_type=%zz", stay + ";adults=1", "/v1/changelog?%", "/v1/nothing?%",
	} {
		r := httptest.NewRequest("GET", "/", nil)
		target, query, _ := strings.Cut(path, "?")
		r.URL = &url.URL{Path: target, RawQuery: query}
		r.Header.Set("Authorization", "Bearer "+h.token)
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		if w.Code != 400 || !strings.Contains(w.Body.String(), `"invalid_parameter"`) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	h.call("GET", stay+"&room_type=deluxe%20", "").want(t, 200, "")
	h.call("GET", "/v1/reservations?tag=100%25,a%3Bb&sort=-created_at", "").want(t, 200, "")
}
