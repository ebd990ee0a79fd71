package gate

import "time"

// Permit allows one call to go out, now.
type Permit struct {
	gate   *Gate
	at     time.Time
	epoch  int
	meters []*meter // what it was charged to
	report func(error)
	done   bool // guarded by the gate's lock
}

// Result is what became of a call, as far as the gate must know.
type Result struct {
	Outcome    Outcome
	RetryAfter time.Duration // how long the far side asked us to wait, with any outcome; 0: it did not
}

// Outcome says how a call ended.
type Outcome uint8

// The outcomes.
const (
	Succeeded Outcome = iota + 1 // the far side answered, even if it refused what we said
	Failed                       // no sensible answer: counts towards opening the breaker
	Limited                      // told "too many calls"; does not count
	Unsent                       // cancelled, or given up before a byte left; does not count
)

// At is the instant at which the call was charged to the buckets. Record it
// with the call before sending, and hand it in as Sent after a restart.
func (p *Permit) At() time.Time { return p.at }

// Valid reports whether the call may still be sent. It may not once the breaker
// opened or the far side asked for a pause after the permit was given, and not
// after Done. Ask immediately before the socket, since what is recorded between
// Pass and there takes time; a call that is no longer valid is done as Unsent
// and passes again.
func (p *Permit) Valid() bool {
	p.gate.mu.Lock()
	defer p.gate.mu.Unlock()
	return !p.done && p.epoch == p.gate.epoch
}

// GiveBack ends the permit of a call that is not made at all: its charge is taken
// off the buckets again, so that whatever follows need not wait for nothing.
func (p *Permit) GiveBack() { p.gate.giveBack(p) }

// Done reports the result and lets the next call through. Only the first call
// of it counts, so that it can be deferred with Unsent against early returns.
func (p *Permit) Done(r Result) { p.gate.finish(p, r) }
