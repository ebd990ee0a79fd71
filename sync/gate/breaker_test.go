package gate

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

func TestBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		start := time.Now()
		g := open(t, Options{Failures: 3, OpenFor: 30 * time.Second, OnChange: func(c Transition) {
			line := fmt.Sprintf("%v %s>%s %d", time.Since(start).Round(time.Second), c.From, c.To, c.Failures)
			if !c.RetryAt.IsZero() {
				line += fmt.Sprintf(" retry in %v", time.Until(c.RetryAt).Round(time.Second))
			}
			seen = append(seen, line)
		}})
		pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		pass(t, g, Ticket{}).Done(Result{Outcome: Succeeded})
		for range 3 {
			pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		}
		if st := g.Status(); st.Breaker != Open || st.Failures != 3 || time.Until(st.RetryAt).Round(time.Second) != 30*time.Second {
			t.Fatalf("after three failures: %+v", st)
		}

		// While it is open nothing passes; then one probe, whose success lets the rest follow.
		s := newSenders(g)
		for _, name := range []string{"first", "second", "third"} {
			s.send(t.Context(), name, Ticket{Lane: lane.Lower}, 5*time.Second)
		}
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if n := len(s.done); n != 0 {
			t.Fatalf("%d calls passed while the breaker was open", n)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if st := g.Status(); len(s.done) != 1 || st.Breaker != HalfOpen || st.Queued != 2 || st.InFlight != 1 {
			t.Fatalf("after its time: %d passed, %+v", len(s.done), st)
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if st := g.Status(); len(s.done) != 3 || st.Breaker != Closed || st.Queued != 0 {
			t.Fatalf("after the probe: %d passed, %+v", len(s.done), st)
		}
		s.passed(3)
		s.over.Wait()

		for range 3 {
			pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		}
		// The failure of a probe opens it again.
		probe, err := g.Pass(t.Context(), Ticket{})
		if err != nil {
			t.Fatal(err)
		}
		s.send(t.Context(), "behind the probe", Ticket{}, 0)
		time.Sleep(time.Hour)
		if st := g.Status(); st.Breaker != HalfOpen || st.Queued != 1 || st.InFlight != 1 {
			t.Fatalf("while the probe is under way: %+v", st)
		}
		probe.Done(Result{Outcome: Failed})
		before := time.Now()
		s.passed(1)
		if waited := time.Since(before).Round(time.Second); waited != 30*time.Second {
			t.Errorf("the next probe went after %v, want 30s", waited)
		}
		s.over.Wait()
		want := []string{
			"0s closed>open 3 retry in 30s",
			"30s open>half_open 3",
			"35s half_open>closed 0",
			"40s closed>open 3 retry in 30s",
			"1m10s open>half_open 3",
			"1h1m10s half_open>open 4 retry in 30s",
			"1h1m40s open>half_open 4",
			"1h1m40s half_open>closed 0",
		}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("transitions (-want +got):\n%s", diff)
		}
	})
}

func TestBreakerTurnsHalfOpenWithoutTraffic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last State
		g := open(t, Options{Failures: 1, OnChange: func(c Transition) { last = c.To }})
		pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if last != HalfOpen {
			t.Errorf("a minute after opening the breaker is %s, want %s", last, HalfOpen)
		}
		g.Close()
	})
}

func TestWhatDoesNotCountAgainstTheBreaker(t *testing.T) {
	for name, outcome := range map[string]Outcome{"cancelled or not sent": Unsent, "too many calls": Limited} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := open(t, Options{Failures: 2})
				for range 5 {
					p, err := g.Pass(t.Context(), Ticket{})
					if err != nil {
						t.Fatal(err)
					}
					p.Done(Result{Outcome: outcome})
				}
				if st := g.Status(); st.Breaker != Closed || st.Failures != 0 {
					t.Errorf("after five of them: %+v", st)
				}
				for _, o := range []Outcome{Failed, outcome, Failed} {
					p, err := g.Pass(t.Context(), Ticket{})
					if err != nil {
						t.Fatal(err)
					}
					p.Done(Result{Outcome: o})
				}
				if st := g.Status(); st.Breaker != Open {
					t.Errorf("they do not interrupt a row of failures either: %+v", st)
				}
			})
		})
	}
}

// A probe that says nothing about the far side's health makes room for another.
func TestProbeThatWasNotSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{Failures: 1})
		pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		p, err := g.Pass(t.Context(), Ticket{})
		if err != nil {
			t.Fatal(err)
		}
		p.Done(Result{Outcome: Unsent})
		pass(t, g, Ticket{}).Done(Result{Outcome: Succeeded})
		if st := g.Status(); st.Breaker != Closed {
			t.Errorf("after the second probe the breaker is %s", st.Breaker)
		}
	})
}

