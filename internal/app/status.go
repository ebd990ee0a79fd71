package app

import (
	"context"
	"time"

	"ostler.example/hotel"
)

// ChannelStatus is a channel as the live view shows it.
type ChannelStatus struct {
	hotel.ChannelState
	Breaker   string // closed, open or half_open
	RetryAt   time.Time
	HeldUntil time.Time
	Queued    int
	Buckets   []BucketStatus
}

// BucketStatus is one published limit as it stands.
type BucketStatus struct {
	Operation string
	Limit     int
	Per       time.Duration
	Remaining int
}

func (e *Environment) status(ctx context.Context) ([]ChannelStatus, error) {
	states, err := e.Ledger.Channels(ctx, "")
	if err != nil {
		return nil, err
	}
	out := make([]ChannelStatus, len(states))
	for i, s := range states {
		out[i].ChannelState = s
	}
	for _, s := range e.Engine.Status() {
		for i := range out {
			if out[i].ID != s.ChannelID {
				continue
			}
			out[i].Breaker, out[i].RetryAt, out[i].HeldUntil, out[i].Queued = string(s.Gate.Breaker), s.Gate.RetryAt, s.Gate.HeldUntil, s.Gate.Queued
			for _, b := range s.Gate.Buckets {
				out[i].Buckets = append(out[i].Buckets, BucketStatus{b.Operation, b.Limit, b.Per, b.Remaining})
			}
		}
	}
	return out, nil
}
