package connectors

import (
	"errors"
	"fmt"
	"time"
)

// Kind sorts failures by the engine's reaction to them. There are these five and no
// others. What each means to the account is a table in sync/gate, what it means to values
// that were told one in sync/dispatch, and to what a channel is asked to do one in sync/action.
type Kind string

// The kinds of failure.
const (
	Temporary   Kind = "temporary"    // worth another try after a back-off; the breaker counts it
	RateLimited Kind = "rate_limited" // worth another try once RetryAfter has passed; the breaker ignores it
	Denied      Kind = "denied"       // our credentials are not taken: sending ends, receiving goes on, one alert is raised
	Invalid     Kind = "invalid"      // hopeless as it stands: all its keys become rejected
	Unmapped    Kind = "unmapped"     // it names a room or rate that does not exist over there
)

// Effect tells whether a call may have had consequences although it failed.
type Effect uint8

// Possible is the zero value: whoever does not know must not claim otherwise.
const (
	Possible Effect = iota
	NotSent         // nothing went out on the wire
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
// is taken for Temporary, and its effect for possible.
func AsError(err error) *Error {
	if e, classified := errors.AsType[*Error](err); classified {
		return e
	}
	return &Error{Kind: Temporary, Op: "call", Err: err}
}
