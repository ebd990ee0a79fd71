package desk

import (
	"cmp"
	"context"
	"errors"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/stay"
	"ostler.example/internal/auth"
	"ostler.example/ledger"
)

// DefaultEventWindow is how far back the feed of events reaches unless it is told.
const DefaultEventWindow = 30 * 24 * time.Hour

// Options are what a Desk needs; all are required but those that say what holds without them.
type Options struct {
	Ledger      Ledger
	Engine      Engine
	Clients     Clients
	Requests    Requests
	Sandboxes   Sandboxes // nil: none can be changed from here
	Post        Post
	Seal        *auth.Seal // of what is kept of webhooks
	Clock       hotel.Clock
	EventWindow time.Duration // how far back the feed of events reaches; 0: [DefaultEventWindow]
	RecallFor   time.Duration // how long a direct sale waits for a room that is on sale at a channel; 0: [DefaultRecall]
}

// Desk answers for one environment. Its methods may be called at the same time.
type Desk struct {
	ledger      Ledger
	engine      Engine
	clients     Clients
	requests    Requests
	sandboxes   Sandboxes
	post        Post
	seal        *auth.Seal
	clock       hotel.Clock
	eventWindow time.Duration
	recallFor   time.Duration
	calendar    calendar
	reporting   chan struct{} // holds one place for the report that is being worked out
}

// New returns the desk of the ledger.
func New(o Options) *Desk {
	return &Desk{
		ledger: o.Ledger, engine: o.Engine, clients: o.Clients, requests: o.Requests, sandboxes: o.Sandboxes, post: o.Post, seal: o.Seal, clock: o.Clock,
		eventWindow: cmp.Or(o.EventWindow, DefaultEventWindow), recallFor: cmp.Or(o.RecallFor, DefaultRecall),
		reporting: make(chan struct{}, 1),
	}
}

// Ledger is what the desk needs of the ledger.
type Ledger interface {
	structure
	nights
	bookings
	journal
	blocks
	pricingRules
	guests
	webhooks
	reports

	// Board returns the property's board, ready to be read.
	Board(ctx context.Context, propertyID string) (*board.Board, error)
	channels
	conflicts
	notices
}

