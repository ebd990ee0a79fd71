package api

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"ostler.example/hotel/report"
)

const december = "property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-03"

// report asks for a report of three nights in December.
func (h *house) report(t *testing.T, name, more string) map[string]any {
	t.Helper()
	got := h.call("GET", "/v1/reports/"+name+"?"+december+more, "").want(t, 200, "")
	h.fits(t, name, got.body)
	return got.json(t)
}

// fits sees that a report is what the document says of it.
func (h *house) fits(t *testing.T, name string, body []byte) {
	t.Helper()
	doc := h.handler.(*server).document()
	schema := doc.Paths["/reports/"+name].Get.Responses["200"].Content[mediaJSON].Schema
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	found := &huma.ValidateResult{}
	huma.Validate(doc.Components.Schemas, schema, huma.NewPathBuffer(nil, 0), huma.ModeReadFromServer, v, found)
	for _, err := range found.Errors {
		t.Errorf("%s: %v", name, err)
	}
}

func TestReports(t *testing.T) {
	h := newHouse(t)
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-03")).want(t, 201, "")
	lost := h.call("POST", "/v1/reservations", h.booking("2026-12-02", "2026-12-03")).want(t, 201, "").json(t)["id"].(string)
	h.call("POST", "/v1/inventory/updates", h.stockUpdate(`"room_type_id":"`+h.standard.ID+`","values":{"out_of_inventory":1}`)).want(t, 200, "")
	h.clock.move(45 * time.Minute)
	h.call("POST", "/v1/reservations/"+lost+"/cancel", `{"reason":"guest"}`).want(t, 200, "")
	for _, test := range []struct{ report, more, want string }{
		// 8 rooms on 3 nights, one of them away on 2; the house has no taxes.
		{"occupancy", "", "rooms_total 24 rooms_available 22 rooms_sold 2 occupancy_pct 9.09 arrivals 1 departures 1 average_length_of_stay 2"},
		{"revenue", "", "room_revenue 198.00 adr 99.00 revpar 9.00 commission 0.00 net_adr 99.00"},
		{"channels", "", "reservations 1 share_room_nights_pct 100 average_lead_time_days 10"},
		{"cancellations", "", "booked 2 cancelled 1 cancellation_rate_pct 50 lost_revenue 99.00 average_cancel_lead_days 11"},
		{"cancellations", "&by=created_at", "booked 0 cancellation_rate_pct null"},
		{"lead-time", "", "reservations 1 median_days 10"},
		{"occupancy", "&as_of=2026-11-21T10:30:00Z", "rooms_sold 3"},
		{"occupancy", "&currency=CHF", "rooms_sold 2 rooms_sold_without_price 2"},
		{"pickup", "&pickup_since=2026-11-21T10:30:00Z", "rooms_added 0 rooms_cancelled 1 rooms_net -1 revenue_net -99.00 otb_rooms 2 otb_last_year 0"},
	} {
		checkFigures(t, test.report+test.more, h.report(t, test.report, test.more)["totals"].(map[string]any), test.want)
	}
}

// A pickup stands beside that of as many days before: of other nights, between other
// instants.
func TestPickupIsCompared(t *testing.T) {
	h := newHouse(t)
	h.call("POST", "/v1/reservations", h.booking("2026-12-01", "2026-12-02")).want(t, 201, "")
	h.clock.move(20 * time.Minute)
	h.call("POST", "/v1/reservations", h.booking("2026-11-30", "2026-12-01")).want(t, 201, "")
	h.clock.move(24*time.Hour + 10*time.Minute)
	h.token = h.tokenOf(h.client)
	pickup := func(compare string) map[string]any {
		query := "?property_id=hotel_123&date_from=2026-12-01&date_to=2026-12-01&pickup_since=2026-11-22T10:15:00Z" + compare
		return h.call("GET", "/v1/reports/pickup"+query, "").want(t, 200, "").json(t)["totals"].(map[string]any)
	}
	day := pickup("&compare=previous_period")
	checkFigures(t, "this day", day, "rooms_net 0 otb_rooms 1")
	checkFigures(t, "the day before", day["comparison"].(map[string]any), "rooms_net 1 otb_rooms 1")
	checkFigures(t, "a year ago", pickup("")["comparison"].(map[string]any), "rooms_net 0 otb_rooms 0")
	if pickup("&compare=none")["comparison"] != nil {
		t.Error("compared with what nobody asked for")
	}
}

