package sync

import (
	"context"
	"errors"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/dispatch"
)

// Explain tells why a channel is shown what it is shown of a product on a night.
// Nobody is called for it.
func (e *Engine) Explain(ctx context.Context, of hotel.ExplainQuery) (x hotel.Explanation, err error) {
	err = e.aside(ctx, of.ChannelID, func(_ *channel, w *dispatch.Worker) error {
		x, err = w.Explain(ctx, of)
		return err
	})
	return x, err
}

// aside lets f ask a worker of a channel that does not run, beside the one that
// may.
func (e *Engine) aside(ctx context.Context, id string, f func(open *channel, w *dispatch.Worker) error) error {
	state, err := e.o.Ledger.Channel(ctx, id)
	if err != nil {
		return err
	}
	open, err := e.connect(ctx, state.Channel)
	if err != nil {
		return notReached(err)
	}
	property, err := e.o.Ledger.Property(ctx, state.PropertyID)
	if err == nil {
		err = f(open, e.worker(open, property))
	}
	return errors.Join(err, open.close())
}

// Activate sets a channel live if what it would be told is still what the plan
// says, and every night that this raises was accepted.
func (e *Engine) Activate(ctx context.Context, by hotel.By, once hotel.Once, id string, a hotel.Approval) (hotel.Channel, bool, error) {
	if c, known, err := e.o.Ledger.ChannelUnderKey(ctx, by, once); err != nil || known {
		return c, known, err
	}
	state, err := e.o.Ledger.Channel(ctx, id)
	if err == nil {
		err = state.Expect(a.IfRevision) // what changes from here on makes it another plan
	}
	if err == nil {
		err = e.takes(ctx, state.Channel)
	}
	if err == nil {
		err = e.readLately(ctx, state, a.PlanID)
	}
	if err != nil {
		return hotel.Channel{}, false, err
	}
	for range 3 { // somebody may write while we look
		now, err := e.Plan(ctx, id, hotel.PlanQuery{Kind: hotel.PlanLive})
		if err != nil {
			return hotel.Channel{}, false, err
		}
		if err := permits(now, a); err != nil {
			return hotel.Channel{}, false, err
		}
		c, replayed, err := e.o.Ledger.ActivateChannel(ctx, by, once, id, now.Sequence, a)
		if errors.Is(err, ledger.ErrOutrun) {
			continue
		}
		if err == nil {
			e.Renew(id)
		}
		return c, replayed, err
	}
	return hotel.Channel{}, false, hotel.Refuse("temporarily_unavailable", "the house changes faster than the plan can be made; try again in a moment")
}

// Map replaces what a channel sells under which codes. One that is live goes by a plan, as
// going live does: what it would be told must still be what the plan says, and every night
// that this raises be accepted. What it is told nothing of needs no plan.
func (e *Engine) Map(ctx context.Context, by hotel.By, id string, m hotel.Remap) error {
	for range 3 { // somebody may write while we look
		state, err := e.o.Ledger.Channel(ctx, id)
		if err == nil {
			err = state.Expect(m.IfRevision)
		}
		if err != nil {
			return err
		}
		if !state.Live() {
			err = e.o.Ledger.MapChannel(ctx, by, id, m)
		} else {
			err = e.remap(ctx, by, id, m)
		}
		if errors.Is(err, ledger.ErrOutrun) {
			continue
		}
		if err == nil {
			e.Renew(id)
		}
		return err
	}
	return hotel.Refuse("temporarily_unavailable", "the house changes faster than the plan can be made; try again in a moment")
}

func (e *Engine) remap(ctx context.Context, by hotel.By, id string, m hotel.Remap) error {
	now, err := e.Plan(ctx, id, hotel.PlanQuery{Kind: hotel.PlanMapping, As: &m})
	if err != nil {
		return err
	}
	if len(now.Calls)+now.Refused > 0 {
		if m.PlanID == "" {
			return ledger.ErrUnplanned
		}
		if err := permits(now, m.Approval); err != nil {
			return err
		}
	}
	return e.o.Ledger.RemapLive(ctx, by, id, now.Sequence, m)
}

