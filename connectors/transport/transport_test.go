package transport_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// far is a server that counts its requests.
func far(t *testing.T, answer http.HandlerFunc) (string, *atomic.Int64) {
	t.Helper()
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		requests.Add(1)
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, &requests
}

func caller(o transport.Options) transport.Caller {
	return transport.Caller{Client: transport.New(o), Clock: hotel.SystemClock{}}
}

func request(t *testing.T, method, address string, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// TestNeverRepeats cuts the connection under requests that the standard
// transport would send again.
func TestNeverRepeats(t *testing.T) {
	for _, c := range []struct {
		name, method, body string
	}{
		{"a GET", http.MethodGet, ""},
		{"a POST with a repeat key", http.MethodPost, `{"available":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var cut atomic.Bool
			address, requests := far(t, func(w http.ResponseWriter, _ *http.Request) {
				if cut.Load() {
					panic(http.ErrAbortHandler)
				}
				_, _ = w.Write([]byte("{}"))
			})
			ask := func(client *http.Client) error {
				req := request(t, c.method, address, c.body)
				req.Header.Set("Idempotency-Key", "k1")
				_, err := transport.Caller{Client: client, Clock: hotel.SystemClock{}}.Do(req, "ask")
				return err
			}
			count := func(client *http.Client) int64 {
				cut.Store(false)
				if err := ask(client); err != nil { // a connection to keep, where they are kept
					t.Fatal(err)
				}
				cut.Store(true)
				requests.Store(0)
				if err := ask(client); err == nil {
					t.Fatal("a cut is a success")
				}
				return requests.Load()
			}
			standard := &http.Transport{}
			defer standard.CloseIdleConnections()
			if n := count(&http.Client{Transport: standard}); n < 2 {
				t.Errorf("the standard transport made %d requests: this test shows nothing", n)
			}
			if n := count(transport.New(transport.Options{})); n != 1 {
				t.Errorf("one call made %d requests", n)
			}
		})
	}
}

func TestFollowsNoRedirect(t *testing.T) {
	address, requests := far(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	_, err := caller(transport.Options{}).Do(request(t, http.MethodPost, address, "{}"), "update rates")
	if got := connectors.AsError(err); err == nil || got.Kind != connectors.Temporary || requests.Load() != 1 {
		t.Errorf("a redirect ends with %v after %d requests", err, requests.Load())
	}
}

// The status of the last answer is noted with the call that asked for it, a failure's too,
// and without the connector's doing anything for it.
func TestTheStatusIsNotedWithTheCall(t *testing.T) {
	address, _ := far(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/cut" {
			panic(http.ErrAbortHandler)
		}
		status, _ := strconv.Atoi(r.URL.Path[1:])
		w.WriteHeader(status)
	})
	c := caller(transport.Options{})
	ctx, status := connectors.NotingStatus(t.Context())
	for _, call := range []struct {
		path string
		want int
	}{{"/cut", 0}, {"/204", 204}, {"/503", 503}, {"/cut", 503}, {"/429", 429}} {
		_, _ = c.Do(request(t, http.MethodPost, address+call.path, "{}").WithContext(ctx), "try")
		if status.Last() != call.want {
			t.Errorf("behind %s it is %d, want %d", call.path, status.Last(), call.want)
		}
	}
	if _, err := c.Do(request(t, http.MethodPost, address+"/204", "{}"), "try"); err != nil || status.Last() != 429 {
		t.Errorf("another call is noted: %d, %v", status.Last(), err)
	}
}

func TestBodyCap(t *testing.T) {
	address, _ := far(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(bytes.Repeat([]byte("x"), len(r.URL.Path)-1))
	})
	c := caller(transport.Options{MaxBody: 10})
	reply, err := c.Do(request(t, http.MethodGet, address+"/"+strings.Repeat("p", 10), ""), "read")
	if err != nil || len(reply.Body) != 10 {
		t.Errorf("an answer of the longest length is %d bytes and %v", len(reply.Body), err)
	}
	_, err = c.Do(request(t, http.MethodGet, address+"/"+strings.Repeat("p", 11), ""), "read")
	if err == nil || !strings.Contains(err.Error(), "longer than 10 bytes") {
		t.Errorf("one byte more ends with %v", err)
	}
}

// TestPackedAnswersAreCountedUnpacked: a few kilobytes that unpack to many megabytes are
// read no further than what an answer may have.
func TestPackedAnswersAreCountedUnpacked(t *testing.T) {
	const most = 1 << 16
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := io.CopyN(z, zeros{}, 64<<20)
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	if packed.Len() > 2*most {
		t.Fatalf("%d bytes are no bomb", packed.Len())
	}
	address, _ := far(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	})
	reply, err := caller(transport.Options{MaxBody: most}).Do(request(t, http.MethodGet, address, ""), "read")
	if err == nil || !strings.Contains(err.Error(), "longer than 65536 bytes") || len(reply.Body) > most {
		t.Errorf("it ends with %v and %d bytes", err, len(reply.Body))
	}
}

// zeros are without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestKindOf(t *testing.T) {
	for status, want := range map[int]connectors.Kind{
		200: "", 204: "", 301: connectors.Temporary, 400: connectors.Invalid, 401: connectors.Denied, 403: connectors.Denied,
		404: connectors.Temporary, 408: connectors.Temporary, 409: connectors.Temporary, 413: connectors.Invalid,
		422: connectors.Invalid, 429: connectors.RateLimited, 500: connectors.Temporary, 503: connectors.Temporary,
	} {
		kind, failed := transport.KindOf(status)
		if kind != want || failed != (want != "") {
			t.Errorf("status %d is %q, want %q", status, kind, want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2027, 3, 28, 1, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, value string
		want        time.Duration
	}{
		{"none", "", 0},
		{"seconds", "120", 2 * time.Minute},
		{"a date", "Sun, 28 Mar 2027 01:00:30 GMT", 30 * time.Second},
		{"a date that is over", "Sun, 28 Mar 2027 00:00:30 GMT", 0},
		{"absurd seconds", "99999999", transport.MaxRetryAfter},
		{"seconds beyond any number", strings.Repeat("9", 40), transport.MaxRetryAfter},
		{"an absurd date", "Sun, 28 Mar 2077 01:00:30 GMT", transport.MaxRetryAfter},
		{"a negative number", "-5", 0},
		{"words", "soon", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := transport.RetryAfter(http.Header{"Retry-After": {c.value}}, now); got != c.want {
				t.Errorf("%q is %s, want %s", c.value, got, c.want)
			}
		})
	}
	for _, off := range []time.Duration{-3 * time.Hour, 40 * time.Second, 3 * time.Hour} { // of the far side's clock
		theirs := now.Add(off)
		h := http.Header{"Date": {theirs.Format(http.TimeFormat)}, "Retry-After": {theirs.Add(time.Minute).Format(http.TimeFormat)}}
		if got := transport.RetryAfter(h, now); got != time.Minute {
			t.Errorf("by a clock that is off by %s, a minute is %s", off, got)
		}
	}
}

// TestEffect: only what failed before a byte left is NotSent.
func TestEffect(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	cutting, _ := far(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	truncating, _ := far(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = w.Write([]byte("half"))
	})
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = zap.NewStdLog(zap.NewNop())
	untrusted.StartTLS()
	t.Cleanup(untrusted.Close)
	var timeout net.Error = &net.OpError{Op: "read", Err: context.DeadlineExceeded}
	for _, c := range []struct {
		name, address string
		base          http.RoundTripper
		want          connectors.Effect
	}{
		{"a refused connection", closed, nil, connectors.NotSent},
		{"a name that does not exist", "http://nobody.invalid", nil, connectors.NotSent},
		{"a bad certificate", untrusted.URL, nil, connectors.NotSent},
		{"a cut instead of an answer", cutting, nil, connectors.Possible},
		{"a cut within the answer", truncating, nil, connectors.Possible},
		{"a transport that says nothing", closed, failing{timeout}, connectors.Possible},
		{"a transport that says it could not dial", closed, failing{&net.OpError{Op: "dial", Err: io.EOF}}, connectors.NotSent},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := caller(transport.Options{Base: c.base}).Do(request(t, http.MethodPost, c.address, "{}"), "update rates")
			if got := connectors.AsError(err); err == nil || got.Effect != c.want || got.Kind != connectors.Temporary {
				t.Errorf("it ends with %v, effect %d, want %d", err, got.Effect, c.want)
			}
		})
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestErrorsKeepTheirCauseAndNoSecret(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	address := "http://user:hunter2@127.0.0.1:1/path?token=hunter2#hunter2"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	_, err = caller(transport.Options{}).Do(req, "read back")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the cause is lost: %v", err)
	}
	if strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "http://127.0.0.1:1/path?***") {
		t.Errorf("the error reads %q", err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := transport.RedactURL(u), "http://127.0.0.1:1/path?***"; got != want {
		t.Errorf("the address is shown as %q, want %q", got, want)
	}
}
