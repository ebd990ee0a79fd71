package ledger

import (
	"context"
	"errors"
	"reflect"

	"ostler.example/hotel"
)

// CreateBlock stores a block. It may promise more than is free: whoever promises
// knows, and the house shows it. The bool tells that the key of once had its
// effect before.
func (l *Ledger) CreateBlock(ctx context.Context, by hotel.By, once hotel.Once, b hotel.Block) (hotel.Block, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, id string, done bool) (hotel.Block, error) {
		if done {
			return loadBlock(t.ctx, t.q, id)
		}
		s, err := t.structure(b.PropertyID)
		if err != nil {
			return hotel.Block{}, err
		}
		made := b
		made.Entity, made.GivenBack = t.entity(hotel.NewID("blk")), nil
		if err := t.putBlock(s, BlockCreated, nil, &made); err != nil {
			return hotel.Block{}, err
		}
		err = errors.Join(withPickUp(t.ctx, t.q, &made), t.keep(made.ID))
		return made, err
	})
}

// ChangeBlock makes a block different. Once it is released only its name, its
// contact and its notes can be.
func (l *Ledger) ChangeBlock(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.BlockChange) (hotel.Block, bool, error) {
	return l.stepBlock(ctx, by, once, id, c.IfRevision, func(t *tx, s *structure, b *hotel.Block) error {
		return t.changeBlock(s, b, c)
	})
}

func (t *tx) changeBlock(s *structure, b *hotel.Block, c hotel.BlockChange) error {
	before := *b
	c.Apply(b)
	if reflect.DeepEqual(before, *b) {
		return nil
	}
	if err := checkStep(&before, b); err != nil {
		return err
	}
	return t.putBlock(s, BlockUpdated, &before, b)
}

// ReleaseBlock gives back what nobody has picked up: on the nights of the span,
// on all of them when it is nil. Nights that were given back before stay so.
func (l *Ledger) ReleaseBlock(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, span *hotel.Span) (hotel.Block, bool, error) {
	return l.stepBlock(ctx, by, once, id, ifRevision, func(t *tx, s *structure, b *hotel.Block) error {
		back := nightSet{}
		for _, d := range b.Nights() {
			if span == nil || span.Contains(d) {
				back[d] = struct{}{}
			}
		}
		if len(back) == 0 {
			return hotel.Invalid("/date_from", "date_order", "the block promises no night from %s to %s", span.From, span.To)
		}
		return t.giveBack(s, b, back)
	})
}

// stepBlock runs a change of one stored block under its idempotency key.
func (l *Ledger) stepBlock(
	ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, f func(t *tx, s *structure, b *hotel.Block) error,
) (hotel.Block, bool, error) {
	return underKey(ctx, l, urgent, by, once, func(t *tx, _ string, done bool) (b hotel.Block, err error) {
		if b, err = readOne[hotel.Block](t.q.GetBlock(t.ctx, id)); err != nil {
			return b, err
		}
		if done {
			err = withPickUp(t.ctx, t.q, &b)
			return b, err
		}
		if ifRevision != 0 && ifRevision != b.Revision {
			refusal := hotel.Refuse("precondition_failed", "the block is at revision %d, not %d: read it again", b.Revision, ifRevision)
			refusal.Members = map[string]any{"revision": b.Revision}
			return b, refusal
		}
		s, err := t.structure(b.PropertyID)
		if err != nil {
			return b, err
		}
		if err := f(t, s, &b); err != nil {
			return b, err
		}
		err = errors.Join(withPickUp(t.ctx, t.q, &b), t.keep(b.ID))
		return b, err
	})
}

// Block returns one block with what was picked up of it, or [ErrNotFound].
func (l *Ledger) Block(ctx context.Context, id string) (hotel.Block, error) {
	return loadBlock(ctx, l.read, id)
}

// Blocks lists the blocks of a property that the filter lets through, ordered
// by id.
func (l *Ledger) Blocks(ctx context.Context, property string, f hotel.BlockFilter) ([]hotel.Block, error) {
	all, err := readAll[hotel.Block](l.read.ListBlocks(ctx, property))
	if err != nil {
		return nil, err
	}
	var list []hotel.Block
	for _, b := range all {
		if !f.Matches(&b) {
			continue
		}
		if err := withPickUp(ctx, l.read, &b); err != nil {
			return nil, err
		}
		list = append(list, b)
	}
	return list, nil
}
