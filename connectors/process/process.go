// Package process is the connector to connectors that are programs of their own,
// written in any language. It starts a program for each open channel, speaks the
// protocol of the README with it over standard input and output, and keeps what
// goes wrong there to that channel: a program that crashes, hangs, floods or talks
// nonsense is ended and started again after a while. The frames are those of
// connectors/process/wire.
package process

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

func init() {
	connectors.Register(connectors.Driver[Config]{
		Name:         "process",
		Summary:      "a connector that is a program of its own, in any language",
		Capabilities: func(Config, connectors.Discovered) connectors.Capabilities { return unasked },
		Describe:     describe,
		Discover:     discover,
		Account:      func(c Config) string { return c.Program },
		Place:        func(c Config) string { return c.Program },
		Defaults:     Config{},
		Example:      example,
		Open:         open,
	})
}

// unasked is what can be said before a program was asked.
var unasked = connectors.Capabilities{Terms: hotel.Terms{StockPer: hotel.PerRoom, Sellers: hotel.One, Acknowledges: hotel.ByQueue}}

// conn is one channel's program. It has the methods of every optional interface;
// the program's capabilities say which of them may be called.
type conn struct {
	program *supervised
	caps    connectors.Capabilities
	encodes bool // the program packs calls itself
	visits  bool // it says when what it publishes was last read
	conceal *strings.Replacer
	log     *zap.Logger
}

var (
	_ connectors.Connector   = (*conn)(nil)
	_ connectors.Reader      = (*conn)(nil)
	_ connectors.Lister      = (*conn)(nil)
	_ connectors.Poller      = (*conn)(nil)
	_ connectors.Receiver    = (*conn)(nil)
	_ connectors.Publisher   = (*conn)(nil)
	_ connectors.Visited     = (*conn)(nil)
	_ connectors.Actor       = (*conn)(nil)
	_ connectors.Rereader    = (*conn)(nil)
	_ connectors.WholeReader = (*conn)(nil)
	_ connectors.Catalog     = (*conn)(nil)
)

// open makes the connection; the program is started with the first call.
func open(_ context.Context, c Config, env connectors.Env) (connectors.Connector, error) {
	known, err := descriptions.ask(c, env.Found)
	if err != nil {
		return nil, err
	}
	conceal := connectors.Conceal(slices.Collect(maps.Values(c.Secrets)))
	return &conn{
		program: &supervised{config: c, env: env, conceal: conceal, expects: known.digest},
		caps:    known.caps, encodes: known.said.Capabilities.Encodes, visits: known.said.Capabilities.Visits, conceal: conceal, log: env.Log,
	}, nil
}

// Close ends the program and waits until it is gone.
func (c *conn) Close() error {
	c.program.close()
	return nil
}

// call asks the program and reads its result into answer.
func (c *conn) call(ctx context.Context, name string, params, answer any, sink connectors.Sink) error {
	return c.program.call(ctx, name, params, answer, sink)
}

// words are the program's, fit to be kept.
func (c *conn) words(said string) string {
	said = c.conceal.Replace(said)
	return strings.ToValidUTF8(said[:min(len(said), maxWords)], "")
}

// maxWords bounds what is kept of what a program says, in bytes.
const maxWords = 4 << 10

// Products implements [connectors.Catalog].
func (c *conn) Products(ctx context.Context) ([]connectors.RemoteProduct, error) {
	var said wire.Catalog
	if err := c.call(ctx, wire.Products, struct{}{}, &said, nil); err != nil {
		return nil, err
	}
	products := make([]connectors.RemoteProduct, 0, len(said.Products))
	for _, p := range said.Products {
		products = append(products, connectors.RemoteProduct(p))
	}
	return products, nil
}

// mostVisits is of how much that is published a program can say when it was read.
const mostVisits = 1000

// Visits implements [connectors.Visited]. A program that does not say is not asked.
func (c *conn) Visits(ctx context.Context) ([]hotel.Published, error) {
	if !c.visits {
		return nil, nil
	}
	var said wire.Visited
	if err := c.call(ctx, wire.Visits, struct{}{}, &said, nil); err != nil {
		return nil, err
	}
	if n := len(said.Visits); n > mostVisits {
		return nil, nonsense(wire.Visits, fmt.Errorf("it says of %d things when they were read, of at most %d it can", n, mostVisits))
	}
	visits := make([]hotel.Published, 0, len(said.Visits))
	for _, v := range said.Visits {
		visits = append(visits, hotel.Published{Name: c.words(v.Name), ReadAt: v.ReadAt.UTC()})
	}
	return visits, nil
}

// Read implements [connectors.Reader].
func (c *conn) Read(ctx context.Context, room string, from, to hotel.Date) ([]connectors.Change, error) {
	return c.read(ctx, wire.ReadParams{Room: room, From: from, To: to})
}

// ReadWhole implements [connectors.WholeReader].
func (c *conn) ReadWhole(ctx context.Context, from, to hotel.Date) ([]connectors.Change, error) {
	return c.read(ctx, wire.ReadParams{From: from, To: to})
}

func (c *conn) read(ctx context.Context, asked wire.ReadParams) ([]connectors.Change, error) {
	var said wire.Shown
	if err := c.call(ctx, wire.Read, asked, &said, nil); err != nil {
		return nil, err
	}
	changes, err := wire.Changes(said.Shown)
	if err != nil {
		return nil, nonsense(wire.Read, err)
	}
	return changes, nil
}

// List implements [connectors.Lister].
func (c *conn) List(ctx context.Context, from, to hotel.Date, sink connectors.Sink) error {
	keeping := &keeping{sink: sink}
	if err := c.call(ctx, wire.List, wire.ListParams{From: from, To: to}, nil, keeping); err != nil {
		return err
	}
	return keeping.lost()
}

// Poll implements [connectors.Poller]. A program that goes on behind a message
// which was not kept is not believed about the cursor.
func (c *conn) Poll(ctx context.Context, cursor string, sink connectors.Sink) (string, error) {
	said := wire.Polled{Next: cursor}
	keeping := &keeping{sink: sink}
	err := c.call(ctx, wire.Poll, wire.PollParams{Cursor: cursor}, &said, keeping)
	if lost := keeping.lost(); lost != nil && err == nil {
		return cursor, lost
	}
	return said.Next, err
}

// nonsense is an answer that cannot be read.
func nonsense(op string, err error) error {
	return &connectors.Error{Kind: connectors.Temporary, Op: op, Err: err}
}
