package ledger

import (
	"testing"
	"time"
)

// A refresh tells everything again but what is guarded, once for each time that it
// is due.
func TestRefresh(t *testing.T) {
	f, _ := told(t)
	refresh := func(last, at time.Time) int {
		t.Helper()
		if err := f.h.Refresh(t.Context(), f.id, last, at); err != nil {
			t.Fatal(err)
		}
		return len(f.dirty(t))
	}
	first := f.h.clock.Now()
	if n := refresh(time.Time{}, first); n != 0 {
		t.Errorf("who has just gone live is told %d cells again", n)
	}
	if n := refresh(time.Time{}, first.Add(time.Hour)); n != 0 {
		t.Errorf("a call that comes late tells %d cells again", n)
	}
	if n := refresh(first, first.Add(time.Hour)); n == 0 || f.state(t).Lag == 0 {
		t.Errorf("%d cells are told again, and %d are owed", n, f.state(t).Lag)
	}
	f.catchUp(t)
	f.pause(t)
	f.catchUp(t)
	if n := refresh(first.Add(time.Hour), first.Add(2*time.Hour)); n != 0 {
		t.Errorf("a channel that is paused is told %d cells again", n)
	}
}
