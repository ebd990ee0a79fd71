package ledger

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// loadBlock reads a block with what was picked up of it.
func loadBlock(ctx context.Context, q *ledgerdb.Queries, id string) (hotel.Block, error) {
	b, err := readOne[hotel.Block](q.GetBlock(ctx, id))
	if err != nil {
		return b, err
	}
	return b, withPickUp(ctx, q, &b)
}

// withPickUp fills in how the nights of the block's lines stand.
func withPickUp(ctx context.Context, q *ledgerdb.Queries, b *hotel.Block) error {
	picked, err := pickedUp(ctx, q, b)
	if err != nil {
		return err
	}
	for i := range b.Lines {
		l := &b.Lines[i]
		l.Nights = make([]hotel.BlockNight, 0, l.DateTo-l.DateFrom+1)
		for d := l.DateFrom; d <= l.DateTo; d++ {
			n := picked[nightKey{d, product{room: l.RoomTypeID}}]
			l.Nights = append(l.Nights, hotel.BlockNight{Date: d, PickedUp: n, Remaining: b.Remaining(l.RoomTypeID, d, n)})
		}
	}
	return nil
}

// pickedUp counts the rooms drawn from a block by night and room type; of an
// allotment also what its channel has sold.
func pickedUp(ctx context.Context, q *ledgerdb.Queries, b *hotel.Block) (map[nightKey]int, error) {
	if b.ChannelID != "" {
		return soldOf(ctx, q, b)
	}
	rows, err := q.PickedUp(ctx, &b.ID)
	if err != nil {
		return nil, fmt.Errorf("read what was picked up of block %s: %w", b.ID, err)
	}
	picked := make(map[nightKey]int, len(rows))
	for _, r := range rows {
		picked[nightKey{hotel.Date(r.Night), product{room: r.RoomTypeID}}] = int(r.Rooms)
	}
	return picked, nil
}

// BlockFact is the body of a block's entries: the block as it is from then on,
// without what people wrote about it.
type BlockFact struct {
	Block  hotel.Block  `json:"block"`
	Ranges []hotel.Span `json:"ranges,omitempty"` // nights on which other rooms may be free now
}

// putBlock checks a block, stores it, journals it, and follows what comes of it.
// before is nil for a new one.
func (t *tx) putBlock(s *structure, kind Kind, before, b *hotel.Block) error {
	if err := b.Check(); err != nil {
		return err
	}
	if err := t.checkBlock(s, before, b); err != nil {
		return err
	}
	due := dueNights(b, s.property.Today(t.now))
	if before == nil && len(due) > 0 {
		giveBackOf(b, due) // they were never kept
	}
	if err := t.storeBlock(s, kind, before, b); err != nil {
		return err
	}
	if before != nil && len(due) > 0 {
		if err := t.giveBack(s, b, due); err != nil {
			return err
		}
	}
	stored, err := loadBlock(t.ctx, t.q, b.ID)
	if err != nil {
		return err
	}
	return t.blockDue(s, &stored)
}

func (t *tx) storeBlock(s *structure, kind Kind, before, b *hotel.Block) error {
	if before != nil {
		b.UpdatedAt, b.Revision = t.now, b.Revision+1
	}
	d, err := documentOf(b)
	if err != nil {
		return err
	}
	if before == nil {
		err = t.q.InsertBlock(t.ctx, ledgerdb.InsertBlockParams(d))
	} else {
		err = t.q.UpdateBlock(t.ctx, ledgerdb.UpdateBlockParams{Body: d.Body, UpdatedAt: d.UpdatedAt, Revision: d.Revision, ID: d.ID})
	}
	if err != nil {
		return fmt.Errorf("store block %s: %w", b.ID, err)
	}
	nights := blockMoves(before, b)
	if err := t.uncontract(s, before, nights); err != nil {
		return err
	}
	if err := t.putBlockNights(b); err != nil {
		return fmt.Errorf("store nights of block %s: %w", b.ID, err)
	}
	fact := BlockFact{Block: *b, Ranges: nights.spans()}
	fact.Block.Contact, fact.Block.Notes = "", ""
	seq, err := t.append(entry{property: b.PropertyID, kind: kind, subject: b.ID, nights: fact.Ranges, body: fact})
	if err != nil {
		return err
	}
	if err := t.follow(s, affected{property: b.PropertyID, stock: true, nights: nights}, seq); err != nil {
		return err
	}
	return t.overBlockDue(s, b)
}

// putBlockNights replaces the rows of what the block still promises.
func (t *tx) putBlockNights(b *hotel.Block) error {
	if err := t.q.DeleteBlockNights(t.ctx, b.ID); err != nil {
		return err
	}
	for _, row := range blockNights(b) {
		if err := t.q.InsertBlockNight(t.ctx, ledgerdb.InsertBlockNightParams(row)); err != nil {
			return err
		}
	}
	return nil
}

