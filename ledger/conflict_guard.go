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
	pass, topics := map[hotel.Cell]bool{}, map[string][]hotel.Cell{}
	for _, p := range prices {
		topic := rejectedTopic(row.ID, p.Cell)
		topics[topic] = append(topics[topic], p.Cell)
	}
	c, err := t.compare(row, ledgerdb.Delivery{})
	if err != nil {
		return nil, err
	}
	for _, topic := range sortedKeys(topics) {
		r := rejection{parking: withholding, c: c, table: t.cellsOf(row), topic: topic}
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
// pass. It stores nothing.
func (l *Ledger) LetPass(ctx context.Context, channel string, prices []HeldPrice) (map[hotel.Cell]bool, error) {
	var let map[hotel.Cell]bool // no named result: see CreateReservation
	err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, channel)
		if err != nil {
			return notFound(err)
		}
		let, err = t.letPass(row, prices)
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
