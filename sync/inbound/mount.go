package inbound

import (
	"context"
	"net/http"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
)

// The limits of one inbound call.
const (
	maxBody     = 10 << 20
	callTimeout = 30 * time.Second
)

// Mux leads inbound calls to the channels' own handlers:
// /inbound/{channel_id}/… with that prefix taken off.
type Mux struct {
	log    *zap.Logger
	routes http.ServeMux

	mu       sync.RWMutex
	channels map[string]http.Handler
}

// NewMux returns a mux through which nobody receives yet.
func NewMux(log *zap.Logger) *Mux {
	m := &Mux{log: log, channels: make(map[string]http.Handler)}
	m.routes.HandleFunc("/inbound/{channel}/", m.serve)
	return m
}

// Mount lets a channel receive.
func (m *Mux) Mount(channel string, r connectors.Receiver, s *Sink) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.channels[channel] = http.StripPrefix("/inbound/"+channel, r.Handler(s))
}

// Unmount ends it.
func (m *Mux) Unmount(channel string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.channels, channel)
}

// ServeHTTP serves one inbound call. Who calls is for the connector to find out.
func (m *Mux) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.routes.ServeHTTP(w, r) }

func (m *Mux) serve(w http.ResponseWriter, r *http.Request) {
	channel := r.PathValue("channel")
	m.mu.RLock()
	h := m.channels[channel]
	m.mu.RUnlock()
	if h == nil {
		http.Error(w, "no channel receives here", http.StatusNotFound)
		return
	}
	defer func() {
		if failure := recover(); failure != nil {
			// Without an answer of success the far side sends it again.
			m.log.Error("inbound call broke off", zap.String("channel", channel), zap.Any("panic", failure))
			http.Error(w, "not taken", http.StatusInternalServerError)
		}
	}()
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	h.ServeHTTP(w, r.WithContext(ctx))
}
