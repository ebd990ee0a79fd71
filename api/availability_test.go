package api

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/internal/auth"
	"ostler.example/internal/testkit/figures"
)

const question = `{"property_id":"hotel_123","check_in":"2026-12-01","check_out":"2026-12-03","room_type":"deluxe"}`

// The reply to the seed's request, byte for byte.
const deluxeReply = `{"status":"success","property_id":"hotel_123","available":true,"rooms":[{"type":"Deluxe","available":3,"rate":189.5}]}` + "\n"

func TestAvailabilityRawBytes(t *testing.T) {
	h := newHouse(t)
	srv := httptest.NewServer(h.handler)
	defer srv.Close()
	for _, method := range []string{"GET", "QUERY"} {
		conn := must(net.Dial("tcp", srv.Listener.Addr().String()))(t)
		defer func() { _ = conn.Close() }()
		request := fmt.Sprintf("%s /v1/availability HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
			method, h.token, len(question), question)
		must(io.WriteString(conn, request))(t)
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		body := must(io.ReadAll(res.Body))(t)
		if res.StatusCode != http.StatusOK || string(body) != deluxeReply {
			t.Errorf("%s: %d %s", method, res.StatusCode, body)
		}
		if got := res.Header.Get("Cache-Control"); got != "no-store" || res.Header.Get("ETag") != "" {
			t.Errorf("%s: a question in the body may not be kept: Cache-Control %q, ETag %q", method, got, res.Header.Get("ETag"))
		}
		if got := res.Header.Get("Accept-Query"); got != "application/json" {
			t.Errorf("%s: Accept-Query %q", method, got)
		}
	}
}

func TestAvailabilityMembers(t *testing.T) {
	h := newHouse(t)
	got := h.call("GET", "/v1/availability", question).want(t, 200, "").json(t)
	if keys := slices.Sorted(maps.Keys(got)); !slices.Equal(keys, []string{"available", "property_id", "rooms", "status"}) {
		t.Errorf("members %v", keys)
	}
	room := got["rooms"].([]any)[0].(map[string]any)
	if keys := slices.Sorted(maps.Keys(room)); !slices.Equal(keys, []string{"available", "rate", "type"}) {
		t.Errorf("members of a room %v", keys)
	}
}

func TestAvailabilityCarriers(t *testing.T) {
	h := newHouse(t)
	query := "?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&room_type=deluxe"
	byQuery := h.call("GET", "/v1/availability"+query, "", "Content-Type: application/json").want(t, 200, "")
	if string(byQuery.body) != deluxeReply {
		t.Errorf("by query: %s", byQuery.body)
	}
	tag := byQuery.Header.Get("ETag")
	if tag == "" || byQuery.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("by query: ETag %q, Cache-Control %q", tag, byQuery.Header.Get("Cache-Control"))
	}
	if again := h.call("GET", "/v1/availability"+query, "", "If-None-Match: "+tag); again.StatusCode != 304 || len(again.body) != 0 {
		t.Errorf("not modified: %d %s", again.StatusCode, again.body)
	}
	if head := h.call("HEAD", "/v1/availability"+query, ""); head.StatusCode != 200 {
		t.Errorf("HEAD: %d", head.StatusCode)
	}
	if both := h.call("GET", "/v1/availability"+query, question); both.StatusCode != 200 || both.Header.Get("ETag") != "" {
		t.Errorf("both alike: %d %s", both.StatusCode, both.body)
	}
	h.call("GET", "/v1/availability"+strings.Replace(query, "deluxe", "standard", 1), question).want(t, 400, "ambiguous_parameters")
	h.call("GET", "/v1/availability?adults=2", strings.Replace(question, "}", `,"adults":1}`, 1)).want(t, 400, "ambiguous_parameters")
	h.call("GET", "/v1/availability?adults=2", question).want(t, 200, "")
	h.call("GET", "/v1/availability?adults=2", strings.Replace(question, "}", `,"adults":2.0,"children":0e0}`, 1)).want(t, 200, "")
}

func TestAvailabilityAnswers(t *testing.T) {
	h := newHouse(t)
	ask := func(more string) string {
		return `{"property_id":"hotel_123","check_in":"2026-12-01","check_out":"2026-12-03"` + more + `}`
	}
	const standard = `{"type":"Standard","available":5,"rate":99}`
	const deluxe = `{"type":"Deluxe","available":3,"rate":189.5}`
	for _, c := range []struct{ name, body, rooms string }{
		{"every room type, by position, names capitalised", ask(``), standard + "," + deluxe},
		{"room type folded and trimmed", ask(`,"room_type":"  StanDARD "`), standard},
		{"room type null is left out", ask(`,"room_type":null`), standard + "," + deluxe},
		{"party that fits", ask(`,"adults":2,"children":1`), standard + "," + deluxe},
		{"rooms too small are left out", ask(`,"adults":3`), ""},
		{"ages replace children", ask(`,"children":9,"children_ages":[3]`), standard + "," + deluxe},
		{"an age written with a point", ask(`,"children_ages":[3.0]`), standard + "," + deluxe},
		{"no ages", ask(`,"children_ages":[]`), standard + "," + deluxe},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.call("GET", "/v1/availability", c.body).want(t, 200, "")
			available := fmt.Sprint(c.rooms != "")
			want := `{"status":"success","property_id":"hotel_123","available":` + available + `,"rooms":[` + c.rooms + "]}\n"
			if string(got.body) != want {
				t.Errorf("got  %s\nwant %s", got.body, want)
			}
		})
	}
}

