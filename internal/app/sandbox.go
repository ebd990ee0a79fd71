package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// aheadClock is a clock that stands ahead of another.
type aheadClock struct {
	hotel.Clock
	ahead time.Duration
}

// Now implements [hotel.Clock].
func (c aheadClock) Now() time.Time { return c.Clock.Now().Add(c.ahead) }

// Until implements [hotel.Clock].
func (c aheadClock) Until(t time.Time) time.Duration { return c.Clock.Until(t.Add(-c.ahead)) }

// sandbox is an open sandbox: an environment on a ledger file of its own, and the
// pretend channels that are all it can reach.
type sandbox struct {
	stands   hotel.Sandbox
	env      *Environment
	board    switchboard
	farSides []channelFarSide
	cleanups cleanups
}

// sandboxFolder is where a sandbox of one generation keeps everything.
func sandboxFolder(all string, s hotel.Sandbox) string {
	return filepath.Join(all, s.ID, strconv.FormatInt(s.Generation, 10))
}

// openSandbox opens a sandbox as it stands, building it on first use. What an earlier
// generation left is removed.
func openSandbox(ctx context.Context, o SandboxesOptions, s hotel.Sandbox) (*sandbox, error) {
	b := &sandbox{stands: s}
	if err := b.open(ctx, o, s); err != nil {
		return nil, errors.Join(fmt.Errorf("open sandbox %s: %w", s.ID, err), b.stop())
	}
	return b, nil
}

func (b *sandbox) open(ctx context.Context, o SandboxesOptions, s hotel.Sandbox) error {
	dir := sandboxFolder(o.Folder, s)
	if err := removeOthers(dir); err != nil {
		return err
	}
	log := o.Log.With(zap.String("sandbox", s.ID))
	clock := aheadClock{o.Clock, s.Ahead}
	path := filepath.Join(dir, "ledger", "sandbox.db")
	if there, err := exists(path); err != nil {
		return err
	} else if !there {
		if err := buildLedger(ctx, path, clock, log, func(l *ledger.Ledger) error {
			return buildSample(ctx, l, sandboxHotel, "sandbox", clock.Now(), func(string) {})
		}); err != nil {
			return err
		}
	}
	if err := b.startFarSides(dir, clock, log); err != nil {
		return err
	}
	options := o.Environment
	options.Kind, options.Path, options.Small, options.Auth, options.Sandboxes = auth.Sandbox, path, true, o.Auth, ""
	options.PublicURL = cmp.Or(options.SandboxURL, options.PublicURL)
	options.Webhooks.AllowCIDRs, options.PlainWebhooks = options.Webhooks.SandboxAllowCIDRs, true
	options.Warnings = func(ctx context.Context) ([]ledger.SecretFact, error) { return o.Ledger.SecretWarnings(ctx, s.ID) }
	options.Notify = nil // nobody is told of what was only tried
	options.Clock, options.Outside, options.Log, options.Sandbox = clock, o.Clock, log, s.ID
	// Nothing of how production reaches its channels is known here.
	options.Connectors, options.Secret, options.Observe, options.Migrating, options.Count, options.Beat = nil, nil, chansync.Observer{}, nil, nil, nil
	options.Client = func(timeout time.Duration) *http.Client {
		return transport.New(transport.Options{Timeout: timeout, Base: b.board.transport()})
	}
	var err error
	if b.env, err = OpenEnvironment(ctx, options); err != nil {
		return err
	}
	first := func(c hotel.Channel) bool { return c.Account == "" } // later ones are the partner's to set live
	if err := connectFarSides(ctx, b.env, b.farSides, "sandbox", first); err != nil {
		return errors.Join(err, b.env.Stop())
	}
	if err := b.env.Start(ctx); err != nil {
		return errors.Join(err, b.env.Stop())
	}
	inbound := b.board.serve(inboundHost, b.env.Engine.Handler())
	b.cleanups = append(cleanups{{"environment", b.env.Stop}, {"inbound", inbound.stop}}, b.cleanups...)
	return nil
}

// Where a sandbox's engine and its pretend channels find each other at its
// switchboard.
const (
	inboundHost = "inbound.sandbox"
	farSideHost = ".sandbox"
)

func (b *sandbox) startFarSides(dir string, clock hotel.Clock, log *zap.Logger) error {
	simulator, ok := connectors.LookupSimulator("mock")
	if !ok {
		return errors.New("this program has no simulator for connector mock")
	}
	secret, err := farSideSecret(dir)
	if err != nil {
		return err
	}
	for _, c := range sandboxHotel.channels {
		f, err := startFarSide(simulator, connectors.SimulatorOptions{
			Preset: c.preset, Dir: filepath.Join(dir, "sim", c.id), Hotel: SampleProperty, Secret: secret, Products: c.products(sandboxHotel),
			InboundURL: func() string { return "http://" + inboundHost + "/inbound/" + c.id + "/" },
			Client:     &http.Client{Transport: b.board.transport(), Timeout: pushTimeout},
			Clock:      clock, Log: log.With(zap.String("simulator", c.id)),
		}, func(f *farSide) error {
			f.server = b.board.serve(c.id+farSideHost, f.instance)
			return nil
		})
		if err != nil {
			return fmt.Errorf("simulator %s: %w", c.id, err)
		}
		b.farSides = append(b.farSides, channelFarSide{channel: c.id, farSide: f, url: "http://" + c.id + farSideHost})
		b.cleanups.add("simulator "+c.id, f.stop)
	}
	return nil
}

// pushTimeout is how long a pretend channel waits for its message to be taken.
const pushTimeout = 10 * time.Second

// farSide finds the pretend channel behind a channel.
func (b *sandbox) farSide(channel string) (channelFarSide, error) {
	i := slices.IndexFunc(b.farSides, func(f channelFarSide) bool { return f.channel == channel })
	if i < 0 {
		return channelFarSide{}, hotel.Refuse("not_found", "the sandbox has no pretend channel %s", channel)
	}
	return b.farSides[i], nil
}

// stop ends the pretend channels, with which calls end that hang on purpose, and then
// the environment.
func (b *sandbox) stop() error { return b.cleanups.run() }

// removeOthers removes the folders beside one.
func removeOthers(dir string) error {
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.Name() != filepath.Base(dir) {
			if err := os.RemoveAll(filepath.Join(filepath.Dir(dir), e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
