package api

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/internal/auth"
)

// A route that is on its way out says so with every answer, in the document, in the
// changelog and on the page; once its time is over it is gone. No route of this
// version is, so that one is made to be.
func TestARouteIsRetired(t *testing.T) {
	h := newHouse(t)
	since := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	sunset := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)
	was := h.handler.(*server)
	s := newServer(Options{
		Desk: was.desk, Auth: was.auth, PublicURL: was.origin, Version: was.version, Clock: h.clock, Log: zap.NewNop(),
	}, map[string]deprecation{"GET /pools": {since, sunset, "/room-types"}})
	h.handler = s
	got := h.call("GET", "/v1/pools", "").want(t, 200, "")
	links := strings.Join(got.Header.Values("Link"), ", ")
	if got.Header.Get("Deprecation") != "@1793491200" || got.Header.Get("Sunset") != "Sat, 01 Jan 2028 00:00:00 GMT" ||
		!strings.Contains(links, `<https://hotel.example/docs#changes>; rel="deprecation"; type="text/html"`) ||
		!strings.Contains(links, `<https://hotel.example/v1/room-types>; rel="successor-version"`) || !strings.Contains(links, `rel="first"`) {
		t.Errorf("headers %v", got.Header)
	}
	if other := h.call("GET", "/v1/room-types", "").want(t, 200, ""); other.Header.Get("Deprecation") != "" || other.Header.Get("Sunset") != "" {
		t.Errorf("another route: %v", other.Header)
	}
	if paths := s.document().Paths; !paths["/pools"].Get.Deprecated || paths["/pools"].Post.Deprecated {
		t.Error("the document does not say so")
	}
	log := h.call("GET", "/v1/changelog", "", "Authorization:").want(t, 200, "").json(t)
	gone := log["deprecated"].([]any)[0].(map[string]any)
	if gone["path"] != "/v1/pools" || gone["sunset_at"] != "2028-01-01T00:00:00.000Z" || len(log["changes"].([]any)) == 0 {
		t.Errorf("changelog %v", log)
	}
	if page := string(h.call("GET", "/docs", "", "Authorization:").want(t, 200, "").body); !strings.Contains(page, `<code class="gone">/pools</code>`) {
		t.Error("the page does not say so")
	}
	h.clock.move(sunset.Sub(h.clock.Now()))
	h.token = h.tokenOf(h.client)
	retired := h.call("GET", "/v1/pools", "").want(t, 410, "version_retired")
	if retired.Header.Get("Sunset") == "" || strings.Contains(string(retired.body), "hotel_123") {
		t.Errorf("retired: %v %s", retired.Header, retired.body)
	}
	h.call("POST", "/v1/pools", `{"property_id":"hotel_123","code":"new","name":"New","total_units":1}`).want(t, 201, "")
}

// In its last month a route is gone from sandboxes at the turn of every hour.
func TestBrownOuts(t *testing.T) {
	sunset := time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)
	d := deprecation{sunset: sunset}
	month := sunset.AddDate(0, 0, -30)
	for _, c := range []struct {
		name        string
		environment auth.Environment
		now         time.Time
		out         bool
	}{
		{"before the last month", auth.Sandbox, month.Add(-time.Hour), false},
		{"its first minute", auth.Sandbox, month, true},
		{"the last second of a brown-out", auth.Sandbox, month.Add(26*time.Hour + 10*time.Minute - time.Second), true},
		{"between two", auth.Sandbox, month.Add(26*time.Hour + 10*time.Minute), false},
		{"production is spared", auth.Production, month, false},
	} {
		if until, out := d.brownOut(c.environment, c.now); out != c.out || out && !c.now.Before(until) {
			t.Errorf("%s: %v until %s", c.name, out, until)
		}
	}
	h := newHouse(t)
	was := h.handler.(*server)
	h.handler = newServer(Options{
		Desk: was.desk, Auth: was.auth, PublicURL: was.origin, Clock: h.clock, Log: zap.NewNop(), Environment: auth.Sandbox,
	}, map[string]deprecation{"GET /problems/{code}": {h.clock.Now().AddDate(-1, 0, 0), h.clock.Now().AddDate(0, 0, 20), ""}})
	gone := h.call("GET", "/v1/problems/not_found", "", "Authorization:").want(t, 410, "version_retired")
	if gone.Header.Get("Retry-After") != "600" || gone.Header.Get("Sunset") == "" {
		t.Errorf("headers %v", gone.Header)
	}
	h.clock.move(10 * time.Minute)
	h.call("GET", "/v1/problems/not_found", "", "Authorization:").want(t, 200, "")
}

func TestNoRouteIsRetiredWithinAYear(t *testing.T) {
	h := newHouse(t)
	was := h.handler.(*server)
	defer func() {
		if recover() == nil {
			t.Error("a route may go within a month")
		}
	}()
	now := h.clock.Now()
	newServer(Options{Desk: was.desk, Auth: was.auth, PublicURL: was.origin, Clock: h.clock, Log: zap.NewNop()},
		map[string]deprecation{"GET /pools": {now, now.AddDate(0, 1, 0), ""}})
}

// The page shows every operation and loads nothing from anywhere.
func TestThePageShowsTheDocument(t *testing.T) {
	h := newHouse(t)
	got := h.call("GET", "/docs", "", "Authorization:").want(t, 200, "")
	page := string(got.body)
	if !strings.HasPrefix(got.Header.Get("Content-Type"), "text/html") || !strings.Contains(got.Header.Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("headers %v", got.Header)
	}
	for path, item := range h.handler.(*server).document().Paths {
		for _, op := range operationsOf(item) {
			if !strings.Contains(page, `id="`+op.OperationID+`"`) {
				t.Errorf("%s %s is not shown", op.Method, path)
			}
		}
	}
	for _, foreign := range []string{"<script", "<img", "<link", "@import", "url(", "src="} {
		if strings.Contains(page, foreign) {
			t.Errorf("the page has %s", foreign)
		}
	}
	if again := h.call("GET", "/docs", "", "Authorization:", "If-None-Match: "+got.Header.Get("ETag")); again.StatusCode != 304 {
		t.Errorf("unchanged: %d", again.StatusCode)
	}
	yaml := h.call("GET", "/v1/openapi.yaml", "", "Authorization:").want(t, 200, "")
	if !strings.Contains(string(yaml.body), "openapi: 3.1.0") || yaml.Header.Get("Content-Type") != "application/yaml" {
		t.Errorf("yaml %.80s", yaml.body)
	}
}
