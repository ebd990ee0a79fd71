package metrics

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	dto "github.com/prometheus/client_model/go"
	"go.uber.org/zap"

	"ostler.example/internal/testkit"
)

var update = flag.Bool("update", false, "write the generated table")

// stepClock stands still until it is moved.
type stepClock struct{ now time.Time }

func (c *stepClock) Now() time.Time                  { return c.now }
func (c *stepClock) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *stepClock) Steady() time.Time               { return c.Now() }

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// everything are metrics that have something to say of each kind.
func everything(t *testing.T) *Metrics {
	t.Helper()
	m := New("1.2.3", &stepClock{now: noon}, zap.NewNop())
	m.Answered("GET /v1/properties/{id}", http.MethodGet, 429, 20*time.Millisecond)
	m.Pushed("ch_1", "applied", time.Second)
	m.CircuitMoved("ch_1", "open")
	m.Committed(3, time.Millisecond)
	m.WebhookCalled(true)
	t.Cleanup(m.Watch(func(context.Context) (Figures, error) {
		return Figures{
			Sequence: 4711, Readers: map[string]int64{"house": 2}, Conflicts: map[string]int{"oversell": 1}, Exposed: map[string]int{"h": 3},
			Files: map[string]int64{"database": 4096}, Webhooks: 5, WebhookAge: time.Minute, Unacknowledged: time.Hour, Backup: 24 * time.Hour, HasBackup: true, Certificates: []Certificate{{"api", -time.Minute, true}},
			Channels: []Channel{{
				ID: "ch_1", Property: "h", Connector: "mock", Status: "active", Lag: 12, Unknown: 6, Refused: 13, Held: 14, Behind: 7 * time.Second,
				Unread: 8, Pulled: 9 * time.Second, Fetched: true, Breaker: "half_open", Queued: 10, Buckets: []Bucket{{"push", "h", 60, 11}},
			}},
		}, nil
	}))
	return m
}

func gather(t *testing.T, m *Metrics) map[string]*dto.MetricFamily {
	t.Helper()
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]*dto.MetricFamily{}
	for _, f := range families {
		if strings.HasPrefix(f.GetName(), namespace+"_") {
			of[f.GetName()] = f
		}
	}
	return of
}

func TestNamesAreGood(t *testing.T) {
	problems, err := testutil.GatherAndLint(everything(t).registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, namespace+"_") { // Go's own are not ours to name
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

// TestFigures: each number of how things stand is shown where it belongs.
func TestFigures(t *testing.T) {
	of := gather(t, everything(t))
	for name, want := range map[string]float64{
		"ostler_ledger_up": 1, "ostler_journal_sequence": 4711, "ostler_cursor_lag": 2, "ostler_conflicts_open": 1, "ostler_sync_exposed_units": 3,
		"ostler_db_bytes": 4096, "ostler_webhook_queue": 5, "ostler_webhook_oldest_seconds": 60, "ostler_booking_unacknowledged_seconds": 3600,
		"ostler_backup_age_seconds": 86400, "ostler_backup_exists": 1, "ostler_sync_lag_cells": 12, "ostler_sync_unknown_cells": 6, "ostler_sync_rejected_cells": 13, "ostler_sync_held_cells": 14, "ostler_sync_stale_seconds": 7, "ostler_messages_unread": 8,
		"ostler_bookings_fetched_seconds": 9, "ostler_circuit_state": 1, "ostler_sync_queued_calls": 10, "ostler_bucket_limit": 60, "ostler_bucket_remaining": 11,
		"ostler_channel_info": 1, "ostler_channel_status": 1, "ostler_certificate_left_seconds": -60, "ostler_certificate_due": 1,
	} {
		if f := of[name]; f == nil || len(f.GetMetric()) != 1 || f.GetMetric()[0].GetGauge().GetValue() != want {
			t.Errorf("%s: %v, want %v", name, f, want)
		}
	}
}

// TestRoutes: the number of series does not grow with what clients send.
func TestRoutes(t *testing.T) {
	m := New("1", &stepClock{}, zap.NewNop())
	for i := range 5 {
		m.Answered("/", fmt.Sprintf("WORD%d", i), http.StatusMethodNotAllowed, 0)
		m.Answered("", http.MethodGet, http.StatusRequestURITooLong, 0)
		m.Answered("GET /v1/guests/{id}", http.MethodHead, http.StatusTooManyRequests, 0)
	}
	var got []string
	for _, series := range gather(t, m)["ostler_http_requests_total"].GetMetric() {
		var labels []string
		for _, l := range series.GetLabel() {
			labels = append(labels, l.GetValue())
		}
		got = append(got, fmt.Sprint(labels, series.GetCounter().GetValue()))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"[405 other ] 5", "[414 GET ] 5", "[429 HEAD /v1/guests/{id}] 5"}, got); diff != "" {
		t.Error(diff)
	}
	if n := testutil.ToFloat64(m.limited); n != 5 {
		t.Errorf("%v were too many", n)
	}
}

// TestFiguresAreReadSeldom: however many look, the ledger is asked once in a while, and
// a ledger that does not answer is told as such.
func TestFiguresAreReadSeldom(t *testing.T) {
	clock := &stepClock{now: noon}
	m := New("1", clock, zap.NewNop())
	reads, failing := 0, false
	stop := m.Watch(func(context.Context) (Figures, error) {
		reads++
		if failing {
			return Figures{}, errors.New("no")
		}
		return Figures{}, nil
	})
	up := func() float64 { return gather(t, m)["ostler_ledger_up"].GetMetric()[0].GetGauge().GetValue() }
	for range 3 {
		if up() != 1 {
			t.Error("the ledger is not up")
		}
	}
	failing = true
	if clock.now = clock.now.Add(figuresKept); up() != 0 || reads != 2 {
		t.Errorf("up after %d reads though the ledger fails", reads)
	}
	if of := gather(t, m); of["ostler_journal_sequence"] != nil {
		t.Error("old figures are shown as if they were new")
	}
	clock.now = clock.now.Add(-time.Hour) // set back
	failing = false
	if up() != 1 {
		t.Error("a clock that was set back keeps old figures")
	}
	stop()
	if clock.now = clock.now.Add(figuresKept); up() != 0 || reads != 3 {
		t.Errorf("%d reads, one of them when it was over", reads)
	}
}

// scrape is what a daemon answers.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Body.String()
}

