package inbound

import (
	"bytes"
	"maps"
	"net/http"
)

// reply keeps what a handler answers until it has ended. One that is left behind
// writes to it for nobody.
type reply struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func newReply() *reply { return &reply{header: http.Header{}} }

// Header implements [http.ResponseWriter].
func (r *reply) Header() http.Header { return r.header }

// WriteHeader implements [http.ResponseWriter].
func (r *reply) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

// Write implements [http.ResponseWriter].
func (r *reply) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(b)
}

// send answers with what was kept.
func (r *reply) send(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.header)
	if r.status != 0 {
		w.WriteHeader(r.status)
	}
	_, _ = w.Write(r.body.Bytes()) // who has gone needs no answer
}
