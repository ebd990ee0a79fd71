package ledger

import (
	"testing"
	"time"
)

// A channel is stale once something has waited for a minute, since it began to
// wait, and no longer than that.
func TestAChannelIsStale(t *testing.T) {
	f, cell := told(t)
	if s := f.state(t); !s.StaleSince.IsZero() {
		t.Fatalf("with everything told it is stale since %v", s.StaleSince)
	}
	began := f.h.clock.Now()
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	f.h.clock.move(59 * time.Second)
	if next := must(f.h.NoteStale(t.Context()))(t); !next.Equal(began.Add(time.Minute)) {
		t.Errorf("it becomes so at %v", next)
	}
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

// What a read-back finds to differ is waited for from then on, not since it was
// last told.
func TestADifferenceMakesNothingOld(t *testing.T) {
	f, cell := told(t)
	f.h.clock.move(48 * time.Hour)
	f.shown[cell]++
	f.beginRead(t)
	f.endRead(t)
	if s := f.state(t); s.Lag != 1 || !s.StaleSince.IsZero() {
		t.Errorf("%d cells to tell, stale since %v", s.Lag, s.StaleSince)
	}
}

// It is told once that a channel became stale, and once that it is so no more,
// whoever looks how often, and whoever restarts meanwhile.
func TestStalenessIsToldOnce(t *testing.T) {
	f, cell := told(t)
	began := f.h.clock.Now().Truncate(time.Second)
	look := func(want string) {
		t.Helper()
		for range 2 {
			if _, err := f.h.NoteStale(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		for _, e := range must(f.h.Entries(t.Context(), 0, 10000))(t) {
			if e.Kind != ChannelStale && e.Kind != ChannelRecovered {
				continue
			}
			got += string(e.Kind) + " " + e.Subject + "\n"
			if body := must(decode[StaleBody](e))(t); e.Kind == ChannelStale && !body.Since.Truncate(time.Second).Equal(began) {
				t.Errorf("it is told to be stale since %v, want %v", body.Since, began)
			}
		}
		if got != want {
			t.Errorf("the journal heard\n%swant\n%s", got, want)
		}
	}
	f.h.closeNights(t, cell.Night, cell.Night, true)
	f.h.deriveAll(t)
	f.derive(t)
	look("")
	f.h.clock.move(2 * time.Minute)
	look("channel.stale ch\n")
	f.catchUp(t)
	look("channel.stale ch\nchannel.recovered ch\n")
}
