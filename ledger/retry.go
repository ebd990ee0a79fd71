package ledger

import (
	"context"
	"fmt"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// closingAgain is after how long a closing that a channel refused is told again, and
// whatever a counter of a guarded pool refused. Its value never changes, so that
// nothing else would bring it on its way; and while the channel has not taken it, it
// sells what is sold.
const closingAgain = 10 * time.Minute

// RetryClosings has closings and lowerings that channels refused told again, every
// ten minutes, and every hour one price and one length of each product. It is called
// every minute or so. A channel that fails keeps none of the others. Of counts in
// guarded pools it is decided anew what they are told. When that is due is stored, so
// that a restart neither forgets nor hastens it.
func (l *Ledger) RetryClosings(ctx context.Context) error {
	channels, err := l.read.ListChannels(ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	return each(channels, func(row ledgerdb.Channel) error {
		if err := l.followRefused(ctx, row); err != nil {
			return fmt.Errorf("tell channel %s closings again: %w", row.ID, err)
		}
		return nil
	})
}

func (l *Ledger) followRefused(ctx context.Context, row ledgerdb.Channel) error {
	n, err := l.read.RejectedCells(ctx, row.ID)
	if err != nil {
		return fmt.Errorf("look for what it refuses: %w", err)
	}
	due := row.RetryAt != nil && !l.clock.Now().Before(instant(*row.RetryAt))
	if refuses := n > 0; !due && refuses == (row.RetryAt != nil) {
		return nil
	}
	return l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.followRefused(row.ID) })
}

// followRefused has what a channel refuses told again when that is due, and notes when
// it is the next time.
func (t *tx) followRefused(channel string) error {
	row, err := t.q.GetChannel(t.ctx, channel)
	if err != nil {
		return notFound(err)
	}
	n, err := t.q.RejectedCells(t.ctx, channel)
	if err != nil {
		return err
	}
	next := row.RetryAt
	switch {
	case n == 0:
		next = nil
	case next == nil:
		return t.retryInTime(row)
	case !t.now.Before(instant(*next)):
		hour := instant(*next).Add(-closingAgain).Truncate(probeAgain) // of the time before
		if err := t.retryClosings(row, t.now.Truncate(probeAgain).After(hour)); err != nil {
			return err
		}
		next = microsOrNil(t.now.Add(closingAgain))
	}
	return t.q.SetRetry(t.ctx, ledgerdb.SetRetryParams{RetryAt: next, ID: channel})
}

// retryInTime notes when the channel is told again what it has just refused, from when on
// a restart does not count anew.
func (t *tx) retryInTime(channel ledgerdb.Channel) error {
	if channel.RetryAt != nil {
		return nil
	}
	return t.q.SetRetry(t.ctx, ledgerdb.SetRetryParams{RetryAt: microsOrNil(t.now.Add(closingAgain)), ID: channel.ID})
}

// retryClosings has closings told again that were refused, and where probe says so one
// value of each product.
func (t *tx) retryClosings(row ledgerdb.Channel, probe bool) error {
	s, err := t.structure(row.PropertyID)
	if err != nil {
		return err
	}
	seq, today := t.heads.sequence, int64(s.property.Today(t.now))
	stock, err := t.q.RetryStock(t.ctx, ledgerdb.RetryStockParams{Sequence: seq, ChannelID: row.ID, First: today})
	if err != nil {
		return err
	}
	closures, err := t.q.RetryClosures(t.ctx, ledgerdb.RetryClosuresParams{Sequence: &seq, ChannelID: row.ID, First: today})
	if err != nil {
		return err
	}
	guarded, err := t.q.RetryGuarded(t.ctx, ledgerdb.RetryGuardedParams{ChannelID: row.ID, First: today})
	if err != nil {
		return err
	}
	nights := nightSet{}
	for _, night := range guarded {
		nights[hotel.Date(night)] = struct{}{}
	}
	t.redeal(row.PropertyID, nights)
	if stock+closures > 0 {
		t.effects.touchOffers(row.PropertyID)
	}
	if !probe {
		return nil
	}
	return t.probeRefused(row, s.property.Today(t.now))
}
