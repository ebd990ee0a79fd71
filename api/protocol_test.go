package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func TestCommonHeaders(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{"/v1/properties", "/v1/health", "/v1/nothing", "/elsewhere", "/v1//properties", "/v1/reservations/none"} {
		got := h.call("GET", path, "")
		id := got.Header.Get("Request-Id")
		if !strings.HasPrefix(id, "req_") || got.Header.Get("Ostler-Version") != "1.0.0" || got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, got.Header)
		}
		if got.StatusCode >= 400 {
			body := got.json(t)
			if body["request_id"] != id || body["instance"] != path || body["status"] != float64(got.StatusCode) {
				t.Errorf("%s: %v", path, body)
			}
		}
	}
	got := h.call("GET", "/v1/properties", "", "X-Request-Id: mine 1")
	if got.Header.Get("Request-Id") != "mine 1" || got.Header.Get("Ostler-Environment") != "production" || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", got.Header)
	}
	for _, bad := range []string{strings.Repeat("x", 129), "täg", "a\tb"} {
		if got := h.call("GET", "/v1/health", "", "X-Request-Id: "+bad); got.Header.Get("Request-Id") == bad {
			t.Errorf("%q was echoed", bad)
		}
	}
}

func TestMethods(t *testing.T) {
	h := newHouse(t)
	for _, c := range []struct{ method, path, allow string }{
		{"DELETE", "/v1/properties", "GET, POST, HEAD, OPTIONS"},
		{"POST", "/v1/availability", "GET, QUERY, HEAD, OPTIONS"},
		{"GET", "/v1/reservations/x/cancel", "POST, OPTIONS"},
		{"PUT", "/v1/reservations/x", "GET, PATCH, HEAD, OPTIONS"},
	} {
		got := h.call(c.method, c.path, "").want(t, 405, "method_not_allowed")
		if got.Header.Get("Allow") != c.allow {
			t.Errorf("%s %s: Allow %q, want %q", c.method, c.path, got.Header.Get("Allow"), c.allow)
		}
		options := h.call("OPTIONS", c.path, "", "Authorization:")
		if options.StatusCode != 204 || options.Header.Get("Allow") != c.allow {
			t.Errorf("OPTIONS %s: %d %q", c.path, options.StatusCode, options.Header.Get("Allow"))
		}
	}
	if at, below := h.call("GET", "/v1", "").want(t, 200, ""), h.call("GET", "/v1/", ""); string(at.body) != string(below.body) {
		t.Errorf("/v1 is %s, and /v1/ %s", at.body, below.body)
	}
	h.call("GET", "/v1/nothing", "").want(t, 404, "not_found")
	h.call("OPTIONS", "/v1/nothing", "").want(t, 404, "not_found")
	h.call("GET", "/v1/../v1/properties", "").want(t, 404, "not_found")
}

func TestMedia(t *testing.T) {
	h := newHouse(t)
	for _, accept := range []string{"*/*", "application/json", "text/html, application/*;q=0.1", "application/json;q=0.5"} {
		h.call("GET", "/v1/properties", "", "Accept: "+accept).want(t, 200, "")
	}
	for _, accept := range []string{"text/html", "application/json;q=0", "image/*"} {
		h.call("GET", "/v1/properties", "", "Accept: "+accept).want(t, 406, "not_acceptable")
	}
	h.call("POST", "/v1/reservations", `{}`, "Content-Type: application/merge-patch+json").want(t, 415, "unsupported_media_type")
	if got := h.call("PATCH", "/v1/reservations/x", `{}`, "Content-Type: text/plain").want(t, 415, "unsupported_media_type").json(t)["detail"]; !strings.Contains(fmt.Sprint(got), "application/merge-patch+json") {
		t.Errorf("of a patch it is said: %v", got)
	}
	h.call("POST", "/v1/reservations", `{}`, "Content-Type: application/json; charset=utf-16").want(t, 415, "unsupported_media_type")
	h.call("POST", "/v1/reservations", `{}`, "Content-Type: application/json; charset=UTF-8").want(t, 422, "validation_failed")
	h.call("POST", "/v1/reservations", `{}`, "Content-Type: application/json; charset=utf-8").want(t, 422, "validation_failed")
	h.call("PATCH", "/v1/reservations/x", "").want(t, 400, "malformed_json")
	big := `{"notes":"` + strings.Repeat("x", usualBody) + `"}`
	h.call("POST", "/v1/reservations", big).want(t, 413, "body_too_large")
	h.call("POST", "/v1/reservations", big, "Idempotency-Key: k").want(t, 413, "body_too_large")
	h.call("GET", "/v1/availability", big).want(t, 413, "body_too_large")
	h.call("POST", "/v1/rates/updates", big).want(t, 422, "validation_failed")
}

