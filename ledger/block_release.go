package ledger

import (
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// giveBack releases nights of a block; the whole of it when no night is left that
// it promises.
func (t *tx) giveBack(s *structure, b *hotel.Block, nights nightSet) error {
	if b.BlockStatus == hotel.Released {
		return nil
	}
	before := *b
	giveBackOf(b, nights)
	return t.storeBlock(s, BlockReleased, &before, b)
}

// giveBackOf takes nights from what a block promises; it is released when it promises no
// other.
func giveBackOf(b *hotel.Block, nights nightSet) {
	back, left := nightSet{}, false
	for _, span := range b.GivenBack {
		for d := span.From; d <= span.To; d++ {
			back[d] = struct{}{}
		}
	}
	for d := range nights {
		back[d] = struct{}{}
	}
	for _, d := range b.Nights() {
		if _, gone := back[d]; !gone {
			left = true
		}
	}
	if b.GivenBack = back.spans(); !left {
		b.BlockStatus = hotel.Released
	}
}

// dueNights lists the nights that a block still promises and whose date of release has come.
func dueNights(b *hotel.Block, today hotel.Date) nightSet {
	due := nightSet{}
	for _, d := range b.Nights() {
		if on, ok := b.ReleasesOn(d); ok && on <= today && b.Promises(d) {
			due[d] = struct{}{}
		}
	}
	return due
}

// releaseDue gives back the nights of the property's blocks whose date of release
// has come. It is part of what a tick of the property's clock does: release on a
// date means its midnight.
func (t *tx) releaseDue(s *structure) error {
	today := s.property.Today(t.now)
	ids, err := t.q.ReleasingBlocks(t.ctx, ledgerdb.ReleasingBlocksParams{PropertyID: s.property.ID, Today: new(int64(today))})
	if err != nil {
		return fmt.Errorf("read blocks to release: %w", err)
	}
	for _, id := range ids {
		b, err := readOne[hotel.Block](t.q.GetBlock(t.ctx, id))
		if err != nil {
			return err
		}
		if err := t.giveBack(s, &b, dueNights(&b, today)); err != nil {
			return err
		}
	}
	return nil
}
