package api

import (
	"encoding/csv"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ostler.example/hotel/report"
	"ostler.example/internal/auth"
)

const thisWeek = "/v1/reports/service?date_from=2026-11-20&date_to=2026-11-22"

func TestServiceReport(t *testing.T) {
	h := newHouse(t)
	channel := h.live()
	h.call("GET", "/v1/pools/none", "").want(t, 404, "not_found")
	for range 3 {
		h.call("GET", "/v1/properties", "").want(t, 200, "")
	}
	other, _ := h.newClient("other", auth.ScopesOf(auth.ReportsRead), "hotel_123")
	theirs := "Authorization: Bearer " + h.tokenOf(other)
	h.call("GET", "/v1/properties", "", theirs).want(t, 403, "insufficient_scope")
	if err := h.auth.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}

	first := h.call("GET", thisWeek, "").want(t, 200, "")
	h.fits(t, "service", first.body)
	body := first.json(t)
	totals := body["totals"].(map[string]any)
	if body["currency"] != nil || totals["requests_refused"] != 2.0 || totals["requests_succeeded"].(float64) < 4 || totals["requests_failed"] != 0.0 || totals["sync_pushes"].(float64) < 1 {
		t.Errorf("report %s", first.body)
	}
	if before := totals["comparison"].(map[string]any); before["requests"] != 0.0 || before["latency_p95_ms"] != nil {
		t.Errorf("a year ago %v", before)
	}
	own := h.call("GET", thisWeek+"&compare=none", "", theirs).want(t, 200, "").json(t)["totals"].(map[string]any)
	if own["requests"] != 1.0 || own["requests_refused"] != 1.0 || own["sync_pushes"] != totals["sync_pushes"] {
		t.Errorf("a client that was not granted all is told %v", own)
	}

	rows := h.call("GET", thisWeek+"&group_by=day,channel", "").want(t, 200, "").json(t)["rows"].([]any)
	if len(rows) != 1 {
		t.Fatalf("rows %v", rows)
	}
	if row := rows[0].(map[string]any); row["day"] != "2026-11-21" || row["channel_id"] != channel || row["requests"] != nil || row["sync_pushes"] != totals["sync_pushes"] {
		t.Errorf("row %v", row)
	}
	for asOf, want := range map[string]any{"2026-11-21T00:00:00Z": totals["sync_pushes"], "2026-11-20T23:59:59Z": 0.0} {
		past := h.call("GET", thisWeek+"&currency=EUR&as_of="+asOf, "").want(t, 200, "").json(t)
		if of := past["totals"].(map[string]any); of["sync_pushes"] != want || past["as_of"] != asOf[:19]+".000Z" || past["currency"] != "EUR" {
			t.Errorf("as of %s it is of %v, in %v, with %v pushes, want %v", asOf, past["as_of"], past["currency"], of["sync_pushes"], want)
		}
	}
	table := h.call("GET", thisWeek+"&group_by=day&compare=none", "", "Accept: text/csv").want(t, 200, "")
	lines := must(csv.NewReader(strings.NewReader(string(table.body))).ReadAll())(t)
	if len(lines) != 2 || !slices.Equal(lines[0][:3], []string{"day", "requests", "requests_succeeded"}) || lines[1][0] != "2026-11-21" {
		t.Errorf("table %v", lines)
	}
}

func TestServiceReportsThatCannotBe(t *testing.T) {
	h := newHouse(t)
	h.call("GET", thisWeek+"&group_by=room_type", "").want(t, 400, "invalid_parameter")
	h.call("GET", thisWeek+"&as_of=2026-11-25T09:00:00Z", "").want(t, 400, "invalid_parameter")
	h.call("GET", thisWeek+"&currency=XXQ", "").want(t, 400, "invalid_parameter")
	h.call("GET", thisWeek+"&property_id=hotel_789", "").want(t, 404, "property_not_found")
	field, _ := reflect.TypeFor[ServiceIn]().FieldByName("GroupBy")
	var all []string
	for _, by := range report.Named("service").GroupedBy() {
		all = append(all, string(by))
	}
	if got := field.Tag.Get("enum"); got != strings.Join(all, ",") {
		t.Errorf("group_by takes %s, the report knows %v", got, all)
	}
}
