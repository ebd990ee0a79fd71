package api

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Whoever sends no body where one is needed is told what it lacks, as whoever sends an
// empty object is.
func TestNoBodyLacksWhatAnEmptyOneLacks(t *testing.T) {
	h := newHouse(t)
	parameter := regexp.MustCompile(`\{[^}]+\}`)
	checked := 0
	for path, at := range h.handler.(*server).document().Paths {
		for method, op := range operationsOf(at) {
			if method == http.MethodGet || op.RequestBody == nil || op.OperationID == "import-reservations" {
				continue // a question may stand in the query, and an import be a table
			}
			target := prefix + strings.Replace(parameter.ReplaceAllString(path, "x"), "/x/x/x", "/x/x/2026-12-05", 1)
			empty := h.call(method, target, "{}")
			lacks := missing(t, empty)
			if len(lacks) == 0 {
				continue
			}
			checked++
			none := h.call(method, target, "")
			if got := missing(t, none); none.StatusCode != empty.StatusCode || !slices.Equal(got, lacks) {
				t.Errorf("%s without a body: %d %s; with {}: %d %s", op.OperationID, none.StatusCode, none.body, empty.StatusCode, empty.body)
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d operations need a member, which proves little", checked)
	}
	h.call("POST", "/v1/reservations/x/cancel", "").want(t, 422, "validation_failed")
	h.call("POST", "/v1/reservation-groups/x/cancel", "").want(t, 422, "validation_failed")
}

// missing are the members that a refusal says are missing.
func missing(t *testing.T, r reply) (pointers []string) {
	t.Helper()
	items, _ := r.json(t)["errors"].([]any)
	for _, i := range items {
		if is := i.(map[string]any); is["code"] == "required" {
			pointers = append(pointers, is["pointer"].(string))
		}
	}
	return pointers
}
