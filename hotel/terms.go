package hotel

import "time"

// Terms is what one channel can say and what it promises. A zero value claims
// nothing. It is plain data, so that pure packages may reason about it.
type Terms struct {
	// What it can say.
	StockPer    StockPer           // which number goes down by itself
	Fields      map[Field]Carriage // a field not named is Absent
	Occupancies bool               // takes a price for each number of guests
	Currencies  []string           // empty: any
	HorizonDays int                // how far ahead dates are accepted, counted from today; 0: not limited

	// Who sells behind it.
	Sellers      Sellers
	Acknowledges Acknowledge

	// How its count moves.
	AdjustsOn  Adjusts
	AtMostOnce bool          // a request is never applied twice
	Versions   bool          // older and equal call versions are refused
	RepeatKey  bool          // a repeated call id is recognised
	Lifetime   time.Duration // a request is applied within it, or never; 0: not declared

	// How we hear of its bookings.
	ListsByDate       bool          // the list of a span of nights is complete, acknowledged bookings too
	TheirPollInterval time.Duration // how often the far side reads us; 0: we push
	FeedOrder         FeedOrder
}

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

// Carriage says how one field travels.
type Carriage struct {
	As       CarriageKind
	Min, Max int // bounds the far side accepts; 0 means none
}

// CarriageKind is Absent (the zero value) or Exact.
type CarriageKind uint8

// The kinds of carriage.
const (
	Absent CarriageKind = iota
	Exact
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
	ByQueue  Acknowledge = iota + 1 // taken into a queue
	ByRelay                         // applied at the relay
	BySeller                        // applied where guests buy
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

// Adjusts says which events change the channel's own count: a new booking, a
// stay extended or shortened, a cancellation.
type Adjusts struct{ Book, Modify, Cancel Adjust }

// FeedOrder says what makes two messages about one reservation comparable.
type FeedOrder uint8

// The orders: none at all, the revision token compared as text, the revision
// token compared as a number, or the time the far side says it happened.
const (
	OrderNone FeedOrder = iota
	OrderRevisionText
	OrderRevisionNumber
	OrderTime
)
