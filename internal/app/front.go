package app

import (
	"net/http"
)

// front holds requests back until there is somebody to answer them.
type front struct {
	ready   chan struct{}
	handler http.Handler
}

func newFront() *front { return &front{ready: make(chan struct{})} }

// open lets requests through to h.
func (f *front) open(h http.Handler) {
	f.handler = h
	close(f.ready)
}

// ServeHTTP serves a request once the front is open.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-f.ready:
		f.handler.ServeHTTP(w, r)
	case <-r.Context().Done():
	}
}