// channels is what is kept by channel.
type channels interface {
	// Channels returns the channels of the property, of all when it is "".
	Channels(ctx context.Context, propertyID string) ([]hotel.ChannelState, error)
	ChannelSetUp(ctx context.Context, id string) (hotel.Channel, error)
	ChannelList(ctx context.Context, propertyID string) ([]hotel.Channel, error)
	Channel(ctx context.Context, id string) (hotel.ChannelState, error)
	Mappings(ctx context.Context, channelID string) ([]hotel.Mapping, error)
	OnSale(ctx context.Context, channelID string) (ledger.OnSale, error)
	Tally(ctx context.Context, channelID string) (hotel.Tally, error)
	ChannelHealth(ctx context.Context, channelID string) (hotel.ChannelHealth, error)
	ChannelCalls(ctx context.Context, f hotel.CallFilter) ([]hotel.ChannelCall, error)
	AnswerTimes(ctx context.Context, channelID string, most int) ([]time.Duration, error)
	Sights(ctx context.Context, q hotel.SightQuery) (hotel.Sights, error)
	Standings(ctx context.Context, q hotel.StandingQuery) ([][]hotel.NightStanding, error)
	SyncRun(ctx context.Context, id string) (hotel.SyncRun, error)
	SyncRuns(ctx context.Context, f hotel.SyncRunFilter) ([]hotel.SyncRun, error)
	Changed() <-chan struct{}

	CreateChannel(ctx context.Context, by hotel.By, once hotel.Once, c hotel.Channel) (made hotel.Channel, replayed bool, err error)
	ChangeChannel(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, edit func(*hotel.Channel) error) (changed hotel.Channel, replayed bool, err error)
	TryMapping(ctx context.Context, by hotel.By, id string, m hotel.Remap) error
	ChannelReached(ctx context.Context, by hotel.By, id string) (hotel.Channel, error)
	ShadowChannel(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (c hotel.Channel, replayed bool, err error)
	PauseChannel(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, freeze bool) (c hotel.Channel, replayed bool, err error)
	DisconnectChannel(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64, force bool) (c hotel.Channel, replayed bool, err error)
}

// structure is what the house is made of.
type structure interface {
	Properties(ctx context.Context) ([]hotel.Property, error)
	Property(ctx context.Context, id string) (hotel.Property, error)
	Pools(ctx context.Context, propertyID string) ([]hotel.Pool, error)
	Pool(ctx context.Context, id string) (hotel.Pool, error)
	RoomTypes(ctx context.Context, propertyID string) ([]hotel.RoomType, error)
	RoomType(ctx context.Context, id string) (hotel.RoomType, error)
	RatePlans(ctx context.Context, propertyID string) ([]hotel.RatePlan, error)
	RatePlan(ctx context.Context, id string) (hotel.RatePlan, error)

	CreateProperty(ctx context.Context, by hotel.By, once hotel.Once, r hotel.Property) (made hotel.Property, replayed bool, err error)
	ChangeProperty(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.Property]) (changed hotel.Property, replayed bool, err error)
	ArchiveProperty(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (archived hotel.Property, replayed bool, err error)
	CreatePool(ctx context.Context, by hotel.By, once hotel.Once, r hotel.Pool) (made hotel.Pool, replayed bool, err error)
	ChangePool(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.Pool]) (changed hotel.Pool, replayed bool, err error)
	ArchivePool(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (archived hotel.Pool, replayed bool, err error)
	CreateRoomType(ctx context.Context, by hotel.By, once hotel.Once, r hotel.RoomType) (made hotel.RoomType, replayed bool, err error)
	ChangeRoomType(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.RoomType]) (changed hotel.RoomType, replayed bool, err error)
	ArchiveRoomType(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (archived hotel.RoomType, replayed bool, err error)
	CreateRatePlan(ctx context.Context, by hotel.By, once hotel.Once, r hotel.RatePlan) (made hotel.RatePlan, replayed bool, err error)
	ChangeRatePlan(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.Change[hotel.RatePlan]) (changed hotel.RatePlan, replayed bool, err error)
	ArchiveRatePlan(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (archived hotel.RatePlan, replayed bool, err error)
}

// nights is what is kept by night.
type nights interface {
	Inventory(ctx context.Context, q hotel.InventoryQuery) (hotel.Inventory, error)
	RateCells(ctx context.Context, q hotel.CellQuery) ([]hotel.RateCell, error)
	RestrictionCells(ctx context.Context, q hotel.CellQuery) ([]hotel.RestrictionCell, error)

	UpdateInventory(ctx context.Context, by hotel.By, once hotel.Once, u hotel.InventoryUpdate) (upd hotel.AriUpdate, replayed bool, err error)
	UpdateRates(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RateUpdate) (upd hotel.AriUpdate, replayed bool, err error)
	UpdateRestrictions(ctx context.Context, by hotel.By, once hotel.Once, u hotel.RestrictionUpdate) (upd hotel.AriUpdate, replayed bool, err error)
	Foresee(ctx context.Context, u hotel.AnyUpdate) (ledger.Foresight, error)
	AriUpdate(ctx context.Context, id string) (hotel.AriUpdate, error)
	AriUpdates(ctx context.Context, f hotel.AriUpdateFilter) ([]hotel.AriUpdate, error)
	LatestAriUpdates(ctx context.Context, property, before string, limit int) ([]hotel.MadeUpdate, error)
	RehearseUndo(ctx context.Context, id string, ifRevision int64) (hotel.Undoing, error)
	UndoUpdate(ctx context.Context, by hotel.By, once hotel.Once, id string, ifRevision int64) (upd hotel.AriUpdate, replayed bool, err error)
}

// bookings is what is kept by reservation.
type bookings interface {
	// Recall asks for rooms to be taken back from channels, for a sale that waits.
	Recall(ctx context.Context, by hotel.By, propertyID string, rooms []hotel.RoomNight, asked, until time.Time) error

	// CommissionTerms returns what a channel takes, nil where nobody said.
	CommissionTerms(ctx context.Context, of hotel.Source) (*hotel.Commission, error)

	Reservation(ctx context.Context, id string) (hotel.Reservation, error)
	Reservations(ctx context.Context, f hotel.ReservationFilter) ([]hotel.Reservation, error)
	CountReservations(ctx context.Context, f hotel.ReservationFilter) (int, error)
	ReservationRevisions(ctx context.Context, id string) ([]hotel.ReservationRevision, error)
	SoldAs(ctx context.Context, id string) (hotel.RemoteProduct, error)
	IgnoredMessages(ctx context.Context, r hotel.Reservation) ([]hotel.IgnoredMessage, error)
	ReservationGroup(ctx context.Context, id string) (hotel.ReservationGroup, error)

	NoteRequest(ctx context.Context, by hotel.By, once hotel.Once) (replayed bool, err error)
	ImportReservations(ctx context.Context, by hotel.By, i hotel.Import) (hotel.Imported, error)
	ImportHistory(ctx context.Context, by hotel.By, i hotel.Import) ([]hotel.ImportedHistory, error)
	CreateReservationGroup(ctx context.Context, by hotel.By, once hotel.Once, n hotel.NewReservationGroup) (made hotel.ReservationGroup, replayed bool, err error)
	CancelReservationGroup(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.CancelRequest) (cancelled hotel.ReservationGroup, replayed bool, err error)

	CreateReservation(ctx context.Context, by hotel.By, once hotel.Once, r hotel.NewReservation) (made hotel.Reservation, replayed bool, err error)
	ChangeReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.ReservationChange) (changed hotel.Reservation, replayed bool, err error)
	CancelReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, c hotel.CancelRequest) (cancelled hotel.Reservation, replayed bool, err error)
	AcknowledgeReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, q hotel.AcknowledgeRequest) (acknowledged hotel.Reservation, replayed bool, err error)
	StepReservation(ctx context.Context, by hotel.By, once hotel.Once, id string, a stay.Action, q hotel.StepRequest) (stepped hotel.Reservation, replayed bool, err error)
}

var _ Ledger = (*ledger.Ledger)(nil)

// said turns the ledger's own errors into refusals; others pass through.
func said(err error) error {
	switch {
	case errors.Is(err, ledger.ErrNotFound):
		return nothing()
	case errors.Is(err, ledger.ErrUnknown):
		return hotel.Refuse("temporarily_unavailable",
			"it is not known whether this was stored: repeat the request with the same Idempotency-Key, or look before repeating it without one")
	}
	return err
}

// Unstored reports whether a write failed for what the disk did, or nobody knows whether it is
// stored: asked for again later, it may be.
func Unstored(err error) bool { return ledger.Unstored(err) }
