package inbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// receiver is a channel whose handler is a function.
type receiver func(sink connectors.Sink, w http.ResponseWriter, r *http.Request)

func (f receiver) Handler(sink connectors.Sink) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f(sink, w, r) })
}

// flagged is a ledger that hears how channels behave, and of nothing else.
type flagged struct {
	Ledger
	faults []hotel.FaultKind // "" when one did as it should again
}

func (f *flagged) Flag(_ context.Context, _, _ string, fault hotel.Fault) error {
	f.faults = append(f.faults, fault.Kind)
	return nil
}

func (f *flagged) Unflag(context.Context, string, string) error {
	f.faults = append(f.faults, "")
	return nil
}

// A handler that panics flags its channel, until it takes a message as it should.
func TestHandlerThatPanicsFlagsItsChannel(t *testing.T) {
	m, flags, panics := NewMux(zap.NewNop()), &flagged{}, true
	err := m.Mount(t.Context(), "ch", receiver(func(connectors.Sink, http.ResponseWriter, *http.Request) {
		if panics {
			panic("oh")
		}
	}), &Sink{Ledger: flags, Channel: "ch"})
	if err != nil {
		t.Fatal(err)
	}
	for _, panics = range []bool{false, true, true, false, false} {
		m.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/inbound/ch/", nil))
	}
	if diff := cmp.Diff([]hotel.FaultKind{"", hotel.FaultPanic, ""}, flags.faults); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
}

func TestMux(t *testing.T) {
	m := NewMux(zap.NewNop())
	flags := &flagged{}
	sink := &Sink{Ledger: flags, Channel: "ch"}
	mount := func(channel string, r connectors.Receiver, s *Sink) {
		if err := m.Mount(t.Context(), channel, r, s); err != nil {
			t.Fatal(err)
		}
	}
	mount("ch_echo", receiver(func(got connectors.Sink, w http.ResponseWriter, r *http.Request) {
		if got != sink {
			t.Error("the handler has another channel's sink")
		}
		if deadline, ok := r.Context().Deadline(); !ok || time.Until(deadline) > callTimeout {
			t.Error("the call has no end")
		}
		_, _ = io.WriteString(w, r.Method+" "+r.URL.Path)
	}), sink)
	mount("ch_panic", receiver(func(connectors.Sink, http.ResponseWriter, *http.Request) { panic("oh") }), sink)
	mount("ch_abort", receiver(func(connectors.Sink, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), sink)
	mount("ch_late", receiver(func(_ connectors.Sink, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		panic("after the status")
	}), sink)
	mount("ch_read", receiver(func(_ connectors.Sink, w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
	}), sink)
	for _, c := range []struct {
		name, method, path string
		size               int
		status             int
		body               string
	}{
		{"a channel", http.MethodPost, "/inbound/ch_echo/", 0, http.StatusOK, "POST /"},
		{"below it", http.MethodGet, "/inbound/ch_echo/a/b", 0, http.StatusOK, "GET /a/b"},
		{"an unknown channel", http.MethodPost, "/inbound/ch_none/", 0, http.StatusNotFound, ""},
		{"no channel", http.MethodPost, "/inbound/", 0, http.StatusNotFound, ""},
		{"elsewhere", http.MethodPost, "/ch_echo/", 0, http.StatusNotFound, ""},
		{"a handler that panics", http.MethodPost, "/inbound/ch_panic/", 0, http.StatusInternalServerError, "not taken\n"},
		{"a handler that aborts", http.MethodPost, "/inbound/ch_abort/", 0, http.StatusInternalServerError, "not taken\n"},
		{"a body of the largest size", http.MethodPost, "/inbound/ch_read/", maxBody, http.StatusOK, ""},
		{"a body beyond it", http.MethodPost, "/inbound/ch_read/", maxBody + 1, http.StatusRequestEntityTooLarge, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(context.Background(), c.method, c.path, strings.NewReader(strings.Repeat("x", c.size)))
			m.ServeHTTP(w, r)
			if w.Code != c.status || c.body != "" && w.Body.String() != c.body {
				t.Errorf("answered %d %q, want %d %q", w.Code, w.Body, c.status, c.body)
			}
		})
	}
}

// A handler that does not end is left behind, and whoever calls told to come again;
// when too many are, the channel's handler is called no more until one ends.
func TestHandlerThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, flags, release, calls := NewMux(zap.NewNop()), &flagged{}, make(chan struct{}), new(atomic.Int32)
		err := m.Mount(t.Context(), "ch", receiver(func(_ connectors.Sink, w http.ResponseWriter, _ *http.Request) {
			calls.Add(1)
			<-release // whatever its context says
			_, _ = io.WriteString(w, "late")
		}), &Sink{Ledger: flags, Channel: "ch"})
		if err != nil {
			t.Fatal(err)
		}
		call := func() *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			m.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/inbound/ch/", nil))
			return w
		}
		for range 6 {
			began := time.Now()
			if w := call(); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "late") {
				t.Errorf("answered %d %q", w.Code, w.Body)
			}
			if took := time.Since(began); took > callTimeout+5*time.Second {
				t.Errorf("it took %v", took)
			}
		}
		close(release)
		synctest.Wait()
		if w := call(); w.Code != http.StatusOK || w.Body.String() != "late" {
			t.Errorf("once it ends, answered %d %q", w.Code, w.Body)
		}
		if diff := cmp.Diff([]hotel.FaultKind{hotel.FaultHung, ""}, flags.faults); diff != "" || calls.Load() != 5 {
			t.Errorf("called %d times, flags (-want +got):\n%s", calls.Load(), diff)
		}
	})
}

// trickle is a body that never ends, and counts what was read of it.
type trickle struct {
	read *atomic.Int64
	more chan struct{} // closed when it may go on beyond what is small
}

func (b trickle) Read(p []byte) (int, error) {
	if b.read.Load() > smallBody {
		<-b.more
		return 0, io.EOF
	}
	n := min(len(p), 1<<10)
	b.read.Add(int64(n))
	return n, nil
}

// However many call with much to say, few are heard at a time, and the small calls of
// everybody else go by them.
func TestFewLargeCallsAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMux(zap.NewNop())
		err := m.Mount(t.Context(), "ch", receiver(func(_ connectors.Sink, _ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body) }), &Sink{Ledger: &flagged{}, Channel: "ch"})
		if err != nil {
			t.Fatal(err)
		}
		call := func(body io.Reader) *httptest.ResponseRecorder {
			w := httptest.NewRecorder()
			m.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/inbound/ch/", body))
			return w
		}
		more := make(chan struct{})
		answers := make(chan int, mostLarge)
		for range mostLarge {
			go func() { answers <- call(trickle{new(atomic.Int64), more}).Code }()
		}
		synctest.Wait()
		for range 3 { // beyond them
			read := new(atomic.Int64)
			if w := call(trickle{read, more}); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
				t.Errorf("one too many is answered %d", w.Code)
			}
			if read.Load() > smallBody {
				t.Errorf("%d bytes of it were read", read.Load())
			}
		}
		if w := call(strings.NewReader("small")); w.Code != http.StatusOK {
			t.Errorf("a small one is answered %d", w.Code)
		}
		waiting := make(chan int)
		go func() { waiting <- call(strings.NewReader(strings.Repeat("x", 2*smallBody))).Code }()
		synctest.Wait()
		close(more)
		if code := <-waiting; code != http.StatusOK {
			t.Errorf("one that waits until there is a place is answered %d", code)
		}
		for range mostLarge {
			if code := <-answers; code != http.StatusOK {
				t.Errorf("a large one is answered %d", code)
			}
		}
	})
}
