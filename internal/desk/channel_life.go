package desk

import (
	"cmp"
	"context"
	"slices"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// TestChannel asks a channel's far side whether it is there. A draft that was
// reached is in testing from then on, and its bookings are received.
func (d *Desk) TestChannel(ctx context.Context, c Caller, id string) (hotel.Reached, error) {
	state, err := d.channel(ctx, c, auth.ChannelsWrite, id)
	if err != nil {
		return hotel.Reached{}, err
	}
	reached, err := d.engine.Test(ctx, state.Channel)
	if err != nil {
		return hotel.Reached{}, err
	}
	if _, err := d.ledger.ChannelReached(ctx, c.by(), id); err != nil {
		return hotel.Reached{}, said(err)
	}
	d.engine.Renew(id)
	return reached, nil
}

// ChannelPlan works out the calls that a channel would be told by.
func (d *Desk) ChannelPlan(ctx context.Context, c Caller, id string, q hotel.PlanQuery) (hotel.ChannelPlan, error) {
	if _, err := d.channel(ctx, c, auth.ChannelsRead, id); err != nil {
		return hotel.ChannelPlan{}, err
	}
	p, err := d.engine.Plan(ctx, id, q)
	return p, said(err)
}

// ApplyPlan has a channel told what a plan says.
func (d *Desk) ApplyPlan(ctx context.Context, c Caller, id, planID string) (run hotel.SyncRun, replayed bool, err error) {
	if _, err := d.channel(ctx, c, auth.ChannelsWrite, id); err != nil {
		return hotel.SyncRun{}, false, err
	}
	run, replayed, err = d.engine.Apply(ctx, c.by(), c.Once, id, planID)
	return run, replayed, said(err)
}

// Activate sets a channel live by a plan.
func (d *Desk) Activate(ctx context.Context, c Caller, id string, a hotel.Approval) (view ChannelView, replayed bool, err error) {
	state, err := d.channel(ctx, c, auth.ChannelsWrite, id)
	if err != nil {
		return ChannelView{}, false, err
	}
	if stale := a.IfRevision != 0 && a.IfRevision != state.Revision; a.PlanID == "" && !stale { // which is the first thing to say
		return ChannelView{}, false, hotel.Invalid("/plan_id", "required", "is needed to go live: look at the channel's plan, and send its plan_id")
	}
	ch, replayed, err := d.engine.Activate(ctx, c.by(), c.Once, id, a)
	return d.changed(ctx, ch, replayed, err)
}

// Shadow has what a channel is to show worked out beside whoever runs it.
func (d *Desk) Shadow(ctx context.Context, c Caller, id string, ifRevision int64) (view ChannelView, replayed bool, err error) {
	if _, err := d.channel(ctx, c, auth.ChannelsWrite, id); err != nil {
		return ChannelView{}, false, err
	}
	ch, replayed, err := d.ledger.ShadowChannel(ctx, c.by(), c.Once, id, ifRevision)
	return d.changed(ctx, ch, replayed, err)
}

// Pause stops a channel's sales: it is closed and kept closed, or with freeze
// left as it is.
func (d *Desk) Pause(ctx context.Context, c Caller, id string, ifRevision int64, freeze bool) (view ChannelView, replayed bool, err error) {
	if _, err := d.channel(ctx, c, auth.ChannelsWrite, id); err != nil {
		return ChannelView{}, false, err
	}
	ch, replayed, err := d.ledger.PauseChannel(ctx, c.by(), c.Once, id, ifRevision, freeze)
	return d.changed(ctx, ch, replayed, err)
}

// closingPatience is how long a disconnect waits for the channel to take its
// closing.
const closingPatience = 5 * time.Second

// Disconnect ends a channel. One that sells is closed first; as long as that is
// not acknowledged, or nobody knows what it has sold of guarded rooms before, the
// answer is closing_unacknowledged, unless force is set.
func (d *Desk) Disconnect(ctx context.Context, c Caller, id string, ifRevision int64, force bool) (view ChannelView, replayed bool, err error) {
	state, err := d.channel(ctx, c, auth.ChannelsWrite, id)
	if err != nil {
		return ChannelView{}, false, err
	}
	if sells := state.Told() && state.Status == hotel.ChannelActive || state.Frozen; sells && !force {
		paused, _, err := d.ledger.PauseChannel(ctx, c.by(), hotel.Once{}, id, ifRevision, false)
		if err != nil {
			return ChannelView{}, false, said(err)
		}
		if ifRevision != 0 {
			ifRevision = paused.Revision
		}
		d.engine.Renew(id)
	}
	if !force {
		if err := d.awaitClosed(ctx, id); err != nil {
			return ChannelView{}, false, err
		}
	}
	ch, replayed, err := d.ledger.DisconnectChannel(ctx, c.by(), c.Once, id, ifRevision, force)
	return d.changed(ctx, ch, replayed, err)
}

// awaitClosed gives a channel a moment to take its closing.
func (d *Desk) awaitClosed(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, closingPatience)
	defer cancel()
	for {
		changed := d.ledger.Changed()
		open, err := d.ledger.OnSale(ctx, id)
		if open == (ledger.OnSale{}) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return said(err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}

// SyncChannel has a channel brought up to date.
func (d *Desk) SyncChannel(ctx context.Context, c Caller, id string, order hotel.SyncOrder) (run hotel.SyncRun, replayed bool, err error) {
	if _, err := d.channel(ctx, c, auth.ChannelsWrite, id); err != nil {
		return hotel.SyncRun{}, false, err
	}
	run, replayed, err = d.engine.Sync(ctx, c.by(), c.Once, id, order)
	return run, replayed, said(err)
}

// SyncRun returns one run.
func (d *Desk) SyncRun(ctx context.Context, c Caller, id string) (hotel.SyncRun, error) {
	if err := c.need(auth.ChannelsRead); err != nil {
		return hotel.SyncRun{}, err
	}
	run, err := d.ledger.SyncRun(ctx, id)
	if err != nil {
		return hotel.SyncRun{}, said(err)
	}
	_, err = d.channel(ctx, c, auth.ChannelsRead, run.ChannelID)
	return run, err
}

// SyncRuns lists runs, the newest first, at most so many as the filter says: of some
// channels, of every one that the caller sees when none is named.
func (d *Desk) SyncRuns(ctx context.Context, c Caller, channels []string, f hotel.SyncRunFilter) ([]hotel.SyncRun, error) {
	of := channels
	for _, id := range channels {
		if _, err := d.channel(ctx, c, auth.ChannelsRead, id); err != nil {
			return nil, err
		}
	}
	if len(channels) == 0 {
		states, err := gather(ctx, d, c, auth.ChannelsRead, nil, d.ledger.Channels)
		if err != nil {
			return nil, err
		}
		for _, s := range states {
			if c.seesChannel(s.ID) {
				of = append(of, s.ID)
			}
		}
	}
	var all []hotel.SyncRun
	for _, f.ChannelID = range of {
		runs, err := d.ledger.SyncRuns(ctx, f)
		if err != nil {
			return nil, said(err)
		}
		all = append(all, runs...)
	}
	slices.SortFunc(all, func(a, b hotel.SyncRun) int { return cmp.Compare(b.ID, a.ID) })
	return all[:min(len(all), f.Limit)], nil
}
