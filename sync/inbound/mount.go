package inbound

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/contain"
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
	channels map[string]*mounted
}

// mounted is a channel that receives.
type mounted struct {
	handler http.Handler
	sink    *Sink
	flagged atomic.Bool // as far as we know
}

// NewMux returns a mux through which nobody receives yet.
func NewMux(log *zap.Logger) *Mux {
	m := &Mux{log: log, channels: make(map[string]*mounted)}
	m.routes.HandleFunc("/inbound/{channel}/", m.serve)
	return m
}

// Mount lets a channel receive.
func (m *Mux) Mount(ctx context.Context, channel string, r connectors.Receiver, s *Sink) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	h, err := contain.Call(ctx, nil, "receive", func(context.Context) (http.Handler, error) { return r.Handler(s), nil })
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of := &mounted{handler: http.StripPrefix("/inbound/"+channel, h), sink: s}
	of.flagged.Store(true) // perhaps by the program before
	m.channels[channel] = of
	return nil
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
	to := m.channels[channel]
	m.mu.RUnlock()
	if to == nil {
		http.Error(w, "no channel receives here", http.StatusNotFound)
		return
	}
	defer func() {
		if failure := recover(); failure != nil {
			// Without an answer of success the far side sends it again.
			m.log.Error("inbound call broke off", zap.String("channel", channel), zap.String("reason", contain.Panic(failure)))
			http.Error(w, "not taken", http.StatusInternalServerError)
			if failure == http.ErrAbortHandler { //nolint:errorlint // as net/http itself compares it
				return // how a handler hangs up on purpose
			}
			m.flag(r.Context(), to, hotel.Fault{Kind: hotel.FaultPanic, Words: contain.Panic(failure)})
			return
		}
		m.flag(r.Context(), to, hotel.Fault{})
	}()
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	to.handler.ServeHTTP(w, r.WithContext(ctx))
}

// flag notes how a channel's handler behaved.
func (m *Mux) flag(ctx context.Context, to *mounted, f hotel.Fault) {
	var err error
	if f.Kind != "" {
		to.flagged.Store(true)
		err = to.sink.Ledger.Flag(context.WithoutCancel(ctx), to.sink.Channel, ledger.PartReceive, f)
	} else if to.flagged.Swap(false) {
		err = to.sink.Ledger.Unflag(context.WithoutCancel(ctx), to.sink.Channel, ledger.PartReceive)
	}
	if err != nil {
		m.log.Error("note how a channel receives", zap.String("channel", to.sink.Channel), zap.Error(err))
	}
}
