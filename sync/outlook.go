package sync

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/dispatch"
)

// Plan works out what a channel would be told were it live now. Nothing is
// stored by asking.
func (e *Engine) Plan(ctx context.Context, id string) (p hotel.ChannelPlan, err error) {
	err = e.aside(ctx, id, func(w *dispatch.Worker) error {
		preview, err := w.Preview(ctx)
		if err == nil {
			p = planOf(preview, w.Caps)
		}
		return err
	})
	if err != nil {
		return hotel.ChannelPlan{}, fmt.Errorf("plan channel %s: %w", id, err)
	}
	return p, nil
}

// Explain tells why a channel is shown what it is shown of a product on a night.
// Nobody is called for it.
func (e *Engine) Explain(ctx context.Context, of hotel.ExplainQuery) (x hotel.Explanation, err error) {
	err = e.aside(ctx, of.ChannelID, func(w *dispatch.Worker) error {
		x, err = w.Explain(ctx, of)
		return err
	})
	return x, err
}

// aside lets f ask a worker of a channel that does not run, beside the one that
// may.
func (e *Engine) aside(ctx context.Context, id string, f func(w *dispatch.Worker) error) error {
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
		err = f(e.worker(open, property))
	}
	return errors.Join(err, open.close())
}

// Activate sets a channel live if what it would be told is still what the plan
// says, and every night that this raises was accepted.
func (e *Engine) Activate(ctx context.Context, by hotel.By, once hotel.Once, id string, a hotel.Activation) (hotel.Channel, bool, error) {
	for range 3 { // somebody may write while we look
		now, err := e.Plan(ctx, id)
		if err != nil {
			return hotel.Channel{}, false, err
		}
		if err := permits(now, a); err != nil {
			return hotel.Channel{}, false, err
		}
		c, replayed, err := e.o.Ledger.ActivateChannel(ctx, by, once, id, now.Sequence, a.AcceptedBy)
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

// permits refuses an activation that fits another plan than this.
func permits(now hotel.ChannelPlan, a hotel.Activation) error {
	planned, hash, _ := strings.Cut(strings.TrimPrefix(a.PlanID, planPrefix), "_")
	if _, same, _ := strings.Cut(strings.TrimPrefix(now.ID, planPrefix), "_"); hash != same {
		r := hotel.Refuse("plan_outdated", "the channel would be told something else by now: look at its plan again")
		at, _ := strconv.ParseInt(planned, 10, 64) // 0 for what never was a plan
		r.Members = map[string]any{"planned_at_sequence": at, "current_sequence": now.Sequence}
		return r
	}
	accepted := slices.Clone(a.Accept)
	dispatch.SortRaises(accepted)
	if !slices.EqualFunc(accepted, now.Raises, dispatch.SameRaise) {
		r := hotel.Refuse("raises_need_confirmation", "going live shows more rooms than the channel does now: accept exactly the raises that are listed")
		r.Members = map[string]any{"raises": now.Raises}
		return r
	}
	if len(now.Raises) > 0 && a.AcceptedBy == "" {
		return hotel.Invalid("/accepted_by", "required", "say who answers for the nights that are raised")
	}
	return nil
}

const planPrefix = "pln_"

func planOf(preview dispatch.Preview, caps connectors.Capabilities) hotel.ChannelPlan {
	look := preview.Outlook
	p := hotel.ChannelPlan{
		ChannelID: look.Channel.ID, Sequence: look.Sequence, Raises: preview.Raises, Refused: len(preview.Refused),
	}
	counts := map[string]hotel.PlannedCalls{}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %d\n", look.Channel.ID, look.Channel.Revision)
	for _, c := range preview.Calls {
		n := counts[c.Operation]
		counts[c.Operation] = hotel.PlannedCalls{Operation: c.Operation, Calls: n.Calls + 1, Cells: n.Cells + len(c.Cells)}
		for _, cell := range c.Cells {
			fmt.Fprintf(hash, "%v %d\n", cell.Ref, cell.Want.Encode(cell.Ref.Group))
		}
	}
	for _, r := range p.Raises {
		shown := -1
		if r.Shown != nil {
			shown = *r.Shown
		}
		fmt.Fprintf(hash, "%s %s %v %v %d %d\n", r.RemoteRoom, r.RemoteRate, r.From, r.To, shown, r.Wanted)
	}
	p.ID = planPrefix + strconv.FormatInt(p.Sequence, 10) + "_" + hex.EncodeToString(hash.Sum(nil)[:16])
	p.Calls = slices.SortedFunc(maps.Values(counts), func(a, b hotel.PlannedCalls) int { return cmp.Compare(a.Operation, b.Operation) })
	p.Seconds = estimate(p.Calls, caps.Buckets)
	return p
}

// estimate is about how long the published limits let the calls take.
func estimate(calls []hotel.PlannedCalls, limits []connectors.Bucket) float64 {
	longest := time.Duration(0)
	for _, limit := range limits {
		n := 0
		for _, c := range calls {
			if limit.Operation == "" || limit.Operation == c.Operation {
				n += c.Calls
			}
		}
		if n > limit.N {
			longest = max(longest, time.Duration(n-limit.N)*limit.Per/time.Duration(limit.N))
		}
	}
	return longest.Seconds()
}
