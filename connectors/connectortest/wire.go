package connectortest

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"

	"ostler.example/connectors/transport"
)

// brokenWire is what happens to a request instead of being sent.
type brokenWire func(*http.Request) (*http.Response, error)

// wire is the connector's way to the far side, which the kit can break.
type wire struct {
	base http.RoundTripper

	mu       sync.Mutex
	requests int
	broken   brokenWire // nil: sound
}

func newWire() *wire { return &wire{base: transport.NewTransport()} }

// RoundTrip implements [http.RoundTripper].
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.requests++
	broken := w.broken
	w.mu.Unlock()
	if broken != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return broken(r)
	}
	return w.base.RoundTrip(r)
}

// breaks replaces what happens to requests and returns how many there were so
// far; nil mends the wire.
func (w *wire) breaks(f brokenWire) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = f
	return w.requests
}

// answers is a wire on which everything is answered alike.
func answers(status int, body string, header ...string) brokenWire {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json"}}
		for i := 0; i+1 < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		return &http.Response{
			StatusCode: status, ProtoMajor: 1, ProtoMinor: 1, Header: h, Request: r,
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		}, nil
	}
}

// refusesConnections is a wire with nobody at its end.
func refusesConnections(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
}

// cuts is a wire that breaks while the answer is awaited.
func cuts(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }

// cutsBody is a wire that breaks within the answer.
func cutsBody(r *http.Request) (*http.Response, error) {
	resp, err := answers(http.StatusOK, "")(r)
	resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(`{"re`), failing{errors.New("connection reset")}))
	resp.ContentLength = -1
	return resp, err
}

// failing is a reader that cannot.
type failing struct{ err error }

// Read implements [io.Reader].
func (f failing) Read([]byte) (int, error) { return 0, f.err }
