package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// TokenLifetime is how long an access token is good.
const TokenLifetime = time.Hour

const (
	flushEvery = time.Second
	purgeEvery = 10 * time.Minute
)

// Options are what an Authority needs. Tiers may be nil for [DefaultTiers];
// everything else is required.
type Options struct {
	Store Store
	Clock hotel.Clock
	Log   *zap.Logger
	Tiers Tiers
}

// Authority decides who a caller is and how often it may call. Its methods may
// be called at the same time.
type Authority struct {
	store   Store
	clock   hotel.Clock
	log     *zap.Logger
	tiers   atomic.Pointer[Tiers]
	windows *windows
	traffic traffic
	answers counts[Answers] // by all but the count

	mu         sync.RWMutex
	known      map[[32]byte]knownToken
	generation uint64 // rises with every revocation

	failures *Throttle // wrong secrets, by client and address
	unknown  *Throttle // unknown client ids, by address
	minting  *Throttle // tokens asked for, by client and address
}

// knownToken is a token as it was last read from the store.
type knownToken struct {
	who       Who
	suspended bool
	expires   time.Time
}

// New returns an Authority that goes on with the rate windows in the store. Run
// must be running beside it, or they are lost with the process.
func New(ctx context.Context, o Options) (*Authority, error) {
	stored, err := o.Store.RateWindows(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the rate windows: %w", err)
	}
	tiers := o.Tiers
	if tiers == nil {
		tiers = DefaultTiers()
	}
	a := &Authority{
		store:    o.Store,
		clock:    o.Clock,
		log:      o.Log,
		windows:  newWindows(stored),
		traffic:  traffic{waits: map[string]time.Time{}},
		known:    map[[32]byte]knownToken{},
		failures: NewThrottle(10, 5*time.Minute),
		unknown:  NewThrottle(10, time.Minute),
		minting:  NewThrottle(30, time.Minute),
	}
	a.SetTiers(tiers)
	return a, nil
}

// Run saves the rate windows that changed once a second and removes expired
// tokens now and then, until ctx ends; then it saves once more and returns.
func (a *Authority) Run(ctx context.Context) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	purge := time.NewTicker(purgeEvery)
	defer purge.Stop()
	failing := false
	for {
		var err error
		select {
		case <-ctx.Done():
			if err := a.Flush(context.WithoutCancel(ctx)); err != nil {
				a.log.Error("rate windows of the last second are lost", zap.Error(err))
			}
			return
		case <-tick.C:
			err = a.Flush(ctx)
		case <-purge.C:
			err = a.purge(ctx)
		}
		if err != nil && !failing && ctx.Err() == nil {
			a.log.Error("the ledger takes no access records; trying again each second", zap.Error(err))
		}
		failing = err != nil
	}
}

// Flush saves the rate windows that changed since the last time, and what was counted
// of answers and of calls in the sandbox. What could not be saved is kept for the next.
func (a *Authority) Flush(ctx context.Context) error {
	return errors.Join(a.saveWindows(ctx), a.saveTraffic(ctx), a.saveAnswers(ctx))
}

func (a *Authority) saveWindows(ctx context.Context) error {
	changed := a.windows.takeChanged()
	if len(changed) == 0 {
		return nil
	}
	if err := a.store.SaveRateWindows(ctx, changed); err != nil {
		a.windows.putBack(changed)
		return fmt.Errorf("save %d rate windows: %w", len(changed), err)
	}
	return nil
}

// purge forgets the tokens that have expired, here and in the store, and looks after
// secrets that end.
func (a *Authority) purge(ctx context.Context) error {
	now := a.clock.Now()
	a.mu.Lock()
	for hash, t := range a.known {
		if !now.Before(t.expires) {
			delete(a.known, hash)
		}
	}
	a.mu.Unlock()
	if err := a.store.DeleteExpiredTokens(ctx, now); err != nil {
		return fmt.Errorf("delete expired tokens: %w", err)
	}
	if err := a.store.TendSecrets(ctx); err != nil {
		return err
	}
	a.traffic.forget(now)
	return errors.Join(a.store.ForgetTraffic(ctx, now.Add(-trafficKept)), a.store.ForgetAnswers(ctx, hotel.DateIn(now, time.UTC)-answersKept))
}

// Count counts one request of the caller against its hour. One without a limit is
// counted all the same, so that one given later holds for the running hour.
func (a *Authority) Count(w Who) Quota {
	return a.windows.take(w.ClientID, a.limit(w), a.clock.Now())
}

// Quota tells how the caller's hour stands and counts nothing.
func (a *Authority) Quota(w Who) Quota {
	return a.windows.peek(w.ClientID, a.limit(w), a.clock.Now())
}

// SetTiers replaces the tiers, which must not be changed afterwards. Hours that
// are running keep what they have counted and have the new limit at once.
func (a *Authority) SetTiers(t Tiers) { a.tiers.Store(&t) }

// Tiers are those in force, which must not be changed.
func (a *Authority) Tiers() Tiers { return *a.tiers.Load() }

// TierOf is the tier that decides the caller's limit, where it has none of its own: of a
// sandbox it is the standard one whatever the client's.
func (a *Authority) TierOf(w Who) string {
	if _, known := (*a.tiers.Load())[w.Tier]; !known || w.Environment == Sandbox {
		return Standard
	}
	return w.Tier
}

// limit is the caller's requests an hour; 0 is no limit. A client's own number comes
// before that of its tier. A sandbox has the standard tier's number whatever the
// client's, and so has a tier that is not configured.
func (a *Authority) limit(w Who) int {
	if w.HourlyLimit != nil && w.Environment != Sandbox {
		return *w.HourlyLimit
	}
	return (*a.tiers.Load())[a.TierOf(w)]
}
