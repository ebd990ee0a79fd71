package ledger

import (
	"errors"
	"sync/atomic"
	"testing"
)

// TestWhatIsUnchanged: what was read is read again when something was stored, even while it
// was being read, and when it could not be read.
func TestWhatIsUnchanged(t *testing.T) {
	var commits atomic.Uint64
	var kept unchanged[int]
	reads := 0
	var failure error
	var meanwhile func()
	ask := func(of string) int {
		n, err := kept.get(&commits, of, func() (int, error) {
			reads++
			if meanwhile != nil {
				meanwhile()
			}
			return reads, failure
		})
		if !errors.Is(err, failure) {
			t.Fatal(err)
		}
		return n
	}
	want := func(of string, want int) {
		t.Helper()
		if got := ask(of); got != want {
			t.Errorf("%s is of read %d, want %d", of, got, want)
		}
	}
	want("a", 1)
	want("a", 1)
	want("b", 2)
	want("a", 1)
	commits.Add(1)
	want("a", 3)
	meanwhile = func() { commits.Add(1) }
	want("b", 4)
	meanwhile = nil
	want("b", 5)
	want("b", 5)
	failure = errors.New("no")
	want("a", 6)
	failure = nil
	want("a", 7)
	want("a", 7)
}
