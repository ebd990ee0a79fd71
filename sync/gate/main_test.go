package gate

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns a gate that is closed when the test ends.
func open(t *testing.T, o Options) *Gate {
	t.Helper()
	o.Account, o.Clock = "acc_1", hotel.SystemClock{}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

// perMinute is a bucket of the account for one operation.
func perMinute(operation string, n int) connectors.Bucket {
	return connectors.Bucket{Operation: operation, Scope: connectors.PerAccount, N: n, Per: time.Minute}
}

// pass takes a permit that must be given without waiting.
func pass(t *testing.T, g *Gate, ticket Ticket) *Permit {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	before := time.Now()
	p, err := g.Pass(ctx, ticket)
	if err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(before); waited != 0 {
		t.Fatalf("%+v waited %v, want it to pass at once", ticket, waited)
	}
	return p
}

// passage is one call that a sender got through, or not.
type passage struct {
	name   string
	after  time.Duration // since the bubble began
	permit *Permit
	err    error
}

// senders lets tickets through in the background and remembers the order.
type senders struct {
	g     *Gate
	start time.Time
	done  chan passage
	over  sync.WaitGroup
}

func newSenders(g *Gate) *senders {
	return &senders{g: g, start: time.Now(), done: make(chan passage, 1000)}
}

// send queues a call; once it passed it takes the given time and succeeds. It
// returns when the call waits or has passed.
func (s *senders) send(ctx context.Context, name string, ticket Ticket, takes time.Duration) {
	s.over.Go(func() {
		p, err := s.g.Pass(ctx, ticket)
		s.done <- passage{name: name, after: time.Since(s.start), permit: p, err: err}
		if err == nil {
			time.Sleep(takes)
			p.Done(Result{Outcome: Succeeded})
		}
	})
	synctest.Wait()
}

// passed waits for n calls to end their Pass.
func (s *senders) passed(n int) []passage {
	var all []passage
	for range n {
		all = append(all, <-s.done)
	}
	return all
}

// names lists passages in order.
func names(all []passage) []string {
	var list []string
	for _, p := range all {
		list = append(list, p.name)
	}
	return list
}
