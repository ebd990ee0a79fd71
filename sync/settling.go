package sync

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"ostler.example/internal/backoff"
	"ostler.example/ledger"
)

// settling is a ledger that stores what became of a call for as long as it takes: while
// nobody knows it, none of the call's cells is told again. A disk that is full or a
// database that is locked for good must not end with a number that stays stale until the
// program is started again.
type settling struct {
	Ledger
	e *Engine
}

// Settle stores what became of a call. When it cannot it tries again, with a longer
// pause each time, until the engine stops; the call is then unknown after the next start.
func (s settling) Settle(ctx context.Context, o ledger.Settlement) error {
	return s.store(o, func() error { return s.Ledger.Settle(ctx, o) })
}

// Answered is Settle for a call that asked the channel for something.
func (s settling) Answered(ctx context.Context, a ledger.Asked, o ledger.Settlement) error {
	return s.store(o, func() error { return s.Ledger.Answered(ctx, a, o) })
}

func (s settling) store(o ledger.Settlement, store func() error) error {
	for attempt := 1; ; attempt++ {
		err, stopping := store(), s.e.stopping()
		if err == nil || errors.Is(err, ledger.ErrNotFound) || stopping == nil {
			return err
		}
		s.e.o.Log.Error("what became of a call is not stored yet", zap.String("delivery", o.DeliveryID), zap.Error(err))
		timer := time.NewTimer(min(longestUnstored, backoff.Delay(backoff.Delivery, attempt, o.DeliveryID)))
		select {
		case <-stopping:
			timer.Stop()
			return err
		case <-timer.C:
		}
	}
}

// longestUnstored is how long it takes at most until what became of a call is stored,
// once that is possible again.
const longestUnstored = 10 * time.Second
