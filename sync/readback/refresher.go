package readback

import (
	"cmp"
	"context"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// Refresher has a channel told everything again by its schedule, because it cannot
// be asked what it shows: whatever was lost or changed by hand there is put right
// by then. Counters of guarded pools are left out: what they show is paid for, and
// their accounts have their own way of settling.
type Refresher struct {
	Ledger  Ledger
	Channel hotel.Channel
	Clock   hotel.Clock
	Log     *zap.Logger

	times timetable
	due   chan time.Time // when the last was
}

// Start reads the channel's schedule.
func (r *Refresher) Start() (err error) {
	r.times, err = newTimetable(r.Channel.ID, cmp.Or(r.Channel.ReadBack, hotel.DefaultRefresh))
	r.due = make(chan time.Time, 1)
	return err
}

// Tick asks for a refresh if one is due by the time of the last, which the ledger
// keeps: one that was missed while the program was down happens once. The first is
// due a while after the first look, since a channel that has just gone live is
// being told everything anyway.
func (r *Refresher) Tick(last time.Time) {
	if last.IsZero() || r.times.due(last, r.Clock.Now()) {
		select {
		case r.due <- last:
		default: // it is under way or about to be
		}
	}
}

// Run refreshes whenever asked, until ctx ends.
func (r *Refresher) Run(ctx context.Context) error {
	for {
		var last time.Time
		select {
		case <-ctx.Done():
			return nil
		case last = <-r.due:
		}
		if err := r.Ledger.Refresh(ctx, r.Channel.ID, last, r.Clock.Now()); err != nil && ctx.Err() == nil {
			r.Log.Warn("channel is told everything again later", zap.String("channel", r.Channel.ID), zap.Error(err))
		}
	}
}
