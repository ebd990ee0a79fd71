package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ostler.example/hotel"
)

func TestOperator(t *testing.T) {
	h := newHouse(t)
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, AsOperator(r, "anna"))
		return w
	}
	read := ask(http.MethodGet, "/v1/properties", "")
	if read.Code != http.StatusOK || !strings.Contains(read.Body.String(), "hotel_456") || read.Header().Get("RateLimit") != "" {
		t.Errorf("%d %v %s", read.Code, read.Header(), read.Body)
	}
	written := ask(http.MethodPost, "/v1/inventory/updates", `{"property_id":"hotel_123","entries":[{"room_type_id":"`+h.standard.ID+
		`","date_from":"2026-12-01","date_to":"2026-12-01","values":{"closed":true}}]}`)
	if written.Code/100 != 2 {
		t.Fatalf("%d %s", written.Code, written.Body)
	}
	last, err := h.ledger.Sequence(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	entries, err := h.ledger.Entries(t.Context(), last-1, 1)
	if err != nil || len(entries) != 1 || entries[0].Actor != (hotel.Actor{Kind: hotel.ActorOperator, ID: "anna"}) {
		t.Errorf("%+v, %v", entries, err)
	}
	plain := httptest.NewRecorder()
	h.handler.ServeHTTP(plain, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/properties", nil))
	if plain.Code != http.StatusUnauthorized {
		t.Errorf("somebody else without a token: %d", plain.Code)
	}
}
