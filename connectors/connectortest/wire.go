package connectortest

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"time"

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
	loses    bool       // requests arrive, and no answer comes back
	refusal  string     // the far side's words when it refused a request last
}

func newWire() *wire { return &wire{base: transport.NewTransport()} }

// RoundTrip implements [http.RoundTripper].
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.requests++
	broken, loses := w.broken, w.loses
	w.mu.Unlock()
	if loses {
		resp, err := w.base.RoundTrip(r)
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			err = errors.Join(err, resp.Body.Close())
		}
		return nil, errors.Join(err, io.ErrUnexpectedEOF)
	}
	if broken != nil {
		if r.Body != nil {
			defer func() { _ = r.Body.Close() }()
		}
		return broken(r)
	}
	resp, err := w.base.RoundTrip(r)
	if err == nil && resp.StatusCode >= http.StatusBadRequest {
		w.overhear(resp)
	}
	return resp, err
}

// mostOverheard is how much is kept of a refusal, in bytes.
const mostOverheard = 300

// overhear keeps what a refusal says, which no error of a connector may have in it, and
// leaves the answer as it was.
func (w *wire) overhear(resp *http.Response) {
	body, err := io.ReadAll(resp.Body)
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), failing{cmp.Or(err, io.EOF)}), resp.Body}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refusal = strings.TrimSpace(string(body[:min(len(body), mostOverheard)]))
}

// overheard says how the far side put its last refusal, for whoever reads why a case failed.
func (w *wire) overheard() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refusal == "" {
		return ""
	}
	return "; when it refused a request last, the far side said: " + w.refusal
}

// breaks replaces what happens to requests and returns how many there were so
// far; nil mends the wire.
func (w *wire) breaks(f brokenWire) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broken = f
	return w.requests
}

// losesAnswers has requests arrive whose answers do not come back, or no more.
func (w *wire) losesAnswers(loses bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.loses = loses
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

// streams answers 200 with a body that is read as it comes.
func streams(r *http.Request, body io.Reader) (*http.Response, error) {
	resp, err := answers(http.StatusOK, "")(r)
	resp.Body, resp.ContentLength = io.NopCloser(body), -1
	return resp, err
}

// dripping is a body of which a byte comes now and then, as long as somebody waits.
type dripping struct {
	r     *http.Request
	until <-chan time.Time
}

// Read implements [io.Reader].
func (d *dripping) Read(p []byte) (int, error) {
	select {
	case <-d.r.Context().Done():
		return 0, d.r.Context().Err()
	case <-d.until:
		return 0, errors.New("the request outlived its caller")
	case <-time.After(time.Millisecond):
		p[0] = ' '
		return 1, nil
	}
}

// mostRead is more than any answer to one call may have, in bytes.
const mostRead = 64 << 20

// endless is a body without an end.
type endless struct{ read int }

// Read implements [io.Reader].
func (e *endless) Read(p []byte) (int, error) {
	if e.read > mostRead {
		return 0, io.EOF
	}
	for i := range p {
		p[i] = ' '
	}
	e.read += len(p)
	return len(p), nil
}
