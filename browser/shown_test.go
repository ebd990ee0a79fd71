package browser

import (
	"encoding/json"
	"net/http"
	"testing"
)

// cellShown is what guests of a simulated channel see of a night of a product.
type cellShown struct {
	Date      string            `json:"date"`
	Available int               `json:"available"`
	Closed    bool              `json:"closed"`
	Prices    map[string]string `json:"prices"`
}

// shownAt asks a simulated channel for all that its guests see.
func shownAt(t *testing.T, simulator string) []cellShown {
	t.Helper()
	answer, err := http.Get(simulator + "/_sim/state")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var state struct {
		Cells []cellShown `json:"cells"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&state); err != nil {
		t.Fatal(err)
	}
	return state.Cells
}
