package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// What is asked before there is a ledger is answered in the form that its path has otherwise,
// with the reason and when to ask again.
func TestUnopened(t *testing.T) {
	const why = "It waits."
	for _, tt := range []struct{ method, path, media, code, says string }{
		{"GET", "/v1/reservations", mediaProblem, "code", "detail"},
		{"POST", "/v1/reservations", mediaProblem, "code", "detail"},
		{"GET", "/v1/health", mediaProblem, "code", "detail"},
		{"GET", "/docs", mediaProblem, "code", "detail"},
		{"POST", "/v1/oauth/token", mediaJSON, "error", "error_description"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil)
		r.Header.Set("X-Request-Id", "req_mine")
		Unopened("1.2.3", why, 10).ServeHTTP(w, r)
		got := reply{w.Result(), w.Body.Bytes()}
		said := got.json(t)
		if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Content-Type") != tt.media || got.Header.Get("Retry-After") != "10" ||
			got.Header.Get("Request-Id") != "req_mine" || got.Header.Get("Ostler-Version") != "1.2.3" || said[tt.code] != "temporarily_unavailable" || said[tt.says] != why {
			t.Errorf("%s %s: %d %v %s", tt.method, tt.path, got.StatusCode, got.Header, got.body)
		}
	}
}
