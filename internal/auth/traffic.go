package auth

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// traffic counts what clients of the sandbox call until it is stored.
type traffic struct {
	counts counts[Tally] // by all but the count

	mu    sync.Mutex
	waits map[string]time.Time // until when a client was asked to wait
}

// NoteCall counts a call of a client of the sandbox. after is the wait that its answer
// asked for, 0 for none.
func (a *Authority) NoteCall(clientID string, c Call, after time.Duration) {
	now := a.clock.Now()
	c.Early = a.traffic.early(clientID, now, after)
	a.traffic.counts.add(Tally{ClientID: clientID, Day: now.Truncate(24 * time.Hour), Call: c}, 1)
}

// early reports whether a call came before the end of a wait that was asked for, and
// notes the one that its own answer asks for.
func (t *traffic) early(clientID string, now time.Time, after time.Duration) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	early := now.Before(t.waits[clientID])
	if after > 0 {
		t.waits[clientID] = now.Add(after)
	}
	return early
}

func (a *Authority) saveTraffic(ctx context.Context) error {
	counts := a.traffic.counts.take()
	if len(counts) == 0 {
		return nil
	}
	tallies := make([]Tally, 0, len(counts))
	for tally, n := range counts {
		tally.Count = n
		tallies = append(tallies, tally)
	}
	if err := a.store.SaveTraffic(ctx, tallies); err != nil {
		a.traffic.counts.putBack(counts)
		return fmt.Errorf("save what %d sorts of calls were counted: %w", len(tallies), err)
	}
	return nil
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
