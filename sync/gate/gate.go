// Package gate decides when a call to a channel may go out. There is one Gate
// for each channel account: it keeps the published limits, stops sending while
// the far side fails, honours its Retry-After, lets one call at a time through
// where order matters, and lets the urgent overtake the rest.
//
//	sender ─► Pass(ticket) ─► queue ─► held? ─► in order? ─► breaker ─► buckets ─► Permit ─► socket
//	                          by lane, night,                                        │
//	                          free rooms, arrival  ◄──────────── Done(result) ◄──────┘
//
// It sends nothing, reads no ledger and stores nothing. What it knows survives a
// restart because others record it: the instants at which calls went out, which
// are handed in again as Options.Sent, and how the account stood after each call,
// which is what Done returns, handed in again as Options.Standing.
package gate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger"
	"ostler.example/sync/lane"
)

const (
	// MaxHold is the longest time for which a Retry-After can hold an account.
	// Whatever asks for more is taken for a mistake and held for this long.
	MaxHold = time.Hour

	// DeniedFor is how long a far side is left alone that does not take our
	// credentials: accounts are locked for trying too often.
	DeniedFor = 15 * time.Minute
)

// The breaker's values where Options does not say otherwise.
const (
	defaultFailures = 5
	defaultOpenFor  = time.Minute
)

// ErrClosed is the error of a Pass on a gate that is closed.
var ErrClosed = errors.New("gate is closed")

// Options describes one channel account.
type Options struct {
	Account string              // names the account in errors; holds no secret
	Buckets []connectors.Bucket // the limits to keep; none: not limited
	InOrder bool                // one call in flight at a time
	Sent    []Sent              // the calls of the last Window(Buckets), in any order
	Clock   hotel.Clock

	Standing ledger.Standing // how the account stood when it was last called

	Failures int           // consecutive failures that open the breaker; 0: 5
	OpenFor  time.Duration // how long it stays open before a probe; 0: 1 minute

	// OnChange is told of every change of the breaker's state, in order; nil:
	// nobody is. It is called while the gate is locked, so it must return at once
	// and must not call the gate.
	OnChange func(Transition)
}

// Sent is a call that went out before the gate was made. At is what
// Permit.At was.
type Sent struct {
	Operation string
	Property  string
	At        time.Time
}

// Ticket is what a sender asks passage for. The gate serves by lane, then night,
// then free rooms, then arrival, each the smallest first.
type Ticket struct {
	Lane      lane.Lane
	Night     hotel.Date // the nearest night that the call is about
	Free      int        // the free rooms of that night
	Operation string     // names the buckets
	Property  string     // whose share of a bucket by property it takes
}

// Gate lets the calls of one channel account out. It is safe for concurrent
// use. It has no goroutine of its own beside its timers; Close stops those.
type Gate struct {
	account  string
	inOrder  bool
	clock    hotel.Clock
	openFor  time.Duration
	onChange func(Transition)

	mu       sync.Mutex
	queue    queue
	buckets  []*bucket
	breaker  *gobreaker.TwoStepCircuitBreaker[any]
	inFlight int
	passed   passed
	stands   ledger.Standing // its cause is "" just while the breaker is closed
	failure  Result          // the failure that the breaker is being told of
	epoch    int             // counts the moments that make unused permits invalid
	wake     *time.Timer
	probe    *time.Timer
	closed   bool
}

// New returns a gate whose buckets know of the calls in o.Sent. It refuses
// buckets that would let nothing through or mean nothing.
func New(o Options) (*Gate, error) {
	g := &Gate{account: o.Account, inOrder: o.InOrder, clock: o.Clock, onChange: o.OnChange, openFor: o.OpenFor}
	if g.openFor <= 0 {
		g.openFor = defaultOpenFor
	}
	threshold := o.Failures
	if threshold <= 0 {
		threshold = defaultFailures
	}
	g.breaker = g.newBreaker(threshold)
	var err error
	if g.buckets, err = g.limits(o.Buckets, o.Sent); err != nil {
		return nil, fmt.Errorf("open gate of account %s: %w", o.Account, err)
	}
	g.wake, g.probe = stopped(g.look), stopped(g.look)
	g.resume(o.Standing)
	return g, nil
}

