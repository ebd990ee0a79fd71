package hotel

import (
	"slices"
	"strings"
	"time"
)

// WebhookEndpoint is where a client has events delivered.
type WebhookEndpoint struct {
	Entity
	ClientID string
	WebhookSettings
	Headers []byte // the values of the static headers, sealed; nil for none

	Status   WebhookStatus
	Reason   WebhookReason // why it is disabled
	Position int64         // everything up to here in the journal was turned into deliveries
	Slow     bool          // one call at a time until one goes well

	FailingSince time.Time // zero: it is not failing
	LastSuccess  time.Time // zero: nothing has gone well yet

	Secrets []WebhookSecret // those that sign, the newest first
	Replay  *WebhookReplay  // nil: nothing is heard again
	NextAt  time.Time       // of its earliest pending delivery; zero: there is none
	Queued  int             // pending deliveries
}

// WebhookSettings are what a client says of its endpoint.
type WebhookSettings struct {
	URL         string   `json:"url"`
	EventTypes  []string `json:"event_types"`  // names, reservation.* for a group, * for all
	PropertyIDs []string `json:"property_ids"` // none: every granted one
	Description string   `json:"description"`
	// Acknowledges says that the client acknowledges bookings, and wants to be
	// reminded of those that it has not.
	Acknowledges bool     `json:"acknowledge_required"`
	HeaderNames  []string `json:"header_names"` // of the static headers
}

// Wants reports whether the settings name a kind of event of a property; ""
// stands for none, which nobody can leave out.
func (s WebhookSettings) Wants(kind, propertyID string) bool {
	if len(s.PropertyIDs) > 0 && propertyID != "" && !slices.Contains(s.PropertyIDs, propertyID) {
		return false
	}
	return MatchesEvent(s.EventTypes, kind)
}

// MatchesEvent reports whether a list of names, of groups such as reservation.*
// and of * for everything has a kind of event in it.
func MatchesEvent(list []string, kind string) bool {
	for _, name := range list {
		group, whole := strings.CutSuffix(name, "*")
		if name == kind || whole && strings.HasPrefix(kind, group) {
			return true
		}
	}
	return false
}

// WebhookStatus says whether events are delivered to an endpoint.
type WebhookStatus string

// Of what is paused or disabled the position stands still, so that nothing is
// passed over meanwhile.
const (
	WebhookEnabled  WebhookStatus = "enabled"
	WebhookPaused   WebhookStatus = "paused"   // by its client
	WebhookDisabled WebhookStatus = "disabled" // by us
)

// WebhookReason says why an endpoint was disabled.
type WebhookReason string

// The receiver said that it is gone, nothing went well for [WebhookGivenUp], or an
// operator has disabled it, who alone enables it again.
const (
	WebhookGone       WebhookReason = "gone"
	WebhookFailing    WebhookReason = "failing"
	WebhookByOperator WebhookReason = "operator"
)

// The measures of webhooks.
const (
	WebhookEndpoints = 20                  // a client may have
	WebhookTries     = 10                  // of a delivery, by its schedule
	WebhookQueue     = 1000                // pending deliveries from which on the journal keeps the rest
	WebhookGivenUp   = 5 * 24 * time.Hour  // without a success
	WebhookKept      = 30 * 24 * time.Hour // what is over
	WebhookTimeout   = 15 * time.Second    // of one call
	WebhookTogether  = 2 * time.Second     // for which changes of one house value are told as one
)

// WebhookSecret is what an endpoint's deliveries are signed with, sealed.
type WebhookSecret struct {
	ID        string
	Sealed    []byte
	CreatedAt time.Time
	ExpiresAt time.Time // zero: of the present one
}

// WebhookReplay is a part of the journal that an endpoint hears again.
type WebhookReplay struct {
	After      int64 // everything up to here was looked at
	Through    int64 // inclusive
	EventTypes []string
	OnlyFailed bool // of what was delivered before, only what went wrong
}

// WebhookStep is what an endpoint's part of the journal becomes: the deliveries of
// some events, after which it stands at To.
type WebhookStep struct {
	EndpointID string
	Revision   int64 // of the endpoint that the events were chosen for
	From, To   int64
	Events     []WebhookEvent
	Replay     bool // From and To are of its replay
	OnlyFailed bool
}

// WebhookEvent is an entry of the journal that is to be delivered.
type WebhookEvent struct {
	ID, Kind, PropertyID, Subject string
	Sequence                      int64
	Together                      bool // with others of its kind and subject that follow at once
}

// WebhookDelivery is one event on its way to an endpoint.
type WebhookDelivery struct {
	ID, EndpointID string
	Event          WebhookEvent
	First          int64 // the entries from here to the event's own are told as one
	Status         WebhookDeliveryStatus
	Tries          int // of its schedule
	NextAt         time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
	Revision       int64
	Attempts       []WebhookAttempt // oldest first, where they were asked for
}

// IsTest reports whether the delivery is of no event but a test's.
func (d WebhookDelivery) IsTest() bool { return d.Event.Sequence == 0 }

// WebhookDeliveryStatus says how far a delivery is.
type WebhookDeliveryStatus string

// What is dead has gone wrong as often as its schedule says.
const (
	WebhookPending   WebhookDeliveryStatus = "pending"
	WebhookDelivered WebhookDeliveryStatus = "delivered"
	WebhookDead      WebhookDeliveryStatus = "dead"
)

// WebhookAttempt is one call.
type WebhookAttempt struct {
	At       time.Time
	Duration time.Duration
	Status   int    // of HTTP; 0: there was no answer
	Error    string // why there was none
	Excerpt  string // of the answer
}

// Well reports whether the receiver took it.
func (a WebhookAttempt) Well() bool { return a.Status >= 200 && a.Status <= 299 }

// WebhookOutcome is what a call means for its delivery and its endpoint.
type WebhookOutcome struct {
	WebhookAttempt
	RetryAfter time.Time // not before, as the receiver asks; zero: it does not
	Busy       bool      // the receiver has too much to do
	Void       bool      // nobody was called: there is nothing for the client to hear any more
}

// WebhookDeliveryFilter chooses deliveries. Zero fields do not.
type WebhookDeliveryFilter struct {
	EndpointID string
	Statuses   []WebhookDeliveryStatus
	Kinds      []string
	Since      time.Time
	Before     string // an id; only older ones
	Limit      int
}
