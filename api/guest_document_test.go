package api

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/internal/desk"
)

// What the console hands out of a person is what /v1 answers.
func TestGuestDocumentIsTheExport(t *testing.T) {
	h := newHouse(t)
	id := guestOfBody(h.book("2026-12-01", "2026-12-02"))
	text := must(h.handler.(Handler).GuestDocument(t.Context(), desk.Caller{Who: h.client.Who()}, id))(t)
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := h.call("GET", "/v1/guests/"+id+"/export", "").want(t, 200, "").json(t)
	delete(got, "generated_at")
	delete(want, "generated_at")
	delete(got, "request_id")
	delete(want, "request_id")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, err := h.handler.(Handler).GuestDocument(t.Context(), desk.Caller{}, id); err == nil {
		t.Error("somebody without a scope has it")
	}
}
