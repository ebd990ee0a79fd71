package hotel

import (
	"slices"
	"time"
)

// Terms describes one channel: what its messages can express, and what it
// guarantees. A field left at zero makes no claim. It is plain data, so that pure
// packages may reason about it.
type Terms struct {
	// What its messages can express.
	StockPer    StockPer           // the number that drops without us when it sells
	Fields      map[Field]Carriage // Absent for every field that is missing here
	Occupancies bool               // takes a price for each number of guests; see [Terms.ByOccupancy]
	Otherwise   []string           // the rates there, by their codes, of which the opposite is so
	Currencies  []string           // none listed: every currency will do
	HorizonDays int                // the farthest night it takes, in days from today; 0: no limit
	CutOff      bool               // it closes arrivals at a last minute of its own besides
	ClosesApart bool               // that a night is closed is told in other calls than counts are; follows from the operations of its connector

	// Who the sellers are.
	Sellers      Sellers
	Sites        int  // of many, at how many one count is shown at the most, each selling it by itself; 0: nobody knows
	KeepsSum     bool // of many, none sells what the relay has not taken off its one count before
	Acknowledges Acknowledge

	// What happens to its count.
	AdjustsOn  Adjusts
	TotalLimit bool          // a value is the most it may sell in all, its live bookings included; asked, it shows what is left of that
	AtMostOnce bool          // one request takes effect once at the most
	Versions   bool          // it turns down a call whose version is not newer than the last
	RepeatKey  bool          // it notices when a call id comes again
	Lifetime   time.Duration // a request older than this can no longer take effect; 0: not promised

	// How its bookings reach us.
	ListsByDate       bool          // asked for a span of nights, it leaves out no booking, acknowledged or not
	SaleSettle        time.Duration // from the last moment at which a guest may begin to book until the list shows it; Never for those that tell nothing
	TheirPollInterval time.Duration // the pause between its reads of our values; 0: it does not read, we push
	FeedOrder         FeedOrder
	BookingTime       bool // the message about a new booking says when it was made there
	PartialGroups     bool // a message about a booking of several rooms names those that change; else all of them

	Actions []ActionTerms // what it can be asked to do with its bookings
}

// Takes reports whether the channel takes a night, today being the property's calendar
// day: of one further ahead it can be told nothing, and has none to sell.
func (t Terms) Takes(night, today Date) bool {
	return t.HorizonDays == 0 || night <= today+Date(t.HorizonDays)
}

// ByOccupancy reports whether a rate there, by its code, takes a price for each number of
// guests.
func (t Terms) ByOccupancy(rate string) bool {
	return t.Occupancies != slices.Contains(t.Otherwise, rate)
}

// LateUntil returns until when a call that ended without an answer may still take
// effect, in place of what was told after it. false: whatever comes late is turned
// down, or nothing is promised about when it comes.
func (t Terms) LateUntil(ended time.Time) (time.Time, bool) {
	return ended.Add(t.Lifetime), t.Lifetime > 0 && !t.Versions
}

// Moves is what happens to what is left of the channel's count without it being told.
// Of a number that its bookings are part of, each of them takes one, and gives it back.
func (t Terms) Moves() Adjusts {
	if t.TotalLimit {
		return Adjusts{Book: AdjustYes, Modify: AdjustYes, Cancel: AdjustYes}
	}
	return t.AdjustsOn
}

// Places is at how many places one count is on sale by itself; 0: nobody knows.
func (t Terms) Places() int {
	if t.Sellers != Many || t.KeepsSum {
		return 1
	}
	return t.Sites
}

// Never is a [Terms.SaleSettle] that does not end.
const Never time.Duration = -1

// StockPer says which number a far side lowers by itself when it sells. It has
// no default: a driver must choose.
type StockPer uint8

// The kinds of counters.
const (
	PerRoom    StockPer = iota + 1 // one count for each remote room
	PerProduct                     // one count for each remote room and rate
)

