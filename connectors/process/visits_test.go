package process

import (
	"strings"
	"testing"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
)

// TestVisits: a program that does not say when it was read is not asked, and one that says
// it without end is not believed. What a sound one says is tried by the suite.
func TestVisits(t *testing.T) {
	c, _ := openedWith(t, nil, "read by many")
	if visits, err := c.Visits(t.Context()); visits != nil || err != nil {
		t.Errorf("one that does not say: %v, %v", visits, err)
	}
	c.visits = true
	if visits, err := c.Visits(t.Context()); connectors.AsError(err).Kind != connectors.Temporary || !strings.Contains(err.Error(), "1001 things") {
		t.Errorf("one that says it without end: %v, %v", visits, err)
	}
	_, mistakes := wire.Capabilities{StockPer: "room", Sellers: "one", Acknowledges: "queue", Visits: true}.Read()
	if len(mistakes) != 1 || !strings.HasSuffix(mistakes[0].Error(), "visits: goes with publishes") {
		t.Errorf("visits of what is not published: %v", mistakes)
	}
}
