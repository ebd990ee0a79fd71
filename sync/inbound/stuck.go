package inbound

import (
	"strings"
	"sync"
)

const (
	// triesOfOne is how often the ledger may fail to take one message, though it takes
	// others, before that one is kept as it came: a feed that begins with it goes on.
	triesOfOne = 3
	// mostStuck is how many messages are remembered at once; those of a ledger that takes
	// none are not in it.
	mostStuck = 1000
)

// Stuck counts the messages of a channel that the ledger could not take for what they are.
// Who forgets this, with a restart, begins anew.
type Stuck struct {
	mu    sync.Mutex
	tries map[string]int // by key
}

// failed notes that a message was not taken, and says whether it has been tried often
// enough.
func (s *Stuck) failed(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tries == nil || len(s.tries) >= mostStuck {
		s.tries = map[string]int{}
	}
	s.tries[key]++
	return s.tries[key] >= triesOfOne
}

func (s *Stuck) taken(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tries, key)
}

// whyStuck says in one line why a message was not taken: behind it may be where.
func whyStuck(err error) string {
	why, _, _ := strings.Cut(err.Error(), "\n")
	return "it can be read, and the ledger could not take it: " + why
}
