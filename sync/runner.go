package sync

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/internal/backoff"
	"ostler.example/ledger"
)

// runner keeps one channel open as the ledger has it. It stops and starts that
// channel's parts, and touches no other's.
type runner struct {
	e    *Engine
	id   string
	wake chan struct{} // somebody asks for a look

	opened chan struct{} // closed when it was opened for the first time, or could not be

	mu       sync.Mutex
	current  *channel // nil while it is not open
	revision int64    // of the channel as it was last looked at
	failure  failure

	lateTill time.Time // what may come late is looked at up to here; Tick's own
}

// failure is why a channel could not be opened, and when that is tried again.
type failure struct {
	err     error     // nil: it could
	times   int       // in a row
	retryAt time.Time // in steady time
}

func newRunner(e *Engine, id string) *runner {
	return &runner{e: e, id: id, wake: make(chan struct{}, 1), opened: make(chan struct{})}
}

// run opens the channel, keeps its parts at work until ctx ends, and closes it then.
func (r *runner) run(ctx context.Context) error {
	r.renew(ctx)
	close(r.opened)
	for ctx.Err() == nil {
		stop := r.start(ctx)
		select {
		case <-ctx.Done():
		case <-r.wake:
		}
		stop()
		if ctx.Err() == nil {
			r.renew(ctx)
		}
	}
	return r.close()
}

// start sets the parts to work. stop returns when nothing of them runs any more.
func (r *runner) start(ctx context.Context) (stop func()) {
	c, _ := r.state()
	if c == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var parts sync.WaitGroup
	if c.worker != nil {
		parts.Go(func() { _ = c.worker.Run(ctx) }) // what fails there is logged and tried again
	}
	if c.poller != nil {
		parts.Go(func() { _ = c.poller.Run(ctx) })
	}
	if c.auditor != nil {
		parts.Go(func() { _ = c.auditor.Run(ctx) })
	}
	if c.lister != nil {
		parts.Go(func() { _ = c.lister.Run(ctx) })
	}
	if c.refresher != nil {
		parts.Go(func() { _ = c.refresher.Run(ctx) })
	}
	if c.reader != nil {
		parts.Go(func() { _ = c.reader.Run(ctx) })
	}
	parts.Go(func() { _ = c.rereader.Run(ctx) })
	if c.actor != nil {
		parts.Go(func() { _ = c.actor.Run(ctx) })
	}
	return func() {
		cancel()
		parts.Wait()
	}
}

// look has the channel looked at.
func (r *runner) look() {
	select {
	case r.wake <- struct{}{}:
	default: // it is about to be
	}
}

// tick asks for a look when the channel has changed or is to be tried again, and
// tells the poller and the reader what time it is.
func (r *runner) tick(beat ledger.Beat) {
	select {
	case <-r.opened:
	default:
		return
	}
	r.mu.Lock()
	c, f, changed := r.current, r.failure, r.revision != beat.Revision
	r.mu.Unlock()
	if changed || f.err != nil && !r.e.o.Clock.Steady().Before(f.retryAt) {
		r.look()
	}
	if c != nil && c.poller != nil {
		c.poller.Tick(beat.LastPull)
	}
	if c != nil && c.refresher != nil {
		c.refresher.Tick(beat.LastRead)
	}
	if c != nil && c.reader != nil {
		c.reader.Tick(beat.LastRead)
	}
}

// renew opens the channel as it is now, in place of what it was. None of its
// parts is at work.
func (r *runner) renew(ctx context.Context) {
	row, err := r.e.o.Ledger.Channel(ctx, r.id)
	var next *channel
	was, _ := r.state()
	if err == nil && row.Status.Receives() {
		var held *account
		if was != nil {
			held = was.gate
		}
		next, err = r.e.open(ctx, row.Channel, held)
	}
	switch {
	case err != nil:
		r.e.mux.Await(r.id)
	case next == nil || !next.mounted:
		r.e.mux.Unmount(r.id)
	}
	r.replace(next, row.Revision, err)
	if was != nil {
		if err := r.e.shut(was); err != nil {
			r.e.o.Log.Warn("channel closed badly", zap.String("channel", r.id), zap.Error(err))
		}
	}
}

// replace notes what became of opening the channel.
func (r *runner) replace(next *channel, revision int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current, r.revision = next, revision
	if err == nil {
		r.failure = failure{}
		return
	}
	if r.failure.err == nil || r.failure.err.Error() != err.Error() {
		r.e.o.Log.Error("channel cannot be opened; it is tried again", zap.String("channel", r.id), zap.Error(err))
	}
	r.failure.err = err
	r.failure.times++
	r.failure.retryAt = r.e.o.Clock.Steady().Add(backoff.Delay(backoff.Account, r.failure.times, r.id))
}

// state returns the open channel, nil when it is not, and why it could not be
// opened.
func (r *runner) state() (*channel, failure) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current, r.failure
}

func (r *runner) close() error {
	c, _ := r.state()
	r.e.mux.Await(r.id) // the next program has it
	r.mu.Lock()
	r.current = nil
	r.mu.Unlock()
	if c == nil {
		return nil
	}
	return r.e.shut(c)
}

// shut closes an open channel.
func (e *Engine) shut(c *channel) error {
	e.accounts.release(c.gate)
	return c.close()
}
