package hotel

// RatePlan is a way of selling rooms at a price under conditions.
type RatePlan struct {
	Entity       `json:"-"`
	PropertyID   string              `json:"property_id"`
	Code         string              `json:"code"`
	Name         string              `json:"name"`
	Currency     Currency            `json:"currency"`
	Pricing      Pricing             `json:"pricing_model"`
	MealPlan     string              `json:"meal_plan,omitempty"`
	TaxMode      TaxMode             `json:"tax_mode"`
	RoomTypeIDs  []string            `json:"room_type_ids"`
	DerivedFrom  *Derivation         `json:"derived_from,omitempty"`
	Inherit      *[]Inheritance      `json:"inherit,omitempty"` // nil: everything
	Included     []Included          `json:"included,omitempty"`
	Cancellation *CancellationPolicy `json:"cancellation_policy,omitempty"`
	NoShow       *NoShowPolicy       `json:"no_show_policy,omitempty"` // nil: that of the last cancellation step
	Guarantee    string              `json:"guarantee,omitempty"`
	MinAdvance   *int                `json:"min_advance_days,omitempty"`
	MaxAdvance   *int                `json:"max_advance_days,omitempty"`
	CutOff       *CutOff             `json:"cut_off,omitempty"`
	PriceLimits  []PriceLimit        `json:"price_limits,omitempty"`
	Restrictions Restriction         `json:"default_restrictions"` // used where no night says otherwise
	Audience     Audience            `json:"audience"`
	SoldBy       []string            `json:"sold_by,omitempty"` // ids of channels and clients
	Metadata     map[string]string   `json:"metadata,omitempty"`
	Position     int                 `json:"position"`
	Status       Status              `json:"status"`
}

// NoShowPenalty returns what it costs not to come, nil where that of the last
// cancellation step counts.
func (p *RatePlan) NoShowPenalty() *Penalty {
	if p.NoShow == nil {
		return nil
	}
	return &p.NoShow.Penalty
}

// Pricing says what a price is for.
type Pricing string

// A price for the room, whoever sleeps in it, or one for each number of guests.
const (
	PerRoomPrice Pricing = "per_room"
	PerOccupancy Pricing = "per_occupancy"
)

// TaxMode says whether a plan's prices contain the taxes that are part of a price.
type TaxMode string

// The tax modes.
const (
	TaxInclusive TaxMode = "inclusive"
	TaxExclusive TaxMode = "exclusive"
)

// Audience says whether a plan is sold to clients that it does not name.
type Audience string

// A public plan is sold by the property's own clients too, a restricted one
// only by those it names.
const (
	Public     Audience = "public"
	Restricted Audience = "restricted"
)

// Derivation makes a plan's price from its parent's.
type Derivation struct {
	RatePlanID string            `json:"rate_plan_id"`
	Kind       AdjustmentKind    `json:"kind"`
	Value      string            `json:"value"`            // decimal: percent, or an amount in the plan's currency
	Per        AdjustmentPer     `json:"per,omitempty"`    // "": the room
	ByAge      map[string]string `json:"by_age,omitempty"` // per person: the value for an age band instead of Value
	Rounding   Rounding          `json:"rounding,omitempty"`
}

// AdjustmentKind is by percent or by an amount.
type AdjustmentKind string

// The kinds of adjustment.
const (
	Percent AdjustmentKind = "percent"
	Amount  AdjustmentKind = "amount"
)

// AdjustmentPer says how often an amount is added.
type AdjustmentPer string

// Once for the room, or once for each guest.
const (
	PerTheRoom AdjustmentPer = "room"
	PerPerson  AdjustmentPer = "person"
)

// Rounding is the shape that a finished price is given, once, at the end.
type Rounding string

// The roundings. RoundNone keeps the currency's own precision.
const (
	RoundNone     Rounding = "none"
	RoundNearest1 Rounding = "nearest_1"
	RoundNearest5 Rounding = "nearest_5"
	RoundEnd9     Rounding = "end_9"
	RoundEnd99    Rounding = "end_99"
)

