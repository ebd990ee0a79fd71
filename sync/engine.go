// Package sync is the engine that keeps every channel equal to the ledger. It
// opens the channels, gives each its parts, and starts, wakes and stops them:
//
//	ledger ── journal ──► sync/dispatch ──► sync/plan ──► sync/gate ──► channel
//	  ▲                    one worker        lanes, calls   limits,       │
//	  │                    a channel                        breaker       │
//	  └───────────────── sync/inbound ◄──────────────────────────────────┘
//	                      messages pushed to us or pulled
//
// The package itself is thin. It imports no connector by name.
package sync

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/dispatch"
	"ostler.example/sync/gate"
	"ostler.example/sync/inbound"
)

// Options configures an engine.
type Options struct {
	Ledger *ledger.Ledger
	Clock  hotel.Clock
	Log    *zap.Logger

	// Client returns the HTTP client of a channel; its connector may touch no
	// other.
	Client func(channelID string) *http.Client

	// Defaults are the operator's settings of each connector, by its name.
	Defaults map[string]map[string]any

	// Secret returns a secret that a channel's settings name; nil: none may.
	Secret func(name string) (string, error)

	Collect  time.Duration // how long raises and prices are collected; closings go at once
	Timeout  time.Duration // of one call to a channel
	Failures int           // in a row that open an account's breaker; 0: the gate's own number
	OpenFor  time.Duration // how long a breaker stays open; 0: the gate's own time

	Observe Observer
}

// Observer watches the engine. Nil members are not told; none may block.
type Observer struct {
	Told    func(dispatch.Told)                       // a call is over
	Circuit func(channelID string, t gate.Transition) // an account's breaker changed
}

// The values of what Options leaves open.
const (
	idle        = time.Minute      // how often to look without a wake-up
	pullTimeout = 10 * time.Second // a pull that hangs must not keep closings for long
	pullsKept   = 48 * time.Hour
)

// Engine runs the channels of one ledger.
type Engine struct {
	o        Options
	mux      *inbound.Mux
	gates    map[string]*gate.Gate // by account
	channels []*channel

	cancel context.CancelFunc
	group  *errgroup.Group
}

// channel is one open channel with its parts.
type channel struct {
	hotel.Channel
	connector connectors.Connector
	caps      connectors.Capabilities
	gate      *gate.Gate
	worker    *dispatch.Worker // nil while it is not live
	poller    *inbound.Poller  // nil when it pushes to us
}

// New returns an engine that is not started.
func New(o Options) *Engine {
	return &Engine{o: o, mux: inbound.NewMux(o.Log), gates: make(map[string]*gate.Gate)}
}

// Handler serves what channels push to us, below /inbound/.
func (e *Engine) Handler() http.Handler { return e.mux }

// Start turns what was open when the program ended into what it is, unknown,
// opens every channel and sets its parts to work. On an error nothing runs.
func (e *Engine) Start(ctx context.Context) error {
	open, err := e.o.Ledger.Recover(ctx)
	if err != nil {
		return err
	}
	if open > 0 {
		e.o.Log.Info("calls without a stored answer are taken as unknown and told again", zap.Int("calls", open))
	}
	states, err := e.o.Ledger.Channels(ctx, "")
	if err != nil {
		return err
	}
	for _, s := range states {
		c, err := e.open(ctx, s.Channel)
		if err != nil {
			return errors.Join(fmt.Errorf("open channel %s: %w", s.ID, err), e.closeChannels())
		}
		e.channels = append(e.channels, c)
	}
	work, cancel := context.WithCancel(context.Background())
	e.cancel = cancel
	e.group = new(errgroup.Group) // none of them ends another
	e.group.Go(func() error { return e.deriveHouse(work) })
	for _, c := range e.channels {
		if c.worker != nil {
			e.group.Go(func() error { return c.worker.Run(work) })
		}
		if c.poller != nil {
			e.group.Go(func() error { return c.poller.Run(work) })
		}
	}
	return nil
}

