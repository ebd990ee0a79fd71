package gate

import (
	"slices"
	"time"

	"ostler.example/hotel"
)

// Status is what an operator sees of a gate, and so why a call waits.
type Status struct {
	Breaker   State
	RetryAt   time.Time   // when a probe may go; zero unless the breaker is open
	Cause     hotel.Cause // why the breaker is not closed; "": it is
	Since     time.Time   // when it opened
	Words     string      // what went wrong
	HeldUntil time.Time   // the far side asked for a pause until then; zero: it did not
	Failures  int         // consecutive failures
	Queued    int         // calls that wait in Pass
	InFlight  int         // calls let through and not done
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
	now, steady := g.clock.Now(), g.clock.Steady()
	s := Status{
		Breaker:  Open,
		Cause:    g.stands.Cause,
		Since:    g.stands.Since,
		Words:    g.stands.Words,
		Failures: g.stands.Failures,
		Queued:   len(g.queue.waiters),
		InFlight: g.inFlight,
	}
	if g.shut(now) {
		s.RetryAt = g.stands.ProbeAt
	} else {
		s.Breaker = stateOf(g.breaker.State())
	}
	if now.Before(g.stands.HeldUntil) {
		s.HeldUntil = g.stands.HeldUntil
	}
	for _, b := range g.buckets {
		for property, m := range b.meters {
			m.prune(steady)
			status := BucketStatus{
				Operation: b.Operation, Property: property,
				Limit: b.N, Per: b.Per, Remaining: max(0, b.N-len(m.recent)),
			}
			if d := m.delay(steady, true); d > 0 {
				status.NextAt = now.Add(d)
			}
			s.Buckets = append(s.Buckets, status)
		}
	}
	slices.SortFunc(s.Buckets, compareLimits)
	return s
}
