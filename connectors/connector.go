// Package connectors is the seam between the sync engine and the outside
// world: what the driver of one kind of system out there must offer, how it
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

// Connector is a channel that has been opened: it joins a single property to a
// single system outside. Its methods may be called from several goroutines at
// the same time.
type Connector interface {
	// Encode packs changes into the requests that will carry them. It is a pure
	// function: it does no I/O, asks no clock, and answers equal input with equal
	// bytes. No change is dropped or carried twice: it goes into a single call, or
	// comes back refused with a reason, so that a conflict is raised without
	// spending a request. Calls keep the order of their changes, and there are no
	// more of them than the far side's rules make necessary, which the channel's
	// [Capabilities] state as Operations: [Pack] does all of that.
	Encode(changes []Change) (calls []Call, refused []Refusal)

	// Send makes a single attempt at a call that came from Encode. Neither it nor
	// any layer beneath may try again. A failure is returned as an [Error] with its
	// kind; what to do about it is up to the engine.
	Send(ctx context.Context, c Call) (Answer, error)

	// Close gives back whatever Open took. It is the last method to be called.
	Close() error
}

// What a connector may offer beyond that. Each interface is matched by a field of
// [Capabilities], and the conformance kit checks that claim and code agree.
type (
	// Reader asks the far side what it is showing for one remote room. Both ends
	// of the span, from and to, are included. The answer is whole: a night without
	// a count, where others have one, has no room on sale.
	Reader interface {
		Read(ctx context.Context, room string, from, to hotel.Date) ([]Change, error)
	}

	// WholeReader is a Reader that asks for all rooms at once, because the far side shows no
	// less of itself: whatever it shows on the nights from from to to, both included.
	WholeReader interface {
		ReadWhole(ctx context.Context, from, to hotel.Date) ([]Change, error)
	}

	// Lister hands to sink all bookings that hold a night in [from, to), whether
	// or not they have been acknowledged. It takes nothing out of the far side's
	// queue, so a second listing yields what the first did. Of each it tells the last
	// word, with the key and the time of the message that brought or will bring that. The
	// error is nil only when nothing was left to list.
	Lister interface {
		List(ctx context.Context, from, to hotel.Date, sink Sink) error
	}

	// Poller is for systems that leave it to us to ask. It collects reservation
	// messages from the cursor of the last poll ("" at first) to the end of what
	// there is. A message is confirmed to the far side once sink has taken it, no
	// earlier. On an error next still says from where to go on: nothing before it
	// is missing.
	Poller interface {
		Poll(ctx context.Context, cursor string, sink Sink) (next string, err error)
	}

	// Receiver is for systems that call us. The handler checks who is calling,
	// passes every message on to sink, and reports success no earlier than sink
	// has taken it; where calls only say that there is a message, it hints instead.
	// The engine mounts it at /inbound/{channel_id}/ with the prefix stripped.
	Receiver interface {
		Handler(sink Sink) http.Handler
	}

	// Publisher is for systems that come to read our values instead of being told.
	// Send puts values on the [Shelf]; the handler serves what is there, and has to
	// make sure that who reads is who may. What the far side shows is what it read
	// last. The engine mounts the handler where it mounts that of a Receiver; a
	// connector is one of the two.
	Publisher interface {
		Published() http.Handler
	}

	// Visited is a Publisher that knows when the far side last read what it publishes,
	// in the order in which people name it. A channel that is read shows what it read
	// last, so that is how old its numbers may be.
	Visited interface {
		Visits(ctx context.Context) ([]hotel.Published, error)
	}

	// Host is for the hotel's own system, which calls us to write facts of the property
	// and to take its reservations. The handler checks who is calling; it is mounted as
	// that of a Receiver. Such a channel sells nothing: it has no rooms of its own to map.
	// A connector is one of Receiver, Publisher and Host.
	Host interface {
		Serve(house House) http.Handler
	}

	// Actor asks the far side to do something with one of its own bookings: what
	// [hotel.Terms.Actions] lists. It makes a single attempt, as Send does. Applied is
	// that the far side has done it, Rejected that it will not, Unknown that it has
	// taken the request and answers with a message of its own. An error of which
	// nobody knows the effect is one: whoever may have done it has perhaps.
	Actor interface {
		Act(ctx context.Context, a Action) (Verdict, error)
	}

	// Rereader reads a message again that could not be read when it came, from the bytes
	// that were kept of it ([Message.Raw], where card data is masked). It calls nobody.
	// What it cannot read either is a message with a Problem; an error counts as one. A
	// message without a Key has the one that it was kept under.
	// Without it a message that could not be read has to come from the far side again.
	Rereader interface {
		Reread(ctx context.Context, raw []byte) (Message, error)
	}

	// Catalog tells which rooms and rates the far side has to offer for mapping.
	Catalog interface {
		Products(ctx context.Context) ([]RemoteProduct, error)
	}
)

// Sink is the way of reservation messages into the ledger. When Deliver returns
// nil, the message is safely on disk or was there before. After an error it
// counts as not received, and the far side has to repeat it.
type Sink interface {
	Deliver(ctx context.Context, m Message) error

	// Hint says that the far side has something for us to fetch. It returns at once;
	// a [Poller] is asked as soon as may be. Nothing is lost with a hint that is.
	Hint()
}