// open makes the parts of one channel. Bookings are received from testing on;
// only a live channel is told anything.
func (e *Engine) open(ctx context.Context, c hotel.Channel) (*channel, error) {
	driver, ok := connectors.Lookup(c.Connector)
	if !ok {
		return nil, fmt.Errorf("there is no connector %q in this program", c.Connector)
	}
	settings, err := driver.WithSecrets(e.o.Secret).Configure(e.o.Defaults[c.Connector], c.Settings)
	if err != nil {
		return nil, err
	}
	property, err := e.o.Ledger.Property(ctx, c.PropertyID)
	if err != nil {
		return nil, err
	}
	out := &channel{Channel: c, caps: settings.Capabilities(connectors.Discovered{})}
	log := e.o.Log.With(zap.String("channel", c.ID))
	out.connector, err = settings.Open(ctx, connectors.Env{ChannelID: c.ID, Client: e.o.Client(c.ID), Log: log, Clock: e.o.Clock})
	if err != nil {
		return nil, err
	}
	if out.gate, err = e.gateOf(ctx, out); err != nil {
		return nil, errors.Join(err, out.connector.Close())
	}
	if c.Status == hotel.ChannelActive {
		out.worker = dispatch.New(dispatch.Options{
			Ledger: e.o.Ledger, Channel: c, Property: property, Connector: out.connector, Caps: out.caps, Gate: out.gate,
			Clock: e.o.Clock, Log: e.o.Log, Collect: e.o.Collect, Timeout: e.o.Timeout, Idle: idle, Observe: e.o.Observe.Told,
		})
	}
	sink := &inbound.Sink{Ledger: e.o.Ledger, Channel: c.ID, Terms: out.caps.Terms, Log: e.o.Log}
	if out.worker != nil {
		sink.Stored = out.worker.Replan // its own sale moved its own count
	}
	if r, ok := out.connector.(connectors.Receiver); ok && out.caps.Receives {
		e.mux.Mount(c.ID, r, sink)
	}
	if p, ok := out.connector.(connectors.Poller); ok && out.caps.Polls {
		out.poller = &inbound.Poller{
			Ledger: e.o.Ledger, Channel: c, Poll: p, Sink: sink, Gate: out.gate, Clock: e.o.Clock, Log: e.o.Log, Timeout: pullTimeout,
		}
		if err := out.poller.Start(); err != nil {
			return nil, errors.Join(err, out.connector.Close())
		}
	}
	return out, nil
}

// gateOf returns the gate of the channel's account, with its limits as full as
// the calls of their last window left them.
func (e *Engine) gateOf(ctx context.Context, c *channel) (*gate.Gate, error) {
	account := c.Account
	if g := e.gates[account]; g != nil {
		return g, nil
	}
	since := e.o.Clock.Now().Add(-gate.Window(c.caps.Buckets))
	calls, err := e.o.Ledger.SentSince(ctx, account, since)
	if err != nil {
		return nil, err
	}
	sent := make([]gate.Sent, len(calls))
	for i, s := range calls {
		sent[i] = gate.Sent{Operation: s.Operation, Property: s.PropertyID, At: s.At}
	}
	id := c.ID
	g, err := gate.New(gate.Options{
		Account: account, Buckets: c.caps.Buckets, InOrder: c.caps.InOrder, Sent: sent, Clock: e.o.Clock,
		Failures: e.o.Failures, OpenFor: e.o.OpenFor,
		OnChange: func(t gate.Transition) {
			if e.o.Observe.Circuit != nil {
				e.o.Observe.Circuit(id, t)
			}
		},
	})
	if err != nil {
		return nil, err
	}
	e.gates[account] = g
	return g, nil
}

// deriveHouse works off the house values of large bulk writes.
func (e *Engine) deriveHouse(ctx context.Context) error {
	for {
		changed := e.o.Ledger.DueChanged()
		more, err := e.o.Ledger.DeriveDue(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			e.o.Log.Error("derive house values", zap.Error(err))
		}
		if more && err == nil {
			continue
		}
		timer := time.NewTimer(idle)
		select {
		case <-ctx.Done():
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// Tick sets off what is due by the clock: pulls of reservations, and the
// removal of old records of pulls. It is called every second or so; when it
// was last called means nothing.
func (e *Engine) Tick(ctx context.Context) error {
	last, err := e.o.Ledger.LastPulls(ctx)
	if err != nil {
		return err
	}
	for _, c := range e.channels {
		if c.poller != nil {
			c.poller.Tick(last[c.ID])
		}
	}
	return nil
}

// Tidy removes records of pulls that no limit needs any more, and what else the
// ledger keeps for a time only.
func (e *Engine) Tidy(ctx context.Context) error {
	return e.o.Ledger.Tidy(ctx, e.o.Clock.Now().Add(-pullsKept))
}

// Stop lets the calls under way end and closes every channel. It returns when
// nothing of the engine runs any more, at the latest after a call's timeout.
func (e *Engine) Stop() error {
	if e.cancel == nil {
		return nil
	}
	e.cancel()
	return errors.Join(e.group.Wait(), e.closeChannels())
}

func (e *Engine) closeChannels() error {
	var errs []error
	for _, g := range e.gates {
		g.Close()
	}
	for _, c := range e.channels {
		errs = append(errs, c.connector.Close())
	}
	e.channels = nil
	return errors.Join(errs...)
}

// Status is what an operator sees of a channel's way out.
type Status struct {
	ChannelID string
	Live      bool
	Gate      gate.Status
}

// Status lists the channels in the order of their ids.
func (e *Engine) Status() []Status {
	out := make([]Status, len(e.channels))
	for i, c := range e.channels {
		out[i] = Status{c.ID, c.worker != nil, c.gate.Status()}
	}
	return out
}