func TestAvailabilityFullIsAnAnswer(t *testing.T) {
	h := newHouse(t)
	for range 5 {
		h.call("POST", "/v1/reservations", h.booking("2026-12-02", "2026-12-03")).want(t, 201, "")
	}
	got := h.call("GET", "/v1/availability", strings.Replace(question, "deluxe", "standard", 1)).want(t, 200, "")
	want := `{"status":"success","property_id":"hotel_123","available":false,"rooms":[{"type":"Standard","available":0,"rate":99}]}` + "\n"
	if string(got.body) != want {
		t.Errorf("got  %s\nwant %s", got.body, want)
	}
}

func TestAvailabilityRefusals(t *testing.T) {
	h := newHouse(t)
	stay := func(in, out string) string {
		return `{"property_id":"hotel_123","check_in":"` + in + `","check_out":"` + out + `"}`
	}
	for _, c := range []struct {
		name, query, body string
		status            int
		code, item, at    string
	}{
		{"nothing at all", "", "", 422, "validation_failed", "required", "property_id"},
		{"empty object", "", "{}", 422, "validation_failed", "required", "/property_id"},
		{"no dates", "?property_id=hotel_123", "", 422, "validation_failed", "required", "check_in"},
		{"mistyped parameter", "?chek_in=2026-12-01", "", 400, "unknown_parameter", "unknown_parameter", "chek_in"},
		{"parameter twice", "?adults=1&adults=2", "", 400, "invalid_parameter", "length", "adults"},
		{"mistyped member", "", strings.Replace(question, "check_in", "chek_in", 1), 422, "validation_failed", "unknown_field", "/chek_in"},
		{"member in another case", "", strings.Replace(question, "check_in", "Check_In", 1), 422, "validation_failed", "unknown_field", "/Check_In"},
		{"member twice", "", `{"adults":1,"adults":2}`, 400, "malformed_json", "", ""},
		{"member twice behind an escape", "", `{"adults":1,"\u0061dults":2}`, 400, "malformed_json", "", ""},
		{"trailing data", "", question + "{}", 400, "malformed_json", "", ""},
		{"no object", "", `[]`, 422, "validation_failed", "type", ""},
		{"no such day", "", stay("2026-02-30", "2026-12-03"), 422, "validation_failed", "format", "/check_in"},
		{"wrong type", "", strings.Replace(question, `"2026-12-01"`, `20261201`, 1), 422, "validation_failed", "type", "/check_in"},
		{"fraction of an adult", "", strings.Replace(question, "}", `,"adults":1.5}`, 1), 422, "validation_failed", "type", "/adults"},
		{"no adults", "", strings.Replace(question, "}", `,"adults":0}`, 1), 422, "validation_failed", "min", "/adults"},
		{"age of a grown-up", "", strings.Replace(question, "}", `,"children_ages":[18]}`, 1), 422, "validation_failed", "max", "/children_ages/0"},
		{"out before in", "", stay("2026-12-03", "2026-12-01"), 422, "validation_failed", "date_order", "/check_out"},
		{"in the query, the parameter is named", "?property_id=hotel_123&check_in=2026-12-03&check_out=2026-12-03", "", 422, "validation_failed", "date_order", "check_out"},
		{"yesterday", "", stay("2026-11-20", "2026-11-22"), 422, "validation_failed", "date_in_past", "/check_in"},
		{"beyond the horizon", "", stay("2027-01-01", "2027-01-02"), 422, "validation_failed", "date_horizon", "/check_in"},
		{"too long", "", stay("2026-12-01", "2027-03-02"), 422, "validation_failed", "stay_too_long", "/check_out"},
		{"room type that does not exist", "", strings.Replace(question, "deluxe", "delux", 1), 422, "validation_failed", "unknown_room_type", "/room_type"},
		{"room type without a name", "", strings.Replace(question, "deluxe", "", 1), 422, "validation_failed", "length", "/room_type"},
		{"in the query, a room type without a name", "?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&room_type=", "", 422, "validation_failed", "length", "room_type"},
		{"property that does not exist", "", strings.Replace(question, "hotel_123", "hotel_0", 1), 404, "property_not_found", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := h.call("GET", "/v1/availability"+c.query, c.body).want(t, c.status, c.code).json(t)
			if c.item == "" {
				return
			}
			item := got["errors"].([]any)[0].(map[string]any)
			at, _ := item["pointer"].(string)
			if parameter, ok := item["parameter"].(string); ok {
				at = parameter
			}
			if item["code"] != c.item || at != c.at {
				t.Errorf("item %v, want %s at %s", item, c.item, c.at)
			}
		})
	}
	h.call("GET", "/v1/availability", question, "Content-Type:").want(t, 415, "unsupported_media_type")
	h.call("GET", "/v1/availability", question, "Content-Type: text/plain").want(t, 415, "unsupported_media_type")
	h.call("GET", "/v1/availability?property_id="+url.QueryEscape(strings.Repeat("x", 9000)), "").want(t, 414, "uri_too_long")
}

