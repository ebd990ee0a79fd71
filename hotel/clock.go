package hotel

import "time"

// Clock is the only source of time. Until is the real time to wait until t;
// in a sandbox the clock may stand ahead of the real one.
type Clock interface {
	Now() time.Time
	Until(t time.Time) time.Duration
}

// SystemClock is the machine's clock, in UTC and whole microseconds, the
// precision in which instants are stored.
type SystemClock struct{}

// Now returns the present instant.
func (SystemClock) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// Until returns how long to wait until t.
func (SystemClock) Until(t time.Time) time.Duration { return time.Until(t) }
