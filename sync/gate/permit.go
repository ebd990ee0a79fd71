package gate

import (
	"time"

	"ostler.example/ledger"
)

// Permit allows one call to go out, now.
type Permit struct {
	gate   *Gate
	ticket Ticket
	at     time.Time
	steady time.Time
	epoch  int
	meters []*meter // what it was charged to; guarded by the gate's lock
	report func(error)
	probe  ledger.Standing

	// Guarded by the gate's lock.
	done   bool
	unsent bool      // it was not made after all
	over   time.Time // when it was done, in steady time
}

// At is the instant at which the call was charged to the buckets. Record it
// with the call before sending, and hand it in as Sent after a restart.
func (p *Permit) At() time.Time { return p.at }

// Steady is At in steady time.
func (p *Permit) Steady() time.Time { return p.steady }

// sent is the call as it is recorded.
func (p *Permit) sent() Sent {
	return Sent{Operation: p.ticket.Operation, Property: p.ticket.Property, At: p.at.UTC().Truncate(time.Microsecond)}
}

// Standing is how the account stands while a probe is under way, to be stored with the
// call before it is sent: a program that is killed meanwhile does not send another
// before the time of the next. Of any other call it is one that is passed over.
func (p *Permit) Standing() ledger.Standing { return p.probe }

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

// Done reports the result, lets the next call through, and returns how the account
// stands then, which is to be stored with the call. Only the first call of it
// counts, so that it can be deferred with Unsent against early returns; later ones
// return a standing that is passed over.
func (p *Permit) Done(r Result) ledger.Standing { return p.gate.finish(p, r) }
