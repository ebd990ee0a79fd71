package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
)

// perform makes a call of the connector. A result may come with an error.
func (s *server) perform(ctx context.Context, name string, params json.RawMessage) (any, error) {
	if name == wire.Open {
		return with(params, func(p wire.OpenParams) (any, error) { return s.open(ctx, p) })
	}
	s.mu.Lock()
	conn, settings, env := s.conn, s.ask, s.env
	s.mu.Unlock()
	if conn == nil {
		return nil, &connectors.Error{Kind: connectors.Temporary, Effect: connectors.NotSent, Op: name, Err: errors.New("the channel is not open")}
	}
	_, c := inCallOf(ctx)
	k := sink{s, c}
	switch name {
	case wire.Encode:
		return with(params, func(p wire.EncodeParams) (any, error) { return encode(conn, p) })
	case wire.Send:
		return with(params, func(p wire.SendParams) (any, error) { return send(ctx, conn, p) })
	case wire.Read:
		if r, ok := conn.(connectors.Reader); ok {
			return with(params, func(p wire.ReadParams) (any, error) { return read(ctx, r, p) })
		}
	case wire.List:
		if l, ok := conn.(connectors.Lister); ok {
			return with(params, func(p wire.ListParams) (any, error) { return unless(l.List(ctx, p.From, p.To, k), struct{}{}) })
		}
	case wire.Poll:
		if p, ok := conn.(connectors.Poller); ok {
			return with(params, func(q wire.PollParams) (any, error) {
				next, err := p.Poll(ctx, q.Cursor, k)
				return wire.Polled{Next: next}, err
			})
		}
	case wire.Products:
		if c, ok := conn.(connectors.Catalog); ok {
			products, err := c.Products(ctx)
			out := wire.Catalog{Products: []wire.Product{}}
			for _, p := range products {
				out.Products = append(out.Products, wire.Product(p))
			}
			return unless(err, out)
		}
	case wire.Receive:
		if r, ok := conn.(connectors.Receiver); ok {
			return with(params, func(p wire.ReceiveParams) (any, error) { return receive(ctx, r.Handler(k), p) })
		}
	case wire.Publish:
		if r, ok := conn.(connectors.Publisher); ok {
			return with(params, func(p wire.ReceiveParams) (any, error) { return receive(ctx, r.Published(), p) })
		}
	case wire.Visits:
		if v, ok := conn.(connectors.Visited); ok {
			visits, err := v.Visits(ctx)
			out := wire.Visited{Visits: []wire.Visit{}}
			for _, at := range visits {
				out.Visits = append(out.Visits, wire.Visit(at))
			}
			return unless(err, out)
		}
	case wire.Act:
		if a, ok := conn.(connectors.Actor); ok {
			return with(params, func(p wire.Action) (any, error) {
				verdict, err := a.Act(ctx, p.Read())
				return unless(err, wire.FromVerdict(verdict))
			})
		}
	case wire.Reread:
		if r, ok := conn.(connectors.Rereader); ok {
			return with(params, func(p wire.RereadParams) (any, error) {
				m, err := r.Reread(ctx, p.Raw)
				return unless(err, wire.ReadAgain{Message: wire.FromMessage(m)})
			})
		}
	case wire.Discover:
		found, err := settings.Discover(ctx, env)
		return unless(err, wire.Discovered(found))
	}
	return nil, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: name, Err: fmt.Errorf("there is no call %q here", name)}
}

// with reads the parameters for f.
func with[P any](raw json.RawMessage, f func(P) (any, error)) (any, error) {
	var p P
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: "read the parameters", Err: err}
	}
	return f(p)
}

// unless returns the result where there is no error.
func unless(err error, result any) (any, error) {
	if err != nil {
		return nil, err
	}
	return result, nil
}

func encode(conn connectors.Connector, p wire.EncodeParams) (any, error) {
	changes, err := wire.Changes(p.Changes)
	if err != nil {
		return nil, err
	}
	calls, refused := conn.Encode(changes)
	out := wire.EncodeResult{Calls: []wire.Call{}}
	for _, c := range calls {
		out.Calls = append(out.Calls, wire.Call{Operation: c.Operation, Keys: wire.Keys(c.Keys), Body: c.Body})
	}
	for _, r := range refused {
		out.Refused = append(out.Refused, wire.Refused{Changes: wire.Entries([]connectors.Change{r.Change}), Reason: r.Reason})
	}
	return out, nil
}

func read(ctx context.Context, r connectors.Reader, p wire.ReadParams) (any, error) {
	var changes []connectors.Change
	var err error
	if all, able := r.(connectors.WholeReader); p.Room == "" && able {
		changes, err = all.ReadWhole(ctx, p.From, p.To)
	} else {
		changes, err = r.Read(ctx, p.Room, p.From, p.To)
	}
	return unless(err, wire.Shown{Shown: wire.Entries(changes)})
}

func send(ctx context.Context, conn connectors.Connector, p wire.SendParams) (any, error) {
	keys, err := wire.KeysOf(p.Keys)
	if err != nil {
		return nil, err
	}
	answer, err := conn.Send(ctx, connectors.Call{Operation: p.Operation, Keys: keys, Body: p.Body, ID: p.ID, Version: p.Version})
	return unless(err, wire.FromAnswer(answer, keys))
}

// receive plays a request of the far side to the connector's handler.
func receive(ctx context.Context, h http.Handler, p wire.ReceiveParams) (any, error) {
	req, err := http.NewRequestWithContext(ctx, p.Method, "/", bytes.NewReader(p.Body))
	if err != nil {
		return nil, err
	}
	req.URL.Path, req.URL.RawQuery, req.Header = p.Path, p.Query, p.Header
	answer := &caught{header: http.Header{}}
	h.ServeHTTP(answer, req)
	return answer.response(), nil
}
