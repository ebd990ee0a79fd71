package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/ledger"
)

// DemoOptions configures the demo.
type DemoOptions struct {
	Listen   string // of /v1
	Dir      string // data folder, made on first use
	Speed    float64
	Log      *zap.Logger
	Watch    func(Happening) // told what happens, one after the other; nil: nobody is
	Progress func(string)    // told what takes a moment
}

// Demo is the whole program on one folder, with a sample hotel and pretend
// channels that sell its rooms.
type Demo struct {
	Env     *Environment
	BaseURL string
	File    string // demo.json

	ConsoleURL string // signs in to the console, once

	o        DemoOptions
	cleanups cleanups
	farSides []channelFarSide
	watcher  *watcher
	inbound  atomic.Value // string: the URL of the inbound listener
}

// bookingEvery is the mean time between two bookings over all channels at speed
// 1.
const bookingEvery = 2 * time.Second

// loopback is where receivers of the demo's webhooks may be: on the same machine.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// StartDemo starts the demo on its folder, going on with what is there.
func StartDemo(ctx context.Context, o DemoOptions) (*Demo, error) {
	d := &Demo{o: o, File: filepath.Join(o.Dir, "demo.json")}
	if err := d.start(ctx); err != nil {
		return nil, errors.Join(err, d.Stop())
	}
	return d, nil
}

// Stop ends everything, the last started first.
func (d *Demo) Stop() error { return d.cleanups.stop(d.o.Log) }

func (d *Demo) start(ctx context.Context) error {
	lock, err := ledger.LockFolder(d.o.Dir)
	if err != nil {
		return err
	}
	d.cleanups.add("folder lock", lock.Release)
	// The API listens first: an address that is taken is told before the sample
	// hotel is built, and the address is part of what the API says of itself.
	// Requests wait until there is an environment.
	front := newFront()
	public, err := serve(d.o.Listen, front, usualConnections, complaintsTo(d.o.Log))
	if err != nil {
		return fmt.Errorf("%w; name another address with --listen", err)
	}
	d.cleanups.add("API listener of a start that failed", public.stop)
	d.BaseURL = public.url() + "/v1"

	path := ledgerPath(d.o.Dir)
	if err := d.seed(ctx, path); err != nil {
		return err
	}
	listeners, err := loadPorts(d.o.Dir)
	if err != nil {
		return err
	}
	secret, err := farSideSecret(d.o.Dir)
	if err != nil {
		return err
	}
	if err := d.startFarSides(listeners, secret); err != nil {
		return err
	}
	d.watcher = newWatcher()
	seal, err := openSeal(d.o.Dir)
	if err != nil {
		return err
	}
	d.Env, err = OpenEnvironment(ctx, EnvironmentOptions{
		Path: path, Sandboxes: sandboxesPath(d.o.Dir), PublicURL: public.url(), Seal: seal, Webhooks: config.Webhooks{AllowCIDRs: loopback, SandboxAllowCIDRs: loopback}, PlainWebhooks: true, Sync: config.Default().Sync, Ledger: config.Default().Ledger, Clock: hotel.SystemClock{}, Log: d.o.Log,
		Connectors: map[string]map[string]any{"ical": {"allow_cidrs": []string{"127.0.0.0/8", "::1/128"}}}, Observe: d.watcher.observer(),
	})
	if err != nil {
		return err
	}
	d.cleanups.add("environment", d.Env.Stop)
	if err := connectFarSides(ctx, d.Env, d.farSides, "demo", func(hotel.Channel) bool { return false }); err != nil {
		return err
	}
	if err := d.Env.Start(ctx); err != nil {
		return err
	}
	inbound, err := serveNear(listeners.at["inbound"], d.Env.Engine.Handler(), complaintsTo(d.o.Log))
	if err != nil {
		return err
	}
	d.cleanups.add("inbound listener", inbound.stop)
	d.inbound.Store(inbound.url())
	d.o.Progress("connecting the channels")
	if err := d.connectAll(ctx); err != nil {
		return err
	}
	listeners.at["inbound"] = inbound.address()
	if err := listeners.save(); err != nil {
		return fmt.Errorf("store ports: %w", err)
	}
	// Requests end before what they ask is taken away.
	d.cleanups.add("API listener", public.stop)
	d.cleanups.add("waiting requests", d.Env.Hush)
	front.open(d.Env.Front())
	if err := d.announce(ctx); err != nil || d.o.Watch == nil {
		return err
	}
	if err := d.watcher.start(ctx, d.Env, d.o.Watch); err != nil {
		return err
	}
	d.cleanups.add("live view", d.watcher.stop)
	return nil
}