// checkFigures compares figures of a report, written as names and values.
func checkFigures(t *testing.T, name string, row map[string]any, want string) {
	t.Helper()
	for want := strings.Fields(want); len(want) > 0; want = want[2:] {
		got := fmt.Sprint(row[want[0]])
		if m, ok := row[want[0]].(map[string]any); ok {
			got = m["amount"].(string)
		}
		if strings.Replace(got, "<nil>", "null", 1) != want[1] {
			t.Errorf("%s of %s is %s, want %s", want[0], name, got, want[1])
		}
	}
}

func TestReportRowsAndComparison(t *testing.T) {
	h := newHouse(t)
	h.call("POST", "/v1/reservations", h.booking("2026-12-02", "2026-12-03")).want(t, 201, "")
	got := h.report(t, "revenue", "&group_by=day,room_type&compare=previous_period")
	rows := got["rows"].([]any)
	if len(rows) != 6 {
		t.Fatalf("%d rows, want one for each of 3 days and 2 room types", len(rows))
	}
	i := slices.IndexFunc(rows, func(r any) bool {
		row := r.(map[string]any)
		return row["day"] == "2026-12-02" && row["room_type_id"] == h.standard.ID
	})
	row := rows[i].(map[string]any)
	if row["adr"].(map[string]any)["amount"] != "99.00" || row["comparison"].(map[string]any)["adr"] != nil || row["change_pct"].(map[string]any)["adr"] != nil {
		t.Errorf("row %v", row)
	}
	plain := h.report(t, "revenue", "&compare=none")
	if row := plain["rows"].([]any)[0].(map[string]any); row["comparison"] != nil {
		t.Errorf("compared with what nobody asked for: %v", row)
	}
}

func TestReportsAsTables(t *testing.T) {
	h := newHouse(t)
	h.call("POST", "/v1/reservations", h.booking("2026-12-02", "2026-12-03")).want(t, 201, "")
	got := h.call("GET", "/v1/reports/revenue?"+december+"&group_by=day", "", "Accept: text/csv").want(t, 200, "")
	if media := got.Header.Get("Content-Type"); !strings.HasPrefix(media, "text/csv") {
		t.Errorf("it is %s", media)
	}
	lines := must(csv.NewReader(strings.NewReader(string(got.body))).ReadAll())(t)
	if len(lines) != 4 || !slices.Equal(lines[0][:3], []string{"day", "currency", "room_revenue"}) || !slices.Equal(lines[2][:3], []string{"2026-12-02", "EUR", "99.00"}) {
		t.Errorf("table %v", lines)
	}
	if !slices.Contains(lines[0], "comparison_adr") {
		t.Error("what it is compared with is not in the table")
	}
	h.call("GET", "/v1/reports/revenue?"+december, "", "Accept: application/json, text/csv;q=0.5").want(t, 200, "").json(t)
	h.call("GET", "/v1/reports/revenue?"+december, "", "Accept: image/png").want(t, 406, "not_acceptable")
	h.call("GET", "/v1/reports?", "", "Accept: text/csv").want(t, 406, "not_acceptable")
	h.call("GET", "/v1/reports/revenue?date_from=2026-12-01&date_to=2026-11-01", "", "Accept: text/csv").want(t, 400, "invalid_parameter")
}

func TestReportsThatCannotBe(t *testing.T) {
	h := newHouse(t)
	h.call("PATCH", "/v1/properties/hotel_456", `{"currency":"CHF"}`).want(t, 200, "")
	for _, test := range []struct {
		name, target string
		status       int
		code, says   string
	}{
		{"no dates", "occupancy?property_id=hotel_123", 400, "invalid_parameter", "date_from"},
		{"too long", "occupancy?property_id=hotel_123&date_from=2026-01-01&date_to=2027-02-05", 400, "invalid_parameter", "in parts"},
		{"the wrong way round", "occupancy?property_id=hotel_123&date_from=2026-12-03&date_to=2026-12-01", 400, "invalid_parameter", `"date_to"`},
		{"by three things", "occupancy?" + december + "&group_by=day,channel,seller", 400, "invalid_parameter", "group_by"},
		{"by what there is not", "occupancy?" + december + "&group_by=moon", 400, "invalid_parameter", "group_by"},
		{"as of tomorrow", "occupancy?" + december + "&as_of=2026-11-22T10:00:00Z", 400, "invalid_parameter", `"as_of"`},
		{"several currencies", "revenue?date_from=2026-12-01&date_to=2026-12-03", 422, "validation_failed", "currency_mismatch"},
		{"no currency", "revenue?" + december + "&currency=XTS", 400, "invalid_parameter", `"currency"`},
		{"another's property", "revenue?property_id=hotel_123,hotel_789&date_from=2026-12-01&date_to=2026-12-03", 404, "property_not_found", ""},
		{"a pickup from nowhere", "pickup?" + december, 400, "invalid_parameter", "pickup_since"},
		{"a pickup backwards", "pickup?" + december + "&pickup_since=2026-11-20T10:00:00Z&pickup_until=2026-11-19T10:00:00Z", 400, "invalid_parameter", `"pickup_since"`},
		{"a parameter of another report", "occupancy?" + december + "&by=arrival", 400, "unknown_parameter", ""},
	} {
		got := h.call("GET", "/v1/reports/"+test.target, "")
		if got.StatusCode != test.status || got.code() != test.code || !strings.Contains(string(got.body), test.says) {
			t.Errorf("%s: %d %s, want %d %s that says %s", test.name, got.StatusCode, got.body, test.status, test.code, test.says)
		}
	}
	all := h.call("GET", "/v1/reports/revenue?date_from=2026-12-01&date_to=2026-12-03&currency=EUR&group_by=property", "").want(t, 200, "").json(t)
	if len(all["rows"].([]any)) != 1 { // the other has no rooms, hence no lines
		t.Errorf("rows %v", all["rows"])
	}
}

