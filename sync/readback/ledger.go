package readback

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// Ledger is what reading back asks of the ledger.
type Ledger interface {
	RatePlans(ctx context.Context, property string) ([]hotel.RatePlan, error)
	Lines(ctx context.Context, channel string) ([]ledger.Counter, []hotel.Mapping, error)
	ToRead(ctx context.Context, channel string, of ledger.ReadScope, from hotel.Date) ([]ledger.RemoteNights, error)
	ReadBack(ctx context.Context, r ledger.Reading) error
	ReadDone(ctx context.Context, channel string, began time.Time) error
	Refresh(ctx context.Context, channel string, last, at time.Time) error
}

var _ Ledger = (*ledger.Ledger)(nil)
