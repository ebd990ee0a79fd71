package gate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/lane"
)

func TestOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{InOrder: true})
		first := pass(t, g, Ticket{Lane: lane.Rates})
		s := newSenders(g)
		for _, c := range []struct {
			name   string
			ticket Ticket
		}{
			{"price", Ticket{Lane: lane.Rates, Night: 1}},
			{"raise, far", Ticket{Lane: lane.Raise, Night: 9}},
			{"raise, near, many free", Ticket{Lane: lane.Raise, Night: 2, Free: 7}},
			{"raise, near, few free", Ticket{Lane: lane.Raise, Night: 2, Free: 1}},
			{"closing, first come", Ticket{Lane: lane.Lower, Night: 5}},
			{"closing, second come", Ticket{Lane: lane.Lower, Night: 5}},
			{"closing, third come", Ticket{Lane: lane.Lower, Night: 5}},
			{"closing, near", Ticket{Lane: lane.Lower, Night: 4, Free: 9}},
		} {
			s.send(t.Context(), c.name, c.ticket, time.Second)
		}
		first.Done(Result{Outcome: Succeeded})
		want := []string{
			"closing, near", "closing, first come", "closing, second come", "closing, third come",
			"raise, near, few free", "raise, near, many free", "raise, far", "price",
		}
		if diff := cmp.Diff(want, names(s.passed(8))); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
		s.over.Wait()
	})
}

func TestInOrderHasOneCallInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSenders(open(t, Options{InOrder: true}))
		for i := range 5 {
			s.send(t.Context(), fmt.Sprint(i), Ticket{Lane: lane.Rates, Operation: fmt.Sprint(i)}, 7*time.Second)
		}
		for i, p := range s.passed(5) {
			if want := time.Duration(i) * 7 * time.Second; p.after != want {
				t.Errorf("call %s passed after %v, want %v", p.name, p.after, want)
			}
		}
		s.over.Wait()
		if n := s.g.Status().InFlight; n != 0 {
			t.Errorf("%d calls are in flight after all were done", n)
		}
	})
}

func TestWithoutLimitsAllPassAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{})
		for range 50 {
			pass(t, g, Ticket{Lane: lane.Rates})
		}
	})
}

func TestClosingOvertakesFullSync(t *testing.T) {
	tests := []struct {
		name    string
		n       int
		longest []time.Duration // for one closing after the other
	}{
		// The last token of a burst is kept for the first closing; the second is
		// the next call that the bucket permits.
		{"60 in a minute", 60, []time.Duration{0, 1200 * time.Millisecond, 1200 * time.Millisecond}},
		{"10 in a minute", 10, []time.Duration{6310 * time.Millisecond, 6310 * time.Millisecond}},
		{"1 in a minute", 1, []time.Duration{64 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				g := open(t, Options{Buckets: []connectors.Bucket{perMinute("set", tt.n)}})
				s := newSenders(g)
				for i := range 500 {
					s.send(ctx, "sync", Ticket{Lane: lane.Raise + lane.Lane(i%2), Night: hotel.Date(i), Operation: "set"}, time.Second)
				}
				time.Sleep(100*time.Second + 300*time.Millisecond)
				for i, longest := range tt.longest {
					before := time.Now()
					p, err := g.Pass(ctx, Ticket{Lane: lane.Lower, Night: 400, Free: 5, Operation: "set"})
					if err != nil {
						t.Fatal(err)
					}
					if waited := time.Since(before); waited > longest {
						t.Errorf("closing %d waited %v, want at most %v", i+1, waited, longest)
					}
					p.Done(Result{Outcome: Succeeded})
				}
				cancel()
				s.over.Wait()
			})
		})
	}
}

// Where one bucket is for all calls, what is to be fetched does not wait for hours of telling.
func TestPullOvertakesFullSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newSenders(open(t, Options{Buckets: []connectors.Bucket{perMinute("", 10)}}))
		for i := range 500 {
			s.send(ctx, "sync", Ticket{Lane: lane.Raise, Night: hotel.Date(i), Operation: "set"}, time.Second)
		}
		time.Sleep(100*time.Second + 300*time.Millisecond)
		before := time.Now()
		p, err := s.g.Pass(ctx, Ticket{Lane: lane.Pull, Operation: "poll"})
		if err != nil {
			t.Fatal(err)
		}
		p.Done(Result{Outcome: Succeeded})
		if waited := time.Since(before); waited > 6310*time.Millisecond {
			t.Errorf("the pull waited %v, want the next call that is permitted", waited)
		}
		cancel()
		s.over.Wait()
	})
}

