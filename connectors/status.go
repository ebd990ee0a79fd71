package connectors

import (
	"context"
	"sync/atomic"
)

// Status is the status of the last HTTP answer within a call. A call that was left behind may
// note one later.
type Status struct{ last atomic.Int32 }

// Last returns it; 0: there was no answer, or none by HTTP through [Env.Client].
func (s *Status) Last() int { return int(s.last.Load()) }

type statusKey struct{}

// NotingStatus returns a context for a call, and where the status of its answers is noted. No
// connector has to do anything for it: the client that it is given does, see NoteStatus.
func NotingStatus(ctx context.Context) (context.Context, *Status) {
	s := new(Status)
	return context.WithValue(ctx, statusKey{}, s), s
}

// NoteStatus notes the status of an answer with the call that it belongs to, where somebody
// wants to know.
func NoteStatus(ctx context.Context, status int) {
	if s, noting := ctx.Value(statusKey{}).(*Status); noting {
		s.last.Store(int32(status)) // it has three digits
	}
}
