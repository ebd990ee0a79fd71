package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"ostler.example/connectors/process/wire"
)

// inCall is the key under which a context has the call that it belongs to.
type inCall struct{}

type calling struct {
	server *server
	call   *call
}

func within(ctx context.Context, s *server, c *call) context.Context {
	return context.WithValue(ctx, inCall{}, calling{s, c})
}

func inCallOf(ctx context.Context) (*server, *call) {
	c, _ := ctx.Value(inCall{}).(calling)
	return c.server, c.call
}

// fetching has Ostler make the requests of a call.
type fetching struct{}

// RoundTrip implements [http.RoundTripper].
func (fetching) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }()
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	f, err := request(r.Context(), "a request", func(number int64) wire.Frame {
		return wire.Frame{Fetch: &wire.Fetch{Number: number, Method: r.Method, URL: r.URL.String(), Header: r.Header, Body: body}}
	})
	if err != nil {
		return nil, err
	}
	return response(r, f.Fetched)
}

// request has Ostler do something in the middle of the call that ctx belongs to, and
// returns its answer.
func request(ctx context.Context, what string, of func(number int64) wire.Frame) (wire.Frame, error) {
	s, c := inCallOf(ctx)
	if c == nil {
		return wire.Frame{}, fmt.Errorf("%s outside of a call of Ostler", what)
	}
	number, answer := c.expect()
	f := of(number)
	f.ID = c.id
	s.write(f)
	select {
	case f := <-answer:
		return f, nil
	case <-ctx.Done():
		return wire.Frame{}, ctx.Err()
	}
}

// expect makes room for the answer to a request.
func (c *call) expect() (int64, <-chan wire.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	to := make(chan wire.Frame, 1)
	c.requests[c.last] = to
	return c.last, to
}

// requested hands over the answer to a request of that number.
func (c *call) requested(number int64, f wire.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if to := c.requests[number]; to != nil {
		delete(c.requests, number)
		to <- f
	}
}

func response(r *http.Request, f *wire.Fetched) (*http.Response, error) {
	switch {
	case f.NotSent:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New(f.Error)}
	case f.Error != "":
		return nil, errors.New(f.Error)
	}
	return &http.Response{
		StatusCode: f.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: f.Header, Request: r,
		Body: io.NopCloser(bytes.NewReader(f.Body)), ContentLength: int64(len(f.Body)),
	}, nil
}
