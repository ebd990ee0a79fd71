package hotel

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A step ends behind what lies in it, by a quarter at the most, and the next one
// begins there.
func TestTook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(-5, int64(30*24*time.Hour)).Draw(t, "duration"))
		most := TookOf(d).Most()
		if most < d || most > max(d, 0)+max(d, 0)/4+tookUnit {
			t.Fatalf("%s counts as up to %s", d, most)
		}
		if TookOf(most) != TookOf(d) || TookOf(most+1) != TookOf(d)+1 {
			t.Fatalf("%s is the end of no step", most)
		}
	})
}
