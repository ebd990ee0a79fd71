package inbound

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
)

// Ledger is what takes messages in, and what pulls are recorded in.
type Ledger interface {
	OffersChanged(property string) <-chan struct{}
	NextDoubt(ctx context.Context, channel string, unseen, unsure time.Duration) (time.Time, error)
	Doubts(ctx context.Context, channel string, stale, unsure time.Time) ([]ledger.Doubt, error)
	BeginCount(ctx context.Context, channel string, of []ledger.Doubt) error
	Counted(ctx context.Context, channel string, counts map[ledger.Doubt]int) error
	Reclose(ctx context.Context, channel string, of []ledger.Doubt) error
	Unlisted(ctx context.Context, channel string) (u ledger.Unlisted, ok bool, err error)
	AdvanceAudit(ctx context.Context, channel string, can ledger.AuditMeans) (hotel.AuditStage, time.Duration, error)
	Receive(ctx context.Context, r ledger.Receipt) (ledger.Received, error)
	ActionsAsked() <-chan struct{}
	MessagesToReread(ctx context.Context, channel string) ([]ledger.UnreadMessage, error)

	PollCursor(ctx context.Context, channel string) (string, error)
	Polled(ctx context.Context, channel, call, cursor string) error

	// What the hotel's own system writes and takes.
	Epoch(ctx context.Context) (int64, error)
	Property(ctx context.Context, id string) (hotel.Property, error)
	RoomTypes(ctx context.Context, property string) ([]hotel.RoomType, error)
	RatePlans(ctx context.Context, property string) ([]hotel.RatePlan, error)
	UpdateInventory(ctx context.Context, by hotel.By, once hotel.Once, u hotel.InventoryUpdate) (hotel.AriUpdate, bool, error)
	UpdateRates(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RateUpdate) (hotel.AriUpdate, bool, error)
	UpdateRestrictions(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RestrictionUpdate) (hotel.AriUpdate, bool, error)
	Reservations(ctx context.Context, f hotel.ReservationFilter) ([]hotel.Reservation, error)
	AcknowledgeReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, q hotel.AcknowledgeRequest) (hotel.Reservation, bool, error)
	NoteShown(ctx context.Context, by hotel.By, operation string, people []string) error
	RateCells(ctx context.Context, q hotel.CellQuery) ([]hotel.RateCell, error)

	// How its connector behaves.
	Flag(ctx context.Context, channel, part string, f hotel.Fault) error
	Unflag(ctx context.Context, channel, part string) error
}

var _ Ledger = (*ledger.Ledger)(nil)
