package gate

import (
	"cmp"
	"slices"
)

// waiter is a call in the queue. Permit is set before ready is closed; a waiter
// that finds ready closed and no permit was sent away by Close.
type waiter struct {
	Ticket
	arrival uint64
	ready   chan struct{}
	permit  *Permit
}

// queue holds the waiting calls, the most urgent first.
type queue struct {
	waiters []*waiter
	arrived uint64
}

// join puts a call behind everything that is at least as urgent.
func (q *queue) join(w *waiter) {
	q.arrived++
	w.arrival = q.arrived
	at, _ := slices.BinarySearchFunc(q.waiters, w, compare)
	q.waiters = slices.Insert(q.waiters, at, w)
}

// leave takes a call out, if it is still there.
func (q *queue) leave(w *waiter) {
	if at, found := slices.BinarySearchFunc(q.waiters, w, compare); found {
		q.waiters = slices.Delete(q.waiters, at, at+1)
	}
}

func compare(a, b *waiter) int {
	return cmp.Or(
		cmp.Compare(a.Lane, b.Lane),
		cmp.Compare(a.Night, b.Night),
		cmp.Compare(a.Free, b.Free),
		cmp.Compare(a.arrival, b.arrival),
	)
}