// Field names one thing that an offer says.
type Field string

// The fields of an offer.
const (
	FieldAvailable         Field = "available"
	FieldClosed            Field = "closed"
	FieldClosedToArrival   Field = "closed_to_arrival"
	FieldClosedToDeparture Field = "closed_to_departure"
	FieldMinStayArrival    Field = "min_stay_arrival"
	FieldMinStayThrough    Field = "min_stay_through"
	FieldMaxStayArrival    Field = "max_stay_arrival"
	FieldMaxStayThrough    Field = "max_stay_through"
	FieldMinAdvance        Field = "min_advance_days"
	FieldMaxAdvance        Field = "max_advance_days"
	FieldAmount            Field = "amount"
)

// Group returns the field group that the field belongs to.
func (f Field) Group() Group {
	switch f {
	case FieldAvailable:
		return Availability
	case FieldClosed, FieldClosedToArrival, FieldClosedToDeparture:
		return Closures
	case FieldAmount:
		return Price
	case FieldMinStayArrival, FieldMinStayThrough, FieldMaxStayArrival, FieldMaxStayThrough, FieldMinAdvance, FieldMaxAdvance:
		return Lengths
	}
	return 0
}

// Carriage is the way in which a single field reaches the far side. Lengths
// read on arrival and lengths read on every night are fields of their own, so
// which of the two a far side counts by is which of them is Exact.
type Carriage struct {
	As       CarriageKind
	Min, Max int   // the lowest and highest value it takes; 0: unbounded
	Level    Level // what one value of it is for

	// Of a length read on every night: it is read on the check-out date too.
	ThroughIncludesDeparture bool
	// The far side goes back to a default of its own when a message about the
	// night leaves the field out, so that every message has to name it.
	ResetsWhenOmitted bool
}

// CarriageKind is Absent (the zero value), Exact or Coarser.
type CarriageKind uint8

// The kinds of carriage. A coarser field is not told itself: the fields that are
// told are tightened until nothing is sold that it forbids.
const (
	Absent CarriageKind = iota
	Exact
	Coarser
)

// Level is what one value of a field is for: one product (the zero value), every
// product of a room, or every product of the property.
type Level uint8

// The levels.
const (
	PerRate Level = iota
	PerRoomType
	PerProperty
)

// Sellers says who sells behind a channel. It has no default.
type Sellers uint8

// One seller, or many behind a relay.
const (
	One Sellers = iota + 1
	Many
)

// Acknowledge says what an acknowledgement means. It has no default.
type Acknowledge uint8

// From weakest to strongest.
const (
	ByQueue  Acknowledge = iota + 1 // it waits in a queue
	ByRelay                         // it is in force at the relay
	BySeller                        // it is in force where guests buy
)

// Adjust says whether an event changes the far side's own count.
type Adjust uint8

// Unknown is the zero value; Never means that the event does not happen there.
const (
	AdjustUnknown Adjust = iota
	AdjustYes
	AdjustNo
	AdjustNever
)

// Adjusts tells for each event whether the channel moves its count without being
// told: on a new booking, on a stay extended or shortened, on a cancellation.
// Of a count that is shown at several sellers it is the one that sold whose count moves:
// one that shows what came back at all of them cannot say at how many it is shown.
type Adjusts struct{ Book, Modify, Cancel Adjust }

// FeedOrder names the part of a message that tells which of two about the same
// reservation is newer.
type FeedOrder uint8

// The orders: none at all, so that times that messages have all the same decide, else
// the step of a booking's life, else arrival; the revision token compared as text, the revision
// token compared as a number, the time that the far side gives for the event, or the
// revision token as a number that grows by one with every message about a booking, so
// that one that did not come is missed.
const (
	OrderNone FeedOrder = iota
	OrderRevisionText
	OrderRevisionNumber
	OrderTime
	OrderRevisionCount
)