// shownFor is how old what a channel shows may be, at the most, when it goes live.
const shownFor = 10 * time.Minute

// readLately refuses to compare with what a channel in shadow showed long ago, and has it
// read: whoever told it until now may have lowered it since. One that was never read is
// known to show nothing, so that each night of it is named; of one that cannot be read at
// present the plan names that ([hotel.UncheckedShown]).
func (e *Engine) readLately(ctx context.Context, state hotel.ChannelState, planID string) error {
	c := e.running(state.ID)
	if !c.readLongAgo(state) || c.reader.Failing() {
		return nil
	}
	c.reader.Now()
	sequence, err := e.o.Ledger.Sequence(ctx)
	if err != nil {
		return err
	}
	return outdated(planID, sequence, "what the channel shows was last read at %s; it is being read now: look at its plan again in a moment",
		state.LastReadAt.Format(time.RFC3339))
}

// readLongAgo reports whether what a channel in shadow is known to show was read too long
// ago to compare with, though it can be read. A channel that does not run is nil.
func (c *channel) readLongAgo(state hotel.ChannelState) bool {
	return c != nil && c.reader != nil && c.InShadow() && !state.LastReadAt.IsZero() && !c.reader.Lately(shownFor)
}

// permits refuses an approval that fits another plan than this.
func permits(now hotel.ChannelPlan, a hotel.Approval) error {
	if err := sameCalls(a.PlanID, now); err != nil {
		return err
	}
	accepted := slices.Clone(a.Accept)
	dispatch.SortRaises(accepted)
	if !slices.EqualFunc(accepted, now.Raises, dispatch.SameRaise) {
		r := hotel.Refuse("raises_need_confirmation", "the channel would show more rooms than it does now: accept exactly the raises that are listed")
		r.Members = map[string]any{"raises": now.Raises}
		return r
	}
	known := slices.Clone(a.Unchecked)
	slices.Sort(known)
	if !slices.Equal(known, now.Unchecked) {
		r := hotel.Refuse("unchecked_need_confirmation", "the channel cannot be asked for all that it has sold: see to it that those bookings are stored, and accept exactly what is listed")
		r.Members = map[string]any{"unchecked": now.Unchecked}
		return r
	}
	if len(now.Raises)+len(now.Unchecked) > 0 && a.AcceptedBy == "" {
		return hotel.Invalid("/accepted_by", "required", "say who answers for the nights that are raised, and for what cannot be checked")
	}
	return nil
}

// unchecked names what cannot be found out of a channel when it goes live: what it may have
// sold and, of one that runs and fails to be read, what it shows.
func (e *Engine) unchecked(ctx context.Context, c *channel) ([]hotel.Unchecked, error) {
	out := c.unchecked()
	running := e.running(c.ID)
	if running == nil || running.reader == nil || !running.reader.Failing() {
		return out, nil
	}
	state, err := e.o.Ledger.Channel(ctx, c.ID)
	if err == nil && running.readLongAgo(state) {
		out = append(out, hotel.UncheckedShown)
	}
	return out, err
}

// unchecked names what the channel may have sold and cannot be asked for when it goes
// live. While it was paused its bookings were received, unless a backup was restored or
// it was joined to another place.
func (c *channel) unchecked() []hotel.Unchecked {
	_, lists := c.connector.(connectors.Lister)
	switch {
	case lists && c.caps.ListsByDate, c.Status == hotel.Paused && !c.Moved && c.Audit == nil, c.caps.Serves:
		return nil // the hotel's own system sells nothing
	case c.caps.Polls:
		return []hotel.Unchecked{hotel.UncheckedAcknowledged}
	}
	return []hotel.Unchecked{hotel.UncheckedBookings}
}
