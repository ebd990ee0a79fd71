// Package sync is the engine that keeps every channel equal to the ledger. It
// opens the channels, gives each its parts, and starts, wakes and stops them:
//
//	ledger ── journal ──► sync/dispatch ──► sync/plan ──► sync/gate ──► channel
//	  ▲                    one worker        lanes, calls   limits,       │
//	  │                    a channel                        breaker       │
//	  └───────────────── sync/inbound ◄──────────────────────────────────┘
//	                      messages pushed to us or pulled
//
// sync/readback asks channels what they show, sync/action to do something with their
// bookings.
//
// The package itself is thin. It imports no connector by name.
package sync

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/dispatch"
	"ostler.example/sync/gate"
	"ostler.example/sync/inbound"
)

// Options configures an engine.
type Options struct {
	Ledger Ledger
	Clock  hotel.Clock
	Log    *zap.Logger

	// Client returns the HTTP client of a channel; its connector may touch no
	// other.
	Client func(channelID string) *http.Client

	// Defaults are the operator's settings of each connector, by its name.
	Defaults map[string]map[string]any

	// Secret returns a secret that a channel's settings name; nil: none may.
	Secret func(name string) (string, error)

	// Seal closes up the secrets that stand in a channel's settings; nil: they are kept
	// as they are.
	Seal connectors.Sealer

	Collect  time.Duration // how long raises and prices are collected; closings go at once
	Timeout  time.Duration // of one call to a channel
	Failures int           // in a row that open an account's breaker; 0: the gate's own number
	OpenFor  time.Duration // how long a breaker stays open; 0: the gate's own time
	Idle     time.Duration // how often to look without a wake-up; 0: every minute

	Observe Observer
}

// Observer watches the engine. Nil members are not told; none may block.
type Observer struct {
	Told    func(dispatch.Told)                       // a call is over
	Circuit func(channelID string, t gate.Transition) // an account's breaker changed
}

// The values of what Options leaves open.
const (
	idle        = time.Minute
	pullTimeout = 10 * time.Second // a pull that hangs must not keep closings for long, unless the connector says that it may
	longestPull = 2 * time.Minute
	pullsKept   = 48 * time.Hour
)

// Engine runs the channels of one ledger. Its methods may be called at the same
// time, but for Start and Stop.
type Engine struct {
	o        Options
	mux      *inbound.Mux
	accounts accounts
	readings readings
	minutes  [6]atomic.Int64 // in which each of what time does was last done, since 1970
	looked   atomic.Int64    // when it was last looked which channels are out of date, in seconds since 1970
	stale    atomic.Int64    // and when the next of them will be, in microseconds since 1970; 0: none
	listened atomic.Int64    // and which have fallen silent
	began    atomic.Int64    // when it was started, in microseconds since 1970

	mu      sync.Mutex
	runners map[string]*runner // by channel; nil before Start and after Stop
	doors   map[string]door    // by channel
	work    context.Context    // the engine's own life, which its runners share

	cancel context.CancelFunc
	group  *errgroup.Group
}

// New returns an engine that is not started.
func New(o Options) *Engine {
	e := &Engine{o: o, mux: inbound.NewMux(o.Log), doors: map[string]door{}}
	e.o.Ledger = settling{o.Ledger, e}
	e.accounts.engine = e
	return e
}

// Handler serves what channels push to us, below /inbound/.
func (e *Engine) Handler() http.Handler { return e.mux }

// Start turns what was open when the program ended into what it is, unknown,
// opens every channel and sets its parts to work. A channel that cannot be
// opened is tried again and keeps no other from working; one that takes long is
// opened beside everything else. On an error nothing runs.
func (e *Engine) Start(ctx context.Context) error {
	open, err := e.o.Ledger.Recover(ctx)
	if err != nil {
		return err
	}
	if open > 0 {
		e.o.Log.Info("calls without a stored answer are taken as unknown and told again", zap.Int("calls", open))
	}
	if err := e.o.Ledger.EndStaleSyncRuns(ctx); err != nil {
		return err
	}
	beats, err := e.o.Ledger.Beats(ctx)
	if err != nil {
		return err
	}
	e.began.Store(e.o.Clock.Now().UnixMicro())
	e.mu.Lock()
	e.work, e.cancel = context.WithCancel(context.Background())
	e.group = new(errgroup.Group) // none of them ends another
	e.runners = make(map[string]*runner, len(beats))
	work := e.work
	e.group.Go(func() error { return e.deriveHouse(work) })
	e.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, openPatience)
	defer cancel()
	for _, id := range slices.Sorted(maps.Keys(beats)) {
		e.add(ctx, id, openPatience/8)
	}
	return nil
}

// openPatience is how long is waited for channels that are being opened, at the start for
// all of them, and for one of them no more than an eighth of it. Those that take longer
// are opened beside everything else.
const openPatience = 2 * time.Second

// add opens a channel and sets it to work. It waits so long for that, until ctx ends.
func (e *Engine) add(ctx context.Context, id string, patience time.Duration) {
	e.mu.Lock()
	if e.runners == nil || e.runners[id] != nil || e.work.Err() != nil {
		e.mu.Unlock()
		return
	}
	r, work := newRunner(e, id), e.work
	e.runners[id] = r
	e.mux.Await(id)
	e.group.Go(func() error { return r.run(work) })
	e.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-r.opened:
	case <-ctx.Done():
	}
}

// Renew has a channel that is new or was changed looked at now. Without it, that
// happens at the next tick.
func (e *Engine) Renew(id string) {
	if r := e.runner(id); r != nil {
		r.look()
		return
	}
	e.add(context.Background(), id, openPatience)
}

