package hotel

import (
	"maps"
	"time"
)

// NewReservation is a booking that somebody asks us to make.
type NewReservation struct {
	PropertyID    string
	GroupID       string            // of rooms that are booked together
	Status        ReservationStatus // "": confirmed
	HoldExpires   time.Time
	RoomTypeID    string
	RatePlanID    string
	BlockID       string // draws from this block's lines
	RoomNumber    string
	Stay          Stay
	ArrivalTime   string // HH:MM
	Adults        int
	ChildrenAges  []int
	GuestID       string // "": Guest is a new one
	Guest         Guest
	Profile       *ProfilePart // of the guest's profile beside; nil: nothing
	Companions    []string     // further guests, by id
	Source        Source       // no channel: direct
	Overrides     []NightAmount
	Extras        []Extra
	Free          bool
	HouseUse      bool
	Guarantee     string // "": what the plan asks for
	DepositPaid   *Money
	Commission    *Money
	NetAmounts    bool // prices are what is left after the commission
	Segment       string
	Tags          []string
	Words                // without the reason of a cancellation
	ExpectedTotal *Money // refuse as price_changed when the total is another
	Seller        Seller // for who may sell which plan
	Overbook      bool   // take the booking although no room is free
	SellDealt     bool   // take it although the rooms that are free are on sale at channels
	ShownIn       string `json:"-"` // the operation in whose answer whoever books is shown the guest, which is noted with the booking; "": nobody is
}

// ReservationGroup is rooms that were booked together.
type ReservationGroup struct {
	Entity
	PropertyID   string
	BookerID     string // a guest; "" when the channel named none
	Booker       Guest
	Source       Source
	Reservations []Reservation
}

// NewReservationGroup is a booking of several rooms at once: all of them, or
// none. The rooms are of the group's property and source.
type NewReservationGroup struct {
	PropertyID   string
	Booker       *Guest // nil: every room names its guest
	Source       Source
	Reservations []NewReservation
	Seller       Seller
}

// NightAmount is the price that somebody sets for a night. What else it says has
// to be as it is: it does not move the guest, and sells by no other plan.
type NightAmount struct {
	Date       Date
	RoomTypeID string // where the guest sleeps; "" says nothing
	RatePlanID string // "" says nothing
	Amount     Money
}

// ReservationChange is what is to be different; nil: as it is. Guest, Invoice and
// Metadata are laid over what is there, member by member, when the change is
// made: two changes at once lose neither.
type ReservationChange struct {
	CheckIn, CheckOut *Date
	RoomTypeID        *string
	RatePlanID        *string
	GroupID           *string // the rooms that it belongs to from now on; "": it stands alone
	RoomNumber        *string
	ArrivalTime       *string
	Adults            *int
	ChildrenAges      *[]int
	Guest             *GuestChange
	GuestID           *string // another guest of the property, in place of the one it was for
	Companions        *[]string
	Overrides         []NightAmount
	Extras            *[]Extra
	Free, HouseUse    *bool
	Guarantee         *string
	Card              Optional[Card]
	CardAccess        Optional[CardAccess]
	DepositPaid       Optional[Money]
	Commission        Optional[Money]
	NetAmounts        *bool
	HoldExpires       *time.Time
	Segment           *string
	Tags              *[]string
	Notes             *string
	Requests          *string
	Invoice           Optional[map[string]*string] // by JSON name; a nil value clears
	Metadata          Optional[map[string]*string]
	Reprice           bool  // price the nights to come again
	IfRevision        int64 // refuse as precondition_failed when the revision is another; 0: any
	IfGuestRevision   int64 // likewise of the guest's profile, where Guest changes it
	ExpectedTotal     *Money
	Seller            Seller // who asks, for which plans and how many rooms it may sell
	Overbook          bool   // take the rooms although none is free
	SellDealt         bool   // take them although those that are free are on sale at channels
	Override          bool   // nights that are over may be changed too
	DoneAtChannel     bool   // nights were given back at the channel by hand
}

