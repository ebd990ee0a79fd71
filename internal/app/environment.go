package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/robfig/cron/v3"
	"go.uber.org/zap"

	"ostler.example/api"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/desk"
	"ostler.example/internal/webhook"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// Version is the program's version as the API reports it.
const Version = "1.0.0"

// EnvironmentOptions configures an environment. Tiers, Connectors, Secret and
// Beat may be nil.
type EnvironmentOptions struct {
	Path       string        // of the ledger's file
	PublicURL  string        // https://HOST
	IfMatch    bool          // changes of a resource through /v1 must name its revision
	Events     time.Duration // how far back the feed of events reaches
	Seal       *auth.Seal    // of secrets that are kept
	Webhooks   config.Webhooks
	Guard      config.Guard
	Sync       config.Sync
	Ledger     config.Ledger
	Tiers      auth.Tiers
	Connectors map[string]map[string]any                   // what holds for all channels of a connector
	Secret     func(name string) (value string, err error) // of those that channels' settings name
	Clock      hotel.Clock
	Log        *zap.Logger
	Observe    chansync.Observer
	Beat       func() // called about once a second while the clock's work goes well
}

// Environment is a ledger, the engine that keeps channels equal to it, and the
// API through which it is asked.
type Environment struct {
	Ledger *ledger.Ledger
	Engine *chansync.Engine
	Auth   *auth.Authority
	API    api.Handler

	webhooks   *webhook.Worker
	log        *zap.Logger
	keepMonths int // of the journal; 0: all
	beat       func()
	hushed     chan struct{}
	hush       func()
	cleanups   cleanups
}

// OpenEnvironment opens the ledger and builds everything upon it. Nothing runs
// yet.
func OpenEnvironment(ctx context.Context, o EnvironmentOptions) (*Environment, error) {
	e := &Environment{log: o.Log, keepMonths: o.Ledger.KeepJournal, beat: o.Beat, hushed: make(chan struct{})}
	e.hush = sync.OnceFunc(func() { close(e.hushed) })
	if e.beat == nil {
		e.beat = func() {}
	}
	if err := e.open(ctx, o); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e, nil
}

func (e *Environment) open(ctx context.Context, o EnvironmentOptions) (err error) {
	if e.Ledger, err = ledger.Open(ctx, ledger.Options{Path: o.Path, Clock: o.Clock, Log: o.Log, Quiet: o.Guard.Quiet}); err != nil {
		return err
	}
	e.cleanups.add("ledger", e.Ledger.Close)
	if e.Auth, err = auth.New(ctx, auth.Options{Store: e.Ledger, Clock: o.Clock, Log: o.Log, Tiers: o.Tiers}); err != nil {
		return err
	}
	key, err := e.Ledger.Identity(ctx)
	if err != nil {
		return err
	}
	e.Engine = chansync.New(chansync.Options{
		Ledger: e.Ledger, Clock: o.Clock, Log: o.Log, Defaults: o.Connectors, Secret: o.Secret, Observe: o.Observe,
		Collect: o.Sync.Collect, Timeout: o.Sync.CallTimeout, Failures: o.Sync.BreakerFailures, OpenFor: o.Sync.BreakerOpen,
		Client: func(string) *http.Client { return transport.New(transport.Options{Timeout: o.Sync.CallTimeout}) },
	})
	post := webhook.NewPost(webhook.PostOptions{Seal: o.Seal, Clock: o.Clock, Environment: auth.Production, Allow: o.Webhooks.AllowCIDRs})
	e.cleanups.add("webhook connections", post.Close)
	front := desk.New(desk.Options{
		Ledger: e.Ledger, Engine: e.Engine, Clients: e.Auth, Post: post, Seal: o.Seal, Clock: o.Clock,
		EventWindow: o.Events, RecallFor: o.Guard.RecallTimeout,
	})
	e.API = api.New(api.Options{
		Desk: front, Auth: e.Auth, PublicURL: o.PublicURL, Version: Version, RequireIfMatch: o.IfMatch, Stopping: e.hushed,
		CursorKey: sha256.Sum256([]byte("cursors of " + key)), Clock: o.Clock, Log: o.Log,
	})
	e.webhooks = webhook.New(webhook.Options{Ledger: e.Ledger, Clients: e.Auth, Writer: e.API, Post: post, Clock: o.Clock, Log: o.Log})
	return nil
}

// Start sets the engine and the clock's work going.
func (e *Environment) Start(ctx context.Context) error {
	if err := e.Engine.Start(ctx); err != nil {
		return err
	}
	e.cleanups.add("engine", e.Engine.Stop)

	background, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { e.Auth.Run(background) })
	running.Go(func() { e.webhooks.Run(background) })
	e.cleanups.add("rate windows and webhooks", func() error {
		cancel()
		running.Wait()
		return nil
	})

	// cron only calls; what is due is decided by what the ledger says was last
	// done. It runs in UTC, where no local time is skipped or doubled.
	c := cron.New(cron.WithLocation(time.UTC))
	for schedule, work := range map[string]func(context.Context) error{"@every 1s": e.tick, "@every 10s": e.stays, "@every 1h": e.tidy} {
		if _, err := c.AddFunc(schedule, func() {
			if err := work(background); err != nil && background.Err() == nil {
				e.log.Error("scheduled work", zap.String("schedule", schedule), zap.Error(err))
			}
		}); err != nil {
			return err
		}
	}
	c.Start()
	e.cleanups.add("schedule", func() error {
		<-c.Stop().Done()
		return nil
	})
	return nil
}

// tick is the clock's work of every second.
func (e *Environment) tick(ctx context.Context) error {
	if err := e.Engine.Tick(ctx); err != nil {
		return err
	}
	e.beat()
	return nil
}

// tidy removes what nobody needs any more, and what is older than the operator
// wants it kept.
func (e *Environment) tidy(ctx context.Context) error {
	return errors.Join(e.Engine.Tidy(ctx), e.Ledger.TidyWebhooks(ctx), e.Ledger.Retain(ctx, e.keepMonths))
}

// stays does to reservations what time does.
func (e *Environment) stays(ctx context.Context) error {
	_, err := e.Ledger.DueStays(ctx)
	return errors.Join(err, e.Ledger.RemindUnacknowledged(ctx))
}

// Hush has requests answered that wait for something to happen, now and from now
// on: listeners that stop need not wait for them.
func (e *Environment) Hush() error {
	e.hush()
	return nil
}

// Stop ends what Start began and closes the ledger.
func (e *Environment) Stop() error { return e.cleanups.run() }
