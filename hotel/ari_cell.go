package hotel

import "time"

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
