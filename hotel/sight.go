package hotel

import (
	"slices"
	"time"
)

// Sight is what is known of one night of a product, or of a counter, at one
// channel: for each field group what we want shown there, what was last sent, what
// the channel last acknowledged and what it showed when it was last asked. The
// four are never made into one.
type Sight struct {
	RoomTypeID             string
	RatePlanID             string // "" where the channel carries stock alone
	RemoteRoom, RemoteRate string // the channel's codes
	Retired                bool   // nothing is sold under the codes any more: they are kept closed
	Night                  Date
	Guarded                bool // rooms are granted to the channel before they are shown there
	Exposure               *int // rooms that it may still sell there; nil: nobody knows
	Groups                 []GroupSight

	// Of what the house says of the night: what the channel cannot be told, and the
	// hotel keeps there itself; and what it is told by tightening other fields.
	KeptAtChannel, Clamped []Field
}

// GroupSight is one field group of a Sight. A fact that never was is nil.
type GroupSight struct {
	Group     Group
	Occupancy int // Price only; 0 is the price for the base occupancy

	Desired, Sent, Acknowledged, ReadBack *ShownFact
	CutAt                                 time.Time // Closures: since when the night is closed because the channel may show more rooms than it is to; zero: not for that
	House                                 *Offer    // what the house asks for, where something else is desired in its place; else nil

	State  SightState
	Code   string // why, stable; "" when it is in sync
	Reason string // why, in a sentence
}

// ShownFact is one value that a channel was wanted to show, was sent, has
// acknowledged or did show.
type ShownFact struct {
	Value      Offer
	At         time.Time // zero: not known
	Sequence   int64     // the journal entry that it stands for; 0: none does
	DeliveryID string    // "" where no call is behind it
	InAll      *int      // sent: the number that was told, where it is the most that the channel sells in all; Value is what was left of it
}

// SightState says how a field group stands with a channel.
type SightState string

// The states, of which the first that applies counts.
const (
	InFlight SightState = "in_flight" // a call that carries it is under way
	Unclear  SightState = "unknown"   // the last call has no known outcome: the old or the new value may be shown
	Rejected SightState = "rejected"  // the channel refused the value
	HeldBack SightState = "held"      // not sent on purpose
	Drifted  SightState = "drifted"   // it showed something else when it was asked last
	Pending  SightState = "pending"   // it will be sent
	InSync   SightState = "in_sync"
)

// SightStates lists the states.
var SightStates = []SightState{InFlight, Unclear, Rejected, HeldBack, Drifted, Pending, InSync}

// Dot sums a cell up.
type Dot string

// A cell shows what it should, is about to, does not, or cannot.
const (
	DotEqual    Dot = "equal"
	DotOnItsWay Dot = "on_its_way"
	DotDiffers  Dot = "differs"
	DotCannot   Dot = "cannot"
)

// Dots lists them, the best first.
var Dots = []Dot{DotEqual, DotOnItsWay, DotDiffers, DotCannot}

// Or is the worse of two. "" says nothing.
func (d Dot) Or(other Dot) Dot {
	if slices.Index(Dots, other) > slices.Index(Dots, d) {
		return other
	}
	return d
}

// Dot sums the state of a single group up.
func (s SightState) Dot() Dot {
	switch s {
	case InSync:
	case InFlight, Unclear, Pending:
		return DotOnItsWay
	case HeldBack, Drifted:
		return DotDiffers
	case Rejected:
		return DotCannot
	}
	return DotEqual
}

// Dot sums the groups up: the worst of them counts.
func (s Sight) Dot() Dot {
	worst := DotEqual
	for _, g := range s.Groups {
		worst = worst.Or(g.State.Dot())
	}
	return worst
}

// NightStanding is how a night of a product, or of a counter, stands at a channel: of a [Sight] what
// a calendar shows.
type NightStanding struct {
	RoomTypeID string
	RatePlanID string // "" where the channel carries stock alone
	RemoteRoom string // the channel's code
	Night      Date
	States     []SightState // of its field groups. Nobody changes them
}

// StandingQuery asks how nights stand at some of a property's channels.
type StandingQuery struct {
	PropertyID  string
	ChannelIDs  []string
	RoomTypeIDs []string // none: all
	Span        Span
}

// SightQuery asks for the nights of a channel's products.
type SightQuery struct {
	ChannelID   string
	RoomTypeIDs []string // none: all
	RatePlanIDs []string // likewise
	Span        Span
	After       *SightPlace // nil: from the first on
	AtLeast     int         // so many, if there are
}

// SightPlace names a Sight among those of a channel.
type SightPlace struct {
	RoomTypeID, RatePlanID, RemoteRoom, RemoteRate string
	Night                                          Date
}

// Place returns the place of a Sight.
func (s Sight) Place() SightPlace {
	return SightPlace{s.RoomTypeID, s.RatePlanID, s.RemoteRoom, s.RemoteRate, s.Night}
}

// Sights is a part of the nights of a channel's products, in the order of room
// type, plan and date.
type Sights struct {
	Sequence int64   // of the journal
	Told     []Field // that the channel is told as they are
	Cells    []Sight
	More     bool // there are others behind the last
}

// Tally sums up how the nights of a channel's products stand, from today on.
type Tally struct {
	States map[SightState]int // field groups of nights, by how each stands
	Kept   []KeptNights       // what the channel cannot be told, in the order of the fields
}

// KeptNights is a field that the hotel keeps at the channel itself, and on how many
// nights of products the house makes use of it, between two nights, inclusive.
type KeptNights struct {
	Field    Field
	Nights   int
	From, To Date
}
