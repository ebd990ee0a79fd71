package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// Refresh puts all that a live channel shows in doubt, so that it is told all of it
// again, and notes when that was; the first time it only notes it, since whoever has
// just gone live is being told everything. Guarded counters stay as they are. last is
// when the channel was refreshed before, as far as the caller knows: nothing happens
// when that was later, or when the channel is told nothing.
func (l *Ledger) Refresh(ctx context.Context, channel string, last, at time.Time) error {
	err := l.write(ctx, bulk, hotel.By{Actor: hotel.System}, func(t *tx) error {
		row, c, err := t.channel(channel)
		if err != nil || c.Status != hotel.ChannelActive || c.Shadow || !last.Equal(instantOrZero(row.ReadAt)) {
			return err
		}
		if row.ReadAt != nil {
			if err := t.doubt(c, hotel.Span{}); err != nil {
				return err
			}
		}
		return t.q.SetRead(t.ctx, ledgerdb.SetReadParams{ReadAt: microsOrNil(at), ID: channel})
	})
	if err != nil {
		return fmt.Errorf("refresh channel %s: %w", channel, err)
	}
	return nil
}
