package gate

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/lane"
)

// traffic is a random history of one account: limits, calls and restarts.
type traffic struct {
	buckets  []connectors.Bucket
	inOrder  bool
	calls    []arrival
	restarts []time.Duration
}

// arrival is a call that comes to the gate after so long.
type arrival struct {
	after  time.Duration
	takes  time.Duration
	ticket Ticket
	result Result
}

func drawTraffic(t *rapid.T) traffic {
	operation := rapid.SampledFrom([]string{"set", "price", "poll"})
	instant := rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.IntRange(0, 30_000).Draw(t, "ms")) * time.Millisecond
	})
	return traffic{
		buckets: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) connectors.Bucket {
			return connectors.Bucket{
				Operation: rapid.SampledFrom([]string{"", "set", "price"}).Draw(t, "operation"),
				Scope:     rapid.SampledFrom([]connectors.Scope{connectors.PerAccount, connectors.PerProperty}).Draw(t, "scope"),
				N:         rapid.IntRange(1, 25).Draw(t, "n"),
				Per:       time.Duration(rapid.IntRange(1, 200).Draw(t, "per")) * 100 * time.Millisecond,
			}
		}), 1, 3).Draw(t, "buckets"),
		inOrder: rapid.Bool().Draw(t, "in order"),
		calls: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) arrival {
			return arrival{
				after: instant.Draw(t, "after"),
				takes: time.Duration(rapid.IntRange(0, 900).Draw(t, "takes")) * time.Millisecond,
				ticket: Ticket{
					Lane: lane.Lane(rapid.IntRange(1, 4).Draw(t, "lane")), Night: hotel.Date(rapid.IntRange(0, 2).Draw(t, "night")),
					Operation: operation.Draw(t, "operation"),
					Property:  rapid.SampledFrom([]string{"htl_1", "htl_2"}).Draw(t, "property"),
				},
				result: rapid.SampledFrom([]Result{
					{Outcome: Succeeded},
					{Outcome: Succeeded},
					{Outcome: Failed},
					{Outcome: Unsent},
					{Outcome: Denied},
					{Outcome: Limited},
					{Outcome: Limited, RetryAfter: 3 * time.Second},
				}).Draw(t, "result"),
			}
		}), 1, 60).Draw(t, "calls"),
		restarts: slices.Sorted(slices.Values(rapid.SliceOfN(instant, 0, 3).Draw(t, "restarts"))),
	}
}

// history is what a run of the traffic showed.
type history struct {
	sent    []Sent
	pauses  []pause
	overlap bool // two calls of one gate that keeps the order were in flight
}

// pause is a time during which nothing may go out.
type pause struct {
	why         string
	from, until time.Time
}

// run plays the traffic on fake time. Every call goes out once: a restart sends
// those that wait to the next gate.
func (tr traffic) run(t *testing.T) (history, error) {
	const openFor = 5 * time.Second
	var (
		mu       sync.Mutex
		h        history
		gates    []*Gate
		inFlight = map[*Gate]int{}
		stored   ledger.Standing
	)
	paused := func(why string, d time.Duration) {
		h.pauses = append(h.pauses, pause{why: why, from: time.Now(), until: time.Now().Add(d)})
	}
	begin := func() error {
		mu.Lock()
		defer mu.Unlock()
		g, err := New(Options{
			Account: "acc_1", Clock: hotel.SystemClock{}, Buckets: tr.buckets, InOrder: tr.inOrder,
			Sent: slices.Clone(h.sent), Standing: stored, Failures: 3, OpenFor: openFor,
			OnChange: func(c Transition) {
				if c.To == Open {
					mu.Lock()
					defer mu.Unlock()
					paused("the breaker was open", time.Until(c.RetryAt))
				}
			},
		})
		gates = append(gates, g)
		return err
	}
	present := func() *Gate {
		mu.Lock()
		defer mu.Unlock()
		return gates[len(gates)-1]
	}
	send := func(c arrival) {
		time.Sleep(c.after)
		g, p := present(), (*Permit)(nil)
		for {
			var err error
			p, err = g.Pass(t.Context(), c.ticket)
			mu.Lock()
			if err == nil && g == gates[len(gates)-1] {
				break // with mu held: what the next gate is told of includes this call
			}
			mu.Unlock()
			time.Sleep(time.Millisecond) // killed before the call was noted, it did not go out
			g = present()
		}
		h.sent = append(h.sent, Sent{Operation: c.ticket.Operation, Property: c.ticket.Property, At: p.At()})
		inFlight[g]++
		h.overlap = h.overlap || tr.inOrder && inFlight[g] > 1
		mu.Unlock()
		time.Sleep(c.takes)
		mu.Lock()
		inFlight[g]--
		if c.result.RetryAfter > 0 && g == gates[len(gates)-1] {
			paused("the far side asked for a pause", c.result.RetryAfter)
		}
		mu.Unlock()
		stands := p.Done(c.result)
		mu.Lock()
		defer mu.Unlock()
		if g == gates[len(gates)-1] && stands.Turn > stored.Turn { // whoever was killed stores nothing
			stored = stands
		}
	}

	if err := begin(); err != nil {
		return h, err
	}
	start := time.Now()
	var all sync.WaitGroup
	for _, c := range tr.calls {
		all.Go(func() { send(c) })
	}
	for _, at := range tr.restarts {
		time.Sleep(at - time.Since(start))
		present().Close()
		if err := begin(); err != nil {
			return h, err
		}
	}
	all.Wait()
	present().Close()
	return h, nil
}

