package simkit

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"ostler.example/hotel"
)

// FaultKind names a way in which a far side fails.
type FaultKind string

// The kinds of fault. All but LostAnswer, Reject and Garble come before any effect.
const (
	Timeout         FaultKind = "timeout"     // the call hangs until the caller gives up
	Cut             FaultKind = "cut"         // the connection breaks instead of an answer
	TooManyRequests FaultKind = "429"         // refused with Retry-After
	ServerError     FaultKind = "5xx"         // 503
	LostAnswer      FaultKind = "lost_answer" // the call has its effect, then the connection breaks
	Reject          FaultKind = "reject"      // an update is answered 200 and every entry of it refused
	Garble          FaultKind = "garble"      // a message about a booking is of a kind that nobody knows
)

// Fault is a fault to come: for Count calls, or for Seconds, or until the first
// of the two ends; with neither, for one call.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	Count   int       `json:"count"`
	Seconds int       `json:"seconds"`
}

// Faults are the planted faults of one far side, used up in the order in which
// they were planted. It is safe for concurrent use.
type Faults struct {
	clock  hotel.Clock
	closed chan struct{}
	end    func() // closes it, once

	mu      sync.Mutex
	planted []planted
	garbled map[int64]bool // by event
}

type planted struct {
	kind  FaultKind
	left  int       // calls; -1: any number
	until time.Time // zero: no end
}

// NewFaults returns a far side without faults.
func NewFaults(clock hotel.Clock) *Faults {
	closed := make(chan struct{})
	return &Faults{clock: clock, closed: closed, end: sync.OnceFunc(func() { close(closed) })}
}

// Close lets hanging calls go.
func (f *Faults) Close() { f.end() }

// Plant adds a fault. It refuses kinds that it does not know and negative
// numbers.
func (f *Faults) Plant(fault Fault) error {
	switch fault.Kind {
	case Timeout, Cut, TooManyRequests, ServerError, LostAnswer, Reject, Garble:
	default:
		return fmt.Errorf("fault kind %q is not one of timeout, cut, 429, 5xx, lost_answer, reject and garble", fault.Kind)
	}
	if fault.Count < 0 || fault.Seconds < 0 {
		return fmt.Errorf("count and seconds of a fault are not negative")
	}
	p := planted{kind: fault.Kind, left: fault.Count}
	if fault.Seconds > 0 {
		p.until = f.clock.Now().Add(time.Duration(fault.Seconds) * time.Second)
	}
	if fault.Count == 0 {
		p.left = 1
		if fault.Seconds > 0 {
			p.left = -1
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.planted = append(f.planted, p)
	return nil
}

// Rejects reports whether the update at hand is to be refused entry by entry. A
// simulator asks once for each update, so that other calls use nothing up.
func (f *Faults) Rejects() bool {
	_, rejects := f.take(func(k FaultKind) bool { return k == Reject })
	return rejects
}

// Garbles reports whether the message about an event is to be one that nobody
// can read. Once it is, it stays so, however often it is told.
func (f *Faults) Garbles(event int64) bool {
	f.mu.Lock()
	known := f.garbled[event]
	f.mu.Unlock()
	if known {
		return true
	}
	_, garbles := f.take(func(k FaultKind) bool { return k == Garble })
	if garbles {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.garbled == nil {
			f.garbled = make(map[int64]bool)
		}
		f.garbled[event] = true
	}
	return garbles
}

// take uses up one call of the first living fault of a wanted kind.
func (f *Faults) take(wanted func(FaultKind) bool) (planted, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.clock.Now()
	var living []planted
	for _, p := range f.planted {
		if p.until.IsZero() || now.Before(p.until) {
			living = append(living, p)
		}
	}
	f.planted = living
	for i, p := range f.planted {
		if !wanted(p.kind) {
			continue
		}
		if p.left > 0 {
			f.planted[i].left--
		}
		if p.left == 1 {
			f.planted = append(f.planted[:i:i], f.planted[i+1:]...)
		}
		return p, true
	}
	return planted{}, false
}

// Handle puts the faults in front of a protocol.
func (f *Faults) Handle(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, failing := f.take(func(k FaultKind) bool { return k != Reject && k != Garble })
		if !failing {
			next.ServeHTTP(w, r)
			return
		}
		switch p.kind {
		case Timeout:
			// Only a request read to its end shows that its caller has gone.
			_, _ = io.Copy(io.Discard, r.Body)
			select {
			case <-r.Context().Done():
			case <-f.closed:
			}
			panic(http.ErrAbortHandler)
		case LostAnswer:
			next.ServeHTTP(discard{header: http.Header{}}, r)
			panic(http.ErrAbortHandler)
		case TooManyRequests:
			wait := 1
			if !p.until.IsZero() {
				wait = int(p.until.Sub(f.clock.Now())/time.Second) + 1
			}
			w.Header().Set("Retry-After", strconv.Itoa(wait))
			http.Error(w, "too many requests", http.StatusTooManyRequests)
		case ServerError:
			http.Error(w, "out of order", http.StatusServiceUnavailable)
		case Cut, Reject, Garble:
			_, _ = io.Copy(io.Discard, r.Body)
			panic(http.ErrAbortHandler)
		}
	})
}

// discard is an answer that nobody gets.
type discard struct{ header http.Header }

// Header implements [http.ResponseWriter].
func (d discard) Header() http.Header { return d.header }

// Write implements [http.ResponseWriter].
func (d discard) Write(p []byte) (int, error) { return len(p), nil }

// WriteHeader implements [http.ResponseWriter].
func (d discard) WriteHeader(int) {}
