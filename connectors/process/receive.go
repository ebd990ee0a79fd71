package process

import (
	"io"
	"maps"
	"net/http"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
)

// maxReceived bounds what the far side may send us at once, in bytes.
const maxReceived = 1 << 20

// Handler implements [connectors.Receiver]: the program gets the request, checks who
// calls, delivers what it brings and says what to answer. A success is not passed on
// when a message could not be kept.
func (c *conn) Handler(sink connectors.Sink) http.Handler {
	return c.relay(wire.Receive, sink)
}

// Published implements [connectors.Publisher]: the program gets the request, checks who
// reads and says what to answer.
func (c *conn) Published() http.Handler { return c.relay(wire.Publish, nil) }

// relay has the program answer requests by a call of that name, which may deliver to
// the sink; nil: it may not.
func (c *conn) relay(call string, sink connectors.Sink) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxReceived))
		if err != nil {
			http.Error(w, "the message cannot be read to its end", http.StatusRequestEntityTooLarge)
			return
		}
		var kept connectors.Sink
		keeping := &keeping{sink: sink}
		if sink != nil {
			kept = keeping
		}
		params := wire.ReceiveParams{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header, Body: body}
		var said wire.Response
		if err := c.call(r.Context(), call, params, &said, kept); err != nil {
			c.log.Warn("a program could not answer a request", zap.String("call", call), zap.Error(err))
			http.Error(w, "not now; send it again", http.StatusServiceUnavailable)
			return
		}
		if said.Status < 200 || said.Status > 599 || said.Status < 400 && keeping.lost() != nil {
			http.Error(w, "not kept; send it again", http.StatusServiceUnavailable)
			return
		}
		maps.Copy(w.Header(), http.Header(said.Header))
		w.WriteHeader(said.Status)
		_, _ = w.Write(said.Body) // who has gone needs no answer
	})
}
