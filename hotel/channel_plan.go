package hotel

// ChannelPlan is what a channel would be told were it live now.
type ChannelPlan struct {
	ID        string
	ChannelID string
	Sequence  int64 // where the journal stood
	Calls     []PlannedCalls
	Raises    []Raise
	Refused   int     // cells that the channel cannot be told
	Seconds   float64 // about how long its published limits let this take
}

// PlannedCalls counts the calls of one operation.
type PlannedCalls struct {
	Operation    string
	Calls, Cells int
}

// Raise is a run of nights on which a channel would show more rooms than it does
// now.
type Raise struct {
	RoomTypeID string
	RemoteRoom string
	RemoteRate string // "" where the channel counts by room
	Span
	Shown  *int // what it shows now; nil: not known
	Wanted int
}

// Activation is the wish to set a channel live.
type Activation struct {
	PlanID     string
	Accept     []Raise // exactly those of the plan
	AcceptedBy string  // who answers for them
}
