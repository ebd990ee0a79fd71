package inbound

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
)

// receiver is a channel whose handler is a function.
type receiver func(sink connectors.Sink, w http.ResponseWriter, r *http.Request)

func (f receiver) Handler(sink connectors.Sink) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f(sink, w, r) })
}

func TestMux(t *testing.T) {
	m := NewMux(zap.NewNop())
	sink := &Sink{}
	m.Mount("ch_echo", receiver(func(got connectors.Sink, w http.ResponseWriter, r *http.Request) {
		if got != sink {
			t.Error("the handler has another channel's sink")
		}
		if deadline, ok := r.Context().Deadline(); !ok || time.Until(deadline) > callTimeout {
			t.Error("the call has no end")
		}
		_, _ = io.WriteString(w, r.Method+" "+r.URL.Path)
	}), sink)
	m.Mount("ch_panic", receiver(func(connectors.Sink, http.ResponseWriter, *http.Request) { panic("oh") }), sink)
	m.Mount("ch_abort", receiver(func(connectors.Sink, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), sink)
	m.Mount("ch_late", receiver(func(_ connectors.Sink, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		panic("after the status")
	}), sink)
	m.Mount("ch_read", receiver(func(_ connectors.Sink, w http.ResponseWriter, r *http.Request) {
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
