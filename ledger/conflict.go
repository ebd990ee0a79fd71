package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// ConflictBody is the body of an entry about a conflict.
type ConflictBody struct {
	Conflict hotel.Conflict `json:"conflict"`
}

// raise opens a conflict, or brings the open one of its topic up to date.
func (t *tx) raise(c hotel.Conflict) error {
	was, err := readOne[hotel.Conflict](t.q.OpenConflict(t.ctx, ledgerdb.OpenConflictParams{PropertyID: c.PropertyID, Kind: string(c.Kind), Topic: c.Topic}))
	c.Status, c.Options = hotel.ConflictOpen, c.Kind.OptionNames()
	switch {
	case errors.Is(err, ErrNotFound):
		c.Entity = t.entity(hotel.NewID("cfl"))
		return t.putConflict(ConflictDetected, &c)
	case err != nil:
		return err
	case bytes.Equal(was.Facts, c.Facts) && was.Severity == c.Severity:
		return nil
	}
	c.Entity, c.Deadline, c.OnDeadline = was.Entity, was.Deadline, was.OnDeadline
	return t.changeConflict(ConflictChanged, &c)
}

// note stores a conflict that a policy has decided, for whoever wants to know why.
func (t *tx) note(c hotel.Conflict, option string) error {
	c.Entity = t.entity(hotel.NewID("cfl"))
	c.Options = c.Kind.OptionNames()
	t.decide(&c, hotel.ByPolicy, hotel.ConflictDecision{Option: option})
	return t.putConflict(ConflictSettled, &c)
}

// over ends an open conflict whose reason has gone away.
func (t *tx) over(c *hotel.Conflict) error {
	t.decide(c, hotel.ByPolicy, hotel.ConflictDecision{Option: hotel.OptionOver})
	return t.changeConflict(ConflictSettled, c)
}

// overTopic ends the open conflict about a topic, if there is one.
func (t *tx) overTopic(property string, kind hotel.ConflictKind, topic string) error {
	c, err := readOne[hotel.Conflict](t.q.OpenConflict(t.ctx, ledgerdb.OpenConflictParams{PropertyID: property, Kind: string(kind), Topic: topic}))
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.over(&c)
}

func (t *tx) decide(c *hotel.Conflict, by string, d hotel.ConflictDecision) {
	at := t.now
	c.Status, c.DecidedBy, c.DecidedAt, c.Resolution = hotel.ConflictResolved, by, &at, &d
}

func (t *tx) changeConflict(kind Kind, c *hotel.Conflict) error {
	c.UpdatedAt = t.now
	c.Revision++
	return t.putConflict(kind, c)
}

func (t *tx) putConflict(kind Kind, c *hotel.Conflict) error {
	doc, err := documentOf(c)
	if err != nil {
		return err
	}
	if err := t.q.PutConflict(t.ctx, ledgerdb.PutConflictParams(doc)); err != nil {
		return fmt.Errorf("store conflict %s: %w", c.ID, err)
	}
	_, err = t.append(entry{property: c.PropertyID, kind: kind, subject: c.ID, body: ConflictBody{*c}})
	return err
}

// ResolveConflict takes one of the options of an open conflict, with what follows
// from it, in one transaction. One that was settled so already is returned as it
// is.
func (l *Ledger) ResolveConflict(ctx context.Context, by hotel.By, once hotel.Once, id string, d hotel.ConflictDecision) (hotel.Conflict, bool, error) {
	var c hotel.Conflict // no named results: see CreateReservation
	var replayed bool
	err := l.write(ctx, urgent, by, func(t *tx) error {
		_, done, err := t.begin(once)
		if replayed = t.replayed; err != nil {
			return err
		}
		if c, err = readOne[hotel.Conflict](t.q.GetConflict(t.ctx, id)); err != nil || done {
			return err
		}
		if c.Status == hotel.ConflictResolved {
			if c.Resolution.Option == d.Option {
				return t.keep(id)
			}
			return hotel.Refuse("conflict_already_resolved", "it was settled by %s: %s", c.DecidedBy, c.Resolution.Option)
		}
		if err := checkOption(&c, d.Option); err != nil {
			return err
		}
		if err := t.enact(&c, d); err != nil {
			return err
		}
		t.decide(&c, actorText(by.Actor), d)
		if err := t.changeConflict(ConflictSettled, &c); err != nil {
			return err
		}
		return t.keep(id)
	})
	if err != nil {
		return hotel.Conflict{}, replayed, err // c may still be written to when the outcome is unknown
	}
	return c, replayed, nil
}

func checkOption(c *hotel.Conflict, option string) error {
	if slices.Contains(c.Options, option) {
		return nil
	}
	return hotel.Invalid("/option", "unknown_option", "is none of the conflict's options: %q", c.Options)
}

// enact does what an option of a conflict says.
func (t *tx) enact(c *hotel.Conflict, d hotel.ConflictDecision) error {
	if c.Kind == hotel.ConflictDrift || c.Kind == hotel.ConflictAllotment {
		return t.enactDrift(c, d.Option == string(hotel.Ours))
	}
	return nil
}

// openConflicts lists the open conflicts of a kind.
func (t *tx) openConflicts(property string, kind hotel.ConflictKind) ([]hotel.Conflict, error) {
	return readAll[hotel.Conflict](t.q.OpenConflicts(t.ctx, ledgerdb.OpenConflictsParams{PropertyID: property, Kind: string(kind)}))
}

// Conflict returns one conflict, or [ErrNotFound].
func (l *Ledger) Conflict(ctx context.Context, id string) (hotel.Conflict, error) {
	return readOne[hotel.Conflict](l.read.GetConflict(ctx, id))
}

// conflictPage is how many conflicts are looked through at a time.
const conflictPage = 500

// Conflicts lists conflicts of a property that the filter lets through, the newest
// first.
func (l *Ledger) Conflicts(ctx context.Context, f hotel.ConflictFilter) ([]hotel.Conflict, error) {
	var out []hotel.Conflict
	before := f.After
	if before == "" {
		before = "\x7f" // behind every id
	}
	for {
		page, err := readAll[hotel.Conflict](l.read.ListConflicts(ctx, ledgerdb.ListConflictsParams{PropertyID: f.PropertyID, Before: before, AtMost: conflictPage}))
		if err != nil {
			return nil, fmt.Errorf("list conflicts of %s: %w", f.PropertyID, err)
		}
		for i := range page {
			if before = page[i].ID; !f.Matches(&page[i]) {
				continue
			}
			if out = append(out, page[i]); len(out) == f.Limit {
				return out, nil
			}
		}
		if len(page) < conflictPage {
			return out, nil
		}
	}
}
