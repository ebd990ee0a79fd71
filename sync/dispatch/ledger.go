package dispatch

import (
	"context"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// Ledger is what a worker asks of the ledger, step by step. Every method is one
// consistent look or one transaction; between two of them the program may end.
type Ledger interface {
	RatePlans(ctx context.Context, property string) ([]hotel.RatePlan, error)
	Lines(ctx context.Context, channel string) ([]ledger.Counter, []hotel.Mapping, error)
	OffersChanged(property string) <-chan struct{}

	// Derive.
	Work(ctx context.Context, channel string, reach ledger.Reach, how ledger.Turn) (ledger.Work, error)
	Desire(ctx context.Context, channel string, w ledger.Work, wanted []ledger.Wanted) error
	Outlook(ctx context.Context, channel string, reach ledger.Reach, as *hotel.Remap) (ledger.Outlook, error)

	Foreseen(ctx context.Context, channel string, reach ledger.Reach, of ledger.Foresight) (is, would ledger.Work, err error)
	Untold(ctx context.Context, channel string, nights hotel.Span, all bool) (ledger.Untold, error)

	// Explain.
	Insight(ctx context.Context, of hotel.ExplainQuery, reach ledger.Reach) (ledger.Insight, error)

	// Begin.
	Dirty(ctx context.Context, channel string, today hotel.Date, limit int) ([]ledger.DirtyCell, error)
	Pressing(ctx context.Context, channel string, today hotel.Date, limit int) ([]ledger.DirtyCell, error)
	Brake(ctx context.Context, channel string, dirty []ledger.DirtyCell) ([]ledger.DirtyCell, error)
	Braked(ctx context.Context, channel string, dirty []ledger.DirtyCell) (pass []ledger.DirtyCell, held int, err error)
	PricesAround(ctx context.Context, channel string, c hotel.Cell, nights int) ([]int64, error)
	Hold(ctx context.Context, channel string, revision int64, prices []ledger.HeldPrice) (pass map[hotel.Cell]bool, err error)
	LetPass(ctx context.Context, channel string, prices []ledger.HeldPrice) (map[hotel.Cell]bool, error)
	Odd(ctx context.Context, channel string, prices []ledger.HeldPrice) error
	Refuse(ctx context.Context, channel string, revision int64, cells []ledger.SentCell, reasons map[hotel.Cell]string) error
	Begin(ctx context.Context, d ledger.NewDelivery) (ledger.Begun, error)

	Flag(ctx context.Context, channel, part string, f hotel.Fault) error

	// Settle.
	Settle(ctx context.Context, s ledger.Settlement) error
}

var _ Ledger = (*ledger.Ledger)(nil)
