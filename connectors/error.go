package connectors

import (
	"errors"
	"fmt"
	"time"
)

// Kind classifies a failure by what the engine does about it. The kinds are few
// and closed; one table in sync/dispatch says what each means.
type Kind string

// The kinds of failure.
const (
	Temporary   Kind = "temporary"    // try again with back-off; counts against the breaker
	RateLimited Kind = "rate_limited" // try again after RetryAfter; does not count against the breaker
	Denied      Kind = "denied"       // credentials refused: stop sending, keep receiving, alert once
	Invalid     Kind = "invalid"      // will never be taken: its keys are rejected
	Unmapped    Kind = "unmapped"     // the far side does not know the room or rate
)

// Effect says whether a failed call can have changed anything.
type Effect uint8

// Possible is the zero value: whoever does not know must not claim otherwise.
const (
	Possible Effect = iota
	NotSent         // it failed before a byte left
)

// Error is a failure of a call that the connector has understood.
type Error struct {
	Kind       Kind
	Effect     Effect
	Op         string        // what was being done: "update availability"
	RetryAfter time.Duration // how long the far side asks us to wait; 0: it does not say
	Err        error
}

// Error says what was being done and what went wrong.
func (e *Error) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("%s: %s", e.Op, e.Kind)
	}
	return fmt.Sprintf("%s: %v", e.Op, e.Err)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// AsError returns the connector's classification of err. An error without one
// counts as Temporary with a possible effect.
func AsError(err error) *Error {
	if e, classified := errors.AsType[*Error](err); classified {
		return e
	}
	return &Error{Kind: Temporary, Op: "call", Err: err}
}
