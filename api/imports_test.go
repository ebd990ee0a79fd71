package api

import (
	"fmt"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

func TestImport(t *testing.T) {
	h := newHouse(t)
	row := `{"room_type_id":"standard","rate_plan_id":"flex","check_in":"2026-12-01","check_out":"2026-12-03","adults":2,"guest":{"last_name":"Lovelace"}%s}`
	body := func(more string, rows ...string) string {
		return `{"property_id":"hotel_123"` + more + `,"rows":[` + strings.Join(rows, ",") + `]}`
	}
	good, bad := fmt.Sprintf(row, `,"nightly":[{"date":"2026-12-01","amount":{"amount":"90.00","currency":"EUR"}},{"date":"2026-12-02","amount":{"amount":"80.00","currency":"EUR"}}]`),
		fmt.Sprintf(row, `,"status":"gone","source":{"colour":"red"}`)
	counts := func(got map[string]any) string {
		return fmt.Sprint(got["rows"], got["created"], got["attached"], got["duplicates"], got["invalid"], got["dry_run"])
	}
	for _, c := range []struct{ name, body, want string }{
		{"tried", body(`,"dry_run":true`, good, bad), "2 1 0 0 1 true"},
		{"stored", body("", good, bad), "2 1 0 0 1 false"},
		{"again", body("", good, bad), "2 0 0 1 1 false"},
	} {
		got := h.call("POST", "/v1/imports/reservations", c.body).want(t, 200, "").json(t)
		if counts(got) != c.want {
			t.Errorf("%s: %s, want %s: %v", c.name, counts(got), c.want, got)
		}
		wrong := fmt.Sprint(got["results"].([]any)[1].(map[string]any)["errors"])
		if !strings.Contains(wrong, "code:enum") || !strings.Contains(wrong, "pointer:/source/colour") {
			t.Errorf("%s: wrong is %s", c.name, wrong)
		}
	}
	list := h.call("GET", "/v1/reservations?property_id=hotel_123", "").want(t, 200, "").json(t)["data"].([]any)
	if r := list[0].(map[string]any); len(list) != 1 || r["imported"] != true || r["price_known"] != true {
		t.Errorf("stored %v", list)
	}
	for _, c := range []struct{ name, body, want string }{
		{"no property", `{"rows":[` + good + `]}`, "/property_id required"},
		{"no rows", body(""), "/rows length"},
		{"rows that are none", `{"property_id":"hotel_123","rows":{}}`, "/rows type"},
		{"an unknown member", body(`,"history":[]`, good), "/history unknown_field"},
	} {
		if got := h.call("POST", "/v1/imports/reservations", c.body).want(t, 422, "validation_failed").items(t); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	h.call("POST", "/v1/imports/reservations", `{"rows":[],"rows":[]}`).want(t, 400, "malformed_json")
	h.call("POST", "/v1/imports/reservations", strings.Replace(body("", good), "hotel_123", "nothing", 1)).want(t, 404, "property_not_found")
	desk, _ := h.newClient("desk", auth.ScopesOf(auth.ReservationsWrite), "*")
	h.call("POST", "/v1/imports/reservations", body("", good), "Authorization: Bearer "+h.tokenOf(desk)).want(t, 403, "insufficient_scope")
}

func TestImportOfAFile(t *testing.T) {
	h := newHouse(t)
	send := func(query, file string) reply {
		t.Helper()
		return h.call("POST", "/v1/imports/reservations?"+query, file, "Content-Type: text/csv; charset=utf-8")
	}
	file := "\ufeffRoom_Type;check_in;check_out;adults;children_ages;last_name;room_total;tags\n" +
		"standard;2026-12-01;2026-12-03;2;3 7;Lovelace;180.00 EUR;vip quiet\n" +
		"\"deluxe\";2026-12-01;2026-12-31;2;;\"Babbage; Charles\";;\n" +
		"standard;2026-12-99;2026-12-03;two;;Hopper;;\n" +
		"standard;2026-12-99;2026-12-03;0;;Hopper;;\n"
	for _, c := range []struct{ query, want string }{
		{"property_id=hotel_123&dry_run=true", "4 2 0 2"}, {"property_id=hotel_123", "4 2 0 2"}, {"property_id=hotel_123", "4 0 2 2"},
	} {
		got := send(c.query, file).want(t, 200, "").json(t)
		if counts := fmt.Sprint(got["rows"], got["created"], got["duplicates"], got["invalid"]); counts != c.want {
			t.Fatalf("%s: %s, want %s: %v", c.query, counts, c.want, got)
		}
		results := got["results"].([]any)
		if last := results[3].(map[string]any); last["line"] != 5.0 ||
			!strings.Contains(fmt.Sprint(last["errors"]), "parameter:adults") || !strings.Contains(fmt.Sprint(last["errors"]), "parameter:check_in") {
			t.Errorf("the last line: %v", last)
		}
	}
	for _, c := range []struct{ name, query, file, want string }{
		{"no property", "", file, "400 property_id"},
		{"empty", "property_id=hotel_123", "\n", "422 the file"},
		{"no rows", "property_id=hotel_123", "room_type,check_in\n", "422 no row"},
		{"an unknown column", "property_id=hotel_123", "room_type,colour\nx,y\n", "422 column 2"},
		{"a column twice", "property_id=hotel_123", "adults,adults\n1,2\n", "422 column 2"},
		{"a line that is too long", "property_id=hotel_123", "adults\n1,2\n", "422 line 2"},
		{"a quote that does not end", "property_id=hotel_123", "adults\n\"1\n", "422 line"},
		{"no UTF-8", "property_id=hotel_123", "adults\n\xff\n", "422 UTF-8"},
	} {
		r := send(c.query, c.file)
		status, words, _ := strings.Cut(c.want, " ")
		if fmt.Sprint(r.StatusCode) != status || !strings.Contains(string(r.body), words) {
			t.Errorf("%s: %d %s, want %s", c.name, r.StatusCode, r.body, c.want)
		}
	}
	h.call("POST", "/v1/reservations", "adults\n1\n", "Content-Type: text/csv").want(t, 415, "unsupported_media_type")
}

func FuzzImportOfAFile(f *testing.F) {
	h := newHouse(f)
	f.Add("room_type,check_in,check_out,adults,last_name\nstandard,2026-12-01,2026-12-03,2,Lovelace\n")
	f.Add("a;b\n\"\n")
	f.Add("room_total,children_ages,hold_expires_at\n1 EUR,3 4,2026-12-01T00:00:00Z\n9 9,x,y\n")
	f.Fuzz(func(t *testing.T, file string) {
		h.t = t
		r := h.call("POST", "/v1/imports/reservations?property_id=hotel_123&dry_run=true", file, "Content-Type: text/csv")
		if r.StatusCode >= 500 {
			t.Errorf("%q: %d %s", file, r.StatusCode, r.body)
		}
	})
}
