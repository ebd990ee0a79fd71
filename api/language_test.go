package api

import (
	"fmt"
	"strings"
	"testing"
)

// A language is checked alike wherever a guest is written down: in a booking, in a change of
// one, and as a profile.
func TestLanguagesOfGuestsAreCheckedAlike(t *testing.T) {
	h := newHouse(t)
	id := h.book("2026-12-10", "2026-12-12")["id"].(string)
	night := 0
	for tag, good := range map[string]bool{
		"de": true, "pt-BR": true, "sr-Latn-RS": true, "de-CH-1996": true, "i-klingon": true, "x-house": true,
		"xx": false, "no-one!": false, "english": false, "de-": false,
	} {
		night++
		day := func(n int) string { return fmt.Sprintf("2026-12-%02d", n) }
		for what, got := range map[string]reply{
			"/guest/language of a booking":       h.call("POST", "/v1/reservations", strings.Replace(h.booking(day(night), day(night+1)), `"first_name"`, `"language":"`+tag+`","first_name"`, 1)),
			"/guest/language of a changed guest": h.call("PATCH", "/v1/reservations/"+id, `{"guest":{"language":"`+tag+`"}}`),
			"/language of a profile":             h.call("POST", "/v1/guests", `{"property_id":"hotel_123","last_name":"Hopper","language":"`+tag+`"}`),
		} {
			pointer, _, _ := strings.Cut(what, " ")
			if good && got.StatusCode >= 300 || !good && (got.StatusCode != 422 || got.items(t) != pointer+" format") {
				t.Errorf("%s, the %s: %d %s", tag, what, got.StatusCode, got.body)
			}
		}
	}
}
