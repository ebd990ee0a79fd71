package inbound

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
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

// Whoever calls may be anybody until a handler has looked at the call, which wants it
// whole. So of all calls together few may be large at a time, and the small ones, which
// most are, wait for none of those.
const (
	smallBody = 16 << 10
	mostLarge = 16
	largeWait = 5 * time.Second  // for a place among the large ones
	largeRead = 20 * time.Second // for the rest of a large body, which holds its place
)

// Mux leads inbound calls to the channels' own handlers:
// /inbound/{channel_id}/… with that prefix taken off.
type Mux struct {
	log    *zap.Logger
	routes http.ServeMux

	large chan struct{} // has an element for each large call

	mu       sync.RWMutex
	channels map[string]*mounted // nil: it is about to receive
}

// mounted is a channel that receives, or is read from.
type mounted struct {
	handler http.Handler
	sink    *Sink
	box     contain.Box // what the handler is called in

	mu      sync.Mutex
	flagged hotel.FaultKind // that it is flagged for, as far as we know; "": for nothing
}

// perhaps stands for whatever the program before may have flagged a channel for.
const perhaps hotel.FaultKind = "perhaps"

// NewMux returns a mux through which nobody receives yet.
func NewMux(log *zap.Logger) *Mux {
	m := &Mux{log: log, large: make(chan struct{}, mostLarge), channels: make(map[string]*mounted)}
	m.routes.HandleFunc("/inbound/{channel}/", m.serve)
	return m
}

// Mount lets a channel receive.
func (m *Mux) Mount(ctx context.Context, channel string, r connectors.Receiver, s *Sink) error {
	return m.mount(ctx, channel, func() http.Handler { return r.Handler(s) }, s)
}

// Publish lets whoever is at the far side of a channel read what it is shown.
func (m *Mux) Publish(ctx context.Context, channel string, p connectors.Publisher, s *Sink) error {
	return m.mount(ctx, channel, p.Published, s)
}

// Serve lets the hotel's own system write and read what it may.
func (m *Mux) Serve(ctx context.Context, channel string, h connectors.Host, house connectors.House, s *Sink) error {
	return m.mount(ctx, channel, func() http.Handler { return h.Serve(house) }, s)
}

func (m *Mux) mount(ctx context.Context, channel string, handler func() http.Handler, s *Sink) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	h, err := contain.Call(ctx, nil, "receive", func(context.Context) (http.Handler, error) { return handler(), nil })
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.channels[channel] = &mounted{handler: http.StripPrefix("/inbound/"+channel, h), sink: s, flagged: perhaps}
	return nil
}

// Await has callers told to come again: the channel is being opened, or cannot be for now.
func (m *Mux) Await(channel string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.channels[channel] = nil
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
	to, known := m.channels[channel]
	m.mu.RUnlock()
	switch {
	case !known:
		http.Error(w, "no channel receives here", http.StatusNotFound)
		return
	case to == nil: // who is told that there is nobody may never come again
		w.Header().Set("Retry-After", "10")
		http.Error(w, "not open yet", http.StatusServiceUnavailable)
		return
	}
	body, done, err := m.read(w, r)
	defer done()
	if errors.Is(err, errCrowded) {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "too many large calls at a time", http.StatusServiceUnavailable)
		return
	}
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		return // whoever called has gone
	}
	// Whoever calls may go: what it sent is taken all the same.
	whole := context.WithoutCancel(r.Context())
	ctx, cancel := context.WithTimeout(whole, callTimeout)
	defer cancel()
	answer := newReply()
	_, err = contain.Call(ctx, &to.box, "receive", func(ctx context.Context) (struct{}, error) {
		call := r.WithContext(ctx)
		call.Body = io.NopCloser(bytes.NewReader(body))
		return struct{}{}, serve(to.handler, answer, call)
	})
	fault, _ := contain.FaultOf(err)
	switch {
	case err == nil:
		answer.send(w)
	case fault.Kind == hotel.FaultHung:
		w.Header().Set("Retry-After", "60")
		http.Error(w, "not taken in time", http.StatusServiceUnavailable)
	default:
		http.Error(w, "not taken", http.StatusInternalServerError)
	}
	if err != nil { // without an answer of success the far side sends it again
		m.log.Error("inbound call broke off", zap.String("channel", channel), zap.Error(err))
	}
	if !errors.Is(err, errHungUp) {
		m.flag(whole, to, fault)
	}
}

// errCrowded is the error of a large call for which there is no place.
var errCrowded = errors.New("too many large calls")

// read reads the body of a call. A large one has a place among the large calls until
// done is called.
func (m *Mux) read(w http.ResponseWriter, r *http.Request) (body []byte, done func(), err error) {
	done = func() {}
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	if body, err = io.ReadAll(io.LimitReader(limited, smallBody)); err != nil || len(body) < smallBody {
		return body, done, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), largeWait)
	defer cancel()
	select {
	case m.large <- struct{}{}:
		done = func() { <-m.large }
	case <-ctx.Done():
		return nil, done, errCrowded
	}
	// Without a connection of its own, as in a test, there is nothing to be slow.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(largeRead)) //nolint:forbidigo // connections live by the real clock
	rest, err := io.ReadAll(limited)
	return append(body, rest...), done, err
}

// errHungUp is the error of a handler that ends a call on purpose, without an answer.
var errHungUp = errors.New("the handler hung up")

// serve has a handler answer a call.
func serve(h http.Handler, w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		switch failure := recover(); failure {
		case nil:
		case http.ErrAbortHandler: // as net/http itself compares it
			err = errHungUp
		default:
			panic(failure)
		}
	}()
	h.ServeHTTP(w, r)
	return nil
}

// flag notes how a channel's handler behaved: a fault once, until another comes or a
// call is answered as it should be.
func (m *Mux) flag(ctx context.Context, to *mounted, f hotel.Fault) {
	to.mu.Lock()
	defer to.mu.Unlock()
	if to.flagged == f.Kind {
		return
	}
	var err error
	if f.Kind != "" {
		err = to.sink.Ledger.Flag(ctx, to.sink.Channel, ledger.PartReceive, f)
	} else {
		err = to.sink.Ledger.Unflag(ctx, to.sink.Channel, ledger.PartReceive)
	}
	if err == nil {
		to.flagged = f.Kind
	}
	if err != nil {
		m.log.Error("note how a channel receives", zap.String("channel", to.sink.Channel), zap.Error(err))
	}
}
