package gate

import (
	"slices"
	"time"
)

// Status is what an operator sees of a gate, and so why a call waits.
type Status struct {
	Breaker   State
	RetryAt   time.Time // when a probe may go; zero unless the breaker is open
	HeldUntil time.Time // the far side asked for a pause until then; zero: it did not
	Failures  int       // consecutive failures
	Queued    int       // calls that wait in Pass
	InFlight  int       // calls let through and not done
	Buckets   []BucketStatus
}

// BucketStatus is one limit as it stands.
type BucketStatus struct {
	Operation string // "" is every one
	Property  string // "" when the whole account shares the limit
	Limit     int    // calls in any span of Per, as published
	Per       time.Duration
	Remaining int       // Limit less the calls of the last Per
	NextAt    time.Time // when the next call may go, a closing or lowering; zero: now
}

// Status returns the present state. Buckets come in the order of their
// operation and property; those by property are named once they were used.
func (g *Gate) Status() Status {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.clock.Now()
	s := Status{
		Breaker:  stateOf(g.breaker.State()),
		Failures: g.failures,
		Queued:   len(g.queue.waiters),
		InFlight: g.inFlight,
	}
	if s.Breaker == Open {
		s.RetryAt = g.retryAt
	}
	if now.Before(g.held) {
		s.HeldUntil = g.held
	}
	for _, b := range g.buckets {
		for property, m := range b.meters {
			m.prune(now)
			status := BucketStatus{
				Operation: b.Operation, Property: property,
				Limit: b.N, Per: b.Per, Remaining: max(0, b.N-len(m.recent)),
			}
			if d := m.delay(now, true); d > 0 {
				status.NextAt = now.Add(d)
			}
			s.Buckets = append(s.Buckets, status)
		}
	}
	slices.SortFunc(s.Buckets, compareLimits)
	return s
}
