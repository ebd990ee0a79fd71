package sync

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/action"
	"ostler.example/sync/call"
	"ostler.example/sync/contain"
	"ostler.example/sync/dispatch"
	"ostler.example/sync/inbound"
	"ostler.example/sync/readback"
)

// channel is one open channel with its parts.
type channel struct {
	hotel.Channel
	settings  *connectors.Settings
	connector connectors.Connector
	caps      connectors.Capabilities
	box       *contain.Box // what the connector is called in
	gate      *account
	worker    *dispatch.Worker    // nil while nothing of it is worked out
	poller    *inbound.Poller     // nil when it pushes to us
	rereader  *inbound.Rereader   // of messages that could not be read when they came
	auditor   *inbound.Auditor    // nil unless the ledger was restored and nobody knows what it has sold since
	lister    *inbound.Lister     // nil when it lists no bookings by date, or is told nothing
	refresher *readback.Refresher // nil when it can be asked what it shows, or is told nothing
	mounted   bool                // whoever calls finds somebody
	actor     *action.Actor       // nil when it cannot be asked to do anything with its bookings, or is told nothing
	reader    *readback.Reader    // nil when it cannot be asked what it shows, or is told nothing
}

// open makes the parts of one channel. Bookings are received from testing on;
// only an active channel, or one that is kept closed, is told anything. held is
// the gate that the channel has had, if any.
func (e *Engine) open(ctx context.Context, c hotel.Channel, held *account) (*channel, error) {
	out, err := e.connect(ctx, c)
	if err != nil {
		return nil, err
	}
	property, err := e.o.Ledger.Property(ctx, c.PropertyID)
	if err != nil {
		return nil, errors.Join(err, out.close())
	}
	if out.gate, err = e.accounts.acquire(ctx, c, out.caps, held); err != nil {
		return nil, errors.Join(err, out.close())
	}
	if err := e.o.Ledger.KeepTerms(ctx, c.ID, out.caps.Terms); err != nil {
		e.accounts.release(out.gate)
		return nil, errors.Join(err, out.close())
	}
	if err := e.equip(out, property); err != nil {
		e.accounts.release(out.gate)
		return nil, errors.Join(err, out.close())
	}
	return out, nil
}

// openTimeout is how long a connector may take to open or close a channel, which
// calls nobody.
const openTimeout = 10 * time.Second

// connect opens a channel's connector, which calls nobody.
func (e *Engine) connect(ctx context.Context, c hotel.Channel) (*channel, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	return contain.Call(ctx, e.door(c), "open", func(ctx context.Context) (*channel, error) {
		settings, err := e.settings(c.Connector, c.Settings)
		if err != nil {
			return nil, err
		}
		env := e.env(c)
		if env.Found, _, err = e.found(ctx, c, settings); err != nil {
			return nil, err
		}
		// What a channel can carry is made of its settings alone, so that verification, which
		// has no handshake, comes to the same cells. What can be asked of it is another matter.
		out := &channel{Channel: c, settings: settings, caps: settings.Capabilities(connectors.Discovered{}), box: new(contain.Box)}
		found := settings.Capabilities(env.Found)
		out.caps.Polls, out.caps.Lists, out.caps.HasCatalog = found.Polls, found.Lists, found.HasCatalog
		out.connector, err = settings.Open(ctx, env)
		if _, acts := out.connector.(connectors.Actor); !acts {
			out.caps.Actions = nil // it says that it can be asked, and has no way
		}
		return out, err
	})
}

// door is what a channel is opened in as long as it is as it is: one that never ends being
// opened is not tried without end, before somebody has changed it.
type door struct {
	revision int64 // of the channel
	box      *contain.Box
}

func (e *Engine) door(c hotel.Channel) *contain.Box {
	e.mu.Lock()
	defer e.mu.Unlock()
	if d := e.doors[c.ID]; d.box == nil || d.revision != c.Revision {
		e.doors[c.ID] = door{c.Revision, new(contain.Box)}
	}
	return e.doors[c.ID].box
}

// close closes a channel's connector.
func (c *channel) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	_, err := contain.Call(ctx, nil, "close", func(context.Context) (struct{}, error) { return struct{}{}, c.connector.Close() })
	return err
}

// settings lays a channel's settings over those of the configuration.
func (e *Engine) settings(connector string, own []byte) (*connectors.Settings, error) {
	return configure(e.o.Defaults, e.o.Secret, e.o.Seal, connector, own)
}

