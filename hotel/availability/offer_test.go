package availability_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestOffer(t *testing.T) {
	tests := []struct {
		name   string
		house  int
		closed bool
		most   int
		want   int
	}{
		{"as the house has it", 4, false, 0, 4},
		{"never negative", -2, false, 0, 0},
		{"closed", 4, true, 0, 0},
		{"above what the far side takes", 120, false, 99, 99},
		{"at what the far side takes", 99, false, 99, 99},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tr hotel.Trace
			if got := availability.Offer(test.house, test.closed, test.most, &tr); got != test.want {
				t.Errorf("offer = %d, want %d", got, test.want)
			}
			if got := availability.Offer(test.house, test.closed, test.most, nil); got != test.want {
				t.Errorf("offer without a trace = %d, want %d", got, test.want)
			}
			if last := tr.Steps[len(tr.Steps)-1]; last.Name != "capability_clamp" || last.Count != test.want {
				t.Errorf("last step = %+v, want capability_clamp at %d", last, test.want)
			}
		})
	}
}

func TestOfferContinuesTheHouseTrace(t *testing.T) {
	var tr hotel.Trace
	tr.AddCount("sell_limit", 120, "")
	availability.Offer(120, false, 99, &tr)
	want := []hotel.Step{
		{Name: "sell_limit", Change: 120, Count: 120},
		{Name: "closed", Count: 120},
		{Name: "capability_clamp", By: "at most 99", Change: -21, Count: 99},
	}
	if diff := cmp.Diff(want, tr.Steps); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
}