// excess returns a window of the bucket that holds more calls than N, if any.
// It counts from every call, which is where the fullest windows begin.
func excess(b connectors.Bucket, sent []Sent) string {
	byProperty := map[string][]time.Time{}
	for _, s := range sent {
		if b.Operation != "" && s.Operation != b.Operation {
			continue
		}
		shared := s.Property
		if b.Scope == connectors.PerAccount {
			shared = ""
		}
		byProperty[shared] = append(byProperty[shared], s.At)
	}
	for property, at := range byProperty {
		slices.SortFunc(at, time.Time.Compare)
		for i, first := range at {
			n := 0
			for _, other := range at[i:] {
				if !other.After(first.Add(b.Per)) {
					n++
				}
			}
			if n > b.N {
				return fmt.Sprintf("%d calls of %q for %q within %v of %v, %d are allowed", n, b.Operation, property, b.Per, first, b.N)
			}
		}
	}
	return ""
}

func TestTrafficModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tr := drawTraffic(rt)
		var h history
		var err error
		synctest.Test(t, func(t *testing.T) { h, err = tr.run(t) })
		if err != nil {
			rt.Fatal(err)
		}
		if len(h.sent) != len(tr.calls) {
			rt.Fatalf("%d calls went out, want %d", len(h.sent), len(tr.calls))
		}
		if h.overlap {
			rt.Fatal("two calls were in flight at a time")
		}
		for _, b := range tr.buckets {
			if found := excess(b, h.sent); found != "" {
				rt.Fatal(found)
			}
		}
		for _, p := range h.pauses {
			for _, s := range h.sent {
				if s.At.After(p.from) && s.At.Before(p.until) {
					rt.Fatalf("a call went out at %v, though from %v to %v %s", s.At, p.from, p.until, p.why)
				}
			}
		}
	})
}

// TestQueueModel compares the queue with a list that is sorted when asked.
func TestQueueModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue
		var plain []*waiter
		t.Repeat(map[string]func(*rapid.T){
			"join": func(t *rapid.T) {
				w := &waiter{Ticket: Ticket{
					Lane:  lane.Lane(rapid.IntRange(1, 4).Draw(t, "lane")),
					Night: hotel.Date(rapid.IntRange(0, 2).Draw(t, "night")),
					Free:  rapid.IntRange(0, 2).Draw(t, "free"),
				}}
				q.join(w)
				plain = append(plain, w)
			},
			"leave": func(t *rapid.T) {
				if len(plain) == 0 {
					t.Skip("nobody waits")
				}
				i := rapid.IntRange(0, len(plain)-1).Draw(t, "who")
				q.leave(plain[i])
				q.leave(plain[i]) // who has left cannot leave again
				plain = slices.Delete(plain, i, i+1)
			},
			"": func(t *rapid.T) {
				want := slices.Clone(plain)
				slices.SortStableFunc(want, func(a, b *waiter) int {
					for _, d := range []int{int(a.Lane) - int(b.Lane), int(a.Night - b.Night), a.Free - b.Free} {
						if d != 0 {
							return d
						}
					}
					return 0
				})
				if !slices.Equal(want, q.waiters) {
					t.Fatalf("the queue's order differs from the plain list's")
				}
			},
		})
	})
}
