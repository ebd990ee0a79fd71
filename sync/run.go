package sync

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// runTimeout is how long a run may take before it is given up; what it was for
// goes on by itself.
const runTimeout = time.Hour

// lookAfterRun is how often a run is looked after.
const lookAfterRun = 250 * time.Millisecond

// Sync has a channel brought up to date and notes how that goes.
func (e *Engine) Sync(ctx context.Context, by hotel.By, once hotel.Once, id string, order hotel.SyncOrder) (hotel.SyncRun, bool, error) {
	run, replayed, err := e.o.Ledger.BeginSyncRun(ctx, by, once, id, order)
	if err != nil || replayed {
		return run, replayed, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.runners == nil || e.work.Err() != nil {
		return run, replayed, nil // the next start ends it
	}
	work := e.work
	e.group.Go(func() error {
		e.follow(work, run)
		return nil
	})
	return run, replayed, nil
}

// follow sets a run going, and stores its end.
func (e *Engine) follow(ctx context.Context, run hotel.SyncRun) {
	ctx, cancel := context.WithTimeout(ctx, runTimeout)
	defer cancel()
	e.push(run)
	for {
		done, err := e.done(ctx, run)
		if ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			return // the program ends; the next start says so
		}
		if done || ctx.Err() != nil {
			e.end(run, done)
			return
		}
		if err != nil {
			e.o.Log.Warn("look after a sync run", zap.String("run", run.ID), zap.Error(err))
		}
		timer := time.NewTimer(lookAfterRun)
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}

// push wakes the part of the channel that the run is for.
func (e *Engine) push(run hotel.SyncRun) {
	r := e.runner(run.ChannelID)
	if r == nil {
		return
	}
	c, _ := r.state()
	switch {
	case c == nil:
	case run.Kind == hotel.SyncReservations && c.poller != nil:
		c.poller.Now()
	case run.Kind == hotel.SyncReadBack && c.reader != nil:
		c.reader.Now()
	case tells(run.Kind) && c.worker != nil:
		c.worker.Replan()
	}
}

// tells reports whether a run of the kind is for what the channel is told.
func tells(k hotel.SyncKind) bool { return k == hotel.SyncFull || k == hotel.SyncDelta }

// done reports whether the channel has what the run is for. Bookings that are
// pushed to us are always there.
func (e *Engine) done(ctx context.Context, run hotel.SyncRun) (bool, error) {
	state, err := e.o.Ledger.Channel(ctx, run.ChannelID)
	if err != nil {
		return false, err
	}
	if tells(run.Kind) {
		return state.SyncedThrough >= run.SequenceFrom && (run.Kind == hotel.SyncDelta || state.Unknown == 0), nil
	}
	if run.Kind == hotel.SyncReadBack {
		return !state.LastReadAt.Before(run.StartedAt), nil
	}
	r := e.runner(run.ChannelID)
	if r == nil {
		return false, nil
	}
	c, _ := r.state()
	return c != nil && c.poller == nil || !state.LastPullAt.Before(run.StartedAt), nil
}

// end stores how a run ended.
func (e *Engine) end(run hotel.SyncRun, done bool) {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	var err error
	run.Status = hotel.SyncCompleted
	if tells(run.Kind) {
		run.Calls, run.Cells, run.LastError, err = e.o.Ledger.Pushed(ctx, run.ChannelID, run.StartedAt)
	}
	switch {
	case !done:
		run.Status, run.LastError = hotel.SyncFailed, "not done within an hour; it goes on by itself"
	case run.Cells.Rejected > 0:
		run.Status = hotel.SyncPartial
	}
	if err == nil {
		err = e.o.Ledger.EndSyncRun(ctx, run)
	}
	if err != nil {
		e.o.Log.Warn("end a sync run", zap.String("run", run.ID), zap.Error(err))
	}
}