// RemoteProduct is one room and rate as the far side names them.
type RemoteProduct = hotel.RemoteProduct

// Key points at a field group of a single cell by the names that the far side
// uses. The mapping is done before, in the planner: our ids stay unknown to
// connectors.
type Key struct {
	Room, Rate string // no Rate: the stock of the room is meant
	Group      hotel.Group
	Occupancy  int // Price only: how many guests; 0 is the price of the room
	Night      hotel.Date
}

// Change pairs a key with the values wanted there. Only the fields of the key's
// group mean anything.
type Change struct {
	Key   Key
	Offer hotel.Offer

	// AtPrice marks closures that open a night at the price that is among the changes
	// too and that the far side has not taken yet: both have to stand in one entry. Only
	// an [Operation] that Opens is asked so.
	AtPrice bool
}

// Call is a request that is ready to go out.
type Call struct {
	Operation string // selects the bucket that it draws on: "update_availability"
	Keys      []Key
	Body      []byte

	// The engine fills these in ahead of Send. A connector transmits them if the
	// protocol has a place for them.
	ID      string // the repeat key: another attempt carries the same
	Version int64  // each call of a channel has a higher one than those before
}

// Action is something that the far side is to do with one of its bookings.
type Action struct {
	ID      string // the repeat key: another attempt carries the same
	Kind    hotel.ActionKind
	Ref     string              // the number that the far side gave the booking
	RoomRef string              // its number of the room in it, if it has one
	Stay    hotel.Stay          // to shorten: what is left
	Refused hotel.DeclineReason // to decline: who does not want it
	Waived  bool                // to cancel, or of a no-show: the guest owes nothing
}

// Refusal gives back a change that the protocol has no way to say, and the reason.
type Refusal struct {
	Change Change
	Reason string
}

// Answer is the far side's response, key by key. Verdicts are assigned by what
// the response names and not by where it stands in it. Rest applies to the keys
// of the call that are left out. A key that the call did not contain settles
// nothing, and the channel is flagged.
type Answer struct {
	Rest    Outcome
	Keys    map[Key]Verdict
	Ref     string // the far side's own reference, for support cases
	Excerpt string // its words, secrets and guest data removed, at most 4 KiB
}

// Verdict tells how a key or an action fared, and how the far side put it, guest data
// removed.
type Verdict struct {
	Outcome Outcome
	Words   string
}

// Outcome tells how a value fared. Its zero value is Unknown.
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

// Message is what the far side reports about a single reservation event, parsed
// into plain values.
type Message struct {
	Key      string    // identifies the event: redeliveries carry the same, and no other event does, also when Ref is used again
	Ref      string    // the number that the far side gave the reservation
	Revision string    // the far side's token for what is newer, if it has one
	Event    EventKind //
	At       time.Time // the time of the event by the far side's account; zero: not stated

	Booking hotel.ChannelBooking // parts may be missing

	// Problem says why the far side's words could not be read, "" when they could.
	// Such a message is delivered all the same, with Raw and whatever else is
	// certain, so that it is kept and a person sees it.
	Problem string

	Raw []byte // the original bytes without card data, which the engine looks for once more
}

// Env is what a connector gets to work with; it reaches for nothing else.
type Env struct {
	ChannelID string
	Client    *http.Client // from connectors/transport: no retries, capped bodies, statuses noted with the call
	Log       *zap.Logger
	Clock     hotel.Clock
	Found     Discovered // by the handshake before Open, where there was one
	Shelf     Shelf

	// Installation returns a name of this installation, which no other has and which
	// stays. It tells nothing and may be shown to anybody. It is nil where nobody can tell.
	Installation func(ctx context.Context) (string, error)

	// Rooms returns what is sold on the channel as it is now, each of the far side's
	// rooms once and in the order of its codes. It is nil where nobody can tell.
	Rooms func(ctx context.Context) ([]SoldRoom, error)

	// Property returns the property as it is now. It is nil where nobody can tell.
	Property func(ctx context.Context) (hotel.Property, error)

	// Report has somebody look at something at the far side that no message and no value
	// tells: the inbox of the house asks about it, once until somebody has, or it is
	// reported to be over. A nil error says that it is kept. It is nil where nobody can be told.
	Report func(ctx context.Context, r hotel.ChannelReport) error

	// Shut returns the nights on which everything that is sold on the channel is closed by
	// the house, in order, both ends included. It is nil where nobody can tell.
	Shut func(ctx context.Context) ([]hotel.Span, error)

	// Taken returns how many rooms are taken by stays and blocks, by the far side's code of
	// the room and the night, also on nights that the house does not sell yet. Where a room
	// is made of others it may be more, and never less. It is nil where nobody can tell.
	Taken func(ctx context.Context, nights hotel.Span) (map[string]map[hotel.Date]int, error)
}

// SoldRoom is a room type as it is sold under a code of the far side, with the far side's
// rates that it is sold at.
type SoldRoom struct {
	Room  string
	Rates []string // in the order of their codes
	Type  hotel.RoomType
}
