package ledger

import (
	"slices"
	"testing"
	"time"
)

// A counter that was seen by a clock which stood ahead is doubted when the clock is put
// right, and once it was seen again no more. Its answer before is as old as nobody knows.
func TestACounterSeenAheadOfNowIsDoubted(t *testing.T) {
	h := newHouse(t)
	h.clock.by(3 * time.Hour)
	f := h.newFarSide(t, 0)
	night := f.granted(t, promising(nil))
	doubts := func() int {
		t.Helper()
		now := h.clock.Now()
		list := must(h.Doubts(t.Context(), f.id, now.Add(-time.Hour), time.Time{}))(t)
		next := must(h.NextDoubt(t.Context(), f.id, time.Hour, time.Hour))(t)
		if len(list) > 0 != (!next.IsZero() && !next.After(now)) {
			t.Errorf("%d counters are in doubt, the next at %v, now it is %v", len(list), next, now)
		}
		return len(list)
	}
	if n := doubts(); n != 0 {
		t.Fatalf("%d counters are in doubt that were just told", n)
	}
	h.clock.by(-3 * time.Hour)
	if n := doubts(); n != 1 {
		t.Fatalf("%d counters are in doubt behind a jump, want the one", n)
	}
	of := Doubt{Line: f.counters[0].Line, Night: night}
	if err := h.BeginCount(t.Context(), f.id, []Doubt{of}); err != nil {
		t.Fatal(err)
	}
	if err := h.Counted(t.Context(), f.id, map[Doubt]int{of: f.party(t, night).Account}); err != nil {
		t.Fatal(err)
	}
	h.clock.move(10 * time.Minute)
	f.list(t)
	if n := doubts(); n != 0 {
		t.Errorf("%d counters are in doubt whose count was read since: %+v", n, f.party(t, night))
	}
	h.clock.move(59 * time.Minute)
	if n := doubts(); n != 0 {
		t.Errorf("%d counters are in doubt within an hour", n)
	}
	h.clock.move(time.Minute)
	if n := doubts(); n != 1 {
		t.Errorf("%d counters are in doubt an hour after", n)
	}
}

// A channel is stale a minute after it began to owe something, also where the journal
// dates that ahead of now.
func TestAChannelIsStaleWhereTheClockWasSetBack(t *testing.T) {
	f, cell := told(t)
	f.h.clock.by(3 * time.Hour)
	f.h.closeNights(t, cell.Night+1, cell.Night+1, true)
	f.catchUp(t)
	f.h.clock.by(-3 * time.Hour)
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	began := f.h.clock.Now()
	if next := must(f.h.NoteStale(t.Context()))(t); !next.Equal(began.Add(time.Minute)) {
		t.Errorf("it becomes so at %v, want %v", next, began.Add(time.Minute))
	}
	f.h.clock.move(59 * time.Second)
	if s := f.state(t); !s.StaleSince.IsZero() {
		t.Errorf("after 59 s it is stale since %v", s.StaleSince)
	}
	f.h.clock.move(time.Second)
	if s := f.state(t); !s.StaleSince.Equal(began) {
		t.Errorf("after a minute it is stale since %v, want %v", s.StaleSince, began)
	}
	f.catchUp(t)
	if s := f.state(t); !s.StaleSince.IsZero() {
		t.Errorf("told, it is stale since %v", s.StaleSince)
	}
}

// It is so as well where the clock is set back by less than the debt is old.
func TestAChannelIsStaleWhereTheClockWasSetBackALittle(t *testing.T) {
	f, cell := told(t)
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	must(f.h.NoteStale(t.Context()))(t)
	f.h.clock.move(50 * time.Second)
	f.h.clock.by(-40 * time.Second)
	f.h.clock.move(9 * time.Second)
	if s := f.state(t); !s.StaleSince.IsZero() {
		t.Errorf("after 59 s it is stale since %v", s.StaleSince)
	}
	f.h.clock.move(time.Second)
	if s, want := f.state(t), f.h.clock.Now().Add(-time.Minute); !s.StaleSince.Equal(want) {
		t.Errorf("after a minute it is stale since %v, want %v", s.StaleSince, want)
	}
}

// Nor does it become younger when what was owed before it has been told: an entry is as old
// as it is, also where the journal dates all of them alike, behind a clock that was set back.
func TestWhatIsOwedKeepsItsAgeBehindASetBack(t *testing.T) {
	f, cell := told(t)
	f.h.clock.by(3 * time.Hour)
	f.h.closeNights(t, cell.Night+1, cell.Night+1, true)
	f.catchUp(t)
	f.h.clock.by(-3 * time.Hour)
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	f.h.clock.move(50 * time.Second)
	f.h.closeNights(t, cell.Night+2, cell.Night+2, true)
	f.h.deriveAll(t)
	f.derive(t)
	f.h.clock.move(20 * time.Second)
	began := f.h.clock.Now().Add(-20 * time.Second)
	f.begin(t, slices.DeleteFunc(f.dirty(t), func(c SentCell) bool { return c.Cell.Night != cell.Night }))
	f.take(0, nil)
	f.settle(t, 0, Settlement{State: DeliveryApplied})
	f.h.clock.move(40 * time.Second)
	if s := f.state(t); !s.StaleSince.Equal(began) {
		t.Errorf("the second is owed for a minute, and it is stale since %v, want %v", s.StaleSince, began)
	}
}
