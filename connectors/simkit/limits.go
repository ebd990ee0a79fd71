package simkit

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Limits are the far side's published limits, kept exactly: no span of a
// bucket's Per sees more than N calls, counted as they arrive. The span is taken
// a thirtieth shorter, since calls that left at the right distance may arrive
// closer together. Limits are safe for concurrent use.
type Limits struct {
	buckets   []connectors.Bucket
	operation func(*http.Request) string
	clock     hotel.Clock

	// Refuse answers what is beyond a limit; nil: 429 with Retry-After. It is set before
	// the first call.
	Refuse http.HandlerFunc

	mu      sync.Mutex
	taken   map[string][]time.Time // by operation of the bucket, oldest first
	refused int
}

// NewLimits returns limits for the calls that operation names; "" is a call that
// no bucket counts.
func NewLimits(buckets []connectors.Bucket, operation func(*http.Request) string, clock hotel.Clock) *Limits {
	return &Limits{buckets: buckets, operation: operation, clock: clock, taken: map[string][]time.Time{}}
}

// Refused counts the calls that came beyond a limit.
func (l *Limits) Refused() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

// Handle refuses what is beyond a limit and hands on the rest.
func (l *Limits) Handle(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := l.wait(l.operation(r))
		if wait == 0 {
			next.ServeHTTP(w, r)
			return
		}
		if l.Refuse != nil {
			l.Refuse(w, r)
			return
		}
		w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		http.Error(w, "too many requests", http.StatusTooManyRequests)
	})
}

// wait counts a call, or returns how long it comes too early.
func (l *Limits) wait(operation string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	for _, b := range l.buckets {
		if b.Operation != operation {
			continue
		}
		span := b.Per - b.Per/30
		taken := l.taken[operation]
		for len(taken) > 0 && now.Sub(taken[0]) >= span {
			taken = taken[1:]
		}
		l.taken[operation] = taken
		if len(taken) >= b.N {
			l.refused++
			return span - now.Sub(taken[0])
		}
		l.taken[operation] = append(taken, now)
	}
	return 0
}