const tablePage = "../../docs/monitoring.md"

// TestTableIsCurrent compares the table of the manual with what there is; -update
// writes it.
func TestTableIsCurrent(t *testing.T) {
	of := gather(t, everything(t))
	var table strings.Builder
	table.WriteString("| name | kind | labels | what |\n|---|---|---|---|\n")
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f := of[name]
		var labels []string
		for _, l := range f.GetMetric()[0].GetLabel() {
			labels = append(labels, l.GetName())
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", name, strings.ToLower(f.GetType().String()), strings.Join(labels, ", "), f.GetHelp())
	}
	page, err := os.ReadFile(tablePage)
	if err != nil {
		t.Fatal(err)
	}
	between := regexp.MustCompile(`(?s)(<!-- metrics -->\n).*(<!-- end of metrics -->)`)
	want := between.ReplaceAllString(string(page), "${1}"+strings.ReplaceAll(table.String(), "$", "$$")+"${2}")
	if want == string(page) {
		return
	}
	if *update {
		if err := os.WriteFile(tablePage, []byte(want), 0o644); err != nil { // a page of the manual
			t.Fatal(err)
		}
		return
	}
	t.Errorf("%s is not what there is; run make generate:\n%s", tablePage, cmp.Diff(string(page), want))
}

// TestRulesAndDashboardNameWhatThereIs: a metric that is renamed takes its alerts and
// pictures with it, and each alert says what to do.
func TestRulesAndDashboardNameWhatThereIs(t *testing.T) {
	of := gather(t, everything(t))
	read := func(path string) string {
		text, err := os.ReadFile(filepath.Join("../../docs", path))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	rules := read("monitoring/ostler.rules.yml")
	for name, text := range map[string]string{"rules": rules, "dashboard": read("monitoring/ostler.dashboard.json")} {
		for _, metric := range regexp.MustCompile(`ostler_[a-z_]+`).FindAllString(text, -1) {
			base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(metric, "_bucket"), "_sum"), "_count")
			if of[metric] == nil && of[base] == nil {
				t.Errorf("%s: there is no %s", name, metric)
			}
		}
	}
	manual, tests := read("operating.md"), read("monitoring/ostler.rules.test.yml")
	alerts := regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(rules, -1)
	if len(alerts) == 0 {
		t.Error("there are no alerts")
	}
	for _, a := range alerts {
		if !regexp.MustCompile("(?m)^\\| `" + a[1] + "` \\| .+ \\| .+ \\|$").MatchString(manual) {
			t.Errorf("operating.md does not say what to do about %s", a[1])
		}
		if !strings.Contains(tests, `alertname="`+a[1]+`"`) {
			t.Errorf("no test has %s fire", a[1])
		}
	}
}

// TestPromtool has Prometheus's own tool look at a scrape and at the rules, and have
// every alert fire.
func TestPromtool(t *testing.T) {
	tool := testkit.Tool(t, "promtool")
	for _, run := range []struct {
		args  []string
		stdin string
	}{
		{[]string{"check", "rules", "ostler.rules.yml"}, ""},
		{[]string{"test", "rules", "ostler.rules.test.yml"}, ""},
		{[]string{"check", "metrics"}, ours(scrape(t, everything(t)))},
	} {
		cmd := exec.CommandContext(t.Context(), tool, run.args...)
		cmd.Dir, cmd.Stdin = "../../docs/monitoring", strings.NewReader(run.stdin)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("promtool %v: %v\n%s", run.args, err, out)
		}
	}
}

// ours leaves out what the libraries show of Go and the process.
func ours(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, namespace+"_") {
			b.WriteString(line)
		}
	}
	return b.String()
}
