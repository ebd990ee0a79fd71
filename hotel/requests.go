package hotel

import "time"

// NewReservation is a booking that somebody asks us to make.
type NewReservation struct {
	PropertyID    string
	RoomTypeID    string
	RatePlanID    string
	Stay          Stay
	Adults        int
	ChildrenAges  []int
	Guest         Guest
	Notes         string
	Requests      string
	Metadata      map[string]string
	ExpectedTotal *Money // refuse as price_changed when the total is another
	Seller        string // the client that sells, for who may sell which plan
	Overbook      bool   // take the booking although no room is free
}

// ReservationChange is what is to be different; nil: as it is.
type ReservationChange struct {
	CheckIn, CheckOut *Date
	RoomTypeID        *string
	RatePlanID        *string
	Adults            *int
	ChildrenAges      *[]int
	Guest             *Guest
	Notes             *string
	Requests          *string
	Metadata          *map[string]string
	IfRevision        int64 // refuse as precondition_failed when the revision is another; 0: any
	ExpectedTotal     *Money
	Seller            string // the client that asks, for which plans it may sell
}

// CancelRequest says why a reservation is to be cancelled.
type CancelRequest struct {
	Reason     string
	Note       string
	IfRevision int64
}

// ReservationFilter selects reservations. Zero fields do not filter.
type ReservationFilter struct {
	PropertyIDs  []string // empty: every property
	IDs          []string
	Statuses     []ReservationStatus
	ChannelID    string
	Reference    string
	Confirmation string
	GroupID      string
	RoomTypeID   string
	CheckInFrom  *Date // inclusive
	CheckInTo    *Date // inclusive
	StayingOn    *Date
	CreatedSince, CreatedBefore,
	UpdatedSince, UpdatedBefore time.Time // at or after; before
	Unmapped bool // only those whose room is not mapped yet

	Sort       ReservationSort
	Descending bool
	Limit      int    // at most so many; required
	AfterKey   int64  // with AfterID: go on behind this one, see SortKey
	AfterID    string // "" begins at the start
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

// ChannelState is a channel and how far it is.
type ChannelState struct {
	Channel
	DerivedThrough int64     // its offers are computed up to here
	SyncedThrough  int64     // nothing at or before this is unacknowledged
	Lag            int       // cells that the channel is still to be told
	Unknown        int       // cells whose last call has no known outcome
	Rejected       int       // cells that the channel refused
	LastPushAt     time.Time // newest call that was answered well; zero: never
	LastPullAt     time.Time
	LastError      string // of the newest call that went wrong, unless one of its kind went well since
	LastErrorAt    time.Time
	RoomsAtRisk    int // rooms that it may still sell although it is paused or disconnected
}
