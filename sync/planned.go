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

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/dispatch"
	"ostler.example/sync/plan"
)

// everyNight is a span that no night lies behind.
const everyNight hotel.Date = 1 << 30

// Plan works out the calls that a channel would be told by: all that it takes to go
// live, what it is still to be told, everything, or what another mapping comes to. Nothing is stored by asking.
func (e *Engine) Plan(ctx context.Context, id string, q hotel.PlanQuery) (p hotel.ChannelPlan, err error) {
	err = e.aside(ctx, id, func(open *channel, w *dispatch.Worker) error {
		if q.Kind == "" {
			if q.Kind = hotel.PlanLive; open.Live() {
				q.Kind = hotel.PlanDelta
			}
		}
		d, err := e.drawn(ctx, w, q)
		if err == nil {
			p = d.plan(q)
			p.Limits = abilities(open.caps, e.running(id)).Limits
			if q.Kind == hotel.PlanLive {
				p.Unchecked, err = e.unchecked(ctx, open)
			}
			p.Seconds = schedule(p.Calls, p.Limits)
			for i := range p.Calls {
				p.Calls[i].Body = open.settings.Conceal(p.Calls[i].Body)
			}
		}
		return err
	})
	if _, refused := errors.AsType[*hotel.Refusal](err); err != nil && !refused {
		return hotel.ChannelPlan{}, fmt.Errorf("plan channel %s: %w", id, err)
	}
	return p, err
}

// Foresee works out the calls by which a channel would be told what a bulk update that
// nobody has stored makes other for it. Nothing is stored by asking; the plan has no id,
// for there is nothing yet that could be applied.
func (e *Engine) Foresee(ctx context.Context, id string, of ledger.Foresight) (p hotel.ChannelPlan, err error) {
	err = e.aside(ctx, id, func(open *channel, w *dispatch.Worker) error {
		would, err := w.Foresee(ctx, of)
		if err != nil {
			return err
		}
		p = drawn{Plan: would, channel: open.Channel}.plan(hotel.PlanQuery{Kind: hotel.PlanDelta})
		p.ID, p.Limits = "", abilities(open.caps, e.running(id)).Limits
		p.Seconds = schedule(p.Calls, p.Limits)
		return nil
	})
	if _, refused := errors.AsType[*hotel.Refusal](err); err != nil && !refused {
		return hotel.ChannelPlan{}, fmt.Errorf("foresee channel %s: %w", id, err)
	}
	return p, err
}

// running is the channel as it runs, nil when it does not.
func (e *Engine) running(id string) *channel {
	r := e.runner(id)
	if r == nil {
		return nil
	}
	c, _ := r.state()
	return c
}

// drawn is a plan in the planner's words.
type drawn struct {
	plan.Plan
	channel  hotel.Channel
	sequence int64
	raises   []hotel.Raise
	held     map[string]int
}

func (e *Engine) drawn(ctx context.Context, w *dispatch.Worker, q hotel.PlanQuery) (drawn, error) {
	if q.Kind == hotel.PlanLive || q.Kind == hotel.PlanMapping {
		if q.Nights != (hotel.Span{}) {
			return drawn{}, hotel.Invalid("/date_from", "unknown_parameter", "a plan for going live is about every night: leave the dates out")
		}
		preview, err := w.Preview(ctx, q.As)
		return drawn{preview.Plan, preview.Channel, preview.Sequence, preview.Raises, nil}, err
	}
	nights := hotel.Span{From: w.Property.Today(w.Clock.Now()), To: everyNight}
	if q.Nights != (hotel.Span{}) {
		if days := q.Nights.Days(); days < 1 || days > ledger.MaxCellNights {
			return drawn{}, hotel.Invalid("/date_to", "date_order", "the span must have 1 to %d nights, it has %d", ledger.MaxCellNights, days)
		}
		nights = hotel.Span{From: max(nights.From, q.Nights.From), To: q.Nights.To}
	}
	draft, err := w.Draft(ctx, nights, q.Kind == hotel.PlanFull)
	return drawn{draft.Plan, draft.Untold.Channel, draft.Untold.Sequence, draft.Raises, draft.Untold.Held}, err
}

