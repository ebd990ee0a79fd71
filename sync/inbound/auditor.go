package inbound

import (
	"context"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/backoff"
	"ostler.example/ledger"
)

// Auditor takes a channel through its audit after a restore. That it is closed is the
// worker's business, and what it shows the reader's; the auditor lists its bookings,
// those of long ago too, and looks when the next stage may begin. Each stage makes
// the channel another one, which ends this auditor and begins the next.
type Auditor struct {
	*Lister  // how bookings are listed, also of a channel that has no guarded rooms
	Property hotel.Property
	Poller   *Poller // nil: its bookings are not fetched
	Lists    bool    // it leaves out no booking when it is asked for them by date
	Reads    bool    // it can be asked what it shows

	// ReadSince reports whether all that it shows was read since an instant in steady
	// time, and has it read where it was not; nil: it is not asked in this stage.
	ReadSince func(time.Time) bool

	failed int       // in a row; Run's own
	began  time.Time // in steady time: since then at least it has been in its stage
}

// Run goes on with the audit until ctx ends or it is over.
func (a *Auditor) Run(ctx context.Context) error {
	a.began = a.Clock.Steady()
	means := ledger.AuditMeans{Stage: a.Channel.Audit.Stage, Reads: a.Reads}
	for ctx.Err() == nil {
		stage, wait, err := a.step(ctx, &means)
		if err == nil {
			a.failed = 0
			if stage != means.Stage {
				return nil
			}
		} else if ctx.Err() == nil {
			a.failed++
			wait = backoff.Delay(backoff.Delivery, a.failed, "audit "+a.Channel.ID)
			a.Log.Warn("audit of a channel did not go well; it is tried again", zap.String("channel", a.Channel.ID), zap.Error(err))
		}
		timer := time.NewTimer(max(wait, time.Millisecond))
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
	return nil
}

// step fetches what the stage waits for, and asks whether it is over.
func (a *Auditor) step(ctx context.Context, means *ledger.AuditMeans) (hotel.AuditStage, time.Duration, error) {
	means.Waited = a.Clock.Steady().Sub(a.began)
	switch means.Stage {
	case hotel.AuditListing:
		if err := a.fetch(ctx, means); err != nil {
			return means.Stage, 0, err
		}
	case hotel.AuditReading:
		means.Read = a.ReadSince != nil && a.ReadSince(a.began)
	case hotel.AuditClosing, hotel.AuditClosingAgain, hotel.Audited:
	}
	return a.Ledger.AdvanceAudit(ctx, a.Channel.ID, *means)
}

// fetch has all fetched that the channel tells of its bookings, once those made before it
// was closed can be in it.
func (a *Auditor) fetch(ctx context.Context, means *ledger.AuditMeans) error {
	switch {
	case means.Waited < a.Lag, means.Listed:
	case a.Lists:
		all := hotel.Span{From: a.Channel.Audit.From, To: a.Property.Shows(a.Clock.Now()).To}
		if err := a.list(ctx, all); err != nil {
			return err
		}
		means.Listed = true
	case a.Poller != nil:
		means.Listed = a.Poller.FetchedSince(a.began.Add(max(0, a.Lag)))
	default:
		means.Listed = true // it can be asked for none
	}
	return nil
}