// Limit has the gate keep other limits from now on. Those that it keeps already are as
// full as they were; the others know of the calls in sent, which were read within the last
// minute, and of those that the gate has let through since or that are not recorded yet. It
// refuses what [New] does, and changes nothing then.
func (g *Gate) Limit(buckets []connectors.Bucket, inOrder bool, sent []Sent) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	next, err := g.limits(buckets, sent)
	if err != nil {
		return fmt.Errorf("limit account %s: %w", g.account, err)
	}
	g.buckets, g.inOrder = next, inOrder
	g.admit()
	return nil
}

// limits returns the buckets that keep so many limits.
func (g *Gate) limits(limits []connectors.Bucket, sent []Sent) (all []*bucket, err error) {
	for _, limit := range limits {
		i := slices.IndexFunc(g.buckets, func(b *bucket) bool { return b.Bucket == limit })
		if i >= 0 {
			all = append(all, g.buckets[i])
			continue
		}
		b, err := newBucket(limit)
		if err != nil {
			return nil, err
		}
		b.replay(sent, g.passed, g.clock)
		all = append(all, b)
	}
	return all, nil
}

// Pass waits until the call may go out and returns the permit for it, whose
// Done must be called once the call is over. The caller sends at once: the call
// is already charged to the buckets. When ctx ends first, the call
// leaves the queue and the error wraps the cause.
func (g *Gate) Pass(ctx context.Context, t Ticket) (*Permit, error) {
	if ctx.Err() != nil {
		return nil, g.failed(context.Cause(ctx))
	}
	p := g.Join(t)
	select {
	case <-p.Ready():
		return p.Permit()
	case <-ctx.Done():
		p.Leave()
		return nil, g.failed(context.Cause(ctx))
	}
}

// Close ends every waiting and every later Pass with ErrClosed and stops the
// timers. Calls in flight may still be done. Closing twice is harmless.
func (g *Gate) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.wake.Stop()
	g.probe.Stop()
	for _, w := range g.queue.waiters {
		close(w.ready)
	}
	g.queue.waiters = nil
}

// look is what the timers do.
func (g *Gate) look() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.admit()
}

// admit lets through whatever may go now and sets the timer for what may go
// next. It is called, with the gate locked, whenever anything changed.
//
// Of the calls that a bucket is short for, only the most urgent asks it. Calls
// that lack nothing do not wait for those that do, else a pull that is allowed
// once a minute would keep a closing behind it for that minute. The one
// exception is that a raise never overtakes a closing, whatever that waits for.
//
// A pull that would be the second in a row from a bucket lets a less urgent call go
// first: a feed that is read each minute would have all of a bucket of one call a minute.
func (g *Gate) admit() {
	if g.closed {
		return
	}
	g.wake.Stop()
	now, steady := g.clock.Now(), g.clock.Steady()
	if g.shut(now) {
		return // the probe timer looks again
	}
	if now.Before(g.stands.HeldUntil) {
		if longest := now.Add(MaxHold); g.stands.HeldUntil.After(longest) {
			g.stands.HeldUntil = longest // the clock was set back
		}
		g.wakeAfter(g.clock.Until(g.stands.HeldUntil))
		return
	}
	var (
		short    = map[*meter]bool{}
		lowering bool // a call of the first lane waits
		soonest  time.Duration
		waiting  []*waiter
		in       = g.queue.waiters
	)
	for len(in) > 0 {
		if g.inOrder && g.inFlight > 0 {
			waiting = append(waiting, in...) // Done looks again
			break
		}
		first := g.turn(in, short, steady, lowering)
		w := in[first]
		if w.Lane == lane.Raise && lowering {
			waiting, in = append(waiting, w), in[1:] // looked at again when the closing goes
			continue
		}
		meters := g.meters(w.Ticket)
		wait, behind := ask(meters, short, steady, w.Lane)
		if wait == 0 && !behind {
			if !g.let(w, meters, now, steady) {
				waiting = append(waiting, in...) // the Done of the probe looks again
				break
			}
			in = slices.Delete(in, first, first+1)
			continue
		}
		if wait > 0 && (soonest == 0 || wait < soonest) {
			soonest = wait
		}
		lowering = lowering || w.Lane == lane.Lower
		waiting, in = append(waiting, w), in[1:]
	}
	g.queue.waiters = waiting
	if soonest > 0 {
		g.wakeAfter(soonest)
	}
}

