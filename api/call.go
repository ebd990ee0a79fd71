package api

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"ostler.example/internal/desk"
)

// call is what is known of the request being served. It belongs to the
// request's goroutine.
type call struct {
	requestID string
	base      string      // address of /v1, for problem types
	url       *url.URL    // as it was asked for
	header    http.Header // of the answer
	caller    desk.Caller // who asks, once the guard has let it pass
	shown     []string    // guests whose data the answer has, by id
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

// caller returns who asks.
func callerOf(ctx context.Context) desk.Caller { return callOf(ctx).caller }

// replay marks the answer when it is that of an earlier request with the same
// key.
func replay(ctx context.Context, replayed bool) {
	if replayed {
		callOf(ctx).header.Set("Idempotent-Replayed", "true")
	}
}

// shows notes that the answer has a guest's data.
func shows(ctx context.Context, guestID string) {
	c := callOf(ctx)
	if !slices.Contains(c.shown, guestID) {
		c.shown = append(c.shown, guestID)
	}
}