// A bucket of one call a minute for everything, and a feed that is read each minute: pulls
// take turns with whatever else waits, and closings go before both.
func TestPullsDoNotStarveTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSenders(open(t, Options{Buckets: []connectors.Bucket{perMinute("", 1)}}))
		pass(t, s.g, Ticket{Lane: lane.Pull, Operation: "poll"}).Done(Result{Outcome: Succeeded})
		for range 4 { // of which each is asked for as soon as it can be
			s.send(t.Context(), "pull", Ticket{Lane: lane.Pull, Operation: "poll"}, 0)
		}
		s.send(t.Context(), "price", Ticket{Lane: lane.Rates, Operation: "set"}, 0)
		s.send(t.Context(), "raise", Ticket{Lane: lane.Raise, Operation: "set"}, 0)
		s.send(t.Context(), "closing", Ticket{Lane: lane.Lower, Operation: "set"}, 0)
		s.send(t.Context(), "read", Ticket{Lane: lane.Read, Operation: "read"}, 0)
		want := []string{"closing", "raise", "pull", "price", "pull", "read", "pull", "pull"}
		if diff := cmp.Diff(want, names(s.passed(len(want)))); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
		s.over.Wait()
	})
}

// What waits for something else too keeps no pull waiting: a bucket of its own, or a
// closing that goes first.
func TestAPullWaitsForNothingThatCannotGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		slow := connectors.Bucket{Operation: "close", Scope: connectors.PerAccount, N: 1, Per: time.Hour}
		s := newSenders(open(t, Options{Buckets: []connectors.Bucket{perMinute("", 1), slow}}))
		pass(t, s.g, Ticket{Lane: lane.Lower, Operation: "close"}).Done(Result{Outcome: Succeeded})
		s.send(ctx, "closing", Ticket{Lane: lane.Lower, Operation: "close"}, 0)
		s.send(ctx, "raise", Ticket{Lane: lane.Raise, Operation: "set"}, 0)
		s.send(ctx, "price", Ticket{Lane: lane.Rates, Operation: "close"}, 0)
		for range 3 {
			s.send(ctx, "pull", Ticket{Lane: lane.Pull, Operation: "poll"}, 0)
		}
		for i, p := range s.passed(3) {
			if longest := time.Duration(i+1) * 64 * time.Second; p.name != "pull" || p.after > longest {
				t.Errorf("a %s went after %v, want the pull within %v", p.name, p.after, longest)
			}
		}
		cancel()
		s.over.Wait()
	})
}

