package app

import (
	"net/http"
	"sync"
	"sync/atomic"
)

// front holds requests back until there is somebody to answer them.
type front struct {
	first   sync.Once
	ready   chan struct{}
	handler atomic.Pointer[http.Handler]
}

func newFront() *front { return &front{ready: make(chan struct{})} }

// open lets requests through to h, also those that wait. Who comes after another call of it
// is let through to that one's.
func (f *front) open(h http.Handler) {
	f.handler.Store(&h)
	f.first.Do(func() { close(f.ready) })
}

// ServeHTTP serves a request once the front is open.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-f.ready:
		(*f.handler.Load()).ServeHTTP(w, r)
	case <-r.Context().Done():
	}
}
