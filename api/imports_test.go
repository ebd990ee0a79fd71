package api

import (
	"fmt"
	"maps"
	"slices"
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
		if !strings.Contains(wrong, "code:enum") || !strings.Contains(wrong, "pointer:/rows/1/source/colour") {
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
		{"an unknown member", body(`,"past":[]`, good), "/past unknown_field"},
		{"no history", body(`,"history":[]`, good), "/history length"},
		{"nothing", `{"property_id":"hotel_123"}`, "/rows required"},
	} {
		if got := h.call("POST", "/v1/imports/reservations", c.body).want(t, 422, "validation_failed").items(t); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	long := h.call("POST", "/v1/imports/reservations", body("", fmt.Sprintf(row, `,"source":{"`+strings.Repeat("x", 5000)+`":1}`))).want(t, 200, "")
	if len(long.body) > 1000 || !strings.Contains(string(long.body), `"pointer":"/rows/0/source"`) {
		t.Errorf("a member with a name that is too long: %s", long.body)
	}
	for _, parameter := range []string{"dry_run=true", "property_id=hotel_123", "kind=history"} {
		refused := h.call("POST", "/v1/imports/reservations?"+parameter, body("", good)).want(t, 400, "invalid_parameter").json(t)
		if item := refused["errors"].([]any)[0].(map[string]any); !strings.HasPrefix(parameter, item["parameter"].(string)) {
			t.Errorf("%s beside JSON: %v", parameter, refused)
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
	file := "\ufeffRoom_Type;check_in;check_out;adults;children_ages;last_name;room_total;tags;amount_basis;guarantee;house_use\n" +
		"standard;2026-12-01;2026-12-03;2;3 7;Lovelace;180.00 EUR;vip quiet;net_of_commission;deposit;FALSE\n" +
		"\"deluxe\";2026-12-01;2026-12-31;2;;\"Babbage; Charles\";;;;;\n" +
		"standard;2026-12-99;2026-12-03;two;;Hopper;;;;;\n" +
		"standard;2026-12-99;2026-12-03;0;;Hopper;;;;;\n"
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
	found := h.call("GET", "/v1/reservations?tag=quiet", "").want(t, 200, "").json(t)["data"].([]any)
	if r := found[0].(map[string]any); len(found) != 1 || r["amount_basis"] != "net_of_commission" || fmt.Sprint(r["guarantee"]) != "map[kind:deposit]" {
		t.Errorf("imported: %v", found)
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

// Past nights in sum are read by the reports, once however often they are sent.
func TestImportOfHistory(t *testing.T) {
	h := newHouse(t)
	counts := func(got map[string]any) string {
		if got["history"] == nil {
			return "nothing"
		}
		b := got["history"].(map[string]any)
		return fmt.Sprint(b["rows"], b["stored"], b["replaced"], b["unchanged"], b["invalid"])
	}
	body := func(dry bool, rows string) string {
		return fmt.Sprintf(`{"property_id":"hotel_123","dry_run":%t,"history":[%s]}`, dry, rows)
	}
	first := `{"date":"2025-11-21","room_type_id":"standard","channel_id":"direct","rooms_sold":4,"room_revenue":{"amount":"400.00","currency":"EUR"}},
		{"date":"2025-11-21","room_type_id":"deluxe","seller":" Booking.COM ","rooms_sold":1}`
	mended := strings.Replace(first, "400.00", "410.00", 1)
	for _, c := range []struct{ name, rows, want string }{
		{"first", first, "2 2 0 0 []"}, {"again", first, "2 0 0 2 []"}, {"mended", mended, "2 0 1 1 []"},
	} {
		for _, dry := range []bool{true, false} {
			if got := counts(h.call("POST", "/v1/imports/reservations", body(dry, c.rows)).want(t, 200, "").json(t)); got != c.want {
				t.Errorf("%s, dry run %t: %s, want %s", c.name, dry, got, c.want)
			}
		}
	}
	wrong := h.call("POST", "/v1/imports/reservations", body(false, `{"date":"2099-01-01","room_type_id":"cave","channel_id":"ch_9","rooms_sold":1},
		{"date":"2025-11-21","rooms_sold":-1},{"date":"2025-11-21","rooms_sold":1,"room_revenue":{"amount":"-1.00","currency":"EUR"}},`+mended+","+mended)).want(t, 200, "").json(t)
	if got := fmt.Sprint(wrong["history"]); strings.Count(got, "index:") != 5 {
		t.Errorf("wrong are %s", got)
	} else {
		for _, want := range []string{"pointer:/history/0/date", "unknown_room_type", "pointer:/history/0/channel_id", "pointer:/history/1/rooms_sold", "pointer:/history/2/room_revenue", "row 3: add them up"} {
			if !strings.Contains(got, want) {
				t.Errorf("nothing says %s: %s", want, got)
			}
		}
	}
	file := "date;room_type;seller;rooms_sold;room_revenue\n2025-11-21;deluxe;booking.com;2;170.00 EUR\n2025-11-22;deluxe;;x;\n"
	got := h.call("POST", "/v1/imports/reservations?kind=history&property_id=hotel_123", file, "Content-Type: text/csv").want(t, 200, "").json(t)
	if text := counts(got); !strings.HasPrefix(text, "2 0 1 0 ") || !strings.Contains(text, "line:3") || !strings.Contains(text, "parameter:rooms_sold") {
		t.Errorf("the file: %s", text)
	}
	for _, c := range []struct{ name, query, want string }{
		{"occupancy", "", "rooms_sold 6 rooms_sold_without_price 0"},
		{"revenue", "", "room_revenue 580.00 adr 96.67 net_room_revenue null"},
		{"channels", "&group_by=seller", "room_nights 6 room_revenue 580.00"},
	} {
		report := h.call("GET", "/v1/reports/"+c.name+"?property_id=hotel_123&date_from=2025-11-21&date_to=2025-11-21"+c.query, "").want(t, 200, "").json(t)
		checkFigures(t, c.name, report["totals"].(map[string]any), c.want)
	}
	h.call("POST", "/v1/imports/reservations", body(false, `{"date":"2025-11-22","rooms_sold":5}`)).want(t, 200, "")
	for date, want := range map[string]string{"2026-11-20": "6", "2026-11-21": "null"} { // a year before today the one is over, and the other is not
		query := "?property_id=hotel_123&pickup_since=2026-11-21T10:00:00Z&date_from=" + date + "&date_to=" + date
		pickup := h.call("GET", "/v1/reports/pickup"+query, "").want(t, 200, "").json(t)
		checkFigures(t, "pickup of "+date, pickup["totals"].(map[string]any), "otb_last_year "+want)
	}
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

// The nights of a reservation are imported as they are shown.
func TestImportOfNightsAsTheyAreShown(t *testing.T) {
	h := newHouse(t)
	shown := text(h.book("2026-12-01", "2026-12-03")["nightly"])
	row := func(nightly string) string {
		return `{"property_id":"hotel_123","rows":[{"room_type_id":"standard","rate_plan_id":"flex","check_in":"2026-12-01","check_out":"2026-12-03","adults":2,"guest":{"last_name":"King"},"nightly":` + nightly + `}]}`
	}
	result := func(nightly string) map[string]any {
		return h.call("POST", "/v1/imports/reservations", row(nightly)).want(t, 200, "").json(t)["results"].([]any)[0].(map[string]any)
	}
	got := h.call("GET", "/v1/reservations/"+result(shown)["reservation_id"].(string), "").want(t, 200, "").json(t)["nightly"]
	if want := strings.ReplaceAll(shown, `"override":false`, `"override":true`); text(got) != want {
		t.Errorf("imported %s, want %s", text(got), want)
	}
	if unnamed := result(strings.ReplaceAll(shown, `"`+h.flex.ID+`"`, "null")); unnamed["status"] == "invalid" {
		t.Errorf("nights of which no plan is named: %v", unnamed)
	}
	for old, replacement := range map[string]string{h.standard.ID: h.deluxe.ID, h.flex.ID: "rp_none"} {
		if wrong := result(strings.Replace(shown, old, replacement, 1)); wrong["status"] != "invalid" {
			t.Errorf("%s in place of %s: %v", replacement, old, wrong)
		}
	}
}

// TestImportOfWhatHasHappened: what a reservation shows of how it ended is taken over with it,
// null where there is nothing, and what the server sets is told from what nobody knows.
func TestImportOfWhatHasHappened(t *testing.T) {
	h := newHouse(t)
	result := func(row string) map[string]any {
		return h.call("POST", "/v1/imports/reservations", `{"property_id":"hotel_123","rows":[{"room_type_id":"standard","rate_plan_id":"flex","adults":2,"guest":{"last_name":"King"},`+row+`}]}`).
			want(t, 200, "").json(t)["results"].([]any)[0].(map[string]any)
	}
	const (
		stay   = `"check_in":"2026-11-01","check_out":"2026-11-03",`
		cancel = `{"at":"2026-10-20T10:00:00.000Z","note":"ill","penalty":{"amount":"50.00","currency":"EUR"},"reason":"guest_request","waived":true}`
	)
	taken := map[string]string{
		stay + `"status":"cancelled","cancel":` + cancel: strings.Replace(cancel, `"note"`, `"by":"client","note"`, 1) + " null null null",
		stay + `"status":"no_show","cancel":{"at":"2026-10-20T10:00:00.000Z","reason":"x","penalty":null},"group_id":null,"source":{"sub_channel":null}`:        `{"at":"2026-10-20T10:00:00.000Z","by":"client","note":"","penalty":null,"reason":"x","waived":false} null null null`,
		stay + `"status":"cancelled","cancel":{"at":"2026-10-20T10:00:00.000Z","reason":"4111 1111 1111 1111","note":"card 4111111111111111"}`:                  `{"at":"2026-10-20T10:00:00.000Z","by":"client","note":"card ************1111","penalty":null,"reason":"**** **** **** 1111","waived":false} null null null`,
		stay + `"status":"declined","decline_reason":"expired","cancel":null`:                                                                                   `null "expired" null null`,
		stay + `"status":"checked_out","actual_check_in_at":"2026-11-01T15:00:00.000Z","actual_check_out_at":"2026-11-03T09:30:00.000Z","children_ages":[null]`: `null null "2026-11-01T15:00:00.000Z" "2026-11-03T09:30:00.000Z"`,
		stay + `"status":"checked_out","actual_check_in_at":null`:                                                                                               `null null null null`,
	}
	for _, row := range slices.Sorted(maps.Keys(taken)) {
		want, made := taken[row], result(row)
		if made["status"] != "created" {
			t.Errorf("%s: %v", row, made)
			continue
		}
		r := h.call("GET", "/v1/reservations/"+made["reservation_id"].(string), "").want(t, 200, "").json(t)
		if got := strings.Join([]string{text(r["cancel"]), text(r["decline_reason"]), text(r["actual_check_in_at"]), text(r["actual_check_out_at"])}, " "); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", row, got, want)
		}
	}
	refused := map[string]string{
		stay + `"status":"confirmed","cancel":` + cancel:                                                  "/cancel enum",
		stay + `"status":"cancelled","cancel":` + strings.Replace(cancel, "2026", "2027", 1):              "/cancel/at max",
		stay + `"status":"cancelled","cancel":` + strings.Replace(cancel, "EUR", "CHF", 1):                "/cancel/penalty currency_mismatch",
		stay + `"status":"cancelled","cancel":` + strings.Replace(cancel, "50.00", "-50.00", 1):           "/cancel/penalty min",
		stay + `"status":"cancelled","decline_reason":"guest"`:                                            "/decline_reason enum",
		stay + `"status":"checked_in","actual_check_out_at":"2026-11-03T09:30:00Z"`:                       "/actual_check_out_at enum",
		stay + `"actual_check_in_at":"2036-11-03T09:30:00Z"`:                                              "/actual_check_in_at max",
		stay + `"actual_check_in_at":"2026-11-03T09:30:00Z","actual_check_out_at":"2026-11-02T09:30:00Z"`: "/actual_check_out_at date_order",
		stay + `"price_known":true`: "/price_known read_only",
		stay + `"status":"cancelled","cancel":` + strings.Replace(cancel, `"note"`, `"by":"client","note"`, 1): "/cancel/by read_only",
		stay + `"prise_known":true`: "/prise_known unknown_field",
	}
	for _, row := range slices.Sorted(maps.Keys(refused)) {
		want, made := refused[row], result(row)
		first, _ := made["errors"].([]any)
		if len(first) != 1 || made["status"] != "invalid" {
			t.Errorf("%s: %v", row, made)
			continue
		}
		it := first[0].(map[string]any)
		if got := strings.TrimPrefix(it["pointer"].(string), "/rows/0") + " " + it["code"].(string); got != want {
			t.Errorf("%s: got %s, want %s", row, got, want)
		}
	}
}

// TestImportOfHowStaysEnded: a file says it as a request does.
func TestImportOfHowStaysEnded(t *testing.T) {
	h := newHouse(t)
	file := "room_type,check_in,check_out,adults,last_name,status,cancelled_at,cancel_reason,cancel_note,penalty,penalty_waived,decline_reason,actual_check_in_at,actual_check_out_at\n" +
		"standard,2026-11-01,2026-11-03,2,King,cancelled,2026-10-20T10:00:00Z,guest_request,ill,50.00 EUR,true,,,\n" +
		"standard,2026-11-01,2026-11-03,2,Byron,declined,,,,,,expired,,\n" +
		"standard,2026-11-01,2026-11-03,2,Hopper,checked_out,,,,,,,2026-11-01T15:00:00Z,2026-11-03T09:30:00Z\n" +
		"standard,2026-11-01,2026-11-03,2,Turing,cancelled,,,ill,,maybe,,,\n"
	results := h.call("POST", "/v1/imports/reservations?property_id=hotel_123", file, "Content-Type: text/csv").want(t, 200, "").json(t)["results"].([]any)
	for i, want := range []string{
		`{"at":"2026-10-20T10:00:00.000Z","by":"client","note":"ill","penalty":{"amount":"50.00","currency":"EUR"},"reason":"guest_request","waived":true} null null null`,
		`null "expired" null null`,
		`null null "2026-11-01T15:00:00.000Z" "2026-11-03T09:30:00.000Z"`,
	} {
		r := h.call("GET", "/v1/reservations/"+fmt.Sprint(results[i].(map[string]any)["reservation_id"]), "").want(t, 200, "").json(t)
		if got := strings.Join([]string{text(r["cancel"]), text(r["decline_reason"]), text(r["actual_check_in_at"]), text(r["actual_check_out_at"])}, " "); got != want {
			t.Errorf("line %d:\ngot  %s\nwant %s", i+2, got, want)
		}
	}
	if wrong := fmt.Sprint(results[3]); !strings.Contains(wrong, "parameter:penalty_waived") {
		t.Errorf("the last line: %s", wrong)
	}
}

func TestImportUnderAKey(t *testing.T) {
	h := newHouse(t)
	body := `{"property_id":"hotel_123","rows":[{"room_type_id":"standard","check_in":"2026-12-01","check_out":"2026-12-03","adults":2,"guest":{"last_name":"King"}}]}`
	send := func(body string) reply {
		return h.call("POST", "/v1/imports/reservations", body, "Idempotency-Key: one")
	}
	if first := send(body).want(t, 200, ""); first.Header.Get("Idempotent-Replayed") != "" || first.json(t)["created"] != 1.0 {
		t.Errorf("first %s", first.body)
	}
	if again := send(body).want(t, 200, ""); again.Header.Get("Idempotent-Replayed") != "true" || again.json(t)["duplicates"] != 1.0 {
		t.Errorf("again %s", again.body)
	}
	send(strings.Replace(body, "King", "Byron", 1)).want(t, 422, "idempotency_key_reused")
}

// An import that is repeated under its key is done again. It is a replay where that stored
// nothing; a dry run is none of the import's, and another query is another request.
func TestImportIsAReplayWhereItStoresNothing(t *testing.T) {
	h := newHouse(t)
	file := "room_type,check_in,check_out,adults,last_name\nattic,2026-12-01,2026-12-03,2,King\n"
	send := func(query string) reply {
		return h.call("POST", "/v1/imports/reservations?property_id=hotel_123"+query, file, "Content-Type: text/csv", "Idempotency-Key: one")
	}
	for _, step := range []struct {
		query, count string
		replayed     string
	}{{"&dry_run=true", "invalid", ""}, {"", "invalid", ""}, {"", "invalid", "true"}} {
		if r := send(step.query).want(t, 200, ""); r.Header.Get("Idempotent-Replayed") != step.replayed || r.json(t)[step.count] != 1.0 {
			t.Errorf("of no room type%s: %q %s", step.query, r.Header.Get("Idempotent-Replayed"), r.body)
		}
	}
	h.call("POST", "/v1/room-types", `{"property_id":"hotel_123","code":"attic","name":"Attic","total_units":1,"base_occupancy":2,"max_occupancy":2,"max_adults":2}`).want(t, 201, "")
	for _, want := range []struct{ count, replayed string }{{"created", ""}, {"duplicates", "true"}} {
		if r := send("").want(t, 200, ""); r.Header.Get("Idempotent-Replayed") != want.replayed || r.json(t)[want.count] != 1.0 {
			t.Errorf("%s: %q %s", want.count, r.Header.Get("Idempotent-Replayed"), r.body)
		}
	}
	send("&kind=reservations").want(t, 422, "idempotency_key_reused")
}

// A row says who comes as a booking does: by a profile, beside others, with what the guest
// said of loyalty and consent, and in a group. An id in another system finds its guest.
func TestImportOfPeople(t *testing.T) {
	h := newHouse(t)
	ada := h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"Lovelace"}`).want(t, 201, "").json(t)["id"].(string)
	group := h.call("POST", "/v1/reservation-groups", h.groupOfRooms(1, "", "2026-12-01", "2026-12-02")).want(t, 201, "").json(t)["id"].(string)
	row := func(more string) string {
		return `{"room_type_id":"standard","rate_plan_id":"flex","check_in":"2026-12-01","check_out":"2026-12-03","adults":2,` + more + `}`
	}
	known := `"guest":{"last_name":"Byron","external_ids":{"pms":"77"},"vip":true,"loyalty":[{"program":"club","number":"9"}]}`
	rows := []string{
		row(`"guest_id":"` + ada + `","group_id":"` + group + `"`), row(known), row(known + `,"additional_guest_ids":["` + ada + `"]`),
		row(`"guest_id":"` + ada + `","guest":{"last_name":"Byron"}`), row(`"guest_id":"gst_nobody"`), row(`"adults":1`), row(`"guest_id":"` + ada + `","group_id":"grp_none"`),
		row(`"guest":{"last_name":"King","metadata":{"":"x"}}`),
	}
	rows[5] = strings.Replace(rows[5], `,"adults":1`, "", 1)
	got := h.call("POST", "/v1/imports/reservations", `{"property_id":"hotel_123","rows":[`+strings.Join(rows, ",")+`]}`).want(t, 200, "").json(t)
	results, said := got["results"].([]any), ""
	for _, r := range results {
		result := r.(map[string]any)
		said += result["status"].(string)
		for _, e := range anyList(result["errors"]) {
			said += " " + e.(map[string]any)["pointer"].(string) + " " + e.(map[string]any)["code"].(string)
		}
		said += "; "
	}
	want := "created; created; created; invalid /rows/3/guest_id enum; invalid /rows/4/guest_id enum; invalid /rows/5/guest/last_name required; " +
		"invalid /rows/6/group_id unknown_group; invalid /rows/7/guest/metadata length; "
	if said != want {
		t.Errorf("rows: %s\nwant: %s", said, want)
	}
	read := func(i int) map[string]any {
		return h.call("GET", "/v1/reservations/"+results[i].(map[string]any)["reservation_id"].(string), "").want(t, 200, "").json(t)
	}
	first, second, third := read(0), read(1), read(2)
	if first["guest_id"] != ada || first["group_id"] != group || second["guest_id"] != third["guest_id"] || fmt.Sprint(third["additional_guest_ids"]) != "["+ada+"]" {
		t.Errorf("of %s: %v in %v; of Byron: %v and %v, beside %v", ada, first["guest_id"], first["group_id"], second["guest_id"], third["guest_id"], third["additional_guest_ids"])
	}
	byron := h.call("GET", "/v1/guests/"+second["guest_id"].(string), "").want(t, 200, "").json(t)
	if byron["vip"] != true || fmt.Sprint(byron["external_ids"]) != "map[pms:77]" || len(byron["loyalty"].([]any)) != 1 {
		t.Errorf("Byron is %v %v %v", byron["vip"], byron["external_ids"], byron["loyalty"])
	}
}
