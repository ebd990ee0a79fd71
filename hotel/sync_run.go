package hotel

import "time"

// SyncRun is one time that somebody asked a channel to be brought up to date.
type SyncRun struct {
	ID, ChannelID string
	Kind          SyncKind
	Status        SyncStatus
	Nights        Span  // that it is about; zero: all
	SequenceFrom  int64 // where the journal stood when it was asked for
	SequenceTo    int64 // and when it ended; 0 before
	Calls         int
	Cells         SyncCells
	LastError     string
	StartedAt     time.Time
	EndedAt       time.Time // zero while it runs
	UpdatedAt     time.Time // what its calls come to moves without
	Revision      int64
}

// MaxSyncNights is how many nights a run may name; one for all of them names none.
const MaxSyncNights = 800

// SyncOrder is the wish for a run.
type SyncOrder struct {
	Kind      SyncKind
	Nights    Span  // that it is about, inclusive; zero: all
	PlannedAt int64 // where the journal stood when the plan was made that it follows; 0: none
}

// SyncCells counts what the calls of a run were to carry, what of it left, and what
// became of it. A cell that was sent again counts again.
type SyncCells struct {
	Planned, Sent, Acknowledged, Unknown, Rejected int
}

// SyncRunFilter narrows a list of runs, the newest first; zero fields do not.
type SyncRunFilter struct {
	ChannelID string
	Kinds     []SyncKind
	Statuses  []SyncStatus
	Since     time.Time // begun at this instant or later
	After     string    // id of the last run seen; "": from the newest on
	Limit     int
}

// SyncKind says what a run brings up to date.
type SyncKind string

// Everything that the channel is to show, what it is still to be told, the
// bookings that it has for us, or what it shows.
const (
	SyncFull         SyncKind = "ari_full"
	SyncDelta        SyncKind = "ari_delta"
	SyncReservations SyncKind = "reservations"
	SyncReadBack     SyncKind = "read_back"
)

// Tells reports whether a run of the kind is for what the channel is told.
func (k SyncKind) Tells() bool { return k == SyncFull || k == SyncDelta }

// SyncStatus says how far a run is.
type SyncStatus string

// A run is queued until the first call to the channel was made since it was asked for.
// One that ended is completed, or partial when the channel refused something; a failed
// one was given up.
const (
	SyncQueued    SyncStatus = "queued"
	SyncRunning   SyncStatus = "running"
	SyncCompleted SyncStatus = "completed"
	SyncPartial   SyncStatus = "partial"
	SyncFailed    SyncStatus = "failed"
)

// Over reports whether the run has ended.
func (s SyncStatus) Over() bool { return s != SyncQueued && s != SyncRunning }
