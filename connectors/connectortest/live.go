package connectortest

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// Live is a far side that is really there: nobody plays its guests or looks inside.
type Live struct {
	Driver   string
	Settings json.RawMessage // of the channel, as they are stored
	Defaults map[string]any  // what the configuration file says of the connector, if anything

	Secret func(name string) (string, error) // finds what settings name as secret:NAME; nil: nothing
	Log    *zap.Logger
}

// What a far side that is there is asked for, and how long it may take for all of it.
const (
	liveNights   = 30 // of its bookings, from today on
	livePatience = time.Minute
)

// Ask asks a far side what can be asked without changing anything there: the handshake,
// its products, what it shows of the first of them, and its bookings, which stay in its
// queue. It tells nothing and fetches no messages. What is not declared is skipped, and
// a failure stands with its kind. The error is one of the settings.
func Ask(ctx context.Context, l Live) (connectors.Capabilities, []Result, error) {
	driver, known := connectors.Lookup(l.Driver)
	if !known {
		return connectors.Capabilities{}, nil, fmt.Errorf("no connector %q is registered", l.Driver)
	}
	settings, err := driver.WithSecrets(l.Secret).Configure(l.Defaults, l.Settings)
	if err != nil {
		return connectors.Capabilities{}, nil, fmt.Errorf("settings: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, livePatience)
	defer cancel()
	a := &asking{ctx: ctx, settings: settings}
	env := connectors.Env{
		ChannelID: "ch_trial", Client: transport.New(transport.Options{}), Log: l.Log, Clock: hotel.SystemClock{},
		Shelf: &shelf{kept: map[string][]byte{}, out: &current{}},
	}
	defer env.Client.CloseIdleConnections()
	if !settings.Discovers() {
		a.skip("Handshake")
	} else if found, err := settings.Discover(ctx, env); a.note("Handshake", err, "version %q, features %q, doubts %q", found.Version, found.Features, found.Doubts) {
		env.Found = found
	}
	caps := settings.Capabilities(env.Found)
	conn, err := settings.Open(ctx, env)
	if err != nil {
		return caps, a.results, fmt.Errorf("open: %w", err)
	}
	a.ask(conn, caps)
	return caps, a.results, conn.Close()
}

// asking collects what a far side answers.
type asking struct {
	ctx      context.Context //nolint:containedctx // that of the one round of questions
	settings *connectors.Settings
	results  []Result
}

// note keeps what came of a question, and reports whether it was answered.
func (a *asking) note(question string, err error, seen string, args ...any) bool {
	r := Result{Case: question, Seen: fmt.Sprintf(seen, args...)}
	if err != nil {
		why := fmt.Sprintf("%s: %v", connectors.AsError(err).Kind, err)
		r = Result{Case: question, Failures: []string{string(a.settings.Conceal([]byte(why)))}}
	}
	a.results = append(a.results, r)
	return err == nil
}

func (a *asking) skip(question string) {
	a.results = append(a.results, Result{Case: question, Skipped: "not declared"})
}

// ask asks for what the channel declares.
func (a *asking) ask(conn connectors.Connector, caps connectors.Capabilities) {
	room := ""
	if c, ok := conn.(connectors.Catalog); !ok || !caps.HasCatalog {
		a.skip("Products")
	} else if products, err := c.Products(a.ctx); a.note("Products", err, "%d rooms and rates", len(products)) && len(products) > 0 {
		room = products[0].Room
	}
	from := tomorrow()
	switch r, ok := conn.(connectors.Reader); {
	case !ok || !caps.Reads:
		a.skip("Read")
	case room == "":
		a.results = append(a.results, Result{Case: "Read", Skipped: "it tells of no room to be read"})
	default:
		shown, err := r.Read(a.ctx, room, from, from)
		a.note("Read", err, "%d values of %s on %s", len(shown), room, from)
	}
	if l, ok := conn.(connectors.Lister); !ok || !caps.Lists {
		a.skip("List")
	} else {
		k := &sink{}
		err := l.List(a.ctx, from-2, from-2+liveNights, k)
		a.note("List", err, "%d messages about bookings of the next %d nights, left where they are", len(k.messages()), liveNights)
	}
}
