package hotel

import (
	"encoding/json"
	"slices"
	"time"
)

// Connector is one kind of external system that channels can be connected to.
type Connector struct {
	Name      string
	Summary   string
	Abilities Abilities       // as far as the default settings tell
	Settings  json.RawMessage // JSON Schema of a channel's settings
	Simulator bool            // it can be tried without the real far side
}

// Abilities is what one channel can do: what its messages can say and what it
// promises, the limits it publishes, and what else may be asked of it.
type Abilities struct {
	Terms
	Limits []Limit

	InOrder  bool // one call at a time
	Reads    bool // it can be asked what it shows
	Lists    bool // it can be asked for its bookings by date
	Polls    bool // its bookings are fetched
	Receives bool // its bookings are pushed to us
	Serves   bool // the hotel's own system, which writes facts and takes reservations
	Catalog  bool // it can be asked what it sells
}

// Limit is one published limit.
type Limit struct {
	Operation   string // "": every one
	PerProperty bool   // else all on the account share it
	N           int    // calls at most in any span of Per
	Per         time.Duration
	Remaining   int // of a channel that is open; N otherwise
}

// RemoteProduct is one room and rate as an external channel names them.
type RemoteProduct struct {
	Room, RoomName string
	Rate, RateName string // Rate is empty for a room without rates of its own

	Adults   int      // that the room takes at most; 0: not told
	Board    string   // as [RatePlan.MealPlan]; "": not told
	Currency Currency // of the rate's prices; "": not told
}

// Sane returns the product without what a far side cannot have meant.
func (p RemoteProduct) Sane() RemoteProduct {
	p.Adults = max(p.Adults, 0)
	if !slices.Contains(mealPlans, p.Board) {
		p.Board = ""
	}
	if !p.Currency.Known() {
		p.Currency = ""
	}
	return p
}

// Configured is what a connector makes of a channel's settings.
type Configured struct {
	Account   string          // whose limits and breaker the channel shares
	Place     string          // the far side and the property there
	Shown     json.RawMessage // all settings, the defaults among them, secrets as "***"
	Abilities Abilities
}

// Reached is what a far side said when it was asked whether it is there.
type Reached struct {
	Took     time.Duration
	Version  string
	Features []string
	Doubts   []string // what there speaks against the channel's settings, for people
	Products int      // that it offers for mapping; -1: it cannot be asked
}

// Published is something that a channel comes to read at an address of ours: a calendar.
type Published struct {
	Name   string    // "double-1"
	ReadAt time.Time // when the channel read it last, in UTC; zero: never
}

// Link is how a channel's way out stands.
type Link struct {
	Open      bool   // its connector is at work
	Failure   string // why it could not be opened; "": it could
	RetryAt   time.Time
	Circuit   string    // closed, open or half_open; "" while it is not open
	ProbeAt   time.Time // when an open circuit is tried again
	Cause     Cause     // why the circuit is not closed; "": it is, or the channel is not open
	Since     time.Time // when it opened
	Words     string    // what went wrong
	HeldUntil time.Time // the far side asked for a pause until then
	Abilities Abilities
}

// failingFor is how long calls may fail before it takes more than patience.
const failingFor = 15 * time.Minute

// Erring reports whether, at now, it takes somebody to have the channel told anything: it
// cannot be opened, its credentials are not taken, or its far side has failed for long.
func (l Link) Erring(now time.Time) bool {
	switch l.Cause {
	case Denied:
		return true
	case Failing:
		if now.Sub(l.Since) > failingFor {
			return true
		}
	}
	return !l.Open && l.Failure != ""
}

// Cause says why a circuit is not closed.
type Cause string

// The causes. Whoever is denied is not asked again but seldom, since accounts are
// locked for less.
const (
	Failing Cause = "failing" // calls in a row had no sensible answer
	Denied  Cause = "denied"  // our credentials are not taken
)
