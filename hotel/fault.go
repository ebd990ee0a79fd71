package hotel

import "time"

// Fault is how a connector, or the far side behind it, broke the rules that the
// engine relies on. Nothing of what was wrong is believed.
type Fault struct {
	Kind  FaultKind
	Words string // what was seen, for people
}

// FaultKind sorts faults by what was wrong.
type FaultKind string

// The kinds.
const (
	FaultPanic         FaultKind = "panic"         // its code broke off
	FaultHung          FaultKind = "hung"          // it did not end in its time
	FaultForeign       FaultKind = "foreign"       // it spoke of what it was not asked about
	FaultContradiction FaultKind = "contradiction" // it said two things of one
	FaultNumber        FaultKind = "number"        // a number that cannot be, such as rooms below 0
	FaultCurrency      FaultKind = "currency"      // an amount in a currency that was not agreed
	FaultOversized     FaultKind = "oversized"     // far more than there can be
	FaultCalls         FaultKind = "calls"         // it packed changes into calls that lose, double or make up some
	FaultRefusal       FaultKind = "refusal"       // it refuses whatever it is told
	FaultUnannounced   FaultKind = "unannounced"   // it has messages for us and does not call to say so
)

// Flag is a fault of one part of a channel that has not been made good since.
type Flag struct {
	Part   string // what it was about to do: push, pull, list, read, ask, act, receive or hint
	Fault  Fault  // the newest
	Since  time.Time
	LastAt time.Time
	Times  int
}