func TestPermitIsNotValidOnceTheGateShut(t *testing.T) {
	tests := []struct {
		name   string
		result Result
		valid  bool
	}{
		{"success", Result{Outcome: Succeeded}, true},
		{"the breaker opened", Result{Outcome: Failed}, false},
		{"told to wait", Result{Outcome: Limited, RetryAfter: time.Second}, false},
		{"told to wait with a success", Result{Outcome: Succeeded, RetryAfter: time.Second}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := open(t, Options{Failures: 1})
				first, second := pass(t, g, Ticket{}), pass(t, g, Ticket{})
				if !second.Valid() {
					t.Fatal("a fresh permit is not valid")
				}
				first.Done(tt.result)
				if second.Valid() != tt.valid {
					t.Errorf("valid is %t, want %t", second.Valid(), tt.valid)
				}
				second.Done(Result{Outcome: Unsent})
				third, err := g.Pass(t.Context(), Ticket{})
				if err != nil {
					t.Fatal(err)
				}
				if !third.Valid() {
					t.Error("the next permit is not valid")
				}
				third.Done(Result{Outcome: Unsent})
				if third.Valid() {
					t.Error("a permit is valid after Done")
				}
			})
		})
	}
}

func TestRetryAfter(t *testing.T) {
	tests := []struct {
		name              string
		result            Result
		shortest, longest time.Duration
	}{
		{name: "in seconds", result: Result{Outcome: Limited, RetryAfter: 20 * time.Second}, shortest: 20 * time.Second, longest: 20 * time.Second},
		{name: "with a failure", result: Result{Outcome: Failed, RetryAfter: 20 * time.Second}, shortest: 20 * time.Second, longest: 20 * time.Second},
		{name: "absurd", result: Result{Outcome: Limited, RetryAfter: 1 << 62}, shortest: MaxHold, longest: MaxHold},
		{name: "not told", result: Result{Outcome: Limited}, shortest: time.Microsecond, longest: 5 * time.Second},
		{name: "negative", result: Result{Outcome: Limited, RetryAfter: -time.Hour}, shortest: time.Microsecond, longest: 5 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := open(t, Options{})
				late := pass(t, g, Ticket{})
				pass(t, g, Ticket{}).Done(tt.result)
				held := g.Status().HeldUntil
				if held.IsZero() {
					t.Fatal("the status does not say that the account is held")
				}
				// A later answer that asks for less does not shorten the hold.
				late.Done(Result{Outcome: Limited, RetryAfter: time.Microsecond})
				before := time.Now()
				if _, err := g.Pass(t.Context(), Ticket{Lane: lane.Lower}); err != nil {
					t.Fatal(err)
				}
				waited := time.Since(before).Truncate(10 * time.Microsecond)
				if waited < tt.shortest.Truncate(10*time.Microsecond) || waited > tt.longest {
					t.Errorf("a closing waited %v, want %v to %v", waited, tt.shortest, tt.longest)
				}
				if st := g.Status(); !st.HeldUntil.IsZero() {
					t.Errorf("the account is still held: %+v", st)
				}
			})
		})
	}
}

// setBack is a clock that was set back by so much.
type setBack struct {
	hotel.SystemClock
	by time.Duration
}

func (c *setBack) Now() time.Time                  { return c.SystemClock.Now().Add(-c.by) }
func (c *setBack) Until(t time.Time) time.Duration { return c.SystemClock.Until(t.Add(c.by)) }

func TestClockSetBackDuringAHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock, limit := &setBack{}, []connectors.Bucket{perMinute("set", 1)}
		g, err := New(Options{Account: "acc_1", Clock: clock, Buckets: limit})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		pass(t, g, Ticket{Operation: "set"}).Done(Result{Outcome: Limited, RetryAfter: 20 * time.Second})
		clock.by = 48 * time.Hour
		before := time.Now()
		if _, err := g.Pass(t.Context(), Ticket{Operation: "set"}); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(before); waited < 20*time.Second || waited.Round(time.Second) > MaxHold+Window(limit) {
			t.Errorf("waited %v, want no more than the longest hold and one span of the bucket", waited)
		}
	})
}

func TestHoldsGrowWhileNoTimeIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{})
		var total time.Duration
		for range 12 {
			before := time.Now()
			p, err := g.Pass(t.Context(), Ticket{})
			if err != nil {
				t.Fatal(err)
			}
			total += time.Since(before)
			p.Done(Result{Outcome: Limited})
		}
		if total < 2*time.Minute {
			t.Errorf("twelve calls that were too many took %v in all, want the holds to grow", total)
		}
		p, err := g.Pass(t.Context(), Ticket{})
		if err != nil {
			t.Fatal(err)
		}
		p.Done(Result{Outcome: Succeeded})
		pass(t, g, Ticket{}).Done(Result{Outcome: Limited})
		if held := time.Until(g.Status().HeldUntil); held > 5*time.Second {
			t.Errorf("after a success the next hold is %v, want the shortest again", held)
		}
	})
}