func TestStrictJSON(t *testing.T) {
	h := newHouse(t)
	good := h.booking("2026-12-01", "2026-12-02")
	for _, c := range []struct {
		name, body string
		status     int
		code       string
	}{
		{"member twice", strings.Replace(good, `"adults":2`, `"adults":2,"adults":2`, 1), 400, "malformed_json"},
		{"member twice, deep inside", strings.Replace(good, `"first_name"`, `"last_name":"A","first_name"`, 1), 400, "malformed_json"},
		{"trailing data", good + "1", 400, "malformed_json"},
		{"two documents", good + good, 400, "malformed_json"},
		{"half a text", `{"adults`, 400, "malformed_json"},
		{"a number of no size", strings.Replace(good, `"adults":2`, `"adults":1e999`, 1), 400, "malformed_json"},
		{"NaN", strings.Replace(good, `"adults":2`, `"adults":NaN`, 1), 400, "malformed_json"},
		{"not UTF-8", strings.Replace(good, "Ada", "\xff", 1), 400, "malformed_json"},
		{"no object", `[1]`, 422, "validation_failed"},
		{"null", `null`, 422, "validation_failed"},
		{"unknown member", strings.Replace(good, `"adults"`, `"adult":1,"adults"`, 1), 422, "validation_failed"},
		{"member in another case", strings.Replace(good, `"adults"`, `"Adults"`, 1), 422, "validation_failed"},
		{"fraction", strings.Replace(good, `"adults":2`, `"adults":2.5`, 1), 422, "validation_failed"},
		{"whole number written as a fraction", strings.Replace(good, `"adults":2`, `"adults":2.0`, 1), 201, ""},
		{"white space around", " \n" + good + "\r\n ", 201, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h.call("POST", "/v1/reservations", c.body).want(t, c.status, c.code)
		})
	}
}

func TestWhatKeepsABodyFromBeingReadIsSaid(t *testing.T) {
	h := newHouse(t)
	for body, want := range map[string]string{
		"\xff": "UTF-8", `{"a":`: "stopped at byte", `{"a":1,"a":2}`: "named twice in one object, at byte 7", `{"a":1e999}`: "too large",
	} {
		p := h.call("POST", "/v1/pools", body, "Content-Type: application/json").want(t, 400, "malformed_json").json(t)
		if detail, _ := p["detail"].(string); !strings.Contains(detail, want) || p["errors"] != nil {
			t.Errorf("%q: %v", body, p)
		}
	}
}

func TestWalkerFindsEveryDoubleName(t *testing.T) {
	var many strings.Builder
	many.WriteString(`{"a0":0`)
	for i := 1; i < 40; i++ {
		many.WriteString(`,"a` + itoa(int64(i)) + `":[{"x":"\"}"},[],{}]`)
	}
	for body, double := range map[string]bool{
		many.String() + `}`:           false,
		many.String() + `,"a3":1}`:    true,
		many.String() + `,"a39":{} }`: true,
		`[{"a":1},{"a":2}]`:           false,
		`[{"a":1},{"a":2,"a":3}]`:     true,
		`{"a":{"a":{"a":1}}}`:         false,
		`{"a\"":1,"a":2}`:             false,
		`{"":1,"":2}`:                 true,
		`"text"`:                      false,
		`-1.5e3`:                      false,
	} {
		if err := checkJSON([]byte(body)); (err != nil) != double {
			t.Errorf("%.60s: %v", body, err)
		}
	}
}

func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,{"b":null}],"c":"\\\""}`, `[]`, `{`, `"\u00e9"`, ` 1 `, `{"a":1,"\u0061":2}`} {
		f.Add([]byte(seed))
	}
	f.Add([]byte(`{"a":[2.0,-1e2,1.5,1e400,9007199254740993.0],"1.0":"1.0\"2.0"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		_ = checkJSON(b)
		whole := wholeNumbers(b)
		var was, is any
		if json.Unmarshal(b, &was) == nil && (json.Unmarshal(whole, &is) != nil || !reflect.DeepEqual(was, is)) {
			t.Errorf("%q says something else than %q", whole, b)
		}
	})
}

