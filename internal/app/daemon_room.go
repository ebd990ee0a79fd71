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
// room: twice as long each time.
const (
	roomAgainFirst = time.Second
	roomAgainLast  = 10 * time.Second
)

// openOnceThereIsRoom opens the ledger and sets going what works on it. A full disk is the one
// fault that ends without anybody at this program, so it waits for that; systemd, which gives
// up after a few starts, would leave the hotel without one. Whoever asks meanwhile is told so.
// Every other fault ends the start.
func (d *Daemon) openOnceThereIsRoom(ctx context.Context, sandboxURL string, fronts ...*front) error {
	for pause := roomAgainFirst; ; pause = min(2*pause, roomAgainLast) {
		err := d.openEnvironment(ctx, sandboxURL)
		if err == nil || !isFull(err) {
			d.health.waitFor("")
			return err
		}
		why := reasonOf(err)
		d.health.waitFor(why)
		for _, f := range fronts {
			f.open(waiting(why))
		}
		d.manager.starting("waiting for room: " + why)
		// The words of the error tell to start again, which is for programs that end.
		d.log.Error("the ledger cannot be opened yet; it is tried again until there is room", zap.String("reason", why), zap.String("data", d.config.Data))
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return errors.Join(context.Cause(ctx), ctx.Err())
		case <-timer.C:
		}
	}
}

// waiting answers partners and people while a start waits for room.
func waiting(why string) http.Handler {
	says := "The ledger cannot be opened: " + why + ". Requests are answered as soon as there is room."
	after := int(roomAgainLast / time.Second)
	return sided(api.Unopened(Version, says, after), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", strconv.Itoa(after))
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, says, http.StatusServiceUnavailable)
	}))
}

// openEnvironment opens and starts the environment, or leaves nothing open.
func (d *Daemon) openEnvironment(ctx context.Context, sandboxURL string) (err error) {
	if d.seal, err = sealOf(d.config, d.secrets.Load().FindOwn); err != nil {
		return err
	}
	d.env, err = OpenEnvironment(ctx, EnvironmentOptions{
		Path: ledgerPath(d.config.Data), Sandboxes: sandboxesPath(d.config.Data), PublicURL: d.publicURL, SandboxURL: sandboxURL,
		IfMatch: d.config.API.RequireIfMatch, Events: d.config.Events.Window, Seal: d.seal, Webhooks: d.config.Webhooks, Guard: d.config.Guard, Ledger: d.config.Ledger, Sync: d.config.Sync,
		Tiers: auth.Tiers(d.config.RateLimits.Tiers), Connectors: d.config.Connectors, Secret: func(name string) (string, error) { return d.secrets.Load().Find(name) },
		Clock: hotel.SystemClock{}, Log: d.log, Beat: d.beat, Notify: d.notifyOptions(), Observe: counting(d.metrics), Migrating: backingUp(d.config, d.log), Count: d.metrics,
	})
	if err != nil {
		return err
	}
	if err := d.env.Start(ctx); err != nil {
		return errors.Join(err, d.env.Stop())
	}
	return nil
}
