package hotel

import "time"

// InventoryQuery asks for stock by night.
type InventoryQuery struct {
	PropertyID  string
	Span        Span
	RoomTypeIDs []string // none: every one
	PoolIDs     []string // only room types that draw on one of them; none: all
	ChannelID   string   // also what this channel is shown; "": none
	House       bool     // also the whole house
	Pools       bool     // also the pools themselves, or those of PoolIDs
	AsOf        AsOf
}

// CellQuery asks for what is kept by product and night.
type CellQuery struct {
	PropertyID  string
	Span        Span
	RoomTypeIDs []string // none: every one
	RatePlanIDs []string // likewise
	ChannelID   string   // of prices: also what this channel is to show; "": none
	AsOf        AsOf
}

// Inventory is stock by night.
type Inventory struct {
	Cells       []InventoryCell
	House       []HouseNight
	Pools       []PoolNight
	ChannelOnly bool // for the eyes of a channel: of the cells only what it is shown
}

// HouseNight is the whole house on one night, in rooms.
type HouseNight struct {
	Date                Date
	Limit               *int // the most rooms that are taken; nil: none
	Sold, Held, Blocked int
	Net                 int   // rooms that nobody has
	Version             int64 // of the limit; 0: never written
	Source              string
	UpdatedAt           time.Time
}

// PoolNight is what stands written of a pool on one night, in units.
type PoolNight struct {
	PoolID                                         string
	Date                                           Date
	Total, OutOfOrder, OutOfInventory, Overbooking int
	Version                                        int64 // 0: never written
	Source                                         string
	UpdatedAt                                      time.Time
}

// InventoryCell is one room type on one night, as stored and as derived.
type InventoryCell struct {
	RoomTypeID                                     string
	Date                                           Date
	PoolID                                         string // its own pool; "" when it draws on others
	Total, OutOfOrder, OutOfInventory, Overbooking int
	SellLimit                                      *int
	Closed                                         bool
	Given                                          *int           // net as another system has it
	KeepBack, ChannelLimits                        map[string]int // by channel, or "*" for every one
	Lock                                           *Lock
	Sold, Held, Blocked                            int
	Net, Free, Available                           int
	Exposed                                        int          // what channels could sell beyond what is free; not known of the past
	AtLeast                                        bool         // they could sell more than that: a policy lets one be open that promises too little
	Channel                                        *ChannelCell // nil: no channel was asked about
	Version                                        int64        // 0: never written
	Source                                         string
	UpdatedAt                                      time.Time
}

// RoomNight is a room type on one night.
type RoomNight struct {
	Night      Date
	RoomTypeID string
}

// ChannelCell is what one channel is shown of a room type on one night.
type ChannelCell struct {
	Available     *int  // before it is cut to what the channel can express; nil: what it was granted then is not known
	Bookable      *int  // what its own client can be sold here; nil as Available
	SyncedVersion int64 // entry of the journal that its counters have confirmed; 0: none

	// When that was; of several counters, the one that is furthest behind. The zero
	// time: never.
	SyncedAt time.Time
}

// RateCell is the price of one product on one night.
type RateCell struct {
	RoomTypeID, RatePlanID string
	Date                   Date
	Amount                 *Money        // what the property sells at; nil: no price
	ByOccupancy            map[int]Money // likewise, where the plan has a price for each number of guests
	Base                   *Money        // Amount before the rules and limits of the plan
	BaseByOccupancy        map[int]Money
	Typed                  map[int]Money    // for the product itself, by the number of guests; 0: of its base occupancy
	ExtraAdult             *Money           // as typed; nil: nothing
	ExtraChild             map[string]Money // as typed, by age band
	Lock                   *Lock
	Origin                 PriceOrigin
	Rules                  []string // the pricing rules that made Amount, in the order in which they acted
	Shown                  *Money   // what the channel that was asked about is to show; nil: nothing, or no channel
	Version                int64
	Source                 string
	UpdatedAt              time.Time
}

// PriceOrigin says where a price comes from.
type PriceOrigin string

// The origins. A price that a rule of its own plan has changed is by rule.
const (
	NoPrice        PriceOrigin = "none"
	ManualPrice    PriceOrigin = "manual"          // typed
	ManualOverride PriceOrigin = "manual_override" // typed over the derivation of the plan
	DerivedPrice   PriceOrigin = "derived"
	RulePrice      PriceOrigin = "rule"
)

// Rules are the restrictions that hold for one night.
type Rules struct {
	Closed  Closed
	Lengths LengthLimits
}

// RestrictionCell is what holds for one product on one night, and what was
// typed for the product itself.
type RestrictionCell struct {
	RoomTypeID, RatePlanID string
	Date                   Date
	Own                    Restriction
	Closed                 Closed
	Lengths                LengthLimits
	Base                   Rules  // what it would be without what the plan takes over from the one that it is derived from
	Told                   *Rules // what the channel that was asked for is to show; nil: nothing is worked out for it
	Version                int64
	Source                 string
	UpdatedAt              time.Time
}