// turn returns which of the waiting calls is looked at next: the first, or where that
// is a pull whose turn is over, the first behind it that may go out of the same bucket.
// One that lacks something else keeps no pull waiting.
func (g *Gate) turn(waiting []*waiter, short map[*meter]bool, now time.Time, lowering bool) int {
	if waiting[0].Lane != lane.Pull {
		return 0
	}
	var over []*meter
	for _, m := range g.meters(waiting[0].Ticket) {
		if m.pulled {
			over = append(over, m)
		}
	}
	if len(over) == 0 {
		return 0
	}
	short = maps.Clone(short)
	for i, w := range waiting {
		if w.Lane == lane.Pull || w.Lane == lane.Raise && lowering {
			continue
		}
		meters := g.meters(w.Ticket)
		wait, behind := ask(meters, short, now, w.Lane)
		if wait == 0 && !behind && slices.ContainsFunc(meters, func(m *meter) bool { return slices.Contains(over, m) }) {
			return i
		}
	}
	return 0
}

// let gives the permit to a call that nothing holds back but the breaker.
func (g *Gate) let(w *waiter, meters []*meter, now, steady time.Time) bool {
	report, err := g.breaker.Allow()
	if err != nil {
		return false
	}
	for _, m := range meters {
		m.take(steady, w.Lane)
	}
	g.inFlight++
	w.permit = &Permit{gate: g, ticket: w.Ticket, at: now, steady: steady, epoch: g.epoch, meters: meters, report: report}
	g.passed.add(w.permit)
	if g.stands.Cause != "" {
		g.stands.Turn++
		w.permit.probe = g.stands
		w.permit.probe.ProbeAt = g.now().Add(g.period())
	}
	close(w.ready)
	return true
}

// stopped returns a timer for f that is not running.
func stopped(f func()) *time.Timer {
	t := time.AfterFunc(MaxHold, f)
	t.Stop()
	return t
}

// wakeAfter sets the timer. Clocks tell whole microseconds, so it waits one
// more than told rather than look a moment too early.
func (g *Gate) wakeAfter(d time.Duration) { g.wake.Reset(d + time.Microsecond) }

// hold keeps everything back for d, at most MaxHold.
func (g *Gate) hold(d time.Duration) {
	until := g.now().Add(min(d, MaxHold))
	if until.After(g.stands.HeldUntil) {
		g.stands.HeldUntil = until
	}
	g.epoch++
}

// giveBack ends a call that was never made.
func (g *Gate) giveBack(p *Permit) {
	g.mu.Lock()
	if !p.done {
		for _, m := range p.meters {
			m.giveBack(p.steady, g.clock.Steady())
		}
	}
	g.mu.Unlock()
	p.Done(Result{Outcome: Unsent})
}

// finish takes the result of a call.
func (g *Gate) finish(p *Permit, r Result) ledger.Standing {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.done {
		return ledger.Standing{}
	}
	p.done, p.unsent, p.over = true, r.Outcome == Unsent, g.clock.Steady()
	g.inFlight--
	switch r.Outcome {
	case Succeeded:
		g.stands.Failures, g.stands.Limited = 0, 0
	case Failed, Denied:
		g.stands.Failures++
	case Limited:
		g.stands.Limited++
		if r.RetryAfter <= 0 {
			r.RetryAfter = backoff.Delay(backoff.Account, g.stands.Limited, g.account)
		}
	case Unsent:
	}
	if r.RetryAfter > 0 {
		g.hold(r.RetryAfter)
	}
	g.failure = r
	p.report(r.Outcome.err())
	g.failure = Result{}
	g.stands.Turn++
	stands := g.stands
	g.admit()
	return stands
}

// now is the time as it is stored, in whole microseconds.
func (g *Gate) now() time.Time { return g.clock.Now().UTC().Truncate(time.Microsecond) }

// failed says for which account a Pass ended.
func (g *Gate) failed(err error) error {
	return fmt.Errorf("wait for channel account %s: %w", g.account, err)
}
