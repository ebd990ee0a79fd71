package connectors

import (
	"time"

	"ostler.example/hotel"
)

// Capabilities is what one channel can do. It belongs to the channel, not to
// the driver: a pure function of its settings and of what a handshake found.
type Capabilities struct {
	hotel.Terms

	Buckets []Bucket // the published limits
	InOrder bool     // calls of one account must not overlap

	// Which optional interfaces the connector implements.
	Reads, Lists, Polls, Receives, HasCatalog bool
}

// Discovered is what a handshake found; the zero value: nothing.
type Discovered struct {
	Version  string
	Features []string
}

// Bucket limits one operation ("" is every one) to N calls in any span of Per.
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
