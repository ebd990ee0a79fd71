package api

import "testing"

// TestCellsAreSentAsTheyAreShown: what a bulk update says of a cell that the server works out
// is told from what nobody knows.
func TestCellsAreSentAsTheyAreShown(t *testing.T) {
	h := newHouse(t)
	for kind, members := range map[string][2]string{"inventory": {"sold", "solt"}, "rates": {"base_amount", "sold"}, "restrictions": {"version", "sold"}} {
		for i, code := range []string{"read_only", "unknown_field"} {
			entry := `{"room_type_id":"` + h.standard.ID + `","rate_plan_id":"` + h.flex.ID + `","date_from":"2026-12-02","date_to":"2026-12-02","values":{"` + members[i] + `":3}}`
			if kind == "inventory" {
				entry = `{"room_type_id":"` + h.standard.ID + `","date_from":"2026-12-02","date_to":"2026-12-02","values":{"` + members[i] + `":3}}`
			}
			if got, want := h.update(kind, entry).want(t, 422, "validation_failed").items(t), "/entries/0/values/"+members[i]+" "+code; got != want {
				t.Errorf("%s: %s, want %s", kind, got, want)
			}
		}
	}
}
