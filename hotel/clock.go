package hotel

import "time"

// Clock is the only source of time. Until is the real time to wait until t;
// in a sandbox the clock may stand ahead of the real one.
//
// Steady tells time that nobody sets: it passes as real time does, whatever becomes of
// Now. What has to last so long is measured by it. What one run of the program read
// there means nothing to the next, nor beside what Now tells.
type Clock interface {
	Now() time.Time
	Until(t time.Time) time.Duration
	Steady() time.Time
}

// SystemClock is the machine's clock, in UTC and whole microseconds, the
// precision in which instants are stored.
type SystemClock struct{}

// Now returns the present instant.
func (SystemClock) Now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// began is where steady time begins.
var began = time.Now()

// Steady returns the instant at which the program began and the time that has passed
// since, without any during which the machine slept.
func (SystemClock) Steady() time.Time {
	return began.Add(time.Since(began)).UTC().Truncate(time.Microsecond)
}

// Until returns how long to wait until t.
func (SystemClock) Until(t time.Time) time.Duration { return time.Until(t) }
