package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/api"
	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/config"
	"ostler.example/internal/desk"
	"ostler.example/internal/metrics"
	"ostler.example/internal/notify"
	"ostler.example/internal/webhook"
	"ostler.example/ledger"
	chansync "ostler.example/sync"
)

// Version is the program's version as the API reports it.
const Version = "1.0.0"

// EnvironmentOptions configures an environment. Tiers, Connectors, Secret and
// Beat may be nil.
type EnvironmentOptions struct {
	Kind       auth.Environment // "": production
	Path       string           // of the ledger's file
	Small      bool             // it is one of many: its ledger keeps its demands low
	Auth       *auth.Authority  // who keeps clients and tokens; nil: this environment's own ledger
	Sandboxes  string           // the folder in which sandboxes are kept; "": their clients are not let in
	PublicURL  string           // https://HOST
	SandboxURL string           // the same of the sandboxes; "": they have no host of their own
	IfMatch    bool             // changes of a resource through /v1 must name its revision
	Events     time.Duration    // how far back the feed of events reaches
	Seal       *auth.Seal       // of secrets that are kept; nil: those of channels are kept as they are
	Webhooks   config.Webhooks

	PlainWebhooks bool           // receivers in the networks of the house may do without TLS: in a sandbox and in the demo
	Notify        *NotifyOptions // how people are told what happens; nil: they are not
	Guard         config.Guard
	Sync          config.Sync
	Ledger        config.Ledger
	Tiers         auth.Tiers
	Connectors    map[string]map[string]any                   // what holds for all channels of a connector
	Secret        func(name string) (value string, err error) // of those that channels' settings name
	Client        func(timeout time.Duration) *http.Client    // how a channel is called; nil: over the network
	Clock         hotel.Clock
	Sandbox       string                                                 // which one it is; "" for production
	Warnings      func(ctx context.Context) ([]ledger.SecretFact, error) // of a sandbox: of what its clients are warned, whose secrets production keeps
	Outside       hotel.Clock                                            // of what others are told, such as receivers of webhooks; nil: Clock
	Log           *zap.Logger
	Observe       chansync.Observer
	Migrating     func(ctx context.Context, from, to int64) error // is called before an older ledger is brought up to date; nil: nobody is
	Count         *metrics.Metrics                                // takes in what is done; nil: nothing is counted
	Beat          func(failed error)                              // called about once a second when the clock's work has ended, with what of it failed
}

// Environment is a ledger, the engine that keeps channels equal to it, and the
// API through which it is asked.
type Environment struct {
	Ledger *ledger.Ledger
	Engine *chansync.Engine
	Auth   *auth.Authority
	API    api.Handler
	Users  *auth.Users // of the console; nil in a sandbox

	// SandboxAPI is what is served at the sandboxes' own host: their clients alone. Nil
	// where they have none.
	SandboxAPI http.Handler

	keepsClients bool         // and tokens, and rate windows
	console      http.Handler // nil in a sandbox

	sandboxes  *Sandboxes // nil: none are kept
	webhooks   *webhook.Worker
	notices    *notify.Worker // nil: nobody is told
	scribe     *notify.Scribe // likewise
	lost       []string       // whose secrets are not all sealed with the newest key
	log        *zap.Logger
	warnings   func(ctx context.Context) ([]ledger.SecretFact, error) // nil: they are its own
	keepMonths int                                                    // of the journal; 0: all
	beat       func(failed error)
	hushed     chan struct{}
	hush       func()
	cleanups   cleanups
}

// OpenEnvironment opens the ledger and builds everything upon it. Nothing runs
// yet.
func OpenEnvironment(ctx context.Context, o EnvironmentOptions) (*Environment, error) {
	e := &Environment{log: o.Log, warnings: o.Warnings, keepMonths: o.Ledger.KeepJournal, beat: o.Beat, hushed: make(chan struct{})}
	e.hush = sync.OnceFunc(func() { close(e.hushed) })
	if e.beat == nil {
		e.beat = func(error) {}
	}
	if err := e.open(ctx, o); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e, nil
}

