package api

import (
	"context"
	"net/http"
	"path"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"ostler.example/internal/auth"
)

// readable lets the operation be asked what its answer is tagged with.
func (s *server) readable(op *huma.Operation, handler func(huma.Context)) {
	if op.Method != http.MethodGet {
		return
	}
	s.reads.HandleFunc(op.Method+" "+prefix+op.Path, func(w http.ResponseWriter, r *http.Request) {
		c := callOf(r.Context())
		c.caller.Scopes |= auth.ScopesOf(accessOf(op).scopes...) // it may write, and learns nothing but the tag
		handler(humago.NewContext(op, r, w))
	})
}

// presentTag tells whoever named another revision with which ETag the resource is
// answered now. It is that of its GET, at the same address or, of a step, at the one
// above: many show more than has a revision of its own. Where there is no such GET, the
// refusal knows better.
func (s *server) presentTag(ctx context.Context, p *problem) *problem {
	asked := callOf(ctx)
	for _, at := range []string{asked.url.Path, path.Dir(asked.url.Path)} {
		c := *asked
		c.header, c.tagOnly = http.Header{}, true
		r, err := http.NewRequestWithContext(context.WithValue(ctx, callKey{}, &c), http.MethodGet, at, nil)
		if err != nil {
			return p
		}
		var w tagWriter
		if s.reads.ServeHTTP(&w, r); w.status == http.StatusOK && w.header.Get("ETag") != "" {
			p.setHeader("ETag", w.header.Get("ETag"))
			return p
		}
	}
	return p
}

// tagWriter keeps of an answer its status and its headers.
type tagWriter struct {
	header http.Header
	status int
}

// Header returns the headers of the answer.
func (w *tagWriter) Header() http.Header {
	if w.header == nil {
		w.header = http.Header{}
	}
	return w.header
}

// WriteHeader notes the status.
func (w *tagWriter) WriteHeader(status int) { w.status = status }

// Write throws the body away.
func (w *tagWriter) Write(b []byte) (int, error) { return len(b), nil }
