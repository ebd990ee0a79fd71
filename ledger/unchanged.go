package ledger

import (
	"sync"
	"sync/atomic"
)

// unchanged keeps what was read, by what it was read of, until something is stored: who
// asks again and again costs nothing while nothing happens. What is read must follow
// from what is stored alone, and from no clock. Nobody changes what he got.
type unchanged[T any] struct {
	mu sync.Mutex
	of map[string]readAt[T]
}

// readAt is what was read, after so many commits.
type readAt[T any] struct {
	commits uint64
	what    T
}

func (l *unchanged[T]) get(commits *atomic.Uint64, of string, read func() (T, error)) (T, error) {
	now := commits.Load() // before it is read: what is stored meanwhile outdates it
	l.mu.Lock()
	kept, ok := l.of[of]
	l.mu.Unlock()
	if ok && kept.commits == now {
		return kept.what, nil
	}
	what, err := read()
	if err != nil {
		return what, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil {
		l.of = make(map[string]readAt[T])
	}
	l.of[of] = readAt[T]{now, what}
	return what, nil
}
