package hotel

import (
	"sync"
	"time"
)

// Entity is what every stored resource has.
type Entity struct {
	ID                   string
	CreatedAt, UpdatedAt time.Time
	Revision             int64 // 1 at first, one more with each change
}

// Status of a resource that is never deleted.
type Status string

// A resource is active until it is archived; a property may also be suspended.
const (
	Active    Status = "active"
	Suspended Status = "suspended"
	Archived  Status = "archived"
)

// Property is one hotel.
type Property struct {
	Entity
	Name        string
	TimeZone    string // IANA
	Currency    Currency
	Country     string // ISO 3166-1 alpha-2
	CheckIn     string // HH:MM, local
	CheckOut    string
	DayRoll     string // HH:MM, local: when the business date moves on
	HorizonDays int    // how many days ahead may be booked
	Status      Status
}

// Pool is a set of identical physical units that one or more room types are
// sold from.
type Pool struct {
	Entity
	PropertyID string
	Code, Name string
	TotalUnits int    // the default of every night
	OwnOf      string // the room type that it was made together with; "" when made apart
	Status     Status
}

// Draw is one need of a room type: so many units of one pool. A room type
// needs all of its draws at once.
type Draw struct {
	PoolID string
	Units  int
}

// RoomType is what is sold: a kind of room.
type RoomType struct {
	Entity
	PropertyID    string
	Code          string // lower case, unique in the property: what /availability asks for
	Name          string // what /availability answers
	Description   string
	Consumes      []Draw
	BaseOccupancy int // guests that the base price is for
	MaxAdults     int
	MaxChildren   int
	MaxOccupancy  int
	Position      int
	Status        Status
}

// RatePlan is a way of selling rooms at a price under conditions.
type RatePlan struct {
	Entity
	PropertyID   string
	Code, Name   string
	Currency     Currency
	Pricing      Pricing
	MealPlan     string
	TaxMode      string // inclusive or exclusive
	RoomTypeIDs  []string
	DerivedFrom  *Derivation
	Restrictions Restriction // used where no night says otherwise
	Audience     Audience
	SoldBy       []string // ids of channels and clients
	Position     int
	Status       Status
}

// Pricing says what a price is for.
type Pricing string

// A price for the room, whoever sleeps in it, or one for each number of guests.
const (
	PerRoomPrice Pricing = "per_room"
	PerOccupancy Pricing = "per_occupancy"
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
	RatePlanID string
	Kind       AdjustmentKind
	Value      string // decimal: percent, or an amount in the plan's currency
	Rounding   Rounding
}

// AdjustmentKind is by percent or by an amount.
type AdjustmentKind string

// The kinds of adjustment.
const (
	Percent AdjustmentKind = "percent"
	Amount  AdjustmentKind = "amount"
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

// Restriction is what one level says about one night. A nil field says nothing.
// Of the flags, false says nothing either: a closing above is not reopened here.
type Restriction struct {
	Closed, ClosedToArrival, ClosedToDeparture *bool
	MinStayArrival, MinStayThrough             *int
	MaxStayArrival, MaxStayThrough             *int
	MinAdvance, MaxAdvance                     *int
}

// Channel is one configured connection of one property to an external channel.
type Channel struct {
	Entity
	PropertyID string
	Connector  string
	Name       string
	Status     ChannelStatus
	Settings   []byte // JSON, over the connector's defaults; holds secrets, never shown as it is
	Account    string // whose buckets and breaker it shares
	Markup     *Markup
	Schedule   string // cron expression of the reservations pull
}

// ChannelStatus is where a channel stands in its life.
type ChannelStatus string

// The states of a channel.
const (
	Testing       ChannelStatus = "testing"
	ChannelActive ChannelStatus = "active"
	Paused        ChannelStatus = "paused"
)

// Markup is what a channel's price has on top of the property's.
type Markup struct {
	Kind  AdjustmentKind
	Value string // decimal
}

// Mapping joins one product of ours with one of a channel's. One remote product
// maps to one of ours; one room type may map to several remote rooms.
type Mapping struct {
	Line       int64 // numbers the mapping in the ledger; 0 before it is stored
	ChannelID  string
	RoomTypeID string
	RatePlanID string
	RemoteRoom string
	RemoteRate string
}

// zones keeps the time zones that were asked for: reading one from its file on
// every request would be most of the request.
var zones sync.Map // of *time.Location, by name

// Zone returns the property's time zone, UTC when its name is unknown to this
// machine.
func (p Property) Zone() *time.Location {
	if loc, ok := zones.Load(p.TimeZone); ok {
		return loc.(*time.Location)
	}
	loc, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return time.UTC
	}
	zones.Store(p.TimeZone, loc)
	return loc
}

// Today returns the calendar date at the property at instant now. Nights before
// it are never sent to a channel.
func (p Property) Today(now time.Time) Date { return DateIn(now, p.Zone()) }

// BusinessDate returns the date whose guests the desk still takes in at instant
// now: yesterday's until the day roll.
func (p Property) BusinessDate(now time.Time) Date {
	var hour, minute int
	if t, err := time.Parse("15:04", p.DayRoll); err == nil {
		hour, minute = t.Hour(), t.Minute()
	}
	today := p.Today(now)
	if now.Before(today.At(hour, minute, p.Zone())) {
		return today - 1
	}
	return today
}
