package ledger

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

func TestADocumentReadsAsItWasWritten(t *testing.T) {
	h := newHouse(t)
	for _, want := range must(h.RatePlans(t.Context(), h.property.ID))(t) {
		if diff := cmp.Diff(want, must(h.RatePlan(t.Context(), want.ID))(t)); diff != "" {
			t.Errorf("one read alone and in a list (-list +alone):\n%s", diff)
		}
	}
	entries := must(h.Entries(t.Context(), 0, 1000))(t)
	for _, e := range entries {
		if e.Kind != RatePlanCreated {
			continue
		}
		told := must(decode[Founding[hotel.RatePlan]](e))(t).Resource
		kept := must(h.RatePlan(t.Context(), e.Subject))(t)
		told.Entity = kept.Entity
		if diff := cmp.Diff(kept, told); diff != "" {
			t.Errorf("the journal tells another plan (-kept +told):\n%s", diff)
		}
	}
}

func TestTheSchemaRefusesADocumentThatBreaksAnInvariant(t *testing.T) {
	h := newHouse(t)
	pool := func(body string) func(*tx) error {
		return func(t *tx) error {
			return t.q.InsertPool(t.ctx, ledgerdb.InsertPoolParams{ID: "pl_odd", Body: body, Revision: 1})
		}
	}
	for _, c := range []struct {
		name   string
		insert func(*tx) error
		want   string
	}{
		{"no JSON", pool(`{"code":`), "malformed JSON"},
		{"more units than a house can have", pool(`{"property_id":"hotel_1","code":"odd","total_units":10000,"status":"active"}`), "CHECK"},
		{"units that are text", pool(`{"property_id":"hotel_1","code":"odd","total_units":"5","status":"active"}`), "CHECK"},
		{"no units at all", pool(`{"property_id":"hotel_1","code":"odd","status":"active"}`), "CHECK"},
		{"a status that there is not", pool(`{"property_id":"hotel_1","code":"odd","total_units":1,"status":"gone"}`), "CHECK"},
		{"no status", pool(`{"property_id":"hotel_1","code":"odd","total_units":1}`), "NOT NULL"},
		{"a property that there is not", pool(`{"property_id":"none","code":"odd","total_units":1,"status":"active"}`), "FOREIGN KEY"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := h.write(t.Context(), urgent, tester, c.insert)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}