func configure(defaults map[string]map[string]any, secret func(string) (string, error), sealer connectors.Sealer, connector string, own []byte) (*connectors.Settings, error) {
	driver, ok := connectors.Lookup(connector)
	if !ok {
		return nil, fmt.Errorf("there is no connector %q in this program", connector)
	}
	own, err := driver.Unseal(sealer, own)
	if err != nil {
		return nil, err
	}
	return driver.WithSecrets(secret).Configure(defaults[connector], own)
}

// env is what a channel's connector gets to work with.
func (e *Engine) env(c hotel.Channel) connectors.Env {
	return connectors.Env{
		ChannelID: c.ID, Client: e.o.Client(c.ID), Log: e.o.Log.With(zap.String("channel", c.ID)), Clock: e.o.Clock, Shelf: shelf{e.o.Ledger, c.ID},
		Installation: e.installation,

		Rooms:    func(ctx context.Context) ([]connectors.SoldRoom, error) { return soldRooms(ctx, e.o.Ledger, c) },
		Property: func(ctx context.Context) (hotel.Property, error) { return e.o.Ledger.Property(ctx, c.PropertyID) },
		Report: func(ctx context.Context, r hotel.ChannelReport) error {
			return inbound.Report(ctx, e.o.Ledger, c.ID, r)
		},
		Shut: func(ctx context.Context) ([]hotel.Span, error) { return shut(ctx, e.o.Ledger, c, e.o.Clock.Now()) },
		Taken: func(ctx context.Context, nights hotel.Span) (map[string]map[hotel.Date]int, error) {
			return taken(ctx, e.o.Ledger, c, nights)
		},
	}
}

// installation is a name that is made of the ledger's identity and does not tell it.
func (e *Engine) installation(ctx context.Context) (string, error) {
	id, err := e.o.Ledger.Identity(ctx)
	sum := sha256.Sum256([]byte("installation " + id))
	return hex.EncodeToString(sum[:8]), err
}

// equip gives an open channel its worker and its ways in.
func (e *Engine) equip(c *channel, property hotel.Property) error {
	if c.Derived() {
		c.worker = e.worker(c, property)
	}
	sink := &inbound.Sink{Ledger: e.o.Ledger, Channel: c.ID, Terms: c.caps.Terms, Log: e.o.Log, Stuck: &inbound.Stuck{}}
	if c.worker != nil {
		sink.Stored = c.worker.Replan // its own sale moved its own count
	}
	called := *sink // of what calls us
	if p, ok := e.pull(c, property); ok {
		c.poller = &inbound.Poller{
			Ledger: e.o.Ledger, Channel: c.Channel, Poll: p, Sink: sink, Calls: e.calls(c, pullTime(c.caps)), Clock: e.o.Clock, Log: e.o.Log,
			Hints: c.caps.Hints && !c.InShadow(),
		}
		if err := c.poller.Start(); err != nil {
			return err
		}
		sink.Hinted, called.Hinted = c.poller.Again, c.poller.Hint
	}
	if l, ok := c.connector.(connectors.Lister); ok && c.caps.ListsByDate && c.Told() {
		c.lister = &inbound.Lister{
			Ledger: e.o.Ledger, Channel: c.Channel, List: l, Sink: sink, Calls: e.calls(c, pullTime(c.caps)), Clock: e.o.Clock, Log: e.o.Log,
			Lag: c.caps.SaleSettle, Idle: idle,
		}
		// Of a count at several sellers one of them tells nothing.
		if r, ok := c.connector.(connectors.Reader); ok && c.caps.Reads && c.caps.Places() <= 1 {
			c.lister.Read = r
		}
		c.lister.Start()
	}
	if a, ok := c.connector.(connectors.Actor); ok && len(c.caps.Actions) > 0 && !c.InShadow() && !c.Audit.Running() {
		c.actor = &action.Actor{
			Ledger: e.o.Ledger, Channel: c.Channel, Act: a, Terms: c.caps.Terms, Box: c.box, Gate: c.gate.Gate, Clock: e.o.Clock, Log: e.o.Log,
			Timeout: pullTimeout, Idle: idle,
		}
	}
	var again connectors.Rereader
	if r, ok := c.connector.(connectors.Rereader); ok && c.caps.Rereads {
		again = r
	}
	c.rereader = &inbound.Rereader{
		Ledger: e.o.Ledger, Channel: c.Channel, Read: again, Sink: sink, Box: c.box, Log: e.o.Log, Timeout: openTimeout, Idle: idle,
	}
	if r, ok := c.connector.(connectors.Reader); ok && c.caps.Reads && c.worker != nil && c.Audit.Reads() {
		c.reader = &readback.Reader{
			Ledger: e.o.Ledger, Channel: c.Channel, Property: property, Read: r, Terms: c.caps.Terms,
			Calls: e.calls(c, pullTimeout), Clock: e.o.Clock, Log: e.o.Log,
		}
		if w, ok := c.connector.(connectors.WholeReader); ok && c.caps.ReadsWhole {
			c.reader.Whole = w
		}
		if err := c.reader.Start(); err != nil {
			return err
		}
	}
	if c.Audit.Running() {
		c.auditor = e.auditor(c, property, sink)
	}
	if c.reader == nil && c.Status == hotel.ChannelActive && !c.InShadow() {
		c.refresher = &readback.Refresher{Ledger: e.o.Ledger, Channel: c.Channel, Clock: e.o.Clock, Log: e.o.Log}
		if err := c.refresher.Start(); err != nil {
			return err
		}
	}
	if r, ok := c.connector.(connectors.Receiver); ok && c.caps.Receives && !c.InShadow() { // whoever calls is told that we have it
		c.mounted = true
		return e.mux.Mount(context.Background(), c.ID, r, &called)
	}
	if h, ok := c.connector.(connectors.Host); ok && c.caps.Serves && !c.InShadow() { // what it writes is the property's word
		c.mounted = true
		return e.mux.Serve(context.Background(), c.ID, h, &inbound.House{Ledger: e.o.Ledger, Channel: c.Channel, Clock: e.o.Clock}, &called)
	}
	if p, ok := c.connector.(connectors.Publisher); ok && c.caps.Publishes { // in shadow too: who reads goes on seeing what it saw
		c.mounted = true
		return e.mux.Publish(context.Background(), c.ID, p, &called)
	}
	return nil
}

