package ledger

import (
	"context"
	"fmt"
	"sync"
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
// ten minutes. It is called every minute or so. Of counts in guarded pools it is
// decided anew what they are told.
func (l *Ledger) RetryClosings(ctx context.Context) error {
	channels, err := l.read.ListChannels(ctx)
	if err != nil {
		return fmt.Errorf("list channels: %w", err)
	}
	for _, row := range channels {
		n, err := l.read.RejectedCells(ctx, row.ID)
		if err != nil {
			return fmt.Errorf("look for what channel %s refuses: %w", row.ID, err)
		}
		if !l.closings.due(row.ID, n > 0, l.clock.Now()) {
			continue
		}
		if err := l.write(ctx, urgent, hotel.By{Actor: hotel.System}, func(t *tx) error { return t.retryClosings(row) }); err != nil {
			return fmt.Errorf("tell channel %s closings again: %w", row.ID, err)
		}
	}
	return nil
}

func (t *tx) retryClosings(row ledgerdb.Channel) error {
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
	return nil
}

// retries is when closings are told again, by channel. It is forgotten with the
// program, which only delays them once.
type retries struct {
	mu sync.Mutex
	at map[string]time.Time
}

// due reports whether a channel's closings are to be told again now.
func (r *retries) due(channel string, refuses bool, now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, known := r.at[channel]
	switch {
	case !refuses:
		delete(r.at, channel)
		return false
	case known && now.Before(at):
		return false
	}
	if r.at == nil {
		r.at = map[string]time.Time{}
	}
	r.at[channel] = now.Add(closingAgain)
	return known
}