// A limit that is new knows of the calls that have gone but are not recorded yet, or were
// not when the record was read, counts those once that are in both, and takes off what was
// not made after all.
func TestANewLimitKnowsOfCallsOnTheirWay(t *testing.T) {
	wide, narrow := perMinute("", 600), perMinute("set", 10)
	ticket := Ticket{Lane: lane.Rates, Operation: "set"}
	for name, test := range map[string]struct {
		before func(t *testing.T, g *Gate) (*Permit, []Sent)
		waits  bool
	}{
		"on its way, not recorded": {func(t *testing.T, g *Gate) (*Permit, []Sent) {
			return pass(t, g, ticket), nil
		}, true},
		"on its way for long": {func(t *testing.T, g *Gate) (*Permit, []Sent) {
			p := pass(t, g, ticket)
			for range 3 { // others that are over, before and behind it
				pass(t, g, Ticket{Lane: lane.Rates, Operation: "poll"}).Done(Result{Outcome: Succeeded})
				time.Sleep(time.Second)
			}
			return p, nil
		}, true},
		"over since the record was read": {func(t *testing.T, g *Gate) (*Permit, []Sent) {
			pass(t, g, ticket).Done(Result{Outcome: Succeeded})
			return nil, nil
		}, true},
		"on its way, and recorded": {func(t *testing.T, g *Gate) (*Permit, []Sent) {
			p := pass(t, g, ticket)
			return p, []Sent{{Operation: "set", At: p.At().Truncate(time.Microsecond)}}
		}, true},
		"another operation": {func(t *testing.T, g *Gate) (*Permit, []Sent) {
			return pass(t, g, Ticket{Lane: lane.Rates, Operation: "poll"}), nil
		}, false},
		"never made": {func(t *testing.T, g *Gate) (*Permit, []Sent) {
			pass(t, g, ticket).Done(Result{Outcome: Unsent})
			return nil, nil
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := open(t, Options{Buckets: []connectors.Bucket{wide}})
				time.Sleep(1500 * time.Nanosecond) // what is recorded is in whole microseconds
				began := time.Now()
				p, sent := test.before(t, g)
				if err := g.Limit([]connectors.Bucket{wide, narrow}, false, sent); err != nil {
					t.Fatal(err)
				}
				for _, limit := range g.Status().Buckets {
					if limit.Operation != narrow.Operation {
						continue
					}
					if used := narrow.N - limit.Remaining; used != map[bool]int{true: 1}[test.waits] {
						t.Errorf("%d calls count in the new limit", used)
					}
				}
				next := g.Join(ticket)
				defer next.Leave()
				if p != nil && test.waits {
					select {
					case <-next.Ready():
						t.Fatal("the next call went with it, of a limit of one in 6.3 s")
					default:
					}
					p.GiveBack()
				}
				<-next.Ready()
				longest := time.Duration(0)
				if test.waits && p == nil {
					longest = 6300 * time.Millisecond
				}
				if waited := time.Since(began).Truncate(100 * time.Millisecond); p == nil && waited != longest {
					t.Errorf("the next call went after %v, want %v", waited, longest)
				}
				permit, err := next.Permit()
				if err != nil {
					t.Fatal(err)
				}
				permit.Done(Result{Outcome: Succeeded})
			})
		})
	}
}

// Limits may become others while calls wait and have gone: what is kept on is as full as it
// was, what is new knows of the calls before, and what is gone keeps nothing back.
func TestOtherLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wide, narrow := perMinute("set", 60), perMinute("set", 10)
		g := open(t, Options{Buckets: []connectors.Bucket{wide}})
		began := time.Now()
		pass(t, g, Ticket{Lane: lane.Rates, Operation: "set"}).Done(Result{Outcome: Succeeded})
		sent := []Sent{{Operation: "set", At: began}}
		if err := g.Limit([]connectors.Bucket{wide, {Operation: "set"}}, false, sent); err == nil {
			t.Error("a limit that lets nothing through is taken")
		}
		if err := g.Limit([]connectors.Bucket{wide, narrow}, false, sent); err != nil {
			t.Fatal(err)
		}
		s := newSenders(g)
		for range 2 {
			s.send(t.Context(), "call", Ticket{Lane: lane.Rates, Operation: "set"}, 0)
		}
		if p := s.passed(1)[0]; p.after.Truncate(time.Millisecond) != 6300*time.Millisecond {
			t.Errorf("the first call behind the stricter limit went after %v, want 6.3 s behind the one before", p.after)
		}
		if err := g.Limit([]connectors.Bucket{wide}, true, nil); err != nil {
			t.Fatal(err)
		}
		if p := s.passed(1)[0]; p.after.Truncate(time.Millisecond) != 6300*time.Millisecond {
			t.Errorf("the second went after %v, want at once when the limit is gone", p.after)
		}
		s.over.Wait()
		if used := g.Status().Buckets; len(used) != 1 || used[0].Remaining != 57 {
			t.Errorf("the limits are at %+v, want the one kept, three calls of which are used", used)
		}
	})
}

func TestFullSyncUsesWhatIsPublished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSenders(open(t, Options{Buckets: []connectors.Bucket{perMinute("set", 60)}}))
		for i := range 500 {
			s.send(t.Context(), "sync", Ticket{Lane: lane.Rates, Night: hotel.Date(i), Operation: "set"}, 0)
		}
		all := s.passed(500)
		if last := all[len(all)-1].after; last > 10*time.Minute {
			t.Errorf("500 calls at 60 a minute took %v, want at most 10 minutes", last)
		}
		s.over.Wait()
	})
}

func TestSlowBucketHoldsNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		g := open(t, Options{Buckets: []connectors.Bucket{perMinute("poll", 1), perMinute("set", 60), perMinute("", 600)}})
		s := newSenders(g)
		pass(t, g, Ticket{Lane: lane.Lower, Operation: "poll"})
		s.send(ctx, "poll", Ticket{Lane: lane.Lower, Operation: "poll"}, 0)
		pass(t, g, Ticket{Lane: lane.Lower, Night: 3, Operation: "set"})
		pass(t, g, Ticket{Lane: lane.Rates, Operation: "price"})
		cancel()
		s.over.Wait()
	})
}

func TestWhicheverBucketHasATokenFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{Buckets: []connectors.Bucket{perMinute("fast", 30), perMinute("slow", 1), perMinute("faster", 40)}})
		for range 3 {
			pass(t, g, Ticket{Lane: lane.Lower, Operation: "fast"})
		}
		for range 4 {
			pass(t, g, Ticket{Lane: lane.Lower, Operation: "faster"})
		}
		pass(t, g, Ticket{Lane: lane.Lower, Operation: "slow"})
		s := newSenders(g)
		for _, operation := range []string{"fast", "slow", "faster"} {
			s.send(t.Context(), operation, Ticket{Lane: lane.Lower, Operation: operation}, 0)
		}
		went := map[string]time.Duration{}
		for _, p := range s.passed(3) {
			went[p.name] = p.after.Truncate(time.Millisecond)
		}
		want := map[string]time.Duration{"fast": 2250 * time.Millisecond, "faster": 1702 * time.Millisecond, "slow": 63 * time.Second}
		if diff := cmp.Diff(want, went); diff != "" {
			t.Errorf("when they went (-want +got):\n%s", diff)
		}
		s.over.Wait()
	})
}

func TestRaiseNeverOvertakesAClosing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{Buckets: []connectors.Bucket{perMinute("close", 1)}})
		s := newSenders(g)
		pass(t, g, Ticket{Lane: lane.Lower, Operation: "close"})
		s.send(t.Context(), "raise", Ticket{Lane: lane.Raise, Operation: "set"}, 0)
		s.passed(1) // nothing waits: it goes
		s.send(t.Context(), "closing", Ticket{Lane: lane.Lower, Operation: "close"}, 0)
		s.send(t.Context(), "raise", Ticket{Lane: lane.Raise, Operation: "set"}, 0)
		s.send(t.Context(), "price", Ticket{Lane: lane.Rates, Operation: "price"}, 0)
		went := map[string]time.Duration{}
		for _, p := range s.passed(3) {
			went[p.name] = p.after.Round(time.Second)
		}
		want := map[string]time.Duration{"price": 0, "closing": 63 * time.Second, "raise": 63 * time.Second}
		if diff := cmp.Diff(want, went); diff != "" {
			t.Errorf("when they went (-want +got):\n%s", diff)
		}
		s.over.Wait()
	})
}

func TestCancelledCallLeavesTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{InOrder: true})
		first := pass(t, g, Ticket{Lane: lane.Lower})
		s := newSenders(g)
		reason := errors.New("the channel is paused")
		ctx, cancel := context.WithCancelCause(t.Context())
		s.send(ctx, "cancelled", Ticket{Lane: lane.Lower}, 0)
		s.send(t.Context(), "next", Ticket{Lane: lane.Raise}, 0)
		cancel(reason)
		if got := s.passed(1)[0]; got.name != "cancelled" || !errors.Is(got.err, reason) || !strings.Contains(got.err.Error(), "acc_1") {
			t.Errorf("%s ended with %v, want the cause and the account", got.name, got.err)
		}
		if n := g.Status().Queued; n != 1 {
			t.Errorf("%d calls wait, want 1", n)
		}
		first.Done(Result{Outcome: Succeeded})
		if got := s.passed(1)[0]; got.err != nil {
			t.Errorf("the next call ended with %v", got.err)
		}
		if _, err := g.Pass(ctx, Ticket{}); !errors.Is(err, reason) {
			t.Errorf("a call that comes cancelled ended with %v", err)
		}
		s.over.Wait()
	})
}

func TestCancelledClosingLetsTheRaiseGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{Buckets: []connectors.Bucket{perMinute("close", 1)}})
		pass(t, g, Ticket{Lane: lane.Lower, Operation: "close"})
		s := newSenders(g)
		ctx, cancel := context.WithCancel(t.Context())
		s.send(ctx, "closing", Ticket{Lane: lane.Lower, Operation: "close"}, 0)
		s.send(t.Context(), "raise", Ticket{Lane: lane.Raise, Operation: "set"}, 0)
		cancel()
		for _, got := range s.passed(2) {
			if got.after != 0 || (got.err == nil) != (got.name == "raise") {
				t.Errorf("%s ended after %v with %v, want the raise to pass at once", got.name, got.after, got.err)
			}
		}
		s.over.Wait()
	})
}

func TestCallCancelledAfterItsPermitIsNotInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{InOrder: true})
		g.Join(Ticket{}).Leave()
		pass(t, g, Ticket{})
	})
}

func TestPermitGivenBackCostsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{Buckets: []connectors.Bucket{{Operation: "close", Scope: connectors.PerAccount, N: 2, Per: time.Minute}}})
		closing := Ticket{Lane: lane.Lower, Operation: "close"}
		began := time.Now()
		for range 10 {
			p := pass(t, g, closing)
			p.GiveBack()
			p.Done(Result{Outcome: Succeeded}) // it is over already
			g.Join(closing).Leave()
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("calls that are not made wait for each other, %v", took)
		}
		for range 3 {
			p, err := g.Pass(t.Context(), closing)
			if err != nil {
				t.Fatal(err)
			}
			p.Done(Result{Outcome: Succeeded})
		}
		if took := time.Since(began); took < time.Minute {
			t.Errorf("three calls of two in a minute pass in %v", took)
		}
	})
}

func TestCancelAndPermitAtOnceLoseNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{InOrder: true})
		for range 200 {
			first := pass(t, g, Ticket{Lane: lane.Lower})
			s := newSenders(g)
			ctx, cancel := context.WithCancel(t.Context())
			s.send(ctx, "either", Ticket{Lane: lane.Lower}, 0)
			go cancel()
			go first.Done(Result{Outcome: Succeeded})
			s.passed(1)
			synctest.Wait()
			if st := g.Status(); st.InFlight != 0 || st.Queued != 0 {
				t.Fatalf("%d in flight and %d queued after everything ended", st.InFlight, st.Queued)
			}
		}
	})
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := open(t, Options{InOrder: true})
		first := pass(t, g, Ticket{Lane: lane.Lower})
		s := newSenders(g)
		s.send(t.Context(), "waiting", Ticket{Lane: lane.Lower}, 0)
		g.Close()
		g.Close()
		if got := s.passed(1)[0]; !errors.Is(got.err, ErrClosed) {
			t.Errorf("the waiting call ended with %v, want ErrClosed", got.err)
		}
		if _, err := g.Pass(t.Context(), Ticket{}); !errors.Is(err, ErrClosed) {
			t.Errorf("a later call ended with %v, want ErrClosed", err)
		}
		first.Done(Result{Outcome: Succeeded})
		first.Done(Result{Outcome: Failed})
		if st := g.Status(); st.InFlight != 0 || st.Failures != 0 {
			t.Errorf("after the call was done twice: %d in flight, %d failures", st.InFlight, st.Failures)
		}
	})
}

func TestNewRefusesBucketsThatMeanNothing(t *testing.T) {
	tests := []struct {
		name   string
		bucket connectors.Bucket
		want   string
	}{
		{"no calls", connectors.Bucket{Operation: "set", Scope: connectors.PerAccount, Per: time.Second}, `bucket "set" of 0 calls in 1s lets nothing through`},
		{"no time", connectors.Bucket{Operation: "set", Scope: connectors.PerAccount, N: 1}, "lets nothing through"},
		{"no scope", connectors.Bucket{Operation: "set", N: 1, Per: time.Second}, "does not say what shares it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(Options{Account: "acc_1", Clock: hotel.SystemClock{}, Buckets: []connectors.Bucket{tt.bucket}})
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "acc_1") {
				t.Errorf("error is %v, want it to name the account and say %q", err, tt.want)
			}
		})
	}
}
