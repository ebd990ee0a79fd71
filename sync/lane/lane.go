// Package lane says in which order the calls of a channel account go out.
package lane

import "fmt"

// Lane is how urgent a call is. The smaller lane goes first, and within one the
// nearest night; a call that lacks nothing does not wait for one that lacks a place
// in its bucket, but that a raise never overtakes a closing. Out of one bucket no two
// pulls go one after the other while something less urgent waits for it.
type Lane uint8

// The lanes, the most urgent first.
const (
	Lower Lane = iota + 1 // closes something or sells less: goes at once
	Pull                  // fetches messages: what they bring may be the next closing
	Raise                 // sells more; also the lists that raises wait for, and what a channel is asked to do with its bookings
	Rates                 // prices and lengths of stay
	Ask                   // a question of somebody who looks at the channel
	Read                  // what the channel shows: keeps nothing else waiting
)

var names = [...]string{Lower: "lower", Pull: "pull", Raise: "raise", Rates: "rates", Ask: "ask", Read: "read"}

// String returns the lane's name.
func (l Lane) String() string {
	if l == 0 || int(l) >= len(names) {
		return fmt.Sprintf("Lane(%d)", uint8(l))
	}
	return names[l]
}
