// Package transport is how connectors speak HTTP: a client that sends each
// request once and follows no redirect, answers of bounded size, and the reading
// of failures as [connectors.Error]. It knows no far side's protocol, keeps no
// state and never tries again; that is the engine's to decide.
package transport

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"ostler.example/connectors"
)

// Options bound what one call may cost. Zero values take the defaults.
type Options struct {
	Timeout time.Duration     // of a whole call, the reading of the answer included; 60 s
	MaxBody int64             // bytes of an answer after decompression; 8 MiB
	Base    http.RoundTripper // what carries the requests; a fresh [NewTransport]
}

// New returns the client for connectors. Every request goes out at most once and
// a redirect is an answer like any other.
func New(o Options) *http.Client {
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.MaxBody == 0 {
		o.MaxBody = 8 << 20
	}
	if o.Base == nil {
		o.Base = NewTransport()
	}
	return &http.Client{
		Transport:     once{base: o.Base, maxBody: o.MaxBody},
		Timeout:       o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// NewTransport returns a transport that opens a connection for each request.
//
// The standard transport repeats a request by itself when a kept connection
// breaks under it and the request counts as harmless: a GET, or anything with an
// Idempotency-Key header. A fresh connection is never repeated upon. It also
// cannot have been closed by the far side while idle, which would turn a call
// into one of unknown effect for nothing. The price is a handshake for each
// call, which limits of some calls a second make small. HTTP/2, with repeats of
// its own, stays off.
func NewTransport() *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            dial,
		TLSHandshakeTimeout:    15 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableKeepAlives:      true,
		Protocols:              protocols,
	}
}

// dial opens a connection that is reset when it is closed. What an answer was not waited
// for of a call that ran out of time would be sent again by the system for minutes else, and
// could act when the call's lifetime is over by all that was promised. Of a call that was
// answered nothing is left to be sent.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: 15 * time.Second, ControlContext: control}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if tcp, is := conn.(*net.TCPConn); is {
		err = tcp.SetLinger(0)
	}
	return conn, err
}

// once passes requests on so that they cannot be replayed, caps the answers, and notes with
// the call what status they have.
type once struct {
	base    http.RoundTripper
	maxBody int64
}

// RoundTrip implements [http.RoundTripper].
func (o once) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.GetBody != nil {
		req = req.Clone(req.Context())
		req.GetBody = nil // a body that cannot be had again cannot be sent again
	}
	resp, err := o.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	connectors.NoteStatus(req.Context(), resp.StatusCode)
	resp.Body = &capped{ReadCloser: resp.Body, left: o.maxBody, max: o.maxBody}
	return resp, nil
}

// capped is a body that fails instead of going on beyond its limit.
type capped struct {
	io.ReadCloser
	left, max int64
}

// Read implements [io.Reader].
func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, fmt.Errorf("the answer is longer than %d bytes", c.max)
	}
	if int64(len(p)) > c.left+1 {
		p = p[:c.left+1] // one more, to tell the limit from its excess
	}
	n, err := c.ReadCloser.Read(p)
	c.left -= int64(n)
	if c.left < 0 {
		return n - 1, fmt.Errorf("the answer is longer than %d bytes", c.max)
	}
	return n, err
}