// plan counts what was drawn. Its id is a hash over everything that would be told,
// and names what was asked for, so that it can be drawn again.
func (d drawn) plan(q hotel.PlanQuery) hotel.ChannelPlan {
	p := hotel.ChannelPlan{ChannelID: d.channel.ID, Kind: q.Kind, Sequence: d.sequence, Raises: d.raises, Refused: len(d.Refused)}
	counts := map[string]hotel.PlannedCalls{}
	hash := sha256.New()
	fmt.Fprintf(hash, "%s %d\n", d.channel.ID, d.channel.Revision)
	if q.As != nil {
		for _, m := range slices.SortedFunc(slices.Values(q.As.Mappings), compareCodes) {
			fmt.Fprintf(hash, "%q %q %s %s %d\n", m.RemoteRoom, m.RemoteRate, m.RoomTypeID, m.RatePlanID, m.Guests)
		}
	}
	for _, c := range d.Calls {
		n := counts[c.Operation]
		counts[c.Operation] = hotel.PlannedCalls{Operation: c.Operation, Calls: n.Calls + 1, Cells: n.Cells + len(c.Cells)}
		call := hotel.PlannedCall{Operation: c.Operation, Cells: len(c.Cells), Body: c.Body, Sum: sha256.Sum256(c.Body)}
		for _, cell := range c.Cells {
			if cell.Closes() {
				call.Closes++
			}
			if cell.Opens() {
				call.Opens++
			}
			fmt.Fprintf(hash, "%v %d\n", cell.Ref, cell.Want.Encode(cell.Ref.Group))
		}
		p.Calls = append(p.Calls, call)
	}
	for _, r := range p.Raises {
		shown := -1
		if r.Shown != nil {
			shown = *r.Shown
		}
		fmt.Fprintf(hash, "%s %s %v %v %d %d\n", r.RemoteRoom, r.RemoteRate, r.From, r.To, shown, r.Wanted)
	}
	p.ID = planID(q, p.Sequence, hash.Sum(nil))
	p.Operations = slices.SortedFunc(maps.Values(counts), func(a, b hotel.PlannedCalls) int { return cmp.Compare(a.Operation, b.Operation) })
	for _, code := range slices.Sorted(maps.Keys(d.held)) {
		p.Held = append(p.Held, hotel.HeldCells{Code: code, Cells: d.held[code]})
	}
	return p
}

func compareCodes(a, b hotel.Mapping) int {
	return cmp.Or(cmp.Compare(a.RemoteRoom, b.RemoteRoom), cmp.Compare(a.RemoteRate, b.RemoteRate))
}

// schedule says of each call when it may leave at the earliest, as far as the
// published limits go, and returns when the last one may. Calls leave in their order.
func schedule(calls []hotel.PlannedCall, limits []hotel.Limit) float64 {
	used, last := make([]int, len(limits)), 0.0
	for i := range calls {
		for j, limit := range limits {
			if limit.Operation != "" && limit.Operation != calls[i].Operation {
				continue
			}
			if used[j]++; used[j] > limit.Remaining {
				last = max(last, float64(used[j]-limit.Remaining)*limit.Per.Seconds()/float64(limit.N))
			}
		}
		calls[i].After = last
	}
	return last
}

// planID is pln_SEQUENCE_KIND_HASH, with the two nights ahead of the hash where the
// plan is about some alone.
func planID(q hotel.PlanQuery, sequence int64, hash []byte) string {
	parts := []string{"pln", strconv.FormatInt(sequence, 10), string(q.Kind)}
	if q.Nights != (hotel.Span{}) {
		parts = append(parts, q.Nights.From.String(), q.Nights.To.String())
	}
	return strings.Join(append(parts, hex.EncodeToString(hash[:10])), "_")
}