// Merged lays members over what is there, as RFC 7396 has it; nil removes one.
func Merged(was map[string]string, change Optional[map[string]*string]) map[string]string {
	if change.Null {
		return nil
	}
	now := maps.Clone(was)
	for k, v := range change.Value {
		if v == nil {
			delete(now, k)
			continue
		}
		if now == nil {
			now = map[string]string{}
		}
		now[k] = *v
	}
	return now
}

// CancelRequest says why a reservation is to be cancelled.
type CancelRequest struct {
	Reason        string // [ReleasedRoom] gives away the room of a guest who has not come
	Note          string
	WaivePenalty  bool
	DoneAtChannel bool // it was cancelled at the channel by hand
	Whole         bool // every room of its booking is cancelled with it
	IfRevision    int64
}

// ReleasedRoom is the reason of a cancellation by which a room without guarantee
// is given to somebody else on the evening of the arrival.
const ReleasedRoom = "released"

// StepRequest is what goes with a step of a reservation's life. Which members
// count depends on the step.
type StepRequest struct {
	Until          time.Time     // hold, request: when it expires
	Refused        DeclineReason // decline
	RoomNumber     *string       // check-in
	At             time.Time     // check-in, check-out: when it happened; zero: now
	ReleaseTonight bool          // check-out: the room of the night that begins today is free too
	Charge         bool          // no-show: the guest owes the fee
	HoldNextNights bool          // no-show: the room stays taken after the first night
	Waived         bool          // cancel: the guest does not owe the fee
	Seller         Seller        // who asks, for how many rooms it may sell
	Overbook       bool          // take the rooms although none is free
	SellDealt      bool          // take them although those that are free are on sale at channels
	Override       bool          // the caller may check in a day early
	DoneAtChannel  bool          // it was done at the channel by hand
	Whole          bool          // cancel: every room of its booking goes with it
	IfRevision     int64
}

// AcknowledgeRequest says that a client has stored a revision of a reservation.
type AcknowledgeRequest struct {
	Revision  int64
	Reference string // of the reservation in the PMS

	IfRevision int64 // refuse as precondition_failed when the revision is another; 0: any
}

// ReservationFilter selects reservations. Zero fields do not filter.
type ReservationFilter struct {
	PropertyIDs   []string // empty: every property
	IDs           []string
	Statuses      []ReservationStatus
	In            []Standing // any of them
	ChannelIDs    []string   // one of these, as all lists here
	SubChannel    string
	Reference     string
	Confirmations []string
	GuestIDs      []string
	GroupIDs      []string
	BlockIDs      []string
	RoomTypeIDs   []string // one of these; empty: any
	RatePlanIDs   []string // likewise
	Tag           string
	CheckInFrom   *Date // inclusive
	CheckInTo     *Date // inclusive
	CheckOutFrom  *Date // inclusive
	CheckOutTo    *Date // inclusive
	StayingOn     *Date // a room is taken for it on this night
	CreatedSince, CreatedBefore,
	UpdatedSince, UpdatedBefore time.Time // at or after; before
	Unmapped       bool // only those whose room is not mapped yet
	Unacknowledged bool // only those whose newest revision nobody has acknowledged

	Sort       ReservationSort
	Descending bool
	Limit      int    // at most so many; required
	AfterKey   int64  // with AfterID: go on behind this one, see SortKey
	AfterID    string // "" begins at the start
}

// Standing is where reservations of a property stand on its business date, as
// statuses and bounds of the dates, both inclusive; a nil bound does not bind.
type Standing struct {
	PropertyID     string
	Statuses       []ReservationStatus
	InFrom, InTo   *Date
	OutFrom, OutTo *Date
}

// ReservationSort is the order of a list; ties are broken by id.
type ReservationSort string

// The orders.
const (
	SortCreated ReservationSort = "created_at"
	SortUpdated ReservationSort = "updated_at"
	SortCheckIn ReservationSort = "check_in"
)

// SortKey returns the integer by which the reservation is ordered: microseconds
// for instants, days for dates.
func (r Reservation) SortKey(s ReservationSort) int64 {
	switch s {
	case SortUpdated:
		return r.UpdatedAt.UnixMicro()
	case SortCheckIn:
		return int64(r.Stay.CheckIn)
	case SortCreated:
	}
	return r.CreatedAt.UnixMicro()
}
