// Package connectors is the seam between the sync engine and the outside
// world: what a driver for one kind of external system must offer, how it
// declares what it can do, how its failures are classified, and the registry
// that finds it by name. It holds no driver, and nothing here does I/O.
//
// A driver opens channels. The engine plans what a channel must be told,
// spaces the calls and keeps their outcomes; the driver turns changes into the
// far side's messages, sends one when asked, and hands in what the far side
// says. The same split as database/sql and its drivers.
package connectors

import (
	"context"
	"net/http"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// Connector is one open channel: one property's connection to one external
// channel. Implementations must be safe for concurrent use.
type Connector interface {
	// Encode turns changes into calls. It is pure: no I/O, no clock, and the same
	// input gives the same bytes. Every change is in exactly one call, or refused
	// with a reason, which becomes a conflict before a request is spent. Calls come
	// in the order of the changes they carry, as few as the far side's rules allow.
	// Equal neighbouring nights are grouped by [Runs], in every connector.
	Encode(changes []Change) (calls []Call, refused []Refusal)

	// Send performs one call made by Encode, once. It never retries, and neither
	// may anything below it. It classifies failures with [Error] and lets the
	// engine decide.
	Send(ctx context.Context, c Call) (Answer, error)

	// Close releases what Open acquired. No other method is called after Close.
	Close() error
}

// The optional interfaces. Each has a field in [Capabilities]; the conformance
// kit fails when the two disagree.
type (
	// Reader reads back what the external channel shows for one remote room,
	// nights from to to inclusive.
	Reader interface {
		Read(ctx context.Context, room string, from, to hotel.Date) ([]Change, error)
	}

	// Lister lists every booking with a night in [from, to), acknowledged ones
	// too, and consumes nothing. A nil error means that the list ran to its end;
	// listing twice gives the same.
	Lister interface {
		List(ctx context.Context, from, to hotel.Date, sink Sink) error
	}

	// Poller fetches reservation messages from systems that cannot call us, from
	// the cursor of the last poll ("" at first) to the end of what there is. The
	// far side is told that a message is received only after sink accepted it. On
	// an error next still says from where to go on: nothing before it is missing.
	Poller interface {
		Poll(ctx context.Context, cursor string, sink Sink) (next string, err error)
	}

	// Receiver serves the far side's calls to us. It authenticates the caller,
	// hands each message to sink, and answers success only after sink accepted it.
	// The engine mounts it at /inbound/{channel_id}/ with the prefix stripped.
	Receiver interface {
		Handler(sink Sink) http.Handler
	}

	// Catalog lists the remote rooms and rates that can be mapped.
	Catalog interface {
		Products(ctx context.Context) ([]RemoteProduct, error)
	}
)

// Sink takes reservation messages into the ledger. Deliver returns nil once the
// message is durable or known to be a duplicate; on any error the far side must
// send it again.
type Sink interface {
	Deliver(ctx context.Context, m Message) error
}

// RemoteProduct is one room and rate as the far side names them.
type RemoteProduct struct {
	Room, RoomName string
	Rate, RateName string // Rate is empty for a room that has no rates of its own
}

// Key addresses one field group of one cell in the far side's words. The
// planner applies the mapping, so no connector ever sees our ids.
type Key struct {
	Room, Rate string // Rate is empty for the stock of a room
	Group      hotel.Group
	Occupancy  int // Price only: how many guests; 0 is the price of the room
	Night      hotel.Date
}

// Change is what one key is to show. Only the fields of the key's group mean
// anything.
type Change struct {
	Key   Key
	Offer hotel.Offer
}

// Call is one request, planned but not yet sent.
type Call struct {
	Operation string // names the bucket: "update_availability"
	Keys      []Key
	Body      []byte

	// Set by the engine before Send; the connector puts them on the wire where the
	// far side knows them.
	ID      string // stable across repeats: the repeat key
	Version int64  // rises with every call of the channel
}

// Refusal says why a change cannot be expressed.
type Refusal struct {
	Change Change
	Reason string
}

// Answer lists what the far side said, matched by what it names, never by
// position. Keys that it does not mention take Rest. A key that was not in the
// call flags the channel and settles nothing.
type Answer struct {
	Rest    Outcome
	Keys    map[Key]Verdict
	Ref     string // the far side's own reference, for support cases
	Excerpt string // its words, secrets and guest data removed, at most 4 KiB
}

// Verdict is the outcome of one key, with the far side's words.
type Verdict struct {
	Outcome Outcome
	Words   string
}

// Outcome is Unknown (the zero value), Applied or Rejected.
type Outcome uint8

// What became of a value that was sent.
const (
	Unknown  Outcome = iota // the old or the new value may be shown
	Applied                 // the far side says that it shows the new value
	Rejected                // the far side refused the new value and shows the old
)

// EventKind says what a reservation message tells.
type EventKind string

// The kinds of message.
const (
	Booked    EventKind = "booked"
	Modified  EventKind = "modified"
	Cancelled EventKind = "cancelled"
)

// Message is one reservation event as it was sent, parsed into plain values.
type Message struct {
	Key      string    // the same for every redelivery of the same event
	Ref      string    // the external channel's reservation number
	Revision string    // its ordering token; empty when it has none
	Event    EventKind //
	At       time.Time // when the far side says it happened; zero when it does not say

	Booking hotel.ChannelBooking // may be partial
	Raw     []byte               // as received, card data removed; the engine scans again
}

// Env is all that a connector may touch.
type Env struct {
	ChannelID string
	Client    *http.Client // from connectors/transport: no retries, capped bodies
	Log       *zap.Logger
	Clock     hotel.Clock
}
