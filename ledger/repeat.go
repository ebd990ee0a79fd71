package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// repeatFor is how long a far side is expected to remember the keys of calls.
const repeatFor = time.Hour

// repeats returns the call that a call about to be stored repeats, "" when it is told
// anew; of calls for an action, the action. A channel that notices repeats may be told once more, under the same key, what
// the call before was to tell it and had no answer to: it then takes effect once,
// whether or not it had arrived. To set a count a second time would open a room again
// that was sold there meanwhile. With anything else told in between, or a count
// known to have moved since, or seen to be another, the same words are another call.
func (t *tx) repeats(channel ledgerdb.Channel, d NewDelivery, runs string, of cargo) (string, error) {
	if d.Kind == Act {
		return d.Asked.Action.ID, nil
	}
	if d.Kind != Push || of.guarded || of.shown || len(d.Cells) > cellsAtOnce {
		return "", nil
	}
	terms, err := termsOf(channel)
	if err != nil || !terms.RepeatKey {
		return "", err
	}
	last, err := t.q.NewestPush(t.ctx, ledgerdb.NewestPushParams{ChannelID: channel.ID, Since: d.SentAt.Add(-repeatFor).UnixMicro()})
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the call before: %w", err)
	}
	if last.State != string(DeliveryUnknown) || last.Operation != d.Operation || last.Cells != runs || of.ownSeq > last.Sequence {
		return "", nil
	}
	if last.Repeats == "" {
		return last.ID, nil
	}
	first, err := t.q.GetDelivery(t.ctx, last.Repeats)
	if err != nil || d.SentAt.Sub(instant(first.SentAt)) > repeatFor {
		return "", err
	}
	return last.Repeats, nil
}

// EndedUnclear lists the cells of calls to a channel that ended within a time, after
// one instant and no later than another, and nobody knows how.
func (l *Ledger) EndedUnclear(ctx context.Context, channel string, after, till time.Time) ([]hotel.Cell, error) {
	rows, err := l.read.EndedUnclear(ctx, ledgerdb.EndedUnclearParams{
		ChannelID: channel, Oldest: after.Add(-longestCall).UnixMicro(), Ended: new(after.UnixMicro()), Till: new(till.UnixMicro()),
	})
	if err != nil {
		return nil, fmt.Errorf("calls to channel %s without an outcome: %w", channel, err)
	}
	var out []hotel.Cell
	for _, r := range rows {
		text := r.Unclear
		if r.State == string(DeliveryUnknown) {
			text = r.Cells
		}
		if text == "" {
			continue
		}
		cells, err := unpackCells(text)
		if err != nil {
			return nil, fmt.Errorf("cells of a call to channel %s: %w", channel, err)
		}
		for _, c := range cells {
			out = append(out, c.Cell)
		}
	}
	return out, nil
}

// DoubtCells puts cells of a channel in doubt, so that they are told again: an earlier
// call may have changed them after they were confirmed. Counters of guarded pools
// are left out; their accounts know better.
func (l *Ledger) DoubtCells(ctx context.Context, channel string, cells []hotel.Cell) error {
	for len(cells) > 0 {
		part := cells[:min(len(cells), cellsAtOnce)]
		cells = cells[len(part):]
		err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.doubtCells(channel, part) })
		if err != nil {
			return fmt.Errorf("doubt cells of channel %s: %w", channel, err)
		}
	}
	return nil
}

func (t *tx) doubtCells(channel string, cells []hotel.Cell) error {
	row, err := t.q.GetChannel(t.ctx, channel)
	if err != nil {
		return notFound(err)
	}
	table := t.cellsOf(row)
	if err := table.load(cells); err != nil {
		return err
	}
	nights := hotel.Span{From: finalNight}
	for _, c := range cells {
		if g := table.cells.at(c); g != nil && !g.guarded && g.want != nil && g.sure() {
			nights = hotel.Span{From: min(nights.From, c.Night), To: max(nights.To, c.Night)}
		}
	}
	if nights.From == finalNight {
		return nil
	}
	entered, err := t.append(entry{property: row.PropertyID, kind: ChannelDoubted, subject: row.ID, body: map[string]any{"nights": nights}})
	if err != nil {
		return err
	}
	for _, c := range cells {
		if g := table.cells.at(c); g != nil && !g.guarded && g.want != nil && g.sure() {
			if !g.dirty() {
				g.wantSeq = &entered
			}
			g.state = unknown
		}
	}
	t.effects.touchOffers(row.PropertyID)
	return table.save()
}
