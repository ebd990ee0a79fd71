package simkit

import (
	"slices"
	"sync"
	"time"
)

// QueuedBy is how long an update waits that was confirmed when it was queued.
const QueuedBy = 30 * time.Second

// Queue has updates take effect after they were confirmed, in the order in which they
// were taken, those that are put ahead before all others. Its zero value is empty; it is
// safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	waiting []func() error
	ahead   int // of them, those at the front that were put ahead
}

// Do has effect take place at once and returns its error, or later where it is to wait or
// others wait already: every [QueuedBy] after an update was taken the one at the front has
// its effect. One that is put ahead passes those that were not. Who is not told any more
// hears no error.
func (q *Queue) Do(wait, ahead bool, effect func() error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !wait && len(q.waiting) == 0 {
		return effect()
	}
	if ahead {
		q.waiting = slices.Insert(q.waiting, q.ahead, effect)
		q.ahead++
	} else {
		q.waiting = append(q.waiting, effect)
	}
	time.AfterFunc(QueuedBy, q.next)
	return nil
}

// next has the oldest that waits take place.
func (q *Queue) next() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		_ = q.waiting[0]()
		q.waiting, q.ahead = q.waiting[1:], max(0, q.ahead-1)
	}
}

// Flush has everything take place that waits.
func (q *Queue) Flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, effect := range q.waiting {
		_ = effect()
	}
	q.waiting, q.ahead = nil, 0
}
