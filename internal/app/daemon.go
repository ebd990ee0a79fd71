package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"go.uber.org/zap"

	"ostler.example/api"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/client"
	"ostler.example/internal/config"
	"ostler.example/internal/metrics"
)

// DaemonOptions configures the daemon; all are required.
type DaemonOptions struct {
	Config config.Config
	Load   func() (config.Config, error) // reads the configuration again
	Level  zap.AtomicLevel               // of the log
	Log    *zap.Logger
}

// Daemon is the program at work on one data folder. Reload and Stop are called
// one after the other.
type Daemon struct {
	config    config.Config // as it is in force
	secrets   atomic.Pointer[config.Secrets]
	load      func() (config.Config, error)
	level     zap.AtomicLevel
	log       *zap.Logger
	env       *Environment
	backups   backups
	health    health
	metrics   *metrics.Metrics
	seal      *auth.Seal
	publicURL string
	manager   manager
	passed    *passed
	wires     map[string]*wire // by the table of the listener; none: it speaks plain HTTP
	listeners listeners
	cleanups  cleanups
}

// StartDaemon starts everything that the configuration says. The data folder
// must hold a ledger, and nobody else may be at work on it.
func StartDaemon(ctx context.Context, o DaemonOptions) (*Daemon, error) {
	d := &Daemon{config: o.Config, load: o.Load, level: o.Level, log: o.Log, manager: newManager(o.Log)}
	d.health.clock = hotel.SystemClock{}
	d.metrics = metrics.New(Version, hotel.SystemClock{}, o.Log)
	if err := d.start(ctx); err != nil {
		return nil, errors.Join(err, d.cleanups.run())
	}
	return d, nil
}

func (d *Daemon) start(ctx context.Context) (err error) {
	secrets, err := d.config.ReadSecrets(nil)
	if err != nil {
		return err
	}
	d.secrets.Store(&secrets)
	if err := d.readWires(); err != nil {
		return err
	}
	if there, err := hasLedger(d.config.Data); err != nil {
		return err
	} else if !there {
		return noLedger(d.config.Data)
	}
	lock, err := claim(d.config.Data)
	if err != nil {
		return err
	}
	d.cleanups.add("folder lock", lock.Release)
	if d.passed, err = takePassed(); err != nil {
		return err
	}
	d.cleanups.add("sockets", d.passed.close)
	// A start that fails ends the listeners here; one that succeeds below, before
	// anything that they need.
	d.cleanups.add("listeners", d.listeners.stop)
	front := newFront()
	public, err := d.listen("api.listen", d.config.API.Listen, d.wires["api"], d.promised(front, d.config.Public("")))
	if err != nil {
		return err
	}
	if _, err := d.listen("admin.listen", d.config.Admin.Listen, nil, d.health.handler(d.metrics.Handler())); err != nil {
		return err
	}
	d.publicURL = d.config.Public(public.address())
	sandboxFront, sandboxURL := newFront(), ""
	if d.config.Sandbox.Listen != "" {
		own, err := d.listen("sandbox.listen", d.config.Sandbox.Listen, d.wires["api"], d.promised(sandboxFront, d.config.PublicSandbox("")))
		if err != nil {
			return err
		}
		sandboxURL = d.config.PublicSandbox(own.address())
	}
	if err := d.openOnceThereIsSpace(ctx, sandboxURL, front, sandboxFront); err != nil {
		return err
	}
	d.cleanups.add("environment", d.env.Stop)
	unwatch := d.metrics.Watch(standing(d.env, d.wires, hotel.SystemClock{}, d.config))
	d.cleanups.add("metrics", func() error { unwatch(); return nil })
	d.cleanups.add("backups", d.backups.stop)
	d.cleanups.add("listeners", d.listeners.stop)
	if _, err := d.listen("inbound.listen", d.config.Inbound.Listen, d.wires["inbound"], behindProxies(d.config.Server, d.env.Engine.Handler())); err != nil {
		return err
	}
	if err := d.passed.left(); err != nil {
		return err
	}
	if err := d.listenForOperators(); err != nil {
		return err
	}
	d.sealSandboxes()
	d.cleanups.add("waiting requests", d.env.Hush)
	front.open(d.env.Front())
	sandboxFront.open(d.env.SandboxAPI)
	d.health.open(d.env)
	d.log.Info("started", zap.String("version", Version), zap.String("data", d.config.Data), zap.String("public_url", d.publicURL))
	d.manager.ready("serving " + d.publicURL)
	return nil
}

// listen serves at an address of the configuration, under TLS where it has a certificate.
func (d *Daemon) listen(key, address string, w *wire, h http.Handler) (*server, error) {
	l := d.passed.take(address)
	kept := l != nil
	if !kept {
		var err error
		if l, err = listenAt(address); err != nil {
			return nil, fmt.Errorf("%w; change %s", err, key)
		}
	}
	var s *server
	if w != nil {
		s = serveWired(l, w, h, d.config.Server.MaxConnections, complaintsTo(d.log))
	} else {
		s = serveCrowd(l, h, d.config.Server.MaxConnections, complaintsTo(d.log))
	}
	d.listeners.add(s)
	d.log.Info("listening", zap.String("listener", strings.TrimSuffix(key, ".listen")), zap.String("address", s.address()), zap.Bool("passed", kept), zap.Bool("tls", w != nil))
	return s, nil
}

// listenForOperators serves /v1 to the commands of whoever may use the data
// folder's socket, and what else concerns the data folder itself.
func (d *Daemon) listenForOperators() error {
	path := client.Socket(d.config.Data)
	l, err := listenSocket(path)
	if err != nil {
		return err
	}
	d.listeners.add(serveOn(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, ok := operatorOf(r.Context())
		if !ok {
			http.Error(w, "this socket is for the daemon's own user and for root", http.StatusForbidden)
			return
		}
		switch r.URL.Path {
		case verifyPath:
			d.verify(w, r)
		case backupPath:
			d.backup(w, r)
		case foldersPath:
			d.folders(w)
		default:
			if strings.HasPrefix(r.URL.Path, usersPath) {
				d.serveUsers(user).ServeHTTP(w, r)
				return
			}
			d.env.API.ServeHTTP(w, api.AsOperator(r, user))
		}
	}), withOperator, complaintsTo(d.log)))
	d.log.Info("listening", zap.String("listener", "operators"), zap.String("address", path))
	return nil
}

// beat is called when the clock's work has ended. Where some of it failed the program is
// not ready, and works nevertheless: to start it again would not empty a full disk, nor
// would it then come up.
func (d *Daemon) beat(failed error) {
	d.health.beat(failed)
	d.manager.beat()
	d.backUpWhenDue()
}

// Stop lets what is in flight end, and ends everything. Calls to channels that
// have no answer by then are left to the next start, which takes them for what
// they are, of unknown effect.
func (d *Daemon) Stop() error {
	d.manager.stopping()
	return d.cleanups.stop(d.log)
}

// listeners are stopped all at once, so that the slowest request decides how
// long it takes.
type listeners struct {
	mu      sync.Mutex
	servers []*server
}

func (l *listeners) add(s *server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.servers = append(l.servers, s)
}

// stop stops those that have not been stopped yet.
func (l *listeners) stop() error {
	l.mu.Lock()
	servers := l.servers
	l.servers = nil
	l.mu.Unlock()
	errs := make([]error, len(servers))
	var all sync.WaitGroup
	for i, s := range servers {
		all.Go(func() { errs[i] = s.stop() })
	}
	all.Wait()
	return errors.Join(errs...)
}
