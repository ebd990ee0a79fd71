package backoff

import (
	"fmt"
	"testing"
	"time"
)

func TestDelayStaysWithinItsSchedule(t *testing.T) {
	tests := []struct {
		name    string
		kind    Kind
		attempt int
		longest time.Duration
	}{
		{"first repetition of a delivery", Delivery, 1, time.Second},
		{"second doubles", Delivery, 2, 2 * time.Second},
		{"ninth is the last below the ceiling", Delivery, 9, 256 * time.Second},
		{"tenth meets the ceiling", Delivery, 10, 5 * time.Minute},
		{"so many that doubling would overflow", Delivery, 1 << 30, 5 * time.Minute},
		{"zero counts as the first", Delivery, 0, time.Second},
		{"a negative number counts as the first", Delivery, -7, time.Second},
		{"an account starts slower", Account, 1, 5 * time.Second},
		{"an account meets the ceiling", Account, 7, 5 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var low, high bool
			for i := range 200 {
				got := Delay(tt.kind, tt.attempt, fmt.Sprintf("delivery_%d", i))
				if got <= 0 || got > tt.longest {
					t.Fatalf("delay %v is outside (0, %v]", got, tt.longest)
				}
				low = low || got < tt.longest/4
				high = high || got > tt.longest*3/4
			}
			if !low || !high {
				t.Errorf("200 seeds do not use the whole span up to %v: lowest quarter %t, highest quarter %t", tt.longest, low, high)
			}
		})
	}
}

func TestDelayIsAFunctionOfItsArguments(t *testing.T) {
	want := Delay(Delivery, 3, "delivery_1")
	if got := Delay(Delivery, 3, "delivery_1"); got != want {
		t.Errorf("the same arguments gave %v, then %v", want, got)
	}
	others := map[string]time.Duration{
		"another seed":    Delay(Delivery, 3, "delivery_2"),
		"another attempt": Delay(Delivery, 4, "delivery_1"),
		"another kind":    Delay(Account, 3, "delivery_1"),
	}
	for name, got := range others {
		if got == want {
			t.Errorf("%s gave the same delay %v", name, got)
		}
	}
	if a, b := Delay(Delivery, 0, "x"), Delay(Delivery, 1, "x"); a != b {
		t.Errorf("attempt 0 gave %v, attempt 1 gave %v", a, b)
	}
}

// Partners are told the schedule: each wait is within a tenth of it.
func TestCallsKeepTheirSchedule(t *testing.T) {
	var all time.Duration
	for n := 1; n <= Calls; n++ {
		wait := calls[n-1]
		all += wait
		var low, high bool
		for i := range 200 {
			got := Call(n, fmt.Sprintf("delivery_%d", i))
			if got < wait-wait/10 || got > wait+wait/10 || got != Call(n, fmt.Sprintf("delivery_%d", i)) {
				t.Fatalf("call %d comes after %v, want about %v", n, got, wait)
			}
			low, high = low || got < wait-wait/20, high || got > wait+wait/20
		}
		if wait > 0 && (!low || !high) {
			t.Errorf("call %d: 200 seeds do not use the span", n)
		}
	}
	if want := 75*time.Hour + 35*time.Minute + 5*time.Second; all != want || Calls != 10 {
		t.Errorf("%d calls over %v, want 10 over %v", Calls, all, want)
	}
}
