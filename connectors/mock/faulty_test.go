package mock

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/hotel"
)

// planted is a connector with one fault: each hook that is set replaces a method.
type planted struct {
	encode  func(next *conn, changes []connectors.Change) ([]connectors.Call, []connectors.Refusal)
	send    func(next *conn, ctx context.Context, call connectors.Call) (connectors.Answer, error)
	read    func(next *conn, ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error)
	list    func(next *conn, ctx context.Context, from, to hotel.Date, sink connectors.Sink) error
	catalog func(next *conn, ctx context.Context) ([]connectors.RemoteProduct, error)
	reread  func(next *conn, raw []byte) (connectors.Message, error)
	handler func(next pushed, sink connectors.Sink) http.Handler
	poll    func(next pulled, ctx context.Context, cursor string, sink connectors.Sink) (string, error)
	act     func(next connectors.Actor, ctx context.Context, a connectors.Action) (connectors.Verdict, error)
}

type faulty struct {
	*conn
	p planted
}

func (f faulty) Encode(changes []connectors.Change) ([]connectors.Call, []connectors.Refusal) {
	if f.p.encode != nil {
		return f.p.encode(f.conn, changes)
	}
	return f.conn.Encode(changes)
}

func (f faulty) Send(ctx context.Context, call connectors.Call) (connectors.Answer, error) {
	if f.p.send != nil {
		return f.p.send(f.conn, ctx, call)
	}
	return f.conn.Send(ctx, call)
}

func (f faulty) Read(ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
	if f.p.read != nil {
		return f.p.read(f.conn, ctx, room, from, to)
	}
	return f.read(ctx, room, from, to)
}

func (f faulty) List(ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	if f.p.list != nil {
		return f.p.list(f.conn, ctx, from, to, sink)
	}
	return f.conn.List(ctx, from, to, sink)
}

func (f faulty) Products(ctx context.Context) ([]connectors.RemoteProduct, error) {
	if f.p.catalog != nil {
		return f.p.catalog(f.conn, ctx)
	}
	return f.conn.Products(ctx)
}

func (f faulty) Reread(ctx context.Context, raw []byte) (connectors.Message, error) {
	if f.p.reread != nil {
		return f.p.reread(f.conn, raw)
	}
	return f.conn.Reread(ctx, raw)
}

// acting is an actor with the fault in front of it.
func (f faulty) acting(ctx context.Context, next connectors.Actor, a connectors.Action) (connectors.Verdict, error) {
	if f.p.act != nil {
		return f.p.act(next, ctx, a)
	}
	return next.Act(ctx, a)
}

type faultyPushed struct{ faulty }

func (f faultyPushed) Act(ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
	return f.acting(ctx, pushed{f.conn}, a)
}

func (f faultyPushed) Handler(sink connectors.Sink) http.Handler {
	if f.p.handler != nil {
		return f.p.handler(pushed{f.conn}, sink)
	}
	return pushed{f.conn}.Handler(sink)
}

type faultyPulled struct{ faulty }

func (f faultyPulled) Act(ctx context.Context, a connectors.Action) (connectors.Verdict, error) {
	return f.acting(ctx, pulled{f.conn}, a)
}

func (f faultyPulled) Poll(ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
	if f.p.poll != nil {
		return f.p.poll(pulled{f.conn}, ctx, cursor, sink)
	}
	return pulled{f.conn}.Poll(ctx, cursor, sink)
}

// sinkFunc is a sink in front of another.
type sinkFunc func(ctx context.Context, m connectors.Message) error

func (f sinkFunc) Deliver(ctx context.Context, m connectors.Message) error { return f(ctx, m) }

// Hint implements [connectors.Sink].
func (sinkFunc) Hint() {}

func sign(body []byte) string {
	mac := hmac.New(sha256.New, []byte(connectortest.SimulatedSecret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// register registers the faulty connector.
func (f fault) register(name string) {
	d := connectors.Driver[Config]{
		Name: name, Summary: "a faulty connector", Capabilities: capabilities, Account: account, Place: account,
		Defaults: defaults, Example: example,
		Open: func(_ context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
			opened, err := open(context.Background(), c, env)
			switch sound := opened.(type) {
			case pushed:
				return faultyPushed{faulty{sound.conn, f.planted}}, err
			case pulled:
				return faultyPulled{faulty{sound.conn, f.planted}}, err
			}
			return opened, err
		},
	}
	if f.driver != nil {
		f.driver(&d)
	}
	connectors.Register(d)
}

// results are what becomes of all cases. The settings with which a fault is found sooner, such
// as that nobody is waited for long, are not those of the others: on a machine that is busy they
// would fail.
func (f fault) results(ctx context.Context, driver string) ([]connectortest.Result, error) {
	if f.settings == nil {
		return connectortest.Results(ctx, f.harness(driver))
	}
	found := f.harness(driver)
	found.Only = []string{f.finds}
	results, err := connectortest.Results(ctx, found)
	if err != nil {
		return nil, err
	}
	f.settings = nil
	rest := f.harness(driver)
	rest.Only = slices.DeleteFunc(connectortest.Cases(), func(c string) bool { return c == f.finds })
	others, err := connectortest.Results(ctx, rest)
	return append(results, others...), err
}

func (f fault) harness(driver string) connectortest.Harness {
	preset := f.preset
	if preset == "" {
		preset = Push
	}
	h := harness(driver, preset)
	h.Start = func(t connectortest.T) connectortest.FarSide {
		far := connectortest.StartSimulated(t, "mock", string(preset))
		for key, value := range f.settings {
			far.Settings = bytes.Replace(far.Settings, []byte("{"), fmt.Appendf(nil, "{%q:%q,", key, value), 1)
		}
		return far
	}
	return h
}
