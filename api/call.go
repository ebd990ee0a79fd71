package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"ostler.example/internal/desk"
)

// call is what is known of the request being served. It belongs to the
// request's goroutine.
type call struct {
	requestID string
	base      string        // address of /v1, for problem types
	url       *url.URL      // as it was asked for
	header    http.Header   // of the answer
	caller    desk.Caller   // who asks, once the guard has let it pass
	shown     []string      // people whose data the answer has: ids of guests, access requests, blocks or properties
	noted     string        // of them whom the ledger has noted with what was written; "": nobody
	tagOnly   bool          // nobody is shown the answer but for its ETag
	waited    time.Duration // for what the caller asked to wait for, of the time that the answer took
}

type callKey struct{}

// callOf returns the call of a request's context. Every request has one.
func callOf(ctx context.Context) *call {
	c, ok := ctx.Value(callKey{}).(*call)
	if !ok {
		return &call{url: &url.URL{}, header: http.Header{}} // huma asks for a sample problem when it registers
	}
	return c
}

// callerOf returns who asks.
func callerOf(ctx context.Context) desk.Caller { return callOf(ctx).caller }

// replay marks the answer when it is that of an earlier request with the same
// key.
func replay(ctx context.Context, replayed bool) { callOf(ctx).replayed(replayed) }

func (c *call) replayed(replayed bool) {
	if replayed {
		c.header.Set("Idempotent-Replayed", "true")
	}
}

// shows notes that the answer has the data of a person: of a guest, of whoever made an access
// request, of the contact of a block, or of those whom a property tells of things.
func shows(ctx context.Context, subject string) {
	c := callOf(ctx)
	if !slices.Contains(c.shown, subject) {
		c.shown = append(c.shown, subject)
	}
}

// baseOf is the address of /v1 at which a request was made, which is where its sender is
// told to go on: a sandbox is asked at the daemon's address, and at one of its own.
func baseOf(ctx context.Context) string { return callOf(ctx).base }

// hostOf is the same without the path.
func hostOf(ctx context.Context) string { return strings.TrimSuffix(baseOf(ctx), prefix) }
