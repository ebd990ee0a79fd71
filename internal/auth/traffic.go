package auth

import (
	"sync"
	"time"
)

// traffic counts what clients of the sandbox call until it is stored.
type traffic struct {
	mu     sync.Mutex
	counts map[Tally]int        // by all but the count
	waits  map[string]time.Time // until when a client was asked to wait
}

// NoteCall counts a call of a client of the sandbox. after is the wait that its answer
// asked for, 0 for none.
func (a *Authority) NoteCall(clientID string, c Call, after time.Duration) {
	now := a.clock.Now()
	t := &a.traffic
	t.mu.Lock()
	defer t.mu.Unlock()
	c.Early = now.Before(t.waits[clientID])
	if after > 0 {
		t.waits[clientID] = now.Add(after)
	}
	t.counts[Tally{ClientID: clientID, Day: now.Truncate(24 * time.Hour), Call: c}]++
}

// take returns what was counted since the last call.
func (t *traffic) take() []Tally {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []Tally
	for tally, n := range t.counts {
		tally.Count = n
		list = append(list, tally)
	}
	clear(t.counts)
	return list
}

// putBack counts again what could not be stored.
func (t *traffic) putBack(list []Tally) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tally := range list {
		n := tally.Count
		tally.Count = 0
		t.counts[tally] += n
	}
}

// forget drops waits that are over.
func (t *traffic) forget(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id, until := range t.waits {
		if !now.Before(until) {
			delete(t.waits, id)
		}
	}
}
