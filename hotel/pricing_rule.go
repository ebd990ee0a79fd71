package hotel

// PricingRule changes prices where its conditions hold. It is a step of the
// derivation: it never writes a price.
type PricingRule struct {
	Entity     `json:"-"`
	PropertyID string          `json:"property_id"`
	Name       string          `json:"name"`
	Enabled    bool            `json:"enabled"`
	Priority   int             `json:"priority"`       // 1 to 1000, low runs first
	Stop       bool            `json:"stop,omitempty"` // no later rule runs where this one did
	Scope      RuleScope       `json:"scope,omitzero"`
	Conditions []RuleCondition `json:"conditions,omitempty"` // all of them
	RuleMemory
	Action   RuleAction `json:"action"`
	Rounding Rounding   `json:"rounding,omitempty"`
	Floor    *Money     `json:"floor,omitempty"`   // of this rule's own effect
	Ceiling  *Money     `json:"ceiling,omitempty"` // of this rule's own effect
}

// RuleMemory is what a rule goes by besides the figures of a night. With neither
// of the two it acts exactly where its conditions are met.
type RuleMemory struct {
	// A condition that was met stays met until its figure is beyond its value by
	// more than so many per cent of that value. "": as soon as it is beyond it.
	HysteresisPct string `json:"hysteresis_pct,omitempty"`

	// How often on one business date the rule may begin or cease to act on the
	// prices of a room type for a night. 0: as often as the figures say.
	MaxChanges int `json:"max_changes_per_day,omitempty"`
}

// RuleScope says which prices a rule may change. No plan named means every plan
// that is not derived; otherwise what is empty means every one.
type RuleScope struct {
	RatePlanIDs []string `json:"rate_plan_ids,omitempty"`
	RoomTypeIDs []string `json:"room_type_ids,omitempty"`
	DateFrom    *Date    `json:"date_from,omitempty"`
	DateTo      *Date    `json:"date_to,omitempty"` // inclusive
	Weekdays    []string `json:"days_of_week,omitempty"`
}

// RuleCondition compares a figure of the night with a value.
type RuleCondition struct {
	Metric RuleMetric `json:"metric"`
	Op     string     `json:"op"`    // lt, lte, gt, gte, eq or between
	Value  []string   `json:"value"` // decimals: one, or the two ends of between, both inclusive
}

// RuleMetric is a figure of a night.
type RuleMetric string

// The figures.
const (
	OccupancyPct     RuleMetric = "occupancy_pct"           // of the house
	RoomOccupancyPct RuleMetric = "room_type_occupancy_pct" // of the room type
	RoomsLeft        RuleMetric = "rooms_left"              // of the room type
	DaysToArrival    RuleMetric = "days_to_arrival"
	Pickup7d         RuleMetric = "pickup_7d" // rooms of the house booked less given back in the last seven days
)

// RuleAction is what a rule does to a price.
type RuleAction struct {
	Kind  string `json:"kind"`  // percent, amount or SetPrice
	Value string `json:"value"` // decimal
}

// SetPrice is the action that puts a price in place of what was there.
const SetPrice = "set"

// SimulatedPrice is the price of a product on a night for the base occupancy,
// as it would be without and with some rules.
type SimulatedPrice struct {
	RoomTypeID, RatePlanID string
	Date                   Date
	Before, After          Money
	Rules                  []string // the rules that made After, in the order in which they acted
}
