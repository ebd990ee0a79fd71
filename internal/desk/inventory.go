package desk

import (
	"cmp"
	"context"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// maxSpan is the longest span of nights that one reading covers.
const maxSpan = 400

// enterCells checks what holds for every reading by night.
func (d *Desk) enterCells(ctx context.Context, c Caller, scope auth.Scope, q hotel.CellQuery) error {
	if err := c.enter(scope, q.PropertyID); err != nil {
		return err
	}
	if q.ChannelID != "" {
		if err := c.findOwn(q.ChannelID); err != nil {
			return err
		}
	}
	if q.Span.To < q.Span.From {
		return hotel.Invalid("/date_to", "date_order", "must not be before date_from")
	}
	if q.AsOf.Sequence != 0 && !q.AsOf.At.IsZero() {
		return hotel.Invalid("/as_of", "type", "name an instant or a sequence, not both")
	}
	if q.Span.Days() > maxSpan {
		return hotel.Invalid("/date_to", "max", "at most %d days can be read at once", maxSpan)
	}
	_, err := d.property(ctx, q.PropertyID)
	return err
}

// Inventory lists stock by room type and night; to a caller that stands for a
// channel only what that channel is shown.
func (d *Desk) Inventory(ctx context.Context, c Caller, q hotel.InventoryQuery) (hotel.Inventory, error) {
	if c.ota() {
		q.ChannelID, q.House, q.Pools = cmp.Or(q.ChannelID, c.ChannelID), false, false
	}
	cells := hotel.CellQuery{PropertyID: q.PropertyID, Span: q.Span, ChannelID: q.ChannelID, AsOf: q.AsOf}
	if err := d.enterCells(ctx, c, auth.InventoryRead, cells); err != nil {
		return hotel.Inventory{}, err
	}
	inv, err := d.ledger.Inventory(ctx, q)
	if inv.ChannelOnly = c.ota(); inv.ChannelOnly {
		for i, cell := range inv.Cells {
			inv.Cells[i] = hotel.InventoryCell{RoomTypeID: cell.RoomTypeID, Date: cell.Date, Channel: cell.Channel}
		}
	}
	return inv, said(err)
}

// UpdateInventory changes stock. Replayed tells that the request's key had its
// effect before.
func (d *Desk) UpdateInventory(ctx context.Context, c Caller, u hotel.InventoryUpdate) (upd hotel.AriUpdate, replayed bool, err error) {
	var once hotel.Once
	if u.Source, once, err = d.enterUpdate(ctx, c, auth.InventoryWrite, u.PropertyID, len(u.Entries), ofStock); err != nil {
		return hotel.AriUpdate{}, false, err
	}
	given := slices.IndexFunc(u.Entries, func(e hotel.InventoryEntry) bool { return e.Given.Set })
	if u.Source != sourcePMS && given >= 0 && once.Refused == nil {
		once.Refused = hotel.Refuse("owned_by_pms", "entry %d has a number that only a client of kind %s may give", given, kindPMS)
	}
	upd, replayed, err = d.ledger.UpdateInventory(ctx, c.by(), once, u)
	return upd, replayed, said(err)
}
