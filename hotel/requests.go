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

// Optional is a member of a partial value: absent (keep what is there), null
// (back to the default) or a value.
type Optional[V any] struct {
	Set   bool
	Null  bool
	Value V
}

// Given makes an Optional that carries a value.
func Given[V any](v V) Optional[V] { return Optional[V]{Set: true, Value: v} }

// Dates says which nights an entry of a bulk update means.
type Dates struct {
	Span
	Weekdays [7]bool // by time.Weekday; all false: every day
	Except   []Date
}

// Nights lists the nights in ascending order.
func (d Dates) Nights() []Date {
	except := make(map[Date]bool, len(d.Except))
	for _, x := range d.Except {
		except[x] = true
	}
	every := d.Weekdays == [7]bool{}
	nights := make([]Date, 0, d.Days())
	for n := d.From; n <= d.To; n++ {
		if (every || d.Weekdays[n.Weekday()]) && !except[n] {
			nights = append(nights, n)
		}
	}
	return nights
}

// MaxUpdateCells is how many cells one bulk update may name. A larger one is
// refused whole.
const MaxUpdateCells = 2000

// InventoryUpdate is a bulk update of stock. It is applied whole or not at all;
// entries apply in order, a later one wins.
type InventoryUpdate struct {
	PropertyID string
	Source     string // api, pms, or channel:ID
	Entries    []InventoryEntry
}

// InventoryEntry sets facts of one pool or one room type. Physical facts belong
// to the pool; through a room type they can be written when it draws on its own
// pool alone.
type InventoryEntry struct {
	RoomTypeID, PoolID string // one of the two
	Dates
	ExpectedVersion int64 // refuse as version_conflict when a cell's version is another; 0: any

	Total, OutOfOrder, OutOfInventory, Overbooking Optional[int] // of the pool
	SellLimit                                      Optional[int] // of the room type
	Closed                                         Optional[bool]
}

// RateUpdate is a bulk update of prices.
type RateUpdate struct {
	PropertyID string
	Source     string
	Entries    []RateEntry
}

// RateEntry sets the prices of one product.
type RateEntry struct {
	RoomTypeID, RatePlanID string
	Dates
	ExpectedVersion int64

	Amount      Optional[Money]         // for the base occupancy; null takes the price away
	Occupancies map[int]Optional[Money] // for so many guests
}

// RestrictionUpdate is a bulk update of restrictions.
type RestrictionUpdate struct {
	PropertyID string
	Source     string
	Entries    []RestrictionEntry
}

// RestrictionEntry sets restrictions at one level: of a product, of a room type
// (no plan), or of the whole property (neither).
type RestrictionEntry struct {
	RoomTypeID, RatePlanID string
	Dates
	ExpectedVersion int64

	Closed, ClosedToArrival, ClosedToDeparture Optional[bool]
	MinStayArrival, MinStayThrough             Optional[int]
	MaxStayArrival, MaxStayThrough             Optional[int]
	MinAdvance, MaxAdvance                     Optional[int]
}

// AriUpdate is a bulk update as it was taken, and how far the channels are.
type AriUpdate struct {
	ID           string
	PropertyID   string
	Kind         string // inventory, rates or restrictions
	Sequence     int64  // a channel is done when its synced_through has reached it
	Entries      int
	CellsMatched int
	CellsChanged int
	Changed      []int // cells changed by each entry; nil when read later
	CreatedAt    time.Time
	Channels     []UpdateProgress
}

// UpdateProgress is how far one channel is with an update.
type UpdateProgress struct {
	ChannelID string
	Done      bool
}

// InventoryCell is one room type on one night, as stored and as derived.
type InventoryCell struct {
	RoomTypeID                                     string
	Date                                           Date
	PoolID                                         string // its own pool; "" when it draws on others
	Total, OutOfOrder, OutOfInventory, Overbooking int
	SellLimit                                      *int
	Closed                                         bool
	Sold                                           int
	Net, Free, Available                           int
	Version                                        int64 // 0: never written
	Source                                         string
	UpdatedAt                                      time.Time
}

// RateCell is the price of one product on one night.
type RateCell struct {
	RoomTypeID, RatePlanID string
	Date                   Date
	Own                    *Money        // as typed; nil: none
	OwnByOccupancy         map[int]Money // as typed
	Amount                 *Money        // what the property sells at; nil: no price
	ByOccupancy            map[int]Money
	Derived                bool
	Version                int64
	Source                 string
	UpdatedAt              time.Time
}

// RestrictionCell is what holds for one product on one night, and what was
// typed for the product itself.
type RestrictionCell struct {
	RoomTypeID, RatePlanID string
	Date                   Date
	Own                    Restriction
	Closed                 Closed
	Lengths                LengthLimits
	Version                int64
	Source                 string
	UpdatedAt              time.Time
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
}
