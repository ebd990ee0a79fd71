package ledger

import (
	"sync"
	"time"
)

// debt is what a channel, or its counters, owe behind an entry.
type debt struct {
	channel string
	through int64
}

// debts are those of which the journal cannot tell how old they are, and when, in steady
// time, each was noticed.
type debts struct {
	mu sync.Mutex
	of map[debt]time.Time
}

// mostDebts is how many are kept. With one more all are noticed anew.
const mostDebts = 10_000

// old is for how long a debt has been there that there is now.
func (d *debts) old(of debt, steady time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	since, known := d.of[of]
	if !known {
		if d.of == nil || len(d.of) >= mostDebts {
			d.of = map[debt]time.Time{}
		}
		d.of[of], since = steady, steady
	}
	return steady.Sub(since)
}
