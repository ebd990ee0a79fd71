package simkit

import (
	"sync"
	"time"
)

// QueuedBy is how long an update waits that was confirmed when it was queued.
const QueuedBy = 30 * time.Second

// Queue has updates take effect after they were confirmed, in the order in which they
// were taken. Its zero value is empty; it is safe for concurrent use.
type Queue struct {
	mu      sync.Mutex
	waiting []func() error
}

// Do has effect take place at once and returns its error, or [QueuedBy] later where it is
// to wait or others wait already. Who is not told any more hears no error.
func (q *Queue) Do(wait bool, effect func() error) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !wait && len(q.waiting) == 0 {
		return effect()
	}
	q.waiting = append(q.waiting, effect)
	time.AfterFunc(QueuedBy, q.next)
	return nil
}

// next has the oldest that waits take place.
func (q *Queue) next() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) > 0 {
		_ = q.waiting[0]()
		q.waiting = q.waiting[1:]
	}
}

// Flush has everything take place that waits.
func (q *Queue) Flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, effect := range q.waiting {
		_ = effect()
	}
	q.waiting = nil
}
