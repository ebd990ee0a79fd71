package ical

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// tells has the channel publish counts of doubles for nights in January.
func (h *house) tells(t *testing.T, from, to hotel.Date, available int) {
	t.Helper()
	var changes []connectors.Change
	for night := from; night <= to; night++ {
		changes = append(changes, connectors.Change{
			Key: connectors.Key{Room: "double", Group: hotel.Availability, Night: night}, Offer: hotel.Offer{Available: available},
		})
	}
	h.sends(t, changes)
}

func (h *house) sends(t *testing.T, changes []connectors.Change) {
	t.Helper()
	calls, refused := h.Encode(changes)
	if len(calls) != 1 || len(refused) > 0 {
		t.Fatalf("%d calls and %d refusals, want 1 and 0", len(calls), len(refused))
	}
	if answer, err := h.Send(t.Context(), calls[0]); err != nil || answer.Rest != connectors.Applied || len(answer.Keys) > 0 {
		t.Fatalf("sent: %+v and %v", answer, err)
	}
}

// visited is what a visitor gets.
type visited struct {
	status int
	header http.Header
	body   string
}

func (h *house) visits(method, path string, header ...string) visited {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	h.Published().ServeHTTP(answer, r)
	return visited{answer.Code, answer.Header(), answer.Body.String()}
}

func TestPublishedIsServed(t *testing.T) {
	h := newHouse(t, "CH_1", settings())
	const at = "/" + testKey + "/double-1.ics"
	if r := h.visits("GET", at); r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" {
		t.Errorf("before anything is told the answer is %d", r.status)
	}
	h.tells(t, day(1), day(20), 1)
	first := h.visits("GET", at)
	text, tag := first.body, first.header.Get("ETag")
	if first.status != http.StatusOK || first.header.Get("Content-Type") != "text/calendar; charset=utf-8" || tag == "" || first.header.Get("Last-Modified") == "" {
		t.Errorf("answered %d with %v", first.status, first.header)
	}
	for _, want := range []string{"UID:double-1-1@ch_1.ostler\r\n", "DTSTART;VALUE=DATE:20270121\r\n", "DTEND;VALUE=DATE:20300101\r\n", "SUMMARY:Not available\r\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the calendar does not say %q:\n%s", want, text)
		}
	}
	for name, c := range map[string]struct {
		method, path string
		header       []string
		status       int
	}{
		"as it was":                   {"GET", at, []string{"If-None-Match", tag}, http.StatusNotModified},
		"as it was, by the date":      {"GET", at, []string{"If-Modified-Since", first.header.Get("Last-Modified")}, http.StatusNotModified},
		"another tag":                 {"GET", at, []string{"If-None-Match", `"x"`}, http.StatusOK},
		"the head alone":              {"HEAD", at, nil, http.StatusOK},
		"somebody writes":             {"PUT", at, nil, http.StatusMethodNotAllowed},
		"another key":                 {"GET", "/0123456789abcdefghik/double-1.ics", nil, http.StatusNotFound},
		"no key":                      {"GET", "/double-1.ics", nil, http.StatusNotFound},
		"a listing that there is not": {"GET", "/" + testKey + "/double-3.ics", nil, http.StatusNotFound},
		"a room that was not told":    {"GET", "/" + testKey + "/suite-1.ics", nil, http.StatusServiceUnavailable},
	} {
		if r := h.visits(c.method, c.path, c.header...); r.status != c.status {
			t.Errorf("%s: answered %d, want %d", name, r.status, c.status)
		}
	}
	h.tells(t, day(3), day(3), 0)
	if r := h.visits("GET", at, "If-None-Match", tag); r.status != http.StatusOK {
		t.Errorf("after a change the answer is %d", r.status)
	}
	if v, err := h.Visits(t.Context()); err != nil || v[0].Name != "double-1" || v[0].ReadAt.IsZero() || !v[1].ReadAt.IsZero() {
		t.Errorf("its visits are %+v, %v; want one to the first calendar", v, err)
	}
	said := h.visits("GET", "/"+testKey+"/").body
	if !strings.Contains(said, "double-1.ics\n  read by the site: 2027-01-01T09:00:00Z\n  read from the site: never\n") || strings.Contains(said, "hush") {
		t.Errorf("people are told %s", said)
	}

	// Another key makes the addresses end.
	rotated := settings()
	rotated.Key = strings.ToUpper(testKey)
	h.open(t, "CH_1", rotated, h.shelf)
	if r := h.visits("GET", at); r.status != http.StatusNotFound {
		t.Errorf("by the old key the answer is %d", r.status)
	}
	if r := h.visits("GET", "/"+rotated.Key+"/double-1.ics"); r.status != http.StatusOK {
		t.Errorf("by the new key the answer is %d", r.status)
	}
}
