// Package serve makes a connector of this program speak the process protocol as a
// program of its own does: over a reader and a writer, its HTTP requests handed to
// Ostler. It is what `ostler connector serve` runs, and shows that nothing of the
// seam is lost on the way.
package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/connectors/transport"
)

// Options say what is served where.
type Options struct {
	Driver *connectors.Registered
	In     io.Reader
	Out    io.Writer
	Log    *zap.Logger
}

// server is one served channel.
type server struct {
	o    Options
	ctx  context.Context //nolint:containedctx // the server's own lifetime, of which every call's is a part
	conn connectors.Connector
	ask  *connectors.Settings // of the channel
	env  connectors.Env

	clock   told
	writing sync.Mutex
	mu      sync.Mutex
	calls   map[int64]*call
	under   sync.WaitGroup
}

// call is one that is under way.
type call struct {
	id     int64
	cancel context.CancelFunc
	kept   chan bool

	mu       sync.Mutex
	requests map[int64]chan wire.Frame // what Ostler was asked to do and has not answered
	last     int64
}

// Run answers calls until in ends; then it ends those under way and closes the
// channel.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{o: o, ctx: ctx, calls: map[int64]*call{}}
	lines := bufio.NewReader(o.In)
	var err error
	for err == nil {
		var line []byte
		if line, err = lines.ReadBytes('\n'); err == nil {
			err = s.take(line)
		}
	}
	cancel()
	s.under.Wait()
	if s.conn != nil {
		err = errors.Join(err, s.conn.Close())
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// take looks at one line.
func (s *server) take(line []byte) error {
	var f wire.Frame
	if err := json.Unmarshal(line, &f); err != nil {
		return fmt.Errorf("a line is no frame: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.calls[f.ID]
	switch {
	case f.Call != "":
		s.clock.set(f.Now)
		ctx, cancel := context.WithCancel(s.ctx)
		c = &call{id: f.ID, cancel: cancel, kept: make(chan bool, 1), requests: map[int64]chan wire.Frame{}}
		s.calls[f.ID] = c
		s.under.Go(func() { s.answer(ctx, c, f) })
	case c == nil: // it has ended
	case f.Cancel:
		c.cancel()
	case f.Kept != nil:
		c.kept <- *f.Kept
	case f.Fetched != nil:
		c.requested(f.Fetched.Number, f)
	case f.Shelved != nil:
		c.requested(f.Shelved.Number, f)
	case f.Reported != nil:
		c.requested(f.Reported.Number, f)
	case f.Told != nil:
		c.requested(f.Told.Number, f)
	}
	return nil
}

// answer performs a call and writes its last frame.
func (s *server) answer(ctx context.Context, c *call, f wire.Frame) {
	defer c.cancel()
	out := wire.Frame{ID: f.ID}
	result, err := s.perform(within(ctx, s, c), f.Call, f.Params)
	if err != nil {
		out.Error = wire.FromError(err)
	}
	if result != nil {
		text, unwritten := json.Marshal(result)
		if unwritten != nil {
			out.Error = wire.FromError(unwritten)
		}
		out.Result = text
	}
	s.mu.Lock()
	delete(s.calls, f.ID)
	s.mu.Unlock()
	s.write(out)
}

// write writes one frame. Whoever does not listen any more ends the input as well.
func (s *server) write(f wire.Frame) {
	line, err := json.Marshal(f)
	if err != nil {
		s.o.Log.Error("a frame cannot be written", zap.Error(err))
		return
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	_, _ = s.o.Out.Write(append(line, '\n'))
}

// open opens the channel.
func (s *server) open(ctx context.Context, p wire.OpenParams) (any, error) {
	if p.Protocol != wire.Version {
		return nil, fmt.Errorf("version %d of the protocol is not known here", p.Protocol)
	}
	var settings map[string]any
	if err := json.Unmarshal(p.Settings, &settings); err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	for name, secret := range p.Secrets {
		settings[name] = secret
	}
	whole, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	configured, err := s.o.Driver.Configure(nil, whole)
	if err != nil {
		return nil, &connectors.Error{Kind: connectors.Invalid, Effect: connectors.NotSent, Op: wire.Open, Err: err}
	}
	env := connectors.Env{
		ChannelID: p.Channel, Client: transport.New(transport.Options{Base: fetching{}}), Log: s.o.Log, Clock: &s.clock, Shelf: shelf{}, Report: report,
	}
	furnish(&env, p.House)
	if p.Found != nil {
		env.Found = connectors.Discovered(*p.Found)
	}
	caps := configured.Capabilities(env.Found)
	if caps.Serves {
		return nil, &connectors.Error{
			Kind: connectors.Invalid, Effect: connectors.NotSent, Op: wire.Open,
			Err: errors.New("a channel of the hotel's own system does not travel: such a program speaks /v1"),
		}
	}
	conn, err := configured.Open(ctx, env)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conn, s.ask, s.env = conn, configured, env
	said := wire.Description{
		Protocol: wire.Version, Name: s.o.Driver.Name(), Account: configured.Account(), Place: configured.Place(),
		Capabilities: wire.FromCapabilities(caps),
	}
	said.Capabilities.Discovers = configured.Discovers()
	_, tells := conn.(connectors.Visited)
	said.Capabilities.Visits = tells && caps.Publishes
	return said, nil
}

// sink delivers messages to Ostler.
type sink struct {
	server *server
	call   *call
}

var errNotKept = errors.New("ostler could not keep it")

// Deliver implements [connectors.Sink].
func (k sink) Deliver(ctx context.Context, m connectors.Message) error {
	k.server.write(wire.Frame{ID: k.call.id, Deliver: wire.FromMessage(m)})
	select {
	case kept := <-k.call.kept:
		if !kept {
			return errNotKept
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Hint implements [connectors.Sink].
func (k sink) Hint() { k.server.write(wire.Frame{ID: k.call.id, Hint: true}) }

// caught is an answer of a handler on its way into a frame.
type caught struct {
	header http.Header
	status int
	body   []byte
}

// Header implements [http.ResponseWriter].
func (c *caught) Header() http.Header { return c.header }

// WriteHeader implements [http.ResponseWriter].
func (c *caught) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
}

// Write implements [http.ResponseWriter].
func (c *caught) Write(b []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	c.body = append(c.body, b...)
	return len(b), nil
}

func (c *caught) response() wire.Response {
	c.WriteHeader(http.StatusOK)
	return wire.Response{Status: c.status, Header: maps.Clone(c.header), Body: c.body}
}