// BenchmarkFigures prints the rows of `make bench` about the busiest read.
func BenchmarkFigures(b *testing.B) {
	const turns, asks = 21, 4000 // of each turn; fewer are at the mercy of the collector
	h := newHouse(b)
	h.serve(auth.Tiers{auth.Standard: 1 << 40})
	ask := func(handler http.Handler, target, body string) func(int) time.Duration {
		return func(int) time.Duration {
			started := time.Now()
			for range asks {
				req := httptest.NewRequest("GET", target, strings.NewReader(body))
				req.Header["Authorization"] = []string{"Bearer " + h.token}
				req.Header["Content-Type"] = []string{mediaJSON}
				rec := httptest.NewRecorder()
				handler.ServeHTTP(rec, req)
				if rec.Code != 200 || rec.Body.Len() != len(deluxeReply) {
					b.Fatal(rec.Code, rec.Body)
				}
			}
			return time.Since(started)
		}
	}
	bare := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		_, _ = w.Write([]byte(deluxeReply))
	})
	for b.Loop() {
		for _, form := range []struct {
			name, target, body string
			aim                float64
		}{
			{"body", "/v1/availability", question, 0.35},
			{"query", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&room_type=deluxe", "", 0.40},
		} {
			ratio := figures.Ratio(turns, ask(h.handler, form.target, form.body), ask(bare, form.target, form.body))
			figures.Row("GET /availability, asked in the "+form.name, fmt.Sprintf("%.2f of a bare handler", ratio), figures.AtLeast(form.aim, ratio), "whole middleware, no socket, 1 caller without limit, the same bytes answered")
		}
	}
}

func TestAvailabilityWithDetails(t *testing.T) {
	h := newHouse(t)
	const query = "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03"
	got := h.call("GET", query+"&room_type=deluxe&include=stay_details", "").want(t, 200, "").json(t)
	stay, _ := got["stay"].(map[string]any)
	if stay == nil || stay["nights"] != 2.0 || stay["currency"] != "EUR" {
		t.Fatalf("stay %v", got["stay"])
	}
	room := stay["rooms"].([]any)[0].(map[string]any)
	if room["room_type"] != "deluxe" || room["direct"] != got["rooms"].([]any)[0].(map[string]any)["available"] || room["recallable"] != 0.0 {
		t.Errorf("room %v beside %v", room, got["rooms"])
	}
	booked := map[string]string{}
	for _, p := range stay["rate_plans"].([]any) {
		plan := p.(map[string]any)
		if plan["room_type"] != "deluxe" || len(plan["nightly"].([]any)) != 2 {
			t.Errorf("plan %v", plan)
		}
		booked[plan["rate_plan_id"].(string)] = plan["total"].(map[string]any)["gross"].(map[string]any)["amount"].(string)
	}
	if len(booked) == 0 {
		t.Fatal("no plan is told")
	}
	for plan, gross := range booked {
		made := h.call("POST", "/v1/reservations", `{"property_id":"hotel_123","room_type_id":"`+h.deluxe.ID+`","rate_plan_id":"`+plan+
			`","check_in":"2026-12-01","check_out":"2026-12-03","adults":2,"guest":{"last_name":"Lovelace"},`+
			`"expected_total":{"amount":"`+gross+`","currency":"EUR"}}`).want(t, 201, "").json(t)
		if total := made["total"].(map[string]any)["gross"].(map[string]any)["amount"]; total != gross {
			t.Errorf("plan %s was told at %s and is booked at %s", plan, gross, total)
		}
	}
	h.call("GET", query+"&include=everything", "").want(t, 400, "invalid_parameter")
	h.call("GET", "/v1/availability", strings.Replace(question, "{", `{"include":"stay_details",`, 1)).want(t, 422, "validation_failed")
	h.call("GET", "/v1/availability?include=stay_details", question).want(t, 200, "")
}

// How many rooms of a type are free for a stay does not depend on a plan that sells them.
func TestTheRoomsOfAStayNeedNoPlan(t *testing.T) {
	h := newHouse(t)
	for _, plan := range h.call("GET", "/v1/rate-plans?property_id=hotel_123", "").want(t, 200, "").json(t)["data"].([]any) {
		h.call("PATCH", "/v1/rate-plans/"+plan.(map[string]any)["id"].(string), `{"audience":"restricted","sold_by":[]}`).want(t, 200, "")
	}
	got := h.call("GET", "/v1/availability?property_id=hotel_123&check_in=2026-12-01&check_out=2026-12-03&room_type=deluxe&include=stay_details", "").want(t, 200, "").json(t)
	room := got["stay"].(map[string]any)["rooms"].([]any)[0].(map[string]any)
	if got["available"] != false || room["direct"] != 3.0 || room["recallable"] != 0.0 {
		t.Errorf("answered %v", got)
	}
}
