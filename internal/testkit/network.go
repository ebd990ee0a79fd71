package testkit

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// Network carries HTTP calls between handlers of one process, without sockets.
// Its zero value is ready, takes no time and loses nothing. It is safe for
// concurrent use; the fields are set before the first call.
type Network struct {
	// Delay says how long one way of a call takes, asked when it begins; nil: no
	// time.
	Delay func(r *http.Request, back bool) time.Duration

	// Hinders says what keeps a call from being made at all, asked when it is about to be;
	// nil: nothing does.
	Hinders func(r *http.Request) error

	// Leaves is told of every call when its caller makes it, and Returns what came
	// back; nil: nobody is. Neither is told once the caller's life is over.
	Leaves  func(r *http.Request, body []byte)
	Returns func(r *http.Request, status int, header http.Header) // status 0: no answer

	mu    sync.Mutex
	hosts map[string]server
}

// server is what answers at a host, for as long as it lives.
type server struct {
	handler http.Handler
	life    context.Context
}

// errRefused is what a caller sees of a host at which nobody listens.
var errRefused = errors.New("connection refused")

// Serve lets h answer the calls to a host until life ends. Then calls under way
// break, and later ones are refused.
func (n *Network) Serve(life context.Context, host string, h http.Handler) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.hosts == nil {
		n.hosts = map[string]server{}
	}
	n.hosts[host] = server{h, life}
}

// Line returns what carries the calls of one program. When life ends, what has
// not arrived by then never does, and nobody gets an answer any more: as if the
// program had been killed.
func (n *Network) Line(life context.Context) http.RoundTripper { return line{n, life} }

type line struct {
	net  *Network
	life context.Context
}

// RoundTrip implements [http.RoundTripper].
func (l line) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close()
	}
	if l.net.Leaves != nil && l.life.Err() == nil {
		l.net.Leaves(req, body)
	}
	var answer *http.Response
	var err error
	if l.net.Hinders != nil {
		err = l.net.Hinders(req)
	}
	if err == nil {
		answer, err = l.carry(req, body)
	}
	if l.net.Returns != nil && l.life.Err() == nil {
		if err != nil {
			l.net.Returns(req, 0, nil)
		} else {
			l.net.Returns(req, answer.StatusCode, answer.Header)
		}
	}
	return answer, err
}

// carry takes a call there and its answer back.
func (l line) carry(req *http.Request, body []byte) (*http.Response, error) {
	to := l.net.at(req.URL.Host)
	if to.handler == nil || to.life.Err() != nil {
		return nil, errRefused
	}
	ctx, cancel := context.WithCancelCause(req.Context())
	defer cancel(nil)
	for _, life := range []context.Context{l.life, to.life} {
		defer context.AfterFunc(life, func() { cancel(io.ErrUnexpectedEOF) })()
	}
	if err := l.pause(ctx, req, false); err != nil {
		return nil, err
	}
	arrived := httptest.NewRequest(req.Method, req.URL.RequestURI(), bytes.NewReader(body)).WithContext(ctx)
	arrived.Header = req.Header.Clone()
	answer := httptest.NewRecorder()
	if !serve(to.handler, answer, arrived) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, io.ErrUnexpectedEOF
	}
	if err := l.pause(ctx, req, true); err != nil {
		return nil, err
	}
	return answer.Result(), nil
}

// at finds who answers at a host.
func (n *Network) at(host string) server {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.hosts[host]
}

// serve reports whether h answered; a handler may abort instead.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (answered bool) {
	defer func() {
		if failure := recover(); failure != nil {
			if err, ok := failure.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(failure)
			}
		}
	}()
	h.ServeHTTP(w, r)
	return true
}

// pause takes one way, and returns why it was ended early.
func (l line) pause(ctx context.Context, r *http.Request, back bool) error {
	if l.net.Delay == nil || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	timer := time.NewTimer(l.net.Delay(r, back))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
