package contain

import (
	"errors"
	"fmt"
	"testing"

	"ostler.example/hotel"
)

// TestReach: whatever a far side gets done in its time, every night is asked for once,
// few calls are made in vain, and where it becomes faster more is asked for again.
func TestReach(t *testing.T) {
	var r Reach
	can, vain, calls := 20, 0, 0
	asked := map[hotel.Date]int{}
	ask := func(s hotel.Span) error {
		if calls++; s.Days() > can {
			vain++
			return fmt.Errorf("list: %w", ErrLate)
		}
		for d := s.From; d <= s.To; d++ {
			asked[d]++
		}
		return nil
	}
	all := hotel.Span{From: 100, To: 599}
	for range 3 {
		clear(asked)
		if err := r.Each(all, 92, ask); err != nil {
			t.Fatal(err)
		}
		for d := all.From; d <= all.To; d++ {
			if asked[d] != 1 {
				t.Fatalf("night %d is asked for %d times", d, asked[d])
			}
		}
	}
	if vain > calls/5 {
		t.Errorf("%d of %d calls are made in vain", vain, calls)
	}
	can, calls = 1000, 0
	for range 20 {
		calls = 0
		if err := r.Each(all, 92, ask); err != nil {
			t.Fatal(err)
		}
	}
	if calls != 6 {
		t.Errorf("a fast one is asked %d times, want 6", calls)
	}
	can, calls = 0, 0
	if err := r.Each(all, 92, ask); !errors.Is(err, ErrLate) || calls > 8 {
		t.Errorf("one that never answers: %v after %d calls", err, calls)
	}
	broken := errors.New("broken")
	if err := r.Each(all, 92, func(hotel.Span) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("another error is %v", err)
	}
}