// seed builds the sample hotel on first use.
func (d *Demo) seed(ctx context.Context, path string) error {
	if there, err := exists(path); there || err != nil {
		return err
	}
	clock := hotel.SystemClock{}
	return buildLedger(ctx, path, clock, d.o.Log, func(l *ledger.Ledger) error {
		return buildSample(ctx, l, demoHotel, "demo", clock.Now(), func(part string) { d.o.Progress("building the sample hotel: " + part) })
	})
}

// startFarSides starts the pretend channels, each where it was last time, or
// anywhere when somebody else has its port by now.
func (d *Demo) startFarSides(listeners *ports, secret string) error {
	clock := hotel.SystemClock{}
	var pace time.Duration
	if d.o.Speed > 0 {
		pace = time.Duration(float64(bookingEvery) * float64(len(demoHotel.channels)) / d.o.Speed)
	}
	for i, c := range demoHotel.channels {
		simulator, ok := connectors.LookupSimulator(c.driver())
		if !ok {
			return fmt.Errorf("this program has no simulator for connector %s", c.driver())
		}
		f, err := startFarSide(simulator, connectors.SimulatorOptions{
			Preset: c.preset, Dir: filepath.Join(d.o.Dir, "sim", c.id), Hotel: SampleProperty, Secret: secret, Products: c.products(demoHotel),
			InboundURL: func() string { return d.inboundURL(c.id) },
			Pace:       pace, Seed: uint64(clock.Now().UnixNano()) + uint64(i), Clock: clock, Log: d.o.Log.With(zap.String("simulator", c.id)),
		}, func(f *farSide) (err error) {
			f.server, err = serveNear(listeners.at[c.id], f.instance, complaintsTo(d.o.Log))
			return err
		})
		if err != nil {
			return fmt.Errorf("simulator %s: %w", c.id, err)
		}
		d.farSides = append(d.farSides, channelFarSide{channel: c.id, farSide: f, url: f.server.url(), besides: c.besides})
		d.cleanups.add("simulator "+c.id, f.stop)
		listeners.at[c.id] = f.server.address()
	}
	return nil
}

// inboundURL is where a pretend channel pushes to, "" until we listen.
func (d *Demo) inboundURL(channel string) string {
	base, _ := d.inbound.Load().(string)
	if base == "" {
		return ""
	}
	return base + "/inbound/" + channel + "/"
}

// demoFile is demo.json: all that somebody needs to use the demo.
type demoFile struct {
	BaseURL         string                 `json:"base_url"`
	ConsoleURL      *string                `json:"console_url"`
	ConsoleUser     *string                `json:"console_user"`
	ConsolePassword *string                `json:"console_password"`
	PropertyID      string                 `json:"property_id"`
	Clients         map[string]*demoClient `json:"clients"`
	Channels        []demoChannel          `json:"channels"`
}

type demoClient struct {
	ID     string `json:"client_id"`
	Secret string `json:"client_secret"`
}

type demoChannel struct {
	ID        string `json:"id"`
	Connector string `json:"connector"`
	Simulator string `json:"simulator_url"`
}

// announce writes demo.json, once everything listens. The client of last time
// is kept: its secret stands nowhere else.
func (d *Demo) announce(ctx context.Context) error {
	var old demoFile
	if raw, err := os.ReadFile(d.File); err != nil || json.Unmarshal(raw, &old) != nil {
		old = demoFile{}
	}
	clients, err := d.clients(ctx, old)
	if err != nil {
		return err
	}
	file := demoFile{BaseURL: d.BaseURL, PropertyID: SampleProperty, Clients: clients}
	if err := d.console(ctx, &old, &file); err != nil {
		return err
	}
	for i, f := range d.farSides {
		file.Channels = append(file.Channels, demoChannel{f.channel, demoHotel.channels[i].driver(), f.server.url()})
	}
	raw, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return err
	}
	if err := writeFile(d.File, raw, 0o600); err != nil {
		return fmt.Errorf("store demo.json: %w", err)
	}
	return nil
}

// clients returns the demo's client of each environment, made where there is none yet.
func (d *Demo) clients(ctx context.Context, old demoFile) (map[string]*demoClient, error) {
	clients := map[string]*demoClient{}
	by := hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "demo"}}
	for _, e := range []auth.Environment{auth.Production, auth.Sandbox} {
		if known := old.Clients[string(e)]; known != nil {
			clients[string(e)] = known
			continue
		}
		made, err := d.Env.Auth.CreateClient(ctx, by, hotel.Once{}, auth.Client{
			Name: "demo", Environment: e, Kind: auth.KindEnterprise, Tier: auth.Standard,
			Scopes: auth.AllScopes() &^ auth.ScopesOf(auth.AdminClients), PropertyIDs: []string{auth.AllProperties},
		})
		if err != nil {
			return nil, err
		}
		clients[string(e)] = &demoClient{made.ID, made.Secret}
	}
	return clients, nil
}

// Status says how each channel stands.
func (d *Demo) Status(ctx context.Context) ([]ChannelStatus, error) { return d.Env.status(ctx) }
