package desk

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// blocks is what is kept of rooms promised before anybody is named.
type blocks interface {
	Block(ctx context.Context, id string) (hotel.Block, error)
	Blocks(ctx context.Context, propertyID string, f hotel.BlockFilter) ([]hotel.Block, error)

	CreateBlock(ctx context.Context, by hotel.By, once hotel.Once, b hotel.Block) (made hotel.Block, replayed bool, err error)
	ChangeBlock(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.BlockChange) (changed hotel.Block, replayed bool, err error)
	ReleaseBlock(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, span *hotel.Span) (released hotel.Block, replayed bool, err error)
}

// Blocks lists the blocks of some properties, of every granted one when none
// is named. A caller that stands for a channel sees the rooms promised to that channel:
// what is promised to others is none of its business.
func (d *Desk) Blocks(ctx context.Context, c Caller, properties []string, f hotel.BlockFilter) ([]hotel.Block, error) {
	if c.ota() {
		if !hotel.AnyOf(f.ChannelIDs, c.ChannelID) {
			return nil, c.need(auth.InventoryRead)
		}
		f.ChannelIDs = []string{c.ChannelID}
	}
	return gather(ctx, d, c, auth.InventoryRead, properties, func(ctx context.Context, id string) ([]hotel.Block, error) {
		return d.ledger.Blocks(ctx, id, f)
	})
}

// Block returns one block.
func (d *Desk) Block(ctx context.Context, c Caller, id string) (hotel.Block, error) {
	return d.block(ctx, c, auth.InventoryRead, id)
}

// block reads a block that the caller may see.
func (d *Desk) block(ctx context.Context, c Caller, scope auth.Scope, id string) (hotel.Block, error) {
	if err := c.need(scope); err != nil {
		return hotel.Block{}, err
	}
	b, err := d.ledger.Block(ctx, id)
	if err != nil {
		return hotel.Block{}, said(err)
	}
	if !c.seesChannel(b.ChannelID) {
		return hotel.Block{}, nothing()
	}
	if err := c.find(b.PropertyID); err != nil {
		return hotel.Block{}, err
	}
	return b, nil
}

// CreateBlock promises rooms. Replayed tells that the request's key had its
// effect before.
func (d *Desk) CreateBlock(ctx context.Context, c Caller, b hotel.Block) (made hotel.Block, replayed bool, err error) {
	if err := c.enter(auth.InventoryWrite, b.PropertyID); err != nil {
		return hotel.Block{}, false, err
	}
	if c.ota() {
		return hotel.Block{}, false, noProperty()
	}
	if _, err := d.property(ctx, b.PropertyID); err != nil {
		return hotel.Block{}, false, err
	}
	made, replayed, err = d.ledger.CreateBlock(ctx, c.by(), c.Once, b)
	return made, replayed, said(err)
}

// ChangeBlock makes a block different.
func (d *Desk) ChangeBlock(ctx context.Context, c Caller, id string, change hotel.BlockChange) (changed hotel.Block, replayed bool, err error) {
	if _, err := d.block(ctx, c, auth.InventoryWrite, id); err != nil {
		return hotel.Block{}, false, err
	}
	changed, replayed, err = d.ledger.ChangeBlock(ctx, c.by(), c.Once, id, change)
	return changed, replayed, said(err)
}

// ReleaseBlock gives back what nobody has picked up of a block, on the nights of
// the span or, when it is nil, on all.
func (d *Desk) ReleaseBlock(ctx context.Context, c Caller, id string, ifRevision int64, span *hotel.Span) (released hotel.Block, replayed bool, err error) {
	if _, err := d.block(ctx, c, auth.InventoryWrite, id); err != nil {
		return hotel.Block{}, false, err
	}
	released, replayed, err = d.ledger.ReleaseBlock(ctx, c.by(), c.Once, id, ifRevision, span)
	return released, replayed, said(err)
}
