// Package mock is the connector to a pretend channel over plain JSON, for trials
// and tests, and the one to copy when writing another. It holds the channel's
// side of the protocol that the README describes; the pretend channel itself is
// in connectors/mock/simulator, which shares no code with it.
package mock

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
)

func init() {
	connectors.Register(connectors.Driver[Config]{
		Name:         "mock",
		Summary:      "a pretend channel over plain JSON, for trials and tests",
		Capabilities: capabilities,
		Account:      account,
		Place:        account,
		Defaults:     defaults,
		Example:      example,
		Open:         open,
	})
}

// conn is what every preset can do.
type conn struct {
	cfg  Config
	call transport.Caller
}

// pushed is a channel that calls us, pulled one that we fetch from, and blind one
// that cannot be asked what it shows besides.
type (
	pushed struct{ *conn }
	pulled struct{ *conn }
	blind  struct{ *conn }
)

var (
	_ connectors.Connector = (*conn)(nil)
	_ connectors.Lister    = (*conn)(nil)
	_ connectors.Catalog   = (*conn)(nil)
	_ connectors.Rereader  = (*conn)(nil)
	_ connectors.Receiver  = pushed{}
	_ connectors.Reader    = pushed{}
	_ connectors.Poller    = pulled{}
	_ connectors.Reader    = pulled{}
	_ connectors.Poller    = blind{}
	_ connectors.Actor     = pushed{}
	_ connectors.Actor     = pulled{}
)

// open makes the connection; it calls nobody.
func open(_ context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
	shared := &conn{cfg: c, call: transport.Caller{Client: env.Client, Clock: env.Clock}}
	switch c.Preset {
	case Push:
		return pushed{shared}, nil
	case Blind:
		return blind{shared}, nil
	case Pull, Hub, Lean, Total, Slow, Relay, Plans, Strict:
	}
	return pulled{shared}, nil
}

// Close implements [connectors.Connector]; there is nothing to give back.
func (c *conn) Close() error { return nil }

// address joins the far side's address, the property and a path.
func (c *conn) address(path string, query url.Values) string {
	at := strings.TrimSuffix(c.cfg.URL, "/") + "/hotels/" + url.PathEscape(c.cfg.Hotel) + "/" + path
	if len(query) > 0 {
		at += "?" + query.Encode()
	}
	return at
}

// get fetches what query names and decodes it into answer.
func (c *conn) get(ctx context.Context, op, path string, query url.Values, answer any) error {
	reply, err := c.do(ctx, op, http.MethodGet, c.address(path, query), nil, nil)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(reply.Body, answer); err != nil {
		return unreadable(op, err)
	}
	return nil
}

// do performs one request within the channel's own timeout.
func (c *conn) do(ctx context.Context, op, method, address string, body []byte, header http.Header) (transport.Reply, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(c.cfg.Timeout))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return transport.Reply{}, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: op, Err: fmt.Errorf("make the request: %w", err)}
	}
	maps.Copy(req.Header, header)
	req.Header.Set("Authorization", "Bearer "+c.cfg.Secret)
	req.Header.Set("Accept", "application/json")
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	return c.call.Do(req, op)
}

// unreadable is an answer that says nothing: a broken far side, not a refusal.
func unreadable(op string, err error) error {
	return &connectors.Error{Kind: connectors.Temporary, Op: op, Err: fmt.Errorf("the answer cannot be read: %w", err)}
}

// stamp returns the headers that make a call recognisable where the far side
// looks at them.
func (c *conn) stamp(call connectors.Call) http.Header {
	h := http.Header{}
	if c.cfg.Preset == Push {
		h.Set("Idempotency-Key", call.ID)
		h.Set("Call-Version", strconv.FormatInt(call.Version, 10))
	}
	return h
}