// The list says of each report just what its answers have.
func TestReportsAreDefined(t *testing.T) {
	h := newHouse(t)
	list := h.call("GET", "/v1/reports", "").want(t, 200, "")
	if next, there := list.json(t)["next_cursor"]; list.json(t)["has_more"] != false || next != nil || !there || !strings.Contains(list.Header.Get("Link"), `rel="first"`) {
		t.Errorf("no list as the others are: %s, Link %s", list.body, list.Header.Get("Link"))
	}
	cut := h.call("GET", "/v1/reports?limit=2", "").want(t, 200, "").json(t)
	rest := h.call("GET", "/v1/reports?limit=200&cursor="+fmt.Sprint(cut["next_cursor"]), "").json(t)
	if n, more := len(cut["data"].([]any)), len(rest["data"].([]any)); n != 2 || n+more != len(report.Definitions) {
		t.Errorf("%d of them, then %d", n, more)
	}
	data := list.json(t)["data"].([]any)
	if len(data) != len(report.Definitions) {
		t.Fatalf("%d reports", len(data))
	}
	for _, d := range data {
		d := d.(map[string]any)
		u := must(url.Parse(d["url"].(string)))(t)
		more := ""
		if d["name"] == "pickup" {
			more = "&pickup_since=2026-11-20T00:00:00Z"
		}
		totals := h.call("GET", u.Path+"?"+december+more, "").want(t, 200, "").json(t)["totals"].(map[string]any)
		for _, f := range d["figures"].([]any) {
			f := f.(map[string]any)
			if _, there := totals[f["name"].(string)]; !there || f["definition"] == "" {
				t.Errorf("%s of %s is not told, or not defined", f["name"], d["name"])
			}
			delete(totals, f["name"].(string))
		}
		delete(totals, "comparison")
		delete(totals, "change_pct")
		if len(totals) > 0 {
			t.Errorf("%s has what is not defined: %v", d["name"], totals)
		}
	}
	field, _ := reflect.TypeFor[ReportIn]().FieldByName("GroupBy")
	var all []string
	for _, by := range report.Dimensions {
		all = append(all, string(by))
	}
	if got := field.Tag.Get("enum"); got != strings.Join(all, ",") {
		t.Errorf("group_by takes %s, reports know %v", got, all)
	}
}

// What a report is compared with may lie before all that the journal has: that is no reason
// to refuse a past instant that the journal has, also for a report of what came in by then.
func TestAReportOfThePastBesideWhatTheJournalHasNoMore(t *testing.T) {
	h := newHouse(t)
	h.clock.move(300 * 24 * time.Hour)
	if err := h.ledger.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.clock.move(time.Hour)
	if err := h.ledger.Retain(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	h.token = h.tokenOf(h.client)
	now := h.clock.Now()
	dates := "?property_id=hotel_123&date_from=" + now.Format(time.DateOnly) + "&date_to=" + now.Format(time.DateOnly)
	at := now.Add(-10 * time.Minute).UTC().Format(time.RFC3339)
	whole := h.call("GET", "/v1/reports/occupancy"+dates+"&as_of="+at, "").want(t, 200, "").json(t)["totals"].(map[string]any)
	if whole["rooms_total"] != 8.0 || whole["comparison"].(map[string]any)["rooms_total"] != 8.0 {
		t.Errorf("told %v", whole)
	}
	h.call("GET", "/v1/reports/pickup"+dates+"&pickup_since="+at+"&pickup_until="+at, "").want(t, 200, "")
	h.call("GET", "/v1/reports/occupancy"+dates+"&compare=none&as_of=2026-11-25T10:00:00Z", "").want(t, 410, "as_of_expired")
}
