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

// Stored returns the entity itself, through whatever resource embeds it.
func (e *Entity) Stored() *Entity { return e }

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
	Entity         `json:"-"`
	Name           string            `json:"name"`
	LegalName      string            `json:"legal_name,omitempty"`
	TimeZone       string            `json:"time_zone"` // IANA
	Currency       Currency          `json:"currency"`
	Country        string            `json:"country"` // ISO 3166-1 alpha-2
	Address        Address           `json:"address,omitzero"`
	Geo            *Geo              `json:"geo,omitempty"`
	Phone          string            `json:"phone,omitempty"`
	Email          string            `json:"email,omitempty"`
	CheckIn        string            `json:"check_in_time"` // HH:MM, local
	CheckOut       string            `json:"check_out_time"`
	DayRoll        string            `json:"day_roll_time"` // HH:MM, local: when the business date moves on
	HorizonDays    int               `json:"booking_horizon_days"`
	CutOff         *CutOff           `json:"cut_off,omitempty"`
	Taxes          []Tax             `json:"taxes,omitempty"`
	AgeBands       []AgeBand         `json:"age_bands,omitempty"` // from age 0 up, without a gap
	Mode           AvailabilityMode  `json:"availability_mode,omitempty"`
	Truth          Truth             `json:"truth,omitzero"`
	StayRecording  StayRecording     `json:"stay_recording,omitempty"`
	ReleaseTime    string            `json:"release_time,omitempty"` // HH:MM: when a room without guarantee may be given away on its arrival day
	OverdueHolds   *bool             `json:"overdue_departure_holds,omitempty"`
	MarketSegments []MarketSegment   `json:"market_segments,omitempty"`
	Policies       Policies          `json:"policies,omitzero"`
	Notifications  *Notifications    `json:"notifications,omitempty"` // nil: nobody is told of anything
	Metadata       map[string]string `json:"metadata,omitempty"`
	Status         Status            `json:"status"`
}

// Address is where a property or a payer is.
type Address struct {
	Line1      string `json:"line1,omitempty"`
	Line2      string `json:"line2,omitempty"`
	City       string `json:"city,omitempty"`
	Region     string `json:"region,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
}

// Geo is a place on the globe, in decimal degrees as written.
type Geo struct {
	Lat string `json:"lat"`
	Lon string `json:"lon"`
}

// CutOff is the last minute at which an arrival can be booked: so many days
// before it, at a local time.
type CutOff struct {
	DaysBefore int    `json:"days_before"`
	Time       string `json:"time"` // HH:MM
}

// AgeBand names the children, or adults, of an age.
type AgeBand struct {
	Code     string    `json:"code"`
	FromAge  int       `json:"from_age"`
	ToAge    int       `json:"to_age"` // exclusive
	CountsAs GuestKind `json:"counts_as"`
}

// GuestKind is what a guest counts as when a room is filled.
type GuestKind string

// The kinds of guests. An infant takes no place unless the room type says so.
const (
	Infant GuestKind = "infant"
	Child  GuestKind = "child"
	Adult  GuestKind = "adult"
)

// AvailabilityMode says whether Ostler counts the free rooms or is told them.
type AvailabilityMode string

// Derived availability is counted from stock and bookings; given availability is
// the net number of another system, less the bookings which that system has not
// counted yet.
const (
	DerivedMode AvailabilityMode = "derived"
	GivenMode   AvailabilityMode = "given"
)

// Authority is a system that may write a kind of fact.
type Authority string

// The authorities: Ostler, for whoever has the scope, or the PMS alone.
const (
	ByOstler Authority = "ostler"
	ByPMS    Authority = "pms"
)

// Truth says whose word counts for each kind of fact; "" is [ByOstler].
type Truth struct {
	Stock        Authority `json:"stock,omitempty"`
	Prices       Authority `json:"prices,omitempty"`
	Restrictions Authority `json:"restrictions,omitempty"`
}

// StayRecording says whether arrivals and departures are recorded here.
type StayRecording string

// Assumed moves stays on by themselves at the day roll; Recorded waits for
// somebody to do it.
const (
	Assumed  StayRecording = "assumed"
	Recorded StayRecording = "recorded"
)

// MarketSegment is a group of guests that reports tell apart.
type MarketSegment struct {
	Code string `json:"code"`
	Name string `json:"name"`
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

// Leaves returns when guests are to have left on a date: its check-out time.
func (p Property) Leaves(on Date) time.Time {
	var hour, minute int
	if t, err := time.Parse("15:04", p.CheckOut); err == nil {
		hour, minute = t.Hour(), t.Minute()
	}
	return on.At(hour, minute, p.Zone())
}

// Sells returns the nights that can be sold at instant now: from the business
// date, on which the desk still takes in guests, to so many days ahead of the
// calendar date as the property is sold. So the farthest comes within reach at
// midnight for everybody at once.
func (p Property) Sells(now time.Time) Span {
	return Span{From: p.BusinessDate(now), To: p.Today(now) + Date(p.HorizonDays)}
}

// Shows returns the nights of them that a channel can show: those from the
// calendar date on.
func (p Property) Shows(now time.Time) Span {
	return Span{From: p.Today(now), To: p.Today(now) + Date(p.HorizonDays)}
}

// ReleasedAt returns the instant from which a room without guarantee that is
// booked to arrive on a date may be given to somebody else.
func (p Property) ReleasedAt(arrival Date) time.Time {
	hour, minute := 18, 0
	if t, err := time.Parse("15:04", p.ReleaseTime); err == nil {
		hour, minute = t.Hour(), t.Minute()
	}
	return arrival.At(hour, minute, p.Zone())
}