// calls makes what the channel is asked for, each call ending within a time.
func (e *Engine) calls(c *channel, timeout time.Duration) call.Maker {
	return call.Maker{Ledger: e.o.Ledger, Channel: c.Channel, Box: c.box, Gate: c.gate.Gate, Timeout: timeout}
}

// pullTime is how long a connector may take to fetch bookings, or to list them.
func pullTime(caps connectors.Capabilities) time.Duration {
	return max(pullTimeout, min(caps.PullTime, longestPull))
}

// auditor finds out about a channel what the ledger does not know since it was
// restored.
func (e *Engine) auditor(c *channel, property hotel.Property, sink *inbound.Sink) *inbound.Auditor {
	l, lists := c.connector.(connectors.Lister)
	a := &inbound.Auditor{
		Lister: &inbound.Lister{
			Ledger: e.o.Ledger, Channel: c.Channel, List: l, Sink: sink, Calls: e.calls(c, pullTime(c.caps)), Clock: e.o.Clock, Log: e.o.Log,
			Lag: c.caps.SaleSettle,
		},
		Property: property, Poller: c.poller, Lists: lists && c.caps.ListsByDate, Reads: c.caps.Reads,
	}
	if c.reader != nil {
		a.ReadSince = c.reader.ReadSince
	}
	return a
}

// told passes on what a call came to. One of which nobody knows has the channel
// read back.
func (e *Engine) told(c *channel) func(dispatch.Told) {
	return func(t dispatch.Told) {
		if c.reader != nil && (t.State == ledger.DeliveryUnknown || t.State == ledger.DeliveryPartial) {
			c.reader.Doubt()
		}
		if e.o.Observe.Told != nil {
			e.o.Observe.Told(t)
		}
	}
}

// pull returns how a channel's bookings are fetched; false when they are not. In
// shadow they are listed.
func (e *Engine) pull(c *channel, property hotel.Property) (connectors.Poller, bool) {
	if c.InShadow() {
		l, ok := c.connector.(connectors.Lister)
		return inbound.Lists{List: l, Property: property, Clock: e.o.Clock}, ok && c.caps.Lists
	}
	p, ok := c.connector.(connectors.Poller)
	return p, ok && c.caps.Polls
}

func (e *Engine) worker(c *channel, property hotel.Property) *dispatch.Worker {
	o := dispatch.Options{
		Ledger: e.o.Ledger, Channel: c.Channel, Property: property, Connector: c.connector, Caps: c.caps, Box: c.box,
		Clock: e.o.Clock, Log: e.o.Log, Collect: e.o.Collect, Timeout: e.o.Timeout, Idle: cmp.Or(e.o.Idle, idle), Observe: e.told(c),
	}
	if c.gate != nil {
		o.Gate = c.gate.Gate
	}
	return dispatch.New(o)
}
