package ledger

import (
	"context"
	"fmt"
	"slices"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// oddTopic is that of conflicts about prices of a line that were sent although the guard
// found something. They are apart from those about prices that it kept: that one of them
// was sent is nobody's word that it may be.
func oddTopic(channel string, c hotel.Cell) string { return rejectedTopic(channel, c) + "/sent" }

// sentAllTheSame is the policy by which they are settled.
var sentAllTheSame = hotel.Applied{Level: "channel", Field: "price_guard.too_high", Value: string(hotel.GuardSend)}

// SentTooHigh reports whether a conflict is about prices that the guard finds too high and
// that are sent all the same, as it says.
func SentTooHigh(c *hotel.Conflict) bool {
	return c.Kind == hotel.ConflictPriceGuard && c.DecidedBy == hotel.ByPolicy && c.Applied != nil && *c.Applied == sentAllTheSame
}

// Odd notes prices that the guard finds too high and that are sent all the same, as
// conflicts that the guard itself has decided, of which people are told. What was noted
// of a night is not noted again while the same is wanted.
func (l *Ledger) Odd(ctx context.Context, channel string, prices []HeldPrice) error {
	err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, err := t.q.GetChannel(t.ctx, channel)
		if err != nil {
			return notFound(err)
		}
		c, err := t.compare(row, ledgerdb.Delivery{})
		if err != nil {
			return err
		}
		topics := map[string][]HeldPrice{}
		for _, p := range prices {
			topic := oddTopic(row.ID, p.Cell)
			topics[topic] = append(topics[topic], p)
		}
		var cells []SentCell
		reasons := map[hotel.Cell]string{}
		for _, topic := range sortedKeys(topics) {
			noted, err := c.noteOdd(topic, topics[topic], reasons)
			if err != nil {
				return err
			}
			cells = append(cells, noted...)
		}
		if len(cells) == 0 {
			return nil
		}
		return t.tellCells(PricesOdd, row, cells, reasons)
	})
	if err != nil {
		return fmt.Errorf("note odd prices of channel %s: %w", channel, err)
	}
	return nil
}

// noteOdd settles a conflict about those of the prices of a line that were not noted
// before. It returns them, and adds why to reasons.
func (c *comparison) noteOdd(topic string, prices []HeldPrice, reasons map[hotel.Cell]string) ([]SentCell, error) {
	r := rejection{
		parking: withholding, c: c, table: c.t.cellsOf(c.row), topic: topic, since: c.t.now,
		reasons: reasons, nearest: map[hotel.Cell]any{}, refused: map[hotel.Cell]any{},
	}
	before, err := r.decided(hotel.OptionSend)
	if err != nil {
		return nil, err
	}
	prices = slices.DeleteFunc(slices.Clone(prices), func(p HeldPrice) bool {
		_, noted := before(p.Cell)
		return noted
	})
	cells, names := make([]SentCell, len(prices)), make([]hotel.Cell, len(prices))
	for i, p := range prices {
		cells[i], names[i] = p.SentCell, p.Cell
		reasons[p.Cell], r.nearest[p.Cell] = p.Reason+": "+p.By, c.words(p.Cell, p.Near)
	}
	if err := r.table.load(names); err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(cell hotel.Cell) bool {
		g := r.table.cells.at(cell)
		return g == nil || g.want == nil // it is wanted no more
	})
	if len(names) == 0 {
		return cells, nil
	}
	k := r.conflict(names)
	k.Applied = new(sentAllTheSame)
	return cells, c.t.note(k, hotel.OptionSend)
}
