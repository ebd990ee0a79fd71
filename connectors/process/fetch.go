package process

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"

	"ostler.example/connectors/process/wire"
)

// fetch makes an HTTP request that a program asks for, once, with the client of its
// channel. Its error tells neither address nor header.
func (r *run) fetch(ctx context.Context, f *wire.Fetch) *wire.Fetched {
	out := &wire.Fetched{Number: f.Number}
	fail := func(err error, notSent bool) *wire.Fetched {
		out.Error, out.NotSent = r.conceal.Replace(err.Error()), notSent
		return out
	}
	if r.env.Client == nil {
		return fail(errors.New("nothing can be fetched while the channel is only described"), true)
	}
	var asked, got atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { got.Store(true) },
	})
	req, err := http.NewRequestWithContext(ctx, f.Method, f.URL, bytes.NewReader(f.Body))
	if err != nil {
		return fail(errors.New("it is no request: a method or an address that cannot be"), true)
	}
	maps.Copy(req.Header, http.Header(f.Header))
	resp, err := r.env.Client.Do(req)
	if err != nil {
		dial := (*net.OpError)(nil)
		notSent := asked.Load() && !got.Load() || errors.As(err, &dial) && dial.Op == "dial"
		return fail(errors.New(cause(err)), notSent)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fail(errors.New("the answer breaks off: "+err.Error()), false)
	}
	out.Status, out.Header, out.Body = resp.StatusCode, resp.Header, body
	return out
}

// cause is what is behind an error of [http.Client], which quotes the address.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}