func TestFaultsAreNamedAndValuesAreNot(t *testing.T) {
	h := newHouse(t)
	const secret = "s3cr3t"
	body := strings.NewReplacer(
		`"adults":2`, `"adults":"`+secret+`"`,
		"ada@example.com", secret,
		"2026-12-01", secret,
		`"last_name":"Lovelace"`, `"phone":"`+secret+`"`,
	).Replace(h.booking("2026-12-01", "2026-12-02"))
	got := h.call("POST", "/v1/reservations", body).want(t, 422, "validation_failed")
	if bytes.Contains(got.body, []byte(secret)) {
		t.Errorf("a value is echoed: %s", got.body)
	}
	found := map[string]string{}
	for _, e := range got.json(t)["errors"].([]any) {
		item := e.(map[string]any)
		found[item["pointer"].(string)] = item["code"].(string)
	}
	want := map[string]string{"/adults": "type", "/guest/email": "format", "/check_in": "format", "/guest/last_name": "required", "/guest/phone": "pattern"}
	if !maps.Equal(found, want) {
		t.Errorf("got %v, want %v", found, want)
	}
	query := h.call("GET", "/v1/inventory?property_id=hotel_123&date_from="+secret+"&date_to=2026-12-01&limit=9999", "").want(t, 400, "invalid_parameter")
	if bytes.Contains(query.body, []byte(secret)) {
		t.Errorf("a value is echoed: %s", query.body)
	}
	var parameters []string
	for _, e := range query.json(t)["errors"].([]any) {
		parameters = append(parameters, e.(map[string]any)["parameter"].(string))
	}
	if slices.Sort(parameters); !slices.Equal(parameters, []string{"date_from", "limit"}) {
		t.Errorf("parameters %v", parameters)
	}
	h.call("GET", "/v1/inventory?property_id=hotel_123", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/reservations?chek_in_from=2026-12-01", "").want(t, 400, "unknown_parameter")
}

// What a handler panics with may quote a guest: the log has its type, and where it was.
func TestPanicIsAnswered(t *testing.T) {
	h := newHouse(t)
	s := h.handler.(*server)
	logged, log := observer.New(zap.ErrorLevel)
	s.log = zap.New(logged)
	s.route("GET", "/v1/panic", access{public: true}, func(http.ResponseWriter, *http.Request) {
		panic(errors.New("Ada Lovelace"))
	})
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequest("GET", "/v1/panic", nil))
	reply{rec.Result(), rec.Body.Bytes()}.want(t, 500, "internal_error")
	all := log.FilterMessage("request panicked").All()
	if len(all) != 1 {
		t.Fatalf("logged %v", log.All())
	}
	said := fmt.Sprintf("%s", all[0].ContextMap())
	if strings.Contains(said, "Ada") || !strings.Contains(said, "*errors.errorString") || !strings.Contains(said, "TestPanicIsAnswered") {
		t.Errorf("logged %s", said)
	}
}

func TestProblems(t *testing.T) {
	h := newHouse(t)
	for code := range codes {
		got := h.call("GET", "/v1/problems/"+code, "", "Authorization:").want(t, 200, "").json(t)
		if got["code"] != code || got["detail"] == "" {
			t.Errorf("%s: %v", code, got)
		}
		h.clock.move(time.Second)
	}
	h.clock.move(time.Minute)
	for code := range itemCodes {
		if got := h.call("GET", "/v1/problems/"+code, "", "Authorization:").want(t, 200, "").json(t); got["kind"] != "item" {
			t.Errorf("%s: %v", code, got)
		}
		h.clock.move(time.Second)
	}
	h.call("GET", "/v1/problems/nothing", "", "Authorization:").want(t, 404, "not_found")
}

// A body that is JSON but no object is refused as a whole.
func TestTheEmptyPointerIsTold(t *testing.T) {
	h := newHouse(t)
	for _, path := range []string{"POST /v1/reservations", "GET /v1/availability"} {
		method, path, _ := strings.Cut(path, " ")
		r := h.call(method, path, `[1]`).want(t, 422, "validation_failed")
		if at, told := r.json(t)["errors"].([]any)[0].(map[string]any)["pointer"]; !told || at != "" {
			t.Errorf("%s: %s", path, r.body)
		}
	}
}

// A parameter that is sent twice is refused, also one that takes a list.
func TestAParameterIsSentOnce(t *testing.T) {
	h := newHouse(t)
	for query, name := range map[string]string{"limit=1&limit=2": "limit", "limit=1&limit=1": "limit", "status=confirmed&status=cancelled": "status"} {
		r := h.call("GET", "/v1/reservations?"+query, "").want(t, 400, "invalid_parameter")
		if of := r.json(t)["errors"].([]any)[0].(map[string]any); of["parameter"] != name || of["code"] != "length" {
			t.Errorf("%s: %v", query, of)
		}
	}
	h.call("GET", "/v1/reservations?status=confirmed,cancelled", "").want(t, 200, "")
	h.call("GET", "/v1/reservations?none=1&none=2", "").want(t, 400, "unknown_parameter")
}
