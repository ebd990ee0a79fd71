package gate

import (
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/lane"
)

// again returns the gate that a new program makes of what was stored.
func again(t *testing.T, g *Gate, stands ledger.Standing) *Gate {
	t.Helper()
	g.Close()
	return open(t, Options{Failures: 3, Standing: stands})
}

func TestStandingOutlivesTheProgram(t *testing.T) {
	tests := []struct {
		name    string
		results []Result
		away    time.Duration // until the program is back
		wait    time.Duration // from then until a call may go
		breaker State         // then
	}{
		{"a pause that was asked for", []Result{{Outcome: Limited, RetryAfter: 10 * time.Minute}}, time.Minute, 9 * time.Minute, Closed},
		{"a pause for ever", []Result{{Outcome: Limited, RetryAfter: 1 << 62}}, time.Minute, MaxHold - time.Minute, Closed},
		{"a pause that is over", []Result{{Outcome: Limited, RetryAfter: time.Minute}}, time.Hour, 0, Closed},
		{"an open breaker", []Result{{Outcome: Failed}, {Outcome: Failed}, {Outcome: Failed}}, 20 * time.Second, 40 * time.Second, Open},
		{"a breaker whose probe is due", []Result{{Outcome: Failed}, {Outcome: Failed}, {Outcome: Failed}}, time.Hour, 0, HalfOpen},
		{"two failures of three", []Result{{Outcome: Failed}, {Outcome: Failed}}, 0, 0, Closed},
		{"credentials that are refused", []Result{{Outcome: Denied}}, time.Minute, DeniedFor - time.Minute, Open},
		{"a pause within an open breaker", []Result{{Outcome: Failed}, {Outcome: Failed}, {Outcome: Failed, RetryAfter: 5 * time.Minute}}, 0, 5 * time.Minute, Open},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := open(t, Options{Failures: 3})
				var stands ledger.Standing
				for _, r := range tt.results {
					stands = pass(t, g, Ticket{}).Done(r)
				}
				time.Sleep(tt.away)
				g = again(t, g, stands)
				time.Sleep(2 * time.Millisecond) // a breaker that is to be tried is so in a moment
				if st := g.Status(); st.Breaker != tt.breaker || st.Failures != stands.Failures {
					t.Errorf("back again: %+v, want %s", st, tt.breaker)
				}
				before := time.Now()
				p, err := g.Pass(t.Context(), Ticket{Lane: lane.Lower})
				if err != nil {
					t.Fatal(err)
				}
				if waited := time.Since(before).Round(time.Second); waited != tt.wait {
					t.Errorf("a closing waited %v, want %v", waited, tt.wait)
				}
				if stands = p.Done(Result{Outcome: Succeeded}); stands.Cause != "" || stands.Failures != 0 {
					t.Errorf("after a success the account stands %+v", stands)
				}
			})
		})
	}
}

// A third failure opens the breaker though two of them were of the program before.
func TestFailuresAddUpAcrossRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{Failures: 3})
		pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		g = again(t, g, pass(t, g, Ticket{}).Done(Result{Outcome: Failed}))
		if stands := pass(t, g, Ticket{}).Done(Result{Outcome: Failed, Words: "nobody there"}); stands.Cause != hotel.Failing || stands.Words != "nobody there" || stands.Turn != 3 {
			t.Errorf("the account stands %+v, want it to be failing", stands)
		}
	})
}

func TestDenied(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes []Transition
		g := open(t, Options{OnChange: func(c Transition) { changes = append(changes, c) }})
		began := time.Now().UTC()
		stands := pass(t, g, Ticket{}).Done(Result{Outcome: Denied, Words: "answered 401"})
		want := ledger.Standing{Turn: 1, Failures: 1, Cause: hotel.Denied, Since: began, ProbeAt: began.Add(DeniedFor), Words: "answered 401"}
		if stands != want {
			t.Errorf("the account stands\n%+v, want\n%+v", stands, want)
		}
		// The probe ends in another way: that the credentials are good is still not known.
		p, err := g.Pass(t.Context(), Ticket{Lane: lane.Lower})
		if err != nil || time.Since(began).Round(time.Second) != DeniedFor {
			t.Fatalf("a probe after %v: %v", time.Since(began), err)
		}
		stands = p.Done(Result{Outcome: Failed, Words: "no answer"})
		if again := time.Until(stands.ProbeAt).Round(time.Second); stands.Cause != hotel.Denied || !stands.Since.Equal(began) || again != DeniedFor {
			t.Errorf("after a probe that failed the account stands %+v", stands)
		}
		// Somebody has mended them and does not want to wait.
		g.TryNow()
		before := time.Now()
		if p, err = g.Pass(t.Context(), Ticket{}); err != nil || time.Since(before) > time.Second {
			t.Fatalf("waited %v: %v", time.Since(before), err)
		}
		p.Done(Result{Outcome: Succeeded})
		if st := g.Status(); st.Breaker != Closed || st.Cause != "" {
			t.Errorf("with credentials that are taken: %+v", st)
		}
		if last := changes[len(changes)-1]; last.To != Closed || last.Cause != "" {
			t.Errorf("the last change is %+v", last)
		}
	})
}

// Nobody's impatience shortens a pause or the rest of a far side that fails.
func TestTryNowIsForCredentialsAlone(t *testing.T) {
	for name, r := range map[string]Result{"failing": {Outcome: Failed}, "held": {Outcome: Limited, RetryAfter: time.Minute}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := open(t, Options{Failures: 1})
				pass(t, g, Ticket{}).Done(r)
				before := time.Now()
				g.TryNow()
				if _, err := g.Pass(t.Context(), Ticket{}); err != nil || time.Since(before).Round(time.Second) != time.Minute {
					t.Errorf("waited %v: %v", time.Since(before), err)
				}
			})
		})
	}
}

func TestClockSetBackWhileTheBreakerIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &setBack{}
		g, err := New(Options{Account: "acc_1", Clock: clock, Failures: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		pass(t, g, Ticket{}).Done(Result{Outcome: Failed})
		clock.by = 48 * time.Hour
		before := time.Now()
		if _, err := g.Pass(t.Context(), Ticket{}); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(before); waited.Round(time.Second) > 2*time.Minute {
			t.Errorf("waited %v, want about a minute", waited)
		}
	})
}

// A program that is killed while a probe is under way has stored when the next may go,
// and its successor waits for that. A probe that never left leaves it as it was.
func TestProbeIsCountedBeforeItIsSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{Failures: 1})
		if p := pass(t, g, Ticket{}); p.Standing() != (ledger.Standing{}) {
			t.Errorf("a call that is no probe is stored with %+v", p.Standing())
		} else {
			p.Done(Result{Outcome: Failed})
		}
		probe, err := g.Pass(t.Context(), Ticket{})
		if err != nil {
			t.Fatal(err)
		}
		g = again(t, g, probe.Standing())
		before := time.Now()
		if probe, err = g.Pass(t.Context(), Ticket{}); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(before).Round(time.Second); waited != defaultOpenFor {
			t.Errorf("the next probe went after %v, want %v", waited, defaultOpenFor)
		}
		unsent := probe.Done(Result{Outcome: Unsent})
		if unsent.Turn <= probe.Standing().Turn || unsent.ProbeAt.After(time.Now()) {
			t.Errorf("a probe that never left leaves %+v", unsent)
		}
	})
}
