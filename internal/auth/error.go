package auth

import (
	"errors"
	"fmt"
	"time"
)

// Refusals of a caller. They are few, say nothing of what was presented, and
// are told apart with [errors.Is].
var (
	ErrToken     = errors.New("the access token is unknown, expired or revoked")
	ErrSuspended = errors.New("the client is suspended")
	ErrClient    = errors.New("the client is unknown or its secret is wrong")
	ErrScope     = errors.New("the scope is unknown or beyond what the client may have")
)

// Throttled says that the caller tried too often and when it may try again.
type Throttled struct {
	After time.Duration
}

// Error says how long to wait.
func (t *Throttled) Error() string {
	return fmt.Sprintf("too many attempts, the next is possible in %s", t.After.Round(time.Second))
}