// RenewAll has every channel opened anew, because something that the settings of
// any may name has changed.
func (e *Engine) RenewAll() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.doors)
	for _, r := range e.runners {
		r.look()
	}
}

// runner returns what runs a channel, nil when nothing does.
func (e *Engine) runner(id string) *runner {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.runners[id]
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
			e.o.Log.Error("derive house values", zap.Error(err)) // of one property; the others go on
		}
		if more {
			continue
		}
		timer := time.NewTimer(cmp.Or(e.o.Idle, idle))
		select {
		case <-ctx.Done():
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

// passTime lets the properties' clocks tick, does to stays what is due, asks somebody
// about what channels did not answer in time, and has closings told again that were refused, large changes forgotten that are over, and
// missing prices told of, once in every minute: no moment that
// matters lies within one. What fails is tried again, by itself.
func (e *Engine) passTime(ctx context.Context) error {
	minute := e.o.Clock.Now().Unix() / 60
	var failed []error
	for i, do := range [len(e.minutes)]func(context.Context) error{
		e.o.Ledger.Tick,
		func(ctx context.Context) error { _, err := e.o.Ledger.DueStays(ctx); return err },
		e.o.Ledger.NoteUnanswered,
		e.o.Ledger.RetryClosings,
		e.o.Ledger.FollowChanges,
		e.o.Ledger.NoteMissingPrices,
	} {
		if e.minutes[i].Load() == minute {
			continue
		}
		if err := do(ctx); err != nil {
			failed = append(failed, err)
			continue
		}
		e.minutes[i].Store(minute)
	}
	return errors.Join(failed...)
}

// Tick sets off what is due by the clock: what time does by itself, pulls of
// reservations, channels that are new, were changed or could not be opened,
// conflicts whose deadline has come, and the notes of which bulk updates have
// reached every channel. It is called every second or so; when it was last called
// means nothing. One of these that fails keeps none of the others.
func (e *Engine) Tick(ctx context.Context) error {
	clocks := e.passTime(ctx)
	beats, err := e.o.Ledger.Beats(ctx)
	for id, beat := range beats {
		if r := e.runner(id); r != nil {
			r.tick(beat)
			err = errors.Join(err, r.late(ctx, beat))
		} else {
			e.Renew(id)
		}
	}
	_, decided := e.o.Ledger.DecideDue(ctx)
	return errors.Join(clocks, err, e.lookForStale(ctx), e.listen(ctx), e.o.Ledger.DealDue(ctx), decided, e.o.Ledger.CompleteUpdates(ctx))
}

// staleEvery is how often it is looked which channels are out of date, in seconds, beside
// the instants at which one becomes so.
const staleEvery = 5

// opened tells whether a channel could be opened, and why not; false: nobody has tried yet.
func (e *Engine) opened(id string) (hotel.Link, bool) {
	r := e.runner(id)
	if r == nil {
		return hotel.Link{}, false
	}
	c, f := r.state()
	l := hotel.Link{Open: c != nil}
	if f.err != nil {
		l.Failure = f.err.Error()
	}
	return l, l.Open || l.Failure != ""
}

// lookForStale has told of what became out of date or came into error, or is so no more.
func (e *Engine) lookForStale(ctx context.Context) error {
	now := e.o.Clock.Now()
	due := e.stale.Load()
	if since := now.Unix() - e.looked.Load(); since >= 0 && since < staleEvery && (due == 0 || now.UnixMicro() < due) {
		return nil
	}
	erring := e.o.Ledger.NoteErrors(ctx, e.opened)
	next, err := e.o.Ledger.NoteStale(ctx)
	if err := errors.Join(erring, err); err != nil {
		return err
	}
	e.looked.Store(now.Unix())
	if e.stale.Store(0); !next.IsZero() {
		e.stale.Store(next.UnixMicro())
	}
	return nil
}

// listenEvery is how often it is looked which channels have fallen silent, in seconds.
const listenEvery = 600

// listen has told of channels that bring no bookings any more, or again.
func (e *Engine) listen(ctx context.Context) error {
	now := e.o.Clock.Now()
	if since := now.Unix() - e.listened.Load(); since >= 0 && since < listenEvery {
		return nil
	}
	if err := e.o.Ledger.NoteSilence(ctx, time.UnixMicro(e.began.Load())); err != nil {
		return err
	}
	e.listened.Store(now.Unix())
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
	e.mu.Lock()
	if e.cancel == nil {
		e.mu.Unlock()
		return nil
	}
	e.cancel() // nothing is added from here on
	e.mu.Unlock()
	return e.group.Wait()
}

// stopping is closed when the engine stops; nil while it has not been started.
func (e *Engine) stopping() <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.work == nil {
		return nil
	}
	return e.work.Done()
}

// Status is what an operator sees of a channel's way out.
type Status struct {
	ChannelID string
	Live      bool   // it is told what changes
	Failure   string // why it could not be opened; "": it could, or need not be
	Gate      gate.Status
}

// Status lists the channels that are open, or should be, in the order of their
// ids.
func (e *Engine) Status() []Status {
	e.mu.Lock()
	runners := maps.Clone(e.runners)
	e.mu.Unlock()
	var out []Status
	for _, id := range slices.Sorted(maps.Keys(runners)) {
		c, failure := runners[id].state()
		switch {
		case c != nil:
			out = append(out, Status{ChannelID: id, Live: c.Told(), Gate: c.gate.Status()})
		case failure.err != nil:
			out = append(out, Status{ChannelID: id, Failure: failure.err.Error()})
		}
	}
	return out
}