// askedBy reads from a plan's id what was asked for, and where the journal stood.
func askedBy(planID string) (q hotel.PlanQuery, sequence int64, ok bool) {
	parts := strings.Split(planID, "_")
	if len(parts) != 4 && len(parts) != 6 || parts[0] != "pln" {
		return q, 0, false
	}
	sequence, err := strconv.ParseInt(parts[1], 10, 64)
	if q.Kind = hotel.PlanKind(parts[2]); err != nil || !slices.Contains([]hotel.PlanKind{hotel.PlanLive, hotel.PlanDelta, hotel.PlanFull, hotel.PlanMapping}, q.Kind) {
		return q, 0, false
	}
	if len(parts) == 6 {
		from, err := hotel.ParseDate(parts[3])
		to, also := hotel.ParseDate(parts[4])
		if err != nil || also != nil || to < from {
			return q, 0, false
		}
		q.Nights = hotel.Span{From: from, To: to}
	}
	return q, sequence, true
}

// sameCalls refuses a plan that is another one by now. Where the journal stood is
// all the same.
func sameCalls(planID string, now hotel.ChannelPlan) error {
	_, _, known := askedBy(planID)
	rest := func(id string) string {
		_, after, _ := strings.Cut(strings.TrimPrefix(id, "pln_"), "_")
		return after
	}
	if known && rest(planID) == rest(now.ID) {
		return nil
	}
	return outdated(planID, now.Sequence, "the channel would be told something else by now: look at its plan again")
}

// outdated refuses a plan, and says where the journal stood when it was made and where it
// stands.
func outdated(planID string, sequence int64, format string, args ...any) error {
	_, planned, _ := askedBy(planID)
	r := hotel.Refuse("plan_outdated", format, args...)
	r.Members = map[string]any{"planned_at_sequence": planned, "current_sequence": sequence}
	return r
}

// Apply has a channel told what a plan says, if that is still what it would be told.
// A plan for going live, or of another mapping, is refused as outdated: these are
// Activate's and Map's.
func (e *Engine) Apply(ctx context.Context, by hotel.By, once hotel.Once, id, planID string) (hotel.SyncRun, bool, error) {
	if run, known, err := e.o.Ledger.SyncRunOf(ctx, by, once); err != nil || known {
		return run, known, err
	}
	state, err := e.o.Ledger.Channel(ctx, id)
	if err != nil {
		return hotel.SyncRun{}, false, err
	}
	switch {
	case state.Shadow:
		return hotel.SyncRun{}, false, hotel.Refuse("channel_in_shadow", "the channel is in shadow and told nothing: activate it by its plan")
	case state.Status != hotel.ChannelActive:
		return hotel.SyncRun{}, false, hotel.Refuse("channel_not_active", "the channel is %s: activate it by its plan", state.Status)
	}
	q, _, known := askedBy(planID)
	if !known || q.Kind == hotel.PlanLive || q.Kind == hotel.PlanMapping {
		q = hotel.PlanQuery{Kind: hotel.PlanDelta} // for the sequence in the refusal
	}
	order := hotel.SyncOrder{Kind: hotel.SyncDelta, Nights: q.Nights}
	if q.Kind == hotel.PlanFull {
		order.Kind = hotel.SyncFull
	}
	for range 3 { // somebody may write while we look
		now, err := e.Plan(ctx, id, q)
		if err == nil {
			err = sameCalls(planID, now)
		}
		if err != nil {
			return hotel.SyncRun{}, false, err
		}
		order.PlannedAt = now.Sequence
		run, replayed, err := e.Sync(ctx, by, once, id, order)
		if !errors.Is(err, ledger.ErrOutrun) {
			return run, replayed, err
		}
	}
	return hotel.SyncRun{}, false, hotel.Refuse("temporarily_unavailable", "the house changes faster than the plan can be made; try again in a moment")
}
