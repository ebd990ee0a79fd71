package serve

import (
	"sync/atomic"
	"time"

	"ostler.example/hotel"
)

// told is the machine's clock, set as calls say what time it is at the hotel.
type told struct {
	hotel.SystemClock
	ahead atomic.Int64
}

// set takes the time that a call tells; zero: it tells none.
func (c *told) set(now time.Time) {
	if !now.IsZero() {
		c.ahead.Store(int64(now.Sub(c.SystemClock.Now())))
	}
}

// Now implements [hotel.Clock].
func (c *told) Now() time.Time { return c.SystemClock.Now().Add(time.Duration(c.ahead.Load())) }

// Until implements [hotel.Clock].
func (c *told) Until(t time.Time) time.Duration { return t.Sub(c.Now()) }
