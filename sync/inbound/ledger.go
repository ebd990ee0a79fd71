package inbound

import (
	"context"

	"ostler.example/ledger"
)

// Ledger is what takes messages in, and what pulls are recorded in.
type Ledger interface {
	Receive(ctx context.Context, r ledger.Receipt) (ledger.Received, error)

	PollCursor(ctx context.Context, channel string) (string, error)
	Begin(ctx context.Context, d ledger.NewDelivery) (ledger.Begun, error)
	Polled(ctx context.Context, channel, cursor string) error
	Settle(ctx context.Context, s ledger.Settlement) error
}

var _ Ledger = (*ledger.Ledger)(nil)
