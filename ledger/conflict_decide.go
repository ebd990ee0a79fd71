package ledger

import (
	"context"
	"errors"
	"fmt"

	"ostler.example/hotel"
)

// ResolveConflict takes one of the options of an open conflict, with what follows
// from it, in one transaction. One that was settled so already is returned as it
// is.
func (l *Ledger) ResolveConflict(ctx context.Context, by hotel.By, once hotel.Once, id string, d hotel.ConflictDecision) (c hotel.Conflict, replayed bool, err error) {
	err = l.settling(ctx, id, func(*hotel.Conflict) string { return d.Option }, func(undo *undoDraft) (err error) {
		c, replayed, err = l.resolveConflict(ctx, by, once, id, d, undo)
		return err
	})
	return c, replayed, err
}

func (l *Ledger) resolveConflict(ctx context.Context, by hotel.By, once hotel.Once, id string, d hotel.ConflictDecision, undo *undoDraft) (hotel.Conflict, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, _ string, done bool) (c hotel.Conflict, err error) {
		t.undo = undo
		if c, err = readOne[hotel.Conflict](t.q.GetConflict(t.ctx, id)); err != nil || done {
			return c, err
		}
		if d.IfRevision != 0 && d.IfRevision != c.Revision {
			refusal := hotel.Refuse("precondition_failed", "the conflict is at revision %d, not %d: read it again", c.Revision, d.IfRevision)
			refusal.Members = map[string]any{"revision": c.Revision}
			return c, refusal
		}
		if c.Status == hotel.ConflictResolved {
			if c.Resolution.Option == d.Option {
				return c, t.keep(id)
			}
			return c, hotel.Refuse("conflict_already_resolved", "it was settled by %s: %s", c.Decider(), c.Resolution.Option)
		}
		option, known := c.Kind.Option(d.Option)
		if !known {
			return c, hotel.Invalid("/option", "unknown_option", "is none of the conflict's options: %q", c.Options)
		}
		if err := option.CheckArguments(d.Arguments); err != nil {
			return c, err
		}
		if err := t.take(&c, actorText(by.Actor), d); err != nil {
			return c, err
		}
		return c, t.keep(id)
	})
}

// DecideDue takes, for each open conflict whose deadline has come, the option that
// is taken then. A conflict in which it cannot be taken waits for somebody from
// then on. What fails with one keeps no other open. It returns how many conflicts it
// decided.
func (l *Ledger) DecideDue(ctx context.Context) (decided int, err error) {
	waiting, err := readAll[hotel.Conflict](l.read.WaitingConflicts(ctx))
	if err != nil {
		return 0, fmt.Errorf("look for conflicts to decide: %w", err)
	}
	var failed []error
	for i := range waiting {
		if waiting[i].Deadline.After(l.clock.Now()) {
			continue
		}
		id := waiting[i].ID
		err := l.decideDue(ctx, id, func(undo *undoDraft) error { return l.atDeadline(ctx, id, undo, (*tx).takeDue) })
		if err != nil {
			failed = append(failed, fmt.Errorf("decide conflict %s: %w", id, err))
			continue
		}
		decided++
	}
	return decided, errors.Join(failed...)
}

// decideDue settles a conflict whose deadline has come, which settle does by what is taken
// then. Where that is refused the conflict is left to somebody; where others were but
// quicker it is tried again.
func (l *Ledger) decideDue(ctx context.Context, id string, settle func(*undoDraft) error) error {
	err := l.settling(ctx, id, func(c *hotel.Conflict) string { return c.OnDeadline }, settle)
	if refusal, refused := errors.AsType[*hotel.Refusal](err); refused && refusal.Code != busy {
		return l.atDeadline(ctx, id, nil, (*tx).leaveOpen)
	}
	return err
}

// atDeadline does something to a conflict whose deadline has come, if it is still open.
func (l *Ledger) atDeadline(ctx context.Context, id string, undo *undoDraft, do func(*tx, *hotel.Conflict) error) error {
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		t.undo = undo
		c, err := readOne[hotel.Conflict](t.q.GetConflict(t.ctx, id))
		if err != nil || c.Status != hotel.ConflictOpen || c.Deadline == nil {
			return err
		}
		return do(t, &c)
	})
}

func (t *tx) takeDue(c *hotel.Conflict) error {
	if c.Applied == nil || c.Applied.Value != c.OnDeadline { // it was asked about
		channel, property, err := t.policies(c.PropertyID, c.ChannelID)
		if err != nil {
			return err
		}
		_, why, said := hotel.DeadlineOf(c.Kind, channel, property)
		why.Value = c.OnDeadline                     // as it was when the conflict was raised
		if said || c.Kind != hotel.ConflictExposed { // else its own policy closes the nights
			c.Applied = &why
		}
	}
	return t.take(c, hotel.ByPolicy, hotel.ConflictDecision{Option: c.OnDeadline})
}

// leaveOpen has a conflict wait for somebody, for want of what its deadline was to
// bring.
func (t *tx) leaveOpen(c *hotel.Conflict) error {
	c.Deadline, c.OnDeadline = nil, ""
	return t.changeConflict(ConflictChanged, c)
}

// take settles an open conflict by an option and does what that says. The conflict
// is settled first: what follows may take its cause away.
func (t *tx) take(c *hotel.Conflict, by string, d hotel.ConflictDecision) error {
	t.decide(c, by, d)
	if err := t.changeConflict(ConflictSettled, c); err != nil {
		return err
	}
	return hotel.Within(t.enact(c, d), "/arguments")
}

// enact does what an option of a conflict says.
func (t *tx) enact(c *hotel.Conflict, d hotel.ConflictDecision) error {
	switch c.Kind { //nolint:exhaustive // the options of the others change nothing
	case hotel.ConflictDrift:
		return t.enactDrift(c, d.Option == string(hotel.Ours))
	case hotel.ConflictAllotment:
		return t.enactAllotment(c, d)
	case hotel.ConflictOversell, hotel.ConflictPlanned:
		return t.enactCrowd(c, d)
	case hotel.ConflictRejected:
		return t.enactRejected(c, d)
	case hotel.ConflictPriceGuard:
		return t.enactGuard(c, d)
	case hotel.ConflictUnmapped:
		return t.enactUnmapped(c, d)
	case hotel.ConflictDuplicate:
		return t.enactDuplicate(c, d)
	case hotel.ConflictBlockDue:
		return t.enactBlock(c, d)
	case hotel.ConflictOverstay:
		return t.enactOverstay(c, d)
	case hotel.ConflictCancelledInHouse:
		return t.checkOutCancelled(c, d)
	case hotel.ConflictExposed:
		return t.enactExposed(c, d)
	case hotel.ConflictCredentials:
		return t.enactCredentials(c, d)
	case hotel.ConflictMismatch:
		return t.enactMismatch(c, d)
	case hotel.ConflictMissingPrice:
		return t.enactMissing(c, d)
	case hotel.ConflictLateModification:
		return t.enactLate(c, d)
	case hotel.ConflictGroupShrink:
		return t.enactShrink(c, d)
	case hotel.ConflictStale:
		return t.enactStale(c, d)
	case hotel.ConflictBlastRadius:
		return t.enactBlast(c, d)
	case hotel.ConflictCancelAsked:
		return t.enactAsked(c, d)
	case hotel.ConflictUnread:
		return t.enactUnread(c, d)
	}
	return nil
}
