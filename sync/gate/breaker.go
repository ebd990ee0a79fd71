package gate

import (
	"errors"
	"time"

	"github.com/sony/gobreaker/v2"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// State is the breaker's state, in the words of the API.
type State string

// The states. Nothing is sent while the breaker is open; half open, one call at
// a time goes out as a probe.
const (
	Closed   State = "closed"
	Open     State = "open"
	HalfOpen State = "half_open"
)

// Transition is one change of the breaker's state.
type Transition struct {
	From, To State
	Failures int         // consecutive failures up to now
	Cause    hotel.Cause // why it opened; "" when it closed
	RetryAt  time.Time   // when a probe may go; zero unless To is Open
}

// What the breaker is told about a call that did not succeed.
var (
	errFailed  = errors.New("call failed")
	errNeutral = errors.New("call says nothing about the far side's health")
)

// err is the outcome in the breaker's terms.
func (o Outcome) err() error {
	switch o {
	case Succeeded:
		return nil
	case Failed, Denied:
		return errFailed
	case Limited, Unsent:
		return errNeutral
	}
	return errNeutral
}

// newBreaker returns the breaker of the gate. It decides when to open and which
// call is the probe. How long it stays open is kept by the gate, since that
// differs by cause and outlives the program.
func (g *Gate) newBreaker(threshold int) *gobreaker.TwoStepCircuitBreaker[any] {
	return gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{
		MaxRequests: 1,
		Timeout:     time.Nanosecond,
		ReadyToTrip: func(gobreaker.Counts) bool {
			return g.failure.Outcome == Denied || g.stands.Failures >= threshold
		},
		OnStateChange: g.changed,
		IsExcluded:    func(err error) bool { return errors.Is(err, errNeutral) },
	})
}

// changed follows the breaker, which is only ever asked with the gate locked.
func (g *Gate) changed(_ string, from, to gobreaker.State) {
	if g.closed {
		return
	}
	switch to {
	case gobreaker.StateOpen:
		g.opened()
	case gobreaker.StateClosed:
		g.stands.Cause, g.stands.Since, g.stands.ProbeAt, g.stands.Words = "", time.Time{}, time.Time{}, ""
	case gobreaker.StateHalfOpen:
	}
	if g.onChange != nil {
		t := Transition{From: stateOf(from), To: stateOf(to), Failures: g.stands.Failures, Cause: g.stands.Cause}
		if to == gobreaker.StateOpen {
			t.RetryAt = g.stands.ProbeAt
		}
		g.onChange(t)
	}
}

// opened notes why the breaker opened and when a probe may go. Credentials that
// were refused stay so until a call succeeds, whatever else befalls the probes.
func (g *Gate) opened() {
	s, now := &g.stands, g.now()
	if s.Cause == "" {
		s.Since = now
	}
	if s.Cause != hotel.Denied {
		s.Cause = hotel.Failing
		if g.failure.Outcome == Denied {
			s.Cause = hotel.Denied
		}
	}
	s.Words, s.ProbeAt = g.failure.Words, now.Add(g.period())
	g.epoch++
	g.probeAfter()
}

// period is how long the breaker stays open.
func (g *Gate) period() time.Duration {
	if g.stands.Cause == hotel.Denied {
		return max(DeniedFor, g.openFor)
	}
	return g.openFor
}

// probeAfter sets the timer for the probe. The breaker lets it through after its
// time, not at its end.
func (g *Gate) probeAfter() {
	g.probe.Reset(max(g.clock.Until(g.stands.ProbeAt), 0) + time.Millisecond)
}

// shut reports whether the breaker lets nothing through now. A clock that was set
// back makes nobody wait for longer than the breaker stays open.
func (g *Gate) shut(now time.Time) bool {
	if g.stands.Cause == "" {
		return false // the breaker opens and closes together with it
	}
	if latest := now.Add(g.period()); g.stands.ProbeAt.After(latest) {
		g.stands.ProbeAt = latest
		g.probeAfter()
	}
	return now.Before(g.stands.ProbeAt) || g.breaker.State() == gobreaker.StateOpen
}

// resume takes up how the account stood when the program, or the gate before this
// one, ended.
func (g *Gate) resume(s ledger.Standing) {
	g.stands = s
	if s.Cause == "" {
		return
	}
	g.failure.Outcome = Denied // whatever it is, it opens the breaker
	if report, err := g.breaker.Allow(); err == nil {
		told := g.onChange
		g.onChange = nil // whoever watches has heard of it
		report(errFailed)
		g.onChange = told
	}
	g.failure = Result{}
	g.stands = s
	g.probeAfter()
}

// TryNow lets a probe go out at once to a far side that does not take our
// credentials, because somebody has mended something. It does nothing else.
func (g *Gate) TryNow() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if now := g.now(); !g.closed && g.stands.Cause == hotel.Denied && now.Before(g.stands.ProbeAt) {
		g.stands.ProbeAt = now
		g.probeAfter()
	}
}

func stateOf(s gobreaker.State) State {
	switch s {
	case gobreaker.StateClosed:
		return Closed
	case gobreaker.StateOpen:
		return Open
	case gobreaker.StateHalfOpen:
		return HalfOpen
	}
	return Closed
}