// blockNights lists what the block still promises, by line and night.
func blockNights(b *hotel.Block) (rows []ledgerdb.BlockNight) {
	for _, l := range b.Lines {
		for d := l.DateFrom; d <= l.DateTo; d++ {
			if !b.Promises(d) {
				continue
			}
			row := ledgerdb.BlockNight{
				PropertyID: b.PropertyID, Night: int64(d), RoomTypeID: l.RoomTypeID, BlockID: b.ID,
				Units: int64(l.Units), Deducts: flag(b.TakesRooms()), ChannelID: b.ChannelID,
			}
			if on, ok := b.ReleasesOn(d); ok {
				row.ReleasesOn = new(int64(on))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// blockMoves lists the nights on which the block takes other rooms than before, or
// for another channel.
func blockMoves(before, b *hotel.Block) nightSet {
	type promise struct {
		units   int
		channel string
	}
	taken := func(b *hotel.Block) map[nightKey]promise {
		units := map[nightKey]promise{}
		if b == nil || !b.TakesRooms() {
			return units
		}
		for _, l := range b.Lines {
			for d := l.DateFrom; d <= l.DateTo; d++ {
				if b.Promises(d) {
					units[nightKey{d, product{room: l.RoomTypeID}}] = promise{l.Units, b.ChannelID}
				}
			}
		}
		return units
	}
	was, is, nights := taken(before), taken(b), nightSet{}
	for k, n := range was {
		if is[k] != n {
			nights[k.night] = struct{}{}
		}
	}
	for k, n := range is {
		if was[k] != n {
			nights[k.night] = struct{}{}
		}
	}
	return nights
}

// checkBlock checks what a block says against its property.
func (t *tx) checkBlock(s *structure, before, b *hotel.Block) error {
	sells := s.property.Sells(t.now)
	for i, l := range b.Lines {
		at := fmt.Sprintf("/lines/%d", i)
		if s.room(l.RoomTypeID) == nil {
			return hotel.Invalid(at+"/room_type_id", "unknown_room_type", "the property has no room type of that id")
		}
		if before != nil && slices.ContainsFunc(before.Lines, func(o hotel.BlockLine) bool {
			return o.RoomTypeID == l.RoomTypeID && o.DateFrom == l.DateFrom && l.DateTo <= max(o.DateTo, sells.To)
		}) {
			continue // it began when it began
		}
		if l.DateFrom < sells.From {
			return hotel.Invalid(at+"/date_from", "date_in_past", "must not be before the business date (%s)", sells.From)
		}
		if l.DateTo > sells.To {
			return hotel.Invalid(at+"/date_to", "date_horizon", "must not be after the booking horizon (%s)", sells.To)
		}
	}
	if b.RatePlanID != "" && s.plan(b.RatePlanID) == nil {
		return hotel.Invalid("/rate_plan_id", "unknown_rate_plan", "the property has no rate plan of that id")
	}
	for i, a := range b.Amounts {
		at := fmt.Sprintf("/amounts/%d", i)
		if s.room(a.RoomTypeID) == nil {
			return hotel.Invalid(at+"/room_type_id", "unknown_room_type", "the property has no room type of that id")
		}
		if a.Amount.Currency != s.property.Currency {
			return hotel.Invalid(at+"/amount", "currency_mismatch", "the property's currency is %s", s.property.Currency)
		}
	}
	if b.ReleaseOn != nil && (before == nil || before.ReleaseOn == nil || *before.ReleaseOn != *b.ReleaseOn) && *b.ReleaseOn <= s.property.Today(t.now) {
		return hotel.Invalid("/release_on", "date_in_past", "must be after today; to release the block now, release it")
	}
	if b.ChannelID != "" {
		c, err := t.q.GetChannel(t.ctx, b.ChannelID)
		if err != nil && !errors.Is(notFound(err), ErrNotFound) {
			return err
		}
		if err != nil || c.PropertyID != b.PropertyID {
			return hotel.Invalid("/channel_id", "unknown_option", "the property has no channel of that id")
		}
	}
	return nil
}

// checkStep refuses what a block's status does not let happen.
func checkStep(before, b *hotel.Block) error {
	refuse := func(allowed ...hotel.BlockStatus) error {
		refusal := hotel.Refuse("invalid_transition", "a block that is %s cannot be made %s", before.BlockStatus, b.BlockStatus)
		refusal.Members = map[string]any{"from": before.BlockStatus, "to": b.BlockStatus, "allowed": allowed}
		return refusal
	}
	if before.BlockStatus != hotel.Released {
		if before.BlockStatus == hotel.Definite && b.BlockStatus == hotel.Tentative {
			return refuse(hotel.Definite, hotel.Released)
		}
		return nil
	}
	same := *b
	same.Name, same.Contact, same.Notes = before.Name, before.Contact, before.Notes
	if reflect.DeepEqual(same, *before) {
		return nil
	}
	return refuse(hotel.Released)
}
