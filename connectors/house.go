package connectors

import (
	"context"
	"time"

	"ostler.example/hotel"
)

// House is a property as its own system sees it: the one that keeps the house, not one
// that sells rooms of it. What is written is the property's word, for all channels. A
// method of writing takes all entries or none, has them on disk when it returns nil, and
// says with a [hotel.Refusal] why they are not taken. Entries apply in order, a later one
// wins.
type House interface {
	// Layout returns what there is to write to.
	Layout(ctx context.Context) (Layout, error)

	WriteStock(ctx context.Context, entries []hotel.InventoryEntry) error
	WriteRates(ctx context.Context, entries []hotel.RateEntry) error
	WriteRestrictions(ctx context.Context, entries []hotel.RestrictionEntry) error

	// Reservations lists reservations that are firm, or are off, in the order of their
	// changes: those of which the newest revision has not been acknowledged, or, unless
	// since is zero, all that changed since. It begins behind the place that after says,
	// "" at the beginning, and tells as many as fit at once; next is the place behind the
	// last of them, "" when there are no more.
	Reservations(ctx context.Context, since time.Time, after string) (list []hotel.Reservation, next string, err error)

	// Acknowledge notes that the house's system has stored a reservation as of a
	// revision. One that has changed since stays among those that wait.
	Acknowledge(ctx context.Context, id string, revision int64) error

	// Rates returns the prices of all products on the nights of a span.
	Rates(ctx context.Context, nights hotel.Span) ([]hotel.RateCell, error)
}

// Layout is a property with its room types and rate plans, those that are not archived.
type Layout struct {
	Property hotel.Property
	Rooms    []hotel.RoomType
	Plans    []hotel.RatePlan
	Today    hotel.Date // at the property
	Last     hotel.Date // the last night that is sold
	Epoch    int64      // of the ledger: raised when a backup is restored, which does not know what was told since it was taken
}