// Inheritance names what a derived plan takes over from its parent.
type Inheritance string

// What can be inherited. InheritAdvance is both advance days.
const (
	InheritClosed            Inheritance = "closed"
	InheritClosedToArrival   Inheritance = "closed_to_arrival"
	InheritClosedToDeparture Inheritance = "closed_to_departure"
	InheritMinStay           Inheritance = "min_stay"
	InheritMaxStay           Inheritance = "max_stay"
	InheritAdvance           Inheritance = "advance"
)

// Included is something that a price contains, such as breakfast. It is revenue
// of its own, not of the room.
type Included struct {
	Code   string           `json:"code"`
	Per    string           `json:"per"`
	Amount map[string]Money `json:"amount"`        // by age band; "" for guests of no other band
	VAT    string           `json:"vat,omitempty"` // percent of the amount
}

// What an included item is counted by: the room and night, the guest and night, or
// the stay.
const (
	IncludedPerRoom   = "room"
	IncludedPerPerson = "person"
	IncludedPerStay   = "stay"
)

// CancellationPolicy says what a cancellation costs, by how early it comes.
type CancellationPolicy struct {
	Kind    string               `json:"kind"`            // flexible, non_refundable or custom
	Steps   []CancellationStep   `json:"steps,omitempty"` // the earliest deadline first
	Seasons []CancellationSeason `json:"seasons,omitempty"`
}

// CancellationSeason replaces the steps for arrivals between two dates, both
// inclusive.
type CancellationSeason struct {
	DateFrom Date               `json:"date_from"`
	DateTo   Date               `json:"date_to"`
	Steps    []CancellationStep `json:"steps"`
}

// CancellationStep holds until its deadline, a local time so many days before
// the arrival. Without a deadline it holds to the end.
type CancellationStep struct {
	Until   *CutOff `json:"until,omitempty"`
	Penalty Penalty `json:"penalty"`
}

// NoShowPolicy says what it costs not to come.
type NoShowPolicy struct {
	Penalty Penalty `json:"penalty"`
}

// Penalty is what a cancellation or a no-show costs.
type Penalty struct {
	Kind  PenaltyKind `json:"kind"`
	Value string      `json:"value,omitempty"` // percent of the stay, or an amount in the plan's currency
}

// PenaltyKind says how a penalty is measured.
type PenaltyKind string

// The kinds of penalty.
const (
	NoPenalty      PenaltyKind = "none"
	FirstNight     PenaltyKind = "first_night"
	PercentPenalty PenaltyKind = "percent"
	AmountPenalty  PenaltyKind = "amount"
)

// PriceLimit is the lowest and the highest price of a plan's products over some
// nights, both inclusive.
type PriceLimit struct {
	RoomTypeIDs []string `json:"room_type_ids,omitempty"` // empty: every one of the plan
	DateFrom    Date     `json:"date_from"`
	DateTo      Date     `json:"date_to"`
	Floor       *Money   `json:"floor,omitempty"`
	Ceiling     *Money   `json:"ceiling,omitempty"`
}

// Restriction is what one level says about one night. A nil field says nothing.
// Of the flags, false says nothing either: a closing above is not reopened here.
type Restriction struct {
	Closed            *bool `json:"closed,omitempty"`
	ClosedToArrival   *bool `json:"closed_to_arrival,omitempty"`
	ClosedToDeparture *bool `json:"closed_to_departure,omitempty"`
	MinStayArrival    *int  `json:"min_stay_arrival,omitempty"`
	MinStayThrough    *int  `json:"min_stay_through,omitempty"`
	MaxStayArrival    *int  `json:"max_stay_arrival,omitempty"`
	MaxStayThrough    *int  `json:"max_stay_through,omitempty"`
	MinAdvance        *int  `json:"min_advance_days,omitempty"`
	MaxAdvance        *int  `json:"max_advance_days,omitempty"`
}
