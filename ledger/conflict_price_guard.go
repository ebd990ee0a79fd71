package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// letPass returns the prices that somebody has decided to send although the
// channel's guard keeps them, while they are the same.
func (c *comparison) letPass(prices []HeldPrice) (map[hotel.Cell]bool, error) {
	sent, err := c.decided(prices, hotel.OptionSend)
	pass := make(map[hotel.Cell]bool, len(sent))
	for cell := range sent {
		pass[cell] = true
	}
	return pass, err
}

// decided returns the prices for which an option was taken when they were last
// held, as they were then, while they are the same.
func (c *comparison) decided(prices []HeldPrice, option string) (map[hotel.Cell]RejectedNights, error) {
	found, topics := map[hotel.Cell]RejectedNights{}, map[string][]hotel.Cell{}
	for _, p := range prices {
		topic := rejectedTopic(c.row.ID, p.Cell)
		topics[topic] = append(topics[topic], p.Cell)
	}
	for _, topic := range sortedKeys(topics) {
		r := rejection{parking: withholding, c: c, table: c.t.cellsOf(c.row), topic: topic}
		then, err := r.decided(option)
		if err != nil {
			return nil, err
		}
		for _, cell := range topics[topic] {
			if n, is := then(cell); is {
				found[cell] = n
			}
		}
	}
	return found, nil
}

// LetPass returns which of the prices that the guard would hold somebody has let
// pass. It stores nothing, and waits for no writer.
func (l *Ledger) LetPass(ctx context.Context, channel string, prices []HeldPrice) (let map[hotel.Cell]bool, err error) {
	err = l.snapshot(ctx, func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(ctx, channel)
		if err != nil {
			return notFound(err)
		}
		s, err := loadStructure(ctx, q, row.PropertyID)
		if err != nil {
			return err
		}
		c, err := (&tx{ctx: ctx, q: q}).comparison(row, ledgerdb.Delivery{}, s)
		if err != nil {
			return err
		}
		let, err = c.letPass(prices)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look which prices of channel %s were let pass: %w", channel, err)
	}
	return let, nil
}

// enactGuard has prices sent that the guard keeps, or their nights closed until
// the channel confirms other ones.
func (t *tx) enactGuard(c *hotel.Conflict, d hotel.ConflictDecision) error {
	row, err := t.q.GetChannel(t.ctx, c.ChannelID)
	if err != nil {
		return notFound(err)
	}
	table, cells := t.cellsOf(row), cellsOfConflict(c)
	if err := table.load(cells); err != nil {
		return err
	}
	before, err := rejectedBefore(c)
	if err != nil {
		return err
	}
	instead, err := nearest(before)
	if err != nil {
		return err
	}
	told := false
	for _, cell := range cells {
		g := table.cells.at(cell)
		switch {
		case g == nil || g.state != withheld:
		case d.Option == hotel.OptionSend:
			g.state, g.wantSeq = unknown, new(t.heads.sequence)
		case d.Option == hotel.OptionCap && instead[cell] != nil:
			g.cap(instead[cell], originAt(t.heads.sequence))
			told = true
		case d.Option == hotel.OptionClose:
			table.closeFor(cell)
		}
	}
	if d.Option == hotel.OptionCap && !told {
		return hotel.Refuse("not_available", "no price passes the guard on these nights: mend the guard, or send, hold or close")
	}
	t.effects.touchOffers(row.PropertyID)
	return table.save()
}

// nearest returns the nearest prices that the guard lets pass, in minor units, of those
// for which there is one.
func nearest(of map[hotel.Cell]RejectedNights) (map[hotel.Cell]*int64, error) {
	prices := make(map[hotel.Cell]*int64, len(of))
	for cell, n := range of {
		if n.Near == nil {
			continue
		}
		text, err := json.Marshal(n.Near)
		if err != nil {
			return nil, err
		}
		var m hotel.Money
		if err := json.Unmarshal(text, &m); err != nil {
			return nil, fmt.Errorf("nearest price: %w", err)
		}
		prices[cell] = &m.Minor
	}
	return prices, nil
}

// capped returns what is sent in place of prices that somebody has capped, as it was
// worked out then. A guard that looks at what is shown would by now let more pass, and
// so on, step by step.
func (c *comparison) capped(prices []HeldPrice) (map[hotel.Cell]*int64, error) {
	then, err := c.decided(prices, hotel.OptionCap)
	if err != nil {
		return nil, err
	}
	return nearest(then)
}
