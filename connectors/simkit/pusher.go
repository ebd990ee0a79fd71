package simkit

import (
	"context"
	"fmt"
	"time"

	"go.uber.org/zap"
)

// How long a far side waits before it sends an event again.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 30 * time.Second
)

// Pusher sends what happens to bookings to the hotel's side, oldest first, each until
// it is taken. What is not taken is in the book, so it outlives the process.
type Pusher struct {
	Book *Book
	Log  *zap.Logger
	Push func(ctx context.Context, e Event) error // once; nil: it is taken
}

// Run sends until ctx ends.
func (p Pusher) Run(ctx context.Context) error {
	wait := firstWait
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		case <-p.Book.Woken():
		}
		err := p.all(ctx)
		if err == nil {
			wait = firstWait
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		p.Log.Info("event not taken, to be sent again", zap.Duration("wait", wait), zap.Error(err))
		timer.Reset(wait)
		wait = min(2*wait, lastWait)
	}
}

// all sends everything that waits and stops at the first failure.
func (p Pusher) all(ctx context.Context) error {
	for {
		if more, err := p.Oldest(ctx); err != nil || !more {
			return err
		}
	}
}

// Oldest sends the oldest event that waits, once, and reports whether there was one.
// On an error it still waits.
func (p Pusher) Oldest(ctx context.Context) (bool, error) {
	waiting := p.Book.Events(0, 1)
	if len(waiting) == 0 {
		return false, nil
	}
	e := waiting[0]
	if err := p.Push(ctx, e); err != nil {
		return true, fmt.Errorf("push event %d: %w", e.Seq, err)
	}
	if err := p.Book.Acknowledge(e.Seq); err != nil {
		return true, fmt.Errorf("note event %d as taken: %w", e.Seq, err)
	}
	return true, nil
}
