package sync

import (
	"context"
	"time"

	"ostler.example/hotel"
	"ostler.example/ledger"
	"ostler.example/sync/action"
	"ostler.example/sync/dispatch"
	"ostler.example/sync/inbound"
	"ostler.example/sync/readback"
)

// Ledger is what the engine and its parts ask of the ledger: all that they keep
// is there, and whoever stands in between sees every durable step.
type Ledger interface {
	action.Ledger
	dispatch.Ledger
	inbound.Ledger
	readback.Ledger

	Recover(ctx context.Context) (int, error)
	Beats(ctx context.Context) (map[string]ledger.Beat, error)
	Channel(ctx context.Context, id string) (hotel.ChannelState, error)
	Sequence(ctx context.Context) (int64, error)
	Property(ctx context.Context, id string) (hotel.Property, error)
	Standing(ctx context.Context, account string) (ledger.Standing, error)
	SentSince(ctx context.Context, account string, after time.Time) ([]ledger.Sent, error)
	MapChannel(ctx context.Context, by hotel.By, id string, m hotel.Remap) error
	RemapLive(ctx context.Context, by hotel.By, id string, sequence int64, m hotel.Remap) error
	ActivateChannel(ctx context.Context, by hotel.By, once hotel.Once, id string, sequence int64, a hotel.Approval) (hotel.Channel, bool, error)

	// What connectors are told of the house, and what they keep.
	Identity(ctx context.Context) (string, error)
	Mappings(ctx context.Context, channel string) ([]hotel.Mapping, error)
	Inventory(ctx context.Context, q hotel.InventoryQuery) (hotel.Inventory, error)
	RoomsTaken(ctx context.Context, property string, span hotel.Span) (map[hotel.RoomNight]int, error)
	Shelved(ctx context.Context, channel, name string) ([]byte, error)
	Shelve(ctx context.Context, channel, name string, body []byte) error
	Report(ctx context.Context, channel string, r hotel.ChannelReport) error

	// What a channel promises, by which rooms are granted to it.
	KeepTerms(ctx context.Context, channel string, terms hotel.Terms) error

	// Calls of which nobody knows what became.
	EndedUnclear(ctx context.Context, channel string, after, till time.Time) ([]hotel.Cell, error)
	DoubtCells(ctx context.Context, channel string, cells []hotel.Cell) error

	// What time brings about.
	NoteStale(ctx context.Context) (next time.Time, err error)
	NoteErrors(ctx context.Context, link func(channel string) (hotel.Link, bool)) error
	NoteSilence(ctx context.Context, from time.Time) error
	DealDue(ctx context.Context) error
	Tick(ctx context.Context) error
	DueStays(ctx context.Context) (int, error)
	NoteUnanswered(ctx context.Context) error
	DecideDue(ctx context.Context) (int, error)
	RetryClosings(ctx context.Context) error
	FollowChanges(ctx context.Context) error
	NoteMissingPrices(ctx context.Context) error
	DueChanged() <-chan struct{}
	DeriveDue(ctx context.Context) (bool, error)
	CompleteUpdates(ctx context.Context) error
	Tidy(ctx context.Context, pullsBefore time.Time) error

	// Runs that somebody asked for.
	BeginSyncRun(ctx context.Context, by hotel.By, once hotel.Once, channel string, order hotel.SyncOrder) (hotel.SyncRun, bool, error)
	ChannelUnderKey(ctx context.Context, by hotel.By, once hotel.Once) (hotel.Channel, bool, error)
	SyncRunOf(ctx context.Context, by hotel.By, once hotel.Once) (hotel.SyncRun, bool, error)
	StartSyncRun(ctx context.Context, run hotel.SyncRun) (bool, error)
	EndSyncRun(ctx context.Context, run hotel.SyncRun) error
	EndStaleSyncRuns(ctx context.Context) error
	SyncedAt(ctx context.Context, channel string, nights hotel.Span) (through int64, unknown int, err error)
	RunCalls(ctx context.Context, run hotel.SyncRun) (hotel.SyncRun, error)
}

var _ Ledger = (*ledger.Ledger)(nil)
