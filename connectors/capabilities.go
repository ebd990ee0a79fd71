package connectors

import (
	"slices"
	"time"

	"ostler.example/hotel"
)

// Capabilities is what one channel can do. Two channels of a driver may differ in
// it: a driver computes it, without side effects, from the channel's settings and
// the result of the handshake.
type Capabilities struct {
	hotel.Terms

	Operations []Operation // what its calls may carry
	Buckets    []Bucket    // the limits that the far side publishes
	InOrder    bool        // an account may have a single call under way

	// The optional interfaces that its connector has.
	Reads, ReadsWhole, Lists, Polls, Receives, Publishes, Serves, HasCatalog, Rereads bool

	// PullTime is how long fetching bookings once may take, where that is longer than usual. Nothing
	// is told to the account meanwhile if it may have a single call under way.
	PullTime time.Duration

	Hints bool // what it receives are hints, and its bookings are fetched
}

// worked returns the capabilities with what follows from them.
func (c Capabilities) worked() Capabilities {
	by := func(g hotel.Group) int {
		return slices.IndexFunc(c.Operations, func(o Operation) bool { return o.Tells(g) })
	}
	counts, closings := by(hotel.Availability), by(hotel.Closures)
	c.ClosesApart = c.Fields[hotel.FieldClosed].As == hotel.Exact && counts >= 0 && closings >= 0 && counts != closings
	return c
}

// Discovered is the result of a handshake. It is zero when there was none or when
// it found out nothing.
type Discovered struct {
	Version  string
	Features []string
	Doubts   []string // what there speaks against the channel's settings, in sentences for people
}

// Bucket allows at most N calls in any span of length Per. It applies to the named
// operation, or to all of them when Operation is empty.
type Bucket struct {
	Operation string
	Scope     Scope
	N         int
	Per       time.Duration
}

// Scope says what shares a bucket.
type Scope uint8

// A bucket is shared by everything on the account, or by one property's calls.
const (
	PerAccount Scope = iota + 1
	PerProperty
)
