package app

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"go.uber.org/zap"

	"ostler.example/api"
	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// How long is waited before the ledger is tried again that could not be opened for want of
// disk space: twice as long each time.
const (
	spaceAgainFirst = time.Second
	spaceAgainLast  = 10 * time.Second
)

// openOnceThereIsSpace opens the ledger and sets going what works on it. A full disk is the one
// fault that ends without anybody at this program, so it waits for that; systemd, which gives
// up after a few starts, would leave the hotel without one. Whoever asks meanwhile is told so.
// Every other fault ends the start.
func (d *Daemon) openOnceThereIsSpace(ctx context.Context, sandboxURL string, fronts ...*front) error {
	before := backingUp(d.config, d.log)
	for pause := spaceAgainFirst; ; pause = min(2*pause, spaceAgainLast) {
		err := d.openEnvironment(ctx, sandboxURL, before)
		if err == nil || !isFull(err) {
			d.health.waitFor("")
			return err
		}
		why := reasonOf(err)
		d.health.waitFor(why)
		for _, f := range fronts {
			f.open(waiting(why))
		}
		d.manager.starting("waiting for disk space: " + why)
		// The words of the error tell to start again, which is for programs that end.
		d.log.Error("the ledger cannot be opened yet; it is tried again until there is space", zap.String("reason", why), zap.String("data", d.config.Data))
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return errors.Join(context.Cause(ctx), ctx.Err())
		case <-timer.C:
		}
	}
}

// waiting answers partners and people while a start waits for disk space.
func waiting(why string) http.Handler {
	says := "The ledger cannot be opened: " + why + ". Requests are answered as soon as there is space."
	after := int(spaceAgainLast / time.Second)
	return sided(api.Unopened(Version, says, after), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", strconv.Itoa(after))
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, says, http.StatusServiceUnavailable)
	}))
}

// openEnvironment opens and starts the environment, or leaves nothing open. Before tables of
// an older program are brought up to date, migrating is called.
func (d *Daemon) openEnvironment(ctx context.Context, sandboxURL string, migrating func(ctx context.Context, from, to int64) error) (err error) {
	if d.seal, err = sealOf(d.config, d.secrets.Load().FindOwn); err != nil {
		return err
	}
	d.env, err = OpenEnvironment(ctx, EnvironmentOptions{
		Path: ledgerPath(d.config.Data), Sandboxes: sandboxesPath(d.config.Data), PublicURL: d.publicURL, SandboxURL: sandboxURL,
		IfMatch: d.config.API.RequireIfMatch, Events: d.config.Events.Window, Seal: d.seal, Webhooks: d.config.Webhooks, Guard: d.config.Guard, Ledger: d.config.Ledger, Sync: d.config.Sync,
		Tiers: auth.Tiers(d.config.RateLimits.Tiers), Connectors: d.config.Connectors, Secret: func(name string) (string, error) { return d.secrets.Load().Find(name) },
		Clock: hotel.SystemClock{}, Log: d.log, Beat: d.beat, Notify: d.notifyOptions(), Observe: counting(d.metrics), Migrating: migrating, Count: d.metrics,
	})
	if err != nil {
		return err
	}
	if err := d.env.Start(ctx); err != nil {
		return errors.Join(err, d.env.Stop())
	}
	return nil
}
