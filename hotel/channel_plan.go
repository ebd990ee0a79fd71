package hotel

// ChannelPlan is the calls that a channel would be told by.
type ChannelPlan struct {
	ID         string
	ChannelID  string
	Kind       PlanKind
	Sequence   int64 // where the journal stood
	Calls      []PlannedCall
	Operations []PlannedCalls
	Raises     []Raise
	Unchecked  []Unchecked // of going live
	Held       []HeldCells
	Refused    int     // cells that the channel cannot be told
	Limits     []Limit // that the channel publishes, as they stand
	Seconds    float64 // about when the last call leaves, as the limits let it
}

// PlanKind says what a plan is for.
type PlanKind string

// Going live, what is still to be told, everything, or what another mapping makes other
// for a channel that is live.
const (
	PlanLive    PlanKind = "live"
	PlanDelta   PlanKind = "delta"
	PlanFull    PlanKind = "full"
	PlanMapping PlanKind = "mapping"
)

// PlanQuery asks for a plan. An empty kind is a delta where the channel is told what
// changes, else going live. Nights are every one when it is zero; going live is
// always about every one, and so is another mapping, which As says.
type PlanQuery struct {
	Kind   PlanKind
	Nights Span
	As     *Remap
}

// PlannedCall is one call in its place.
type PlannedCall struct {
	Operation     string
	Cells         int
	Closes, Opens int      // cells of it that are shut, or for sale, from then on
	After         float64  // seconds, as the limits let it
	Body          []byte   // without secrets
	Sum           [32]byte // SHA-256 of the body as it would be sent
}

// PlannedCalls counts the calls of one operation.
type PlannedCalls struct {
	Operation    string
	Calls, Cells int
}

// HeldCells counts cells that differ and are not sent, by the code of the reason.
type HeldCells struct {
	Code  string
	Cells int
}

// Raise is a run of nights on which a channel would show more rooms than it does
// now.
type Raise struct {
	RoomTypeID string `json:"room_type_id"`
	RemoteRoom string `json:"remote_room_id"`
	RemoteRate string `json:"remote_rate_id,omitempty"` // "" where the channel counts by room
	From       Date   `json:"date_from"`
	To         Date   `json:"date_to"` // inclusive
	Shown      *int   `json:"from"`    // what it shows now; nil: not known
	Wanted     int    `json:"to"`
}

// Nights returns the number of nights.
func (r Raise) Nights() int { return Span{r.From, r.To}.Days() }

// Approval is what somebody agrees to of a plan: by it a channel goes live, or is told of
// another mapping.
type Approval struct {
	IfRevision int64 // of the channel; 0: any
	PlanID     string
	Accept     []Raise // exactly those of the plan
	Unchecked  []Unchecked
	AcceptedBy string // who answers for both
}

// Remap is what a channel is to sell under which codes from then on, in place of all that
// it does. Of the approval one that is not live needs the revision alone.
type Remap struct {
	StockPer StockPer // which of its numbers are counters
	Mappings []Mapping
	Approval
}

// Unchecked is what of a channel cannot be found out by asking it. What it has sold and
// nobody knows of is sold again once it is live.
type Unchecked string

// What cannot be asked for.
const (
	UncheckedBookings     Unchecked = "bookings"              // it tells of a booking when it is made, and lists none
	UncheckedAcknowledged Unchecked = "acknowledged_bookings" // nor does its feed show again what was fetched from it once
	UncheckedShown        Unchecked = "shown"                 // what it shows now: it cannot be read at present, and whoever told it until now may have lowered it
)
