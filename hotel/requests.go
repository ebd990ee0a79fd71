package hotel

import "time"

// Change makes a stored resource different. Apply is run where nobody else can
// change it, and may be run for nothing: it only looks at the resource and
// changes that. What it returns as an error is why the change cannot be.
type Change[R any] struct {
	IfRevision int64 // refuse as precondition_failed when the revision is another; 0: any
	Apply      func(r *R) error
}

// ChannelState is a channel and how far it is.
type ChannelState struct {
	Channel
	DerivedThrough int64     // its offers are computed up to here
	SyncedThrough  int64     // nothing at or before this is unacknowledged
	Deriving       bool      // something is still to be worked out for it, of which Lag knows nothing yet
	Lag            int       // cells that the channel is still to be told
	Unknown        int       // cells whose last call has no known outcome
	Rejected       int       // cells that the channel refused
	Held           int       // prices that its guard keeps from being sent
	LastPushAt     time.Time // newest call that was answered well; zero: never
	LastPullAt     time.Time
	OpenConflicts  int
	StaleSince     time.Time // since when something that it is to show has waited; zero: for less than a minute
	SilentSince    time.Time // when its last message came, of a channel that has been quiet for unusually long; zero: it has not
	LastReadAt     time.Time // when the last read-back of everything began
	LastError      string    // of the newest call that went wrong, unless one of its kind went well since
	LastErrorAt    time.Time
	Flags          []Flag // what its connector did against the rules and has not made good
	RoomsAtRisk    int    // rooms that it may still sell although it is paused or disconnected
}
