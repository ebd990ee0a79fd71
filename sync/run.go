package sync

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/sync/contain"
)

// runTimeout is how long a run may take before it is given up; what it was for
// goes on by itself.
const runTimeout = time.Hour

// lookAfterRun is how often a run is looked after.
const lookAfterRun = 250 * time.Millisecond

// Sync has a channel brought up to date and notes how that goes. What the channel
// cannot be asked is refused, as not_implemented.
func (e *Engine) Sync(ctx context.Context, by hotel.By, once hotel.Once, id string, order hotel.SyncOrder) (hotel.SyncRun, bool, error) {
	if err := e.able(id, order); err != nil {
		if run, known, _ := e.o.Ledger.SyncRunOf(ctx, by, once); known {
			return run, known, nil
		}
		return hotel.SyncRun{}, false, err
	}
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
	p := pursuit{e: e, run: run}
	e.push(run)
	for called := false; ; {
		done, err := p.done(ctx)
		if !done && !called && err == nil {
			called, err = e.o.Ledger.StartSyncRun(ctx, run)
		}
		if ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
			return // the program ends; the next start says so
		}
		if done || ctx.Err() != nil {
			e.end(run, done, p.failure)
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
	case run.Nights != (hotel.Span{}) && !run.Kind.Tells(): // an errand of its own
	case run.Kind == hotel.SyncReservations && c.poller != nil:
		c.poller.Now()
	case run.Kind == hotel.SyncReadBack && c.reader != nil:
		c.reader.Now()
	case run.Kind.Tells() && c.worker != nil:
		c.worker.Replan()
	}
}

// done reports whether the channel has what the run is for. Bookings that are
// pushed to us are always there.
func (p *pursuit) done(ctx context.Context) (bool, error) {
	e, run := p.e, p.run
	if run.Kind.Tells() {
		nights := run.Nights
		if nights == (hotel.Span{}) {
			nights.To = everyNight
		}
		through, unknown, err := e.o.Ledger.SyncedAt(ctx, run.ChannelID, nights)
		return err == nil && through >= run.SequenceFrom && (run.Kind == hotel.SyncDelta || unknown == 0), err
	}
	if run.Nights != (hotel.Span{}) {
		return p.errand(), nil
	}
	state, err := e.o.Ledger.Channel(ctx, run.ChannelID)
	if err != nil {
		return false, err
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
func (e *Engine) end(run hotel.SyncRun, done bool, failure error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	run, err := e.o.Ledger.RunCalls(ctx, run)
	run.Status = hotel.SyncCompleted
	switch {
	case !done:
		run.Status, run.LastError = hotel.SyncFailed, "not done within an hour; it goes on by itself"
	case failure != nil:
		run.Status, run.LastError = hotel.SyncFailed, contain.Short(failure.Error())
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
