package availability_test

import (
	"testing"

	"ostler.example/hotel/availability"
)

func TestPerChannel(t *testing.T) {
	kept := availability.PerChannel{"*": 1, "ch_a": 0, "ch_b": 2, "ch_b/expedia": 5}
	tests := []struct {
		name            string
		kept            availability.PerChannel
		channel, seller string
		want            int
		ok              bool
	}{
		{"the channel's own number, also when it is none", kept, "ch_a", "", 0, true},
		{"that of every channel", kept, "ch_c", "", 1, true},
		{"the seller's own", kept, "ch_b", "expedia", 5, true},
		{"another seller of the channel", kept, "ch_b", "agoda", 2, true},
		{"a seller of another channel", kept, "ch_c", "expedia", 1, true},
		{"nothing said of the channel", availability.PerChannel{"ch_a": 3}, "ch_b", "", 0, false},
		{"nothing said at all", nil, "ch_a", "x", 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if n, ok := test.kept.For(test.channel, test.seller); n != test.want || ok != test.ok {
				t.Errorf("for %s %q: %d %t, want %d %t", test.channel, test.seller, n, ok, test.want, test.ok)
			}
		})
	}
}

func TestUncounted(t *testing.T) {
	tests := []struct {
		name         string
		given        int64
		acknowledged []int64
		want         int
	}{
		{"no booking", 7, nil, 0},
		{"not acknowledged yet", 7, []int64{0}, 1},
		{"acknowledged before the number was written", 7, []int64{5}, 0},
		{"acknowledged after the number was written", 7, []int64{9}, 1},
		{"each counts for itself", 7, []int64{0, 3, 8, 6}, 2},
		{"no number was ever given", 0, []int64{0, 3}, 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := availability.Uncounted(test.given, test.acknowledged); got != test.want {
				t.Errorf("uncounted = %d, want %d", got, test.want)
			}
		})
	}
}