func (e *Environment) open(ctx context.Context, o EnvironmentOptions) (err error) {
	hooks := hooksOf(o.Count)
	kept := ledger.Options{Path: o.Path, Clock: o.Clock, Log: o.Log, Quiet: o.Guard.Quiet, Small: o.Small, Migrating: o.Migrating, Committed: hooks.committed}
	if o.Auth != nil {
		kept.Clients = o.Auth
	}
	if e.Ledger, err = ledger.Open(ctx, kept); err != nil {
		return err
	}
	e.cleanups.add("ledger", e.Ledger.Close)
	var sealer connectors.Sealer
	if o.Seal != nil {
		sealer = o.Seal
		if e.lost, err = sealAnew(ctx, e.Ledger, o.Seal, o.Log); err != nil {
			return err
		}
	}
	if e.Auth = o.Auth; e.Auth == nil {
		if e.Auth, err = auth.New(ctx, auth.Options{Store: e.Ledger, Clock: o.Clock, Log: o.Log, Tiers: o.Tiers}); err != nil {
			return err
		}
		e.keepsClients = true
	}
	key, err := e.Ledger.Identity(ctx)
	if err != nil {
		return err
	}
	call := o.Client
	if call == nil {
		call = func(timeout time.Duration) *http.Client { return transport.New(transport.Options{Timeout: timeout}) }
	}
	e.Engine = chansync.New(chansync.Options{
		Ledger: e.Ledger, Clock: o.Clock, Log: o.Log, Defaults: o.Connectors, Secret: o.Secret, Seal: sealer, Observe: o.Observe,
		Collect: o.Sync.Collect, Timeout: o.Sync.CallTimeout, Failures: o.Sync.BreakerFailures, OpenFor: o.Sync.BreakerOpen,
		Client: func(string) *http.Client { return call(o.Sync.CallTimeout) },
	})
	post := webhook.NewPost(webhook.PostOptions{
		Seal: o.Seal, Clock: o.Clock, Outside: o.Outside, Environment: cmp.Or(o.Kind, auth.Production), Allow: o.Webhooks.AllowCIDRs, Plain: o.PlainWebhooks,
	})
	e.cleanups.add("webhook connections", post.Close)
	atDesk := desk.Options{
		Ledger: e.Ledger, Engine: e.Engine, Clients: e.Auth, Requests: e.Auth, Post: post, Seal: o.Seal, Clock: o.Clock,
		EventWindow: o.Events, RecallFor: o.Guard.RecallTimeout,
	}
	atFront := api.Options{
		Auth: e.Auth, Environment: o.Kind, PublicURL: o.PublicURL, Version: Version, RequireIfMatch: o.IfMatch, Stopping: e.hushed,
		Answered: hooks.answered, CursorKey: sha256.Sum256([]byte("cursors of " + key)), Clock: o.Clock, Log: o.Log,
	}
	if o.Sandboxes != "" {
		e.sandboxes = NewSandboxes(SandboxesOptions{Folder: o.Sandboxes, Ledger: e.Ledger, Auth: e.Auth, Environment: o, Clock: o.Clock, Log: o.Log})
		e.cleanups.add("sandboxes", e.sandboxes.Stop)
		atDesk.Sandboxes, atFront.Sandboxes = e.sandboxes, e.sandboxes
	}
	atFront.Desk = desk.New(atDesk)
	e.openNotify(o, atFront.Desk)
	e.API = api.New(atFront)
	e.openConsole(atFront.Desk, o)
	if o.SandboxURL != "" && e.sandboxes != nil {
		atFront.PublicURL, atFront.Only = o.SandboxURL, auth.Sandbox
		e.SandboxAPI = api.New(atFront)
	}
	e.webhooks = webhook.New(webhook.Options{Ledger: e.Ledger, Clients: e.Auth, Writer: e.API, Post: post, Clock: o.Clock, Sandbox: o.Sandbox, Called: hooks.called, Log: o.Log})
	return nil
}

// Start sets the engine and the clock's work going.
func (e *Environment) Start(ctx context.Context) error {
	if err := e.Engine.Start(ctx); err != nil {
		return err
	}
	e.cleanups.add("engine", e.Engine.Stop)
	if err := e.warn(ctx); err != nil {
		return err
	}

	background, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	if e.keepsClients {
		running.Go(func() { e.Auth.Run(background) })
	}
	if e.sandboxes != nil {
		running.Go(func() { e.sandboxes.Run(background) })
	}
	running.Go(func() { e.webhooks.Run(background) })
	if e.notices != nil {
		running.Go(func() { e.notices.Run(background) })
		running.Go(func() { e.scribe.Run(background) })
	}
	e.cleanups.add("rate windows, webhooks and messages to people", func() error {
		cancel()
		running.Wait()
		return nil
	})

	stop, err := schedule(background, e.log, map[string]func(context.Context) error{"@every 1s": e.tick, "@every 10s": e.stays, "@every 1h": e.tidy})
	if err != nil {
		return err
	}
	e.cleanups.add("schedule", stop)
	return nil
}

// tick is the clock's work of every second. That it ends says that the program is at
// work, however much of it failed.
func (e *Environment) tick(ctx context.Context) error {
	err := e.Engine.Tick(ctx)
	e.beat(err)
	return err
}

// tidy removes what nobody needs any more, and what is older than the operator
// wants it kept.
func (e *Environment) tidy(ctx context.Context) error {
	err := errors.Join(e.Engine.Tidy(ctx), e.Ledger.TidyWebhooks(ctx), e.Ledger.Retain(ctx, e.keepMonths))
	if e.Users != nil {
		err = errors.Join(err, e.Users.Tidy(ctx))
	}
	return errors.Join(err, e.warn(ctx))
}

// warn tells the clients of a sandbox which of their secrets end.
func (e *Environment) warn(ctx context.Context) error {
	if e.warnings == nil {
		return nil
	}
	of, err := e.warnings(ctx)
	if err != nil {
		return err
	}
	return e.Ledger.TellOfSecrets(ctx, of)
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
	if e.sandboxes != nil {
		e.sandboxes.hush()
	}
	return nil
}

// Stop ends what Start began and closes the ledger.
func (e *Environment) Stop() error { return e.cleanups.run() }
