package testkit

import (
	"sync/atomic"
	"time"
)

// Clock is the hotel's clock in a bubble of synctest, which somebody may set. What it
// tells as steady time is far from what it tells as now, and from what it told in a
// former life of the program, so that whoever mixes them up is found out.
type Clock struct {
	ahead, lives *atomic.Int64
	steady       time.Duration // from the bubble's time to steady time
}

// NewClock returns a clock that nobody has set yet, in the program's first life.
func NewClock() Clock {
	c := Clock{ahead: new(atomic.Int64), lives: new(atomic.Int64)}
	return c.Anew()
}

// Anew returns the clock as the program's next life reads it.
func (c Clock) Anew() Clock {
	begins := time.Date(1971, 1, 1, 0, 0, 0, 0, time.UTC)
	if c.lives.Add(1)%2 == 0 { // so that instants of a former life lie ahead, or behind
		begins = begins.AddDate(0, 3, 0)
	}
	c.steady = time.Until(begins)
	return c
}

// Set sets it ahead, or back.
func (c Clock) Set(by time.Duration) { c.ahead.Add(int64(by)) }

// Ahead is how far it has been set, in all.
func (c Clock) Ahead() time.Duration { return time.Duration(c.ahead.Load()) }

// Now implements [hotel.Clock].
func (c Clock) Now() time.Time { return time.Now().Add(c.Ahead()).UTC().Truncate(time.Microsecond) }

// Steady implements [hotel.Clock].
func (c Clock) Steady() time.Time {
	return time.Now().Add(c.steady).UTC().Truncate(time.Microsecond)
}

// Until implements [hotel.Clock].
func (c Clock) Until(t time.Time) time.Duration {
	return t.Sub(time.Now().Add(c.Ahead())) // which does not overflow for an instant long ago
}
