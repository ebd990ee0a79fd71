package ledger

import (
	"context"
	"fmt"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// letPass returns the prices that somebody has decided to send although the
// channel's guard keeps them, while they are the same.
func (t *tx) letPass(row ledgerdb.Channel, prices []HeldPrice) (map[hotel.Cell]bool, error) {
	c, err := t.compare(row, ledgerdb.Delivery{})
	if err != nil {
		return nil, err
	}
	return c.letPass(prices)
}

func (c *comparison) letPass(prices []HeldPrice) (map[hotel.Cell]bool, error) {
	pass, topics := map[hotel.Cell]bool{}, map[string][]hotel.Cell{}
	for _, p := range prices {
		topic := rejectedTopic(c.row.ID, p.Cell)
		topics[topic] = append(topics[topic], p.Cell)
	}
	for _, topic := range sortedKeys(topics) {
		r := rejection{parking: withholding, c: c, table: c.t.cellsOf(c.row), topic: topic}
		sent, err := r.decided(hotel.OptionSend)
		if err != nil {
			return nil, err
		}
		for _, cell := range topics[topic] {
			if sent(cell) {
				pass[cell] = true
			}
		}
	}
	return pass, nil
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
	for _, cell := range cells {
		g := table.cells[cell]
		switch {
		case g == nil || g.state != withheld:
		case d.Option == hotel.OptionSend:
			g.state, g.wantSeq = unknown, new(t.heads.sequence)
		case d.Option == hotel.OptionClose:
			table.closeFor(cell)
		}
	}
	t.effects.touchOffers(row.PropertyID)
	return table.save()
}
