package sync

import (
	"testing"
	"time"

	"ostler.example/hotel"
)

// Calls leave in their order, each once every limit on it lets it.
func TestWhenCallsMayLeave(t *testing.T) {
	calls := []hotel.PlannedCall{{Operation: "stock"}, {Operation: "stock"}, {Operation: "rates"}, {Operation: "stock"}, {Operation: "rates"}}
	limits := []hotel.Limit{
		{Operation: "stock", N: 10, Per: time.Minute, Remaining: 1},
		{Operation: "rates", N: 60, Per: time.Minute, Remaining: 0},
		{N: 1000, Per: time.Minute, Remaining: 1000},
	}
	last := schedule(calls, limits)
	for i, want := range []float64{0, 6, 6, 12, 12} {
		if calls[i].After != want {
			t.Errorf("call %d after %v s, want %v", i+1, calls[i].After, want)
		}
	}
	if last != 12 {
		t.Errorf("the last after %v s", last)
	}
}
