package gate

import (
	"errors"
	"time"

	"github.com/sony/gobreaker/v2"
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
	Failures int       // consecutive failures up to now
	RetryAt  time.Time // when a probe may go; zero unless To is Open
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
	case Failed:
		return errFailed
	case Limited, Unsent:
		return errNeutral
	}
	return errNeutral
}

// newBreaker returns the breaker of the gate. It runs on real time, whatever
// the gate's clock says.
func (g *Gate) newBreaker(threshold int) *gobreaker.TwoStepCircuitBreaker[any] {
	return gobreaker.NewTwoStepCircuitBreaker[any](gobreaker.Settings{
		MaxRequests:   1,
		Timeout:       g.openFor,
		ReadyToTrip:   func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= uint32(threshold) },
		OnStateChange: g.changed,
		IsExcluded:    func(err error) bool { return errors.Is(err, errNeutral) },
	})
}

// changed follows the breaker, which is only ever asked with the gate locked.
func (g *Gate) changed(_ string, from, to gobreaker.State) {
	if g.closed {
		return
	}
	g.retryAt = time.Time{}
	if to == gobreaker.StateOpen {
		g.epoch++
		g.retryAt = g.clock.Now().Add(g.openFor)
		// The breaker lets a probe through after its time, not at its end.
		g.probe.Reset(g.openFor + time.Millisecond)
	}
	if g.onChange != nil {
		g.onChange(Transition{From: stateOf(from), To: stateOf(to), Failures: g.failures, RetryAt: g.retryAt})
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
