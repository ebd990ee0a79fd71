package gate

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/sync/lane"
)

func TestReplay(t *testing.T) {
	slow := []connectors.Bucket{perMinute("set", 1)}
	tests := []struct {
		name      string
		buckets   []connectors.Bucket
		operation string
		property  string
		calls     int
		ago       time.Duration
		waits     time.Duration // of the first closing after the start
	}{
		{"nothing was sent", slow, "set", "htl_1", 0, 0, 0},
		{"sent just now", slow, "set", "htl_1", 1, 0, 63 * time.Second},
		{"sent half a minute ago", slow, "set", "htl_1", 1, 30 * time.Second, 33 * time.Second},
		{"sent before the window", slow, "set", "htl_1", 1, 64 * time.Second, 0},
		{"another operation was sent", slow, "poll", "htl_1", 1, 0, 0},
		{"another operation was sent, and all count", []connectors.Bucket{perMinute("", 1)}, "poll", "htl_1", 1, 0, 63 * time.Second},
		{"the account's other property sent", slow, "set", "htl_2", 1, 0, 63 * time.Second},
		{"the other property sent, and each has its own", []connectors.Bucket{
			{Operation: "set", Scope: connectors.PerProperty, N: 1, Per: time.Minute},
		}, "set", "htl_2", 1, 0, 0},
		{"the clock was set back since", slow, "set", "htl_1", 1, -time.Hour, 63 * time.Second},
		{"the limit was lowered from 60 since", slow, "set", "htl_1", 60, 10 * time.Second, 53 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := slices.Repeat([]Sent{{Operation: tt.operation, Property: tt.property, At: time.Now().Add(-tt.ago)}}, tt.calls)
				g := open(t, Options{Buckets: tt.buckets, Sent: sent})
				before := time.Now()
				if _, err := g.Pass(t.Context(), Ticket{Lane: lane.Lower, Operation: "set", Property: "htl_1"}); err != nil {
					t.Fatal(err)
				}
				if waited := time.Since(before).Round(time.Second); waited != tt.waits {
					t.Errorf("waited %v, want %v", waited, tt.waits)
				}
			})
		})
	}
}

// A bucket is as full as real time makes it, whatever the clock is set to.
func TestAClockThatIsSetFillsNoBucket(t *testing.T) {
	for name, back := range map[string]time.Duration{"ahead": -time.Hour, "back": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := &setBack{}
				g, err := New(Options{Account: "acc_1", Clock: clock, Buckets: []connectors.Bucket{perMinute("set", 10)}})
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				pass(t, g, Ticket{Lane: 1, Operation: "set"}).Done(Result{Outcome: Succeeded})
				clock.by = back
				for range 3 {
					before := time.Now()
					p, err := g.Pass(t.Context(), Ticket{Lane: 1, Operation: "set"})
					if err != nil {
						t.Fatal(err)
					}
					p.Done(Result{Outcome: Succeeded})
					if waited := time.Since(before).Round(100 * time.Millisecond); waited != 6300*time.Millisecond {
						t.Errorf("waited %v, want 6.3s", waited)
					}
				}
			})
		})
	}
}

func TestWindow(t *testing.T) {
	if got := Window(nil); got != 0 {
		t.Errorf("without buckets the window is %v", got)
	}
	got := Window([]connectors.Bucket{perMinute("set", 5), {N: 1000, Per: time.Hour}})
	if want := 63 * time.Minute; got != want {
		t.Errorf("window is %v, want %v", got, want)
	}
}

func TestStatusOfBuckets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{
			Buckets: []connectors.Bucket{
				perMinute("set", 10), perMinute("", 60),
				{Operation: "read", Scope: connectors.PerProperty, N: 2, Per: time.Second},
			},
			Sent: []Sent{{Operation: "set", At: time.Now().Add(-30 * time.Second)}},
		})
		pass(t, g, Ticket{Lane: lane.Lower, Operation: "set", Property: "htl_1"})
		pass(t, g, Ticket{Lane: lane.Lower, Operation: "read", Property: "htl_1"})
		now := time.Now()
		want := []BucketStatus{
			{Operation: "", Limit: 60, Per: time.Minute, Remaining: 57},
			{Operation: "read", Property: "htl_1", Limit: 2, Per: time.Second, Remaining: 1, NextAt: now.Add(525 * time.Millisecond)},
			{Operation: "set", Limit: 10, Per: time.Minute, Remaining: 8, NextAt: now.Add(6300 * time.Millisecond)},
		}
		sameInstant := cmp.Comparer(func(a, b time.Time) bool { return a.Sub(b).Abs() < time.Millisecond })
		if diff := cmp.Diff(want, g.Status().Buckets, sameInstant); diff != "" {
			t.Errorf("buckets (-want +got):\n%s", diff)
		}
		time.Sleep(31 * time.Second)
		if got := g.Status().Buckets[2]; got.Remaining != 9 || !got.NextAt.IsZero() {
			t.Errorf("half a minute later: %+v", got)
		}
	})
}
