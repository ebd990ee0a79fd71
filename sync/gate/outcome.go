package gate

import (
	"context"
	"errors"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
)

// Result is what became of a call, as far as the gate must know.
type Result struct {
	Outcome    Outcome
	RetryAfter time.Duration // how long the far side asked us to wait, with any outcome; 0 or less: it did not
	Words      string        // what went wrong, for people; no secret
}

// Outcome says how a call ended.
type Outcome uint8

// The outcomes.
const (
	Succeeded Outcome = iota + 1 // the far side answered, even if it refused what we said
	Failed                       // no sensible answer: counts towards opening the breaker
	Limited                      // told "too many calls"; does not count
	Unsent                       // cancelled, or given up before a byte left; does not count
	Denied                       // our credentials are not taken: opens the breaker at once, for [DeniedFor]
)

// ErrHeld is that a call was not made, for its permit was not valid any more.
var ErrHeld = errors.New("the account was held before the call left")

// OurOwn is a call that failed on our side of it: what the far side said could not be
// kept.
type OurOwn struct{ Err error }

// Error is that of the failure.
func (o *OurOwn) Error() string { return o.Err.Error() }

// Unwrap returns the cause.
func (o *OurOwn) Unwrap() error { return o.Err }

// ResultOf says what the error of a connector, or none, means to the gate. Whose deadline
// ended a call cannot be read from the error: expired is that the caller's own did.
//
//	none, invalid, unmapped   succeeded: the far side answers
//	temporary, unclassified   failed, unless it is our own
//	rate_limited              limited
//	denied                    denied
//	our own: cancelled, or a refusal   unsent
//	of any kind, but expired  failed
func ResultOf(err error, expired bool) Result {
	if err == nil {
		return Result{Outcome: Succeeded}
	}
	if _, refused := errors.AsType[*hotel.Refusal](err); refused || !expired && errors.Is(err, context.Canceled) {
		return Result{Outcome: Unsent}
	}
	e := connectors.AsError(err)
	r := Result{Outcome: Failed, RetryAfter: e.RetryAfter, Words: err.Error()}
	if expired {
		return r
	}
	switch e.Kind {
	case connectors.Temporary:
		if _, ours := errors.AsType[*OurOwn](err); ours {
			r.Outcome = Unsent
		}
	case connectors.RateLimited:
		r.Outcome = Limited
	case connectors.Denied:
		r.Outcome = Denied
	case connectors.Invalid, connectors.Unmapped:
		r.Outcome = Succeeded
	}
	return r
}

// StateOf says what is stored of a call that asks for something and tells
// nothing.
func StateOf(err error) ledger.DeliveryState {
	switch {
	case err == nil:
		return ledger.DeliveryApplied
	case !errors.Is(err, context.Canceled) && connectors.AsError(err).Effect == connectors.NotSent:
		return ledger.DeliveryNotSent
	}
	return ledger.DeliveryUnknown
}
