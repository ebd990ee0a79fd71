package ledger

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/mattn/go-sqlite3"

	"ostler.example/hotel"
)

// housePart is a kind of resource of which a property is made, and all that sets it
// apart from the other kinds.
type housePart[R any, P stored[R]] struct {
	noun                       hotel.Phrase
	created, updated, archived Kind

	property       func(r *R) string
	status         func(r *R) *hotel.Status
	get            func(t *tx, id string) (R, error)
	insert, update func(t *tx, d document) error
	kept           func(r R) R // what is kept of it; nil: everything

	// prepare completes a resource, changes what goes along with it, and refuses
	// one that cannot be. s is the property as it is, nil for a new one; before
	// is nil for a new resource.
	prepare func(t *tx, s *structure, before, r *R) error
	// needed refuses to archive a resource that something else needs.
	needed func(t *tx, s *structure, r *R) error
	// reach says what a change may move. before is nil for a new
	// resource.
	reach func(before, r *R) reach
}

// reach says what a change may move, over the whole horizon: house values, and
// what channels make of them.
type reach struct{ stock, products, offers bool }

// Founding is the body of an entry about a part of the house: the resource as
// it is from then on, and the house values that may follow from it.
type Founding[R any] struct {
	Resource R            `json:"resource"`
	Stock    bool         `json:"stock,omitempty"`    // on the nights of ranges
	Products bool         `json:"products,omitempty"` // prices and restrictions, on the nights of ranges
	Offers   bool         `json:"offers,omitempty"`   // what channels make of house values, on the nights of ranges
	Ranges   []hotel.Span `json:"ranges,omitempty"`
}

// create stores a new resource under its id. The bool tells that the key of
// once had its effect before.
func (p housePart[R, P]) create(ctx context.Context, l *Ledger, by hotel.By, once hotel.Once, r R) (R, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) {
		id := P(&r).Stored().ID
		if _, err := p.get(t, id); err == nil {
			return "", hotel.Refuse("duplicate_code", "there is a %s %s already", p.noun, id)
		}
		made := r
		return id, p.store(t, nil, &made)
	}, p.get)
}

// change makes a stored resource different, in the transaction that reads it:
// of two changes at a time, the second sees what the first has made.
func (p housePart[R, P]) change(ctx context.Context, l *Ledger, by hotel.By, once hotel.Once, id string, c hotel.Change[R]) (R, bool, error) {
	return p.step(ctx, l, by, once, id, c.IfRevision, func(t *tx, before R) error {
		if *p.status(&before) == hotel.Archived {
			refusal := hotel.Refuse("invalid_transition", "the %s is archived and stays as it is", p.noun)
			refusal.Members = map[string]any{"from": hotel.Archived, "to": hotel.Archived, "allowed": []string{}}
			return refusal
		}
		after, err := p.copy(&before)
		if err != nil {
			return err
		}
		if err := c.Apply(&after); err != nil {
			return err
		}
		*P(&after).Stored() = *P(&before).Stored()
		if reflect.DeepEqual(before, after) {
			return nil
		}
		return p.store(t, &before, &after)
	})
}

// archive ends a resource that nothing needs any more. What is archived already
// stays as it is.
func (p housePart[R, P]) archive(ctx context.Context, l *Ledger, by hotel.By, once hotel.Once, id string, ifRevision int64) (R, bool, error) {
	return p.step(ctx, l, by, once, id, ifRevision, p.end)
}

// end archives a resource.
func (p housePart[R, P]) end(t *tx, before R) error {
	if *p.status(&before) == hotel.Archived {
		return nil
	}
	s, err := t.structure(p.property(&before))
	if err != nil {
		return err
	}
	if err := p.needed(t, s, &before); err != nil {
		return err
	}
	after := before
	*p.status(&after) = hotel.Archived
	return p.write(t, &before, &after, p.archived)
}

// step runs a change of one resource under its idempotency key.
func (p housePart[R, P]) step(
	ctx context.Context, l *Ledger, by hotel.By, once hotel.Once, id string, ifRevision int64, f func(t *tx, before R) error,
) (R, bool, error) {
	return storeUnderKey(ctx, l, by, once, func(t *tx) (string, error) {
		r, err := p.get(t, id)
		if err != nil {
			return "", err
		}
		if now := P(&r).Stored().Revision; ifRevision != 0 && ifRevision != now {
			refusal := hotel.Refuse("precondition_failed", "the %s is at revision %d, not %d: read it again", p.noun, now, ifRevision)
			refusal.Members = map[string]any{"revision": now}
			return "", refusal
		}
		return id, f(t, r)
	}, p.get)
}

// copy returns a resource that shares nothing with r.
func (p housePart[R, P]) copy(r *R) (R, error) {
	d, err := documentOf[R, P](r)
	if err != nil {
		return *r, err
	}
	return resourceOf[R, P](d)
}

// store prepares a resource and writes it.
func (p housePart[R, P]) store(t *tx, before, r *R) error {
	var s *structure
	if id := p.property(r); id != P(r).Stored().ID || before != nil {
		var err error
		if s, err = t.structure(id); err != nil {
			return err
		}
	}
	if err := p.prepare(t, s, before, r); err != nil {
		return err
	}
	switch {
	case before == nil:
		return p.write(t, nil, r, p.created)
	case reflect.DeepEqual(*before, *r): // as it is by default, which was asked for in so many words
		return nil
	}
	return p.write(t, before, r, p.updated)
}

// write writes a resource as it is given, journals it, and follows what comes of
// it.
func (p housePart[R, P]) write(t *tx, before, r *R, kind Kind) error {
	e, put := P(r).Stored(), p.update
	if before == nil {
		*e, put = t.entity(e.ID), p.insert
	} else {
		e.UpdatedAt, e.Revision = t.now, e.Revision+1
	}
	kept := *r
	if p.kept != nil {
		kept = p.kept(kept)
	}
	d, err := documentOf[R, P](&kept)
	if err != nil {
		return err
	}
	if err := put(t, d); duplicate(err) {
		return hotel.Refuse("duplicate_code", "another %s of the property has this code, or an archived one had it", p.noun)
	} else if err != nil {
		return fmt.Errorf("store %s %s: %w", p.noun, e.ID, err)
	}
	t.rebuilt(p.property(r))
	return follow(t, p.property(r), kind, e.ID, kept, p.reach(before, r))
}

// follow journals what a part of the house is from now on, and derives the house
// values that may have moved.
func follow[R any](t *tx, property string, kind Kind, subject string, r R, to reach) error {
	s, err := t.structure(property)
	if err != nil {
		return err
	}
	body := Founding[R]{Resource: r, Stock: to.stock, Products: to.products, Offers: to.offers}
	if to != (reach{}) {
		body.Ranges = []hotel.Span{s.property.Sells(t.now)}
	}
	seq, err := t.append(entry{property: property, kind: kind, subject: subject, offers: to.offers, body: body})
	if err != nil || !to.stock && !to.products {
		return err
	}
	row, err := t.q.GetEntry(t.ctx, seq)
	if err != nil {
		return err
	}
	a, err := s.affectedBy(entryOf(row), nil)
	if err != nil {
		return err
	}
	return t.follow(s, a, seq)
}

// duplicate reports whether a row was refused because another one has its key.
func duplicate(err error) bool {
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}
