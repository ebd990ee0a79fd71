package hotel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

func TestTrace(t *testing.T) {
	var tr hotel.Trace
	tr.AddCount("stock", 10, "pool 0")
	tr.AddCount("sold", 7, "")
	tr.AddCount("held", 7, "")
	tr.AddText("rounding", "219.00", "nearest_1")
	want := []hotel.Step{
		{Name: "stock", By: "pool 0", Change: 10, Count: 10},
		{Name: "sold", Change: -3, Count: 7},
		{Name: "held", Count: 7},
		{Name: "rounding", By: "nearest_1", Text: "219.00"},
	}
	if diff := cmp.Diff(want, tr.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}

func TestNoTraceRecordsNothing(t *testing.T) {
	var tr *hotel.Trace
	tr.AddCount("stock", 10, "")
	tr.AddText("rounding", "219.00", "")
}
