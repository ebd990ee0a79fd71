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

// Activation is the wish to set a channel live.
type Activation struct {
	IfRevision int64 // of the channel; 0: any
	PlanID     string
	Accept     []Raise // exactly those of the plan
	AcceptedBy string  // who answers for them
}
