package ledger

import (
	"sync"
	"time"
)

// debt is what a channel, or its counters, owe behind an entry, since the channel itself
// was last changed.
type debt struct {
	channel string
	through int64
	changed int64 // microseconds since 1970
}

// debts knows of each when, in steady time, it was first noticed, whatever the clock did
// since. Those that nobody has asked about for long are given up.
type debts struct {
	mu         sync.Mutex
	young, old map[debt]time.Time
}

// mostDebts is how many are young at a time.
const mostDebts = 10_000

// age is for how long a debt has been there that there is now.
func (d *debts) age(of debt, steady time.Time) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	since, known := d.young[of]
	if known {
		return steady.Sub(since)
	}
	if since, known = d.old[of]; !known {
		since = steady
	}
	if d.young == nil || len(d.young) >= mostDebts {
		d.young, d.old = map[debt]time.Time{}, d.young
	}
	d.young[of] = since
	return steady.Sub(since)
}
