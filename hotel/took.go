package hotel

import (
	"math/bits"
	"time"
)

// Took is how long something took, as precisely as it is counted: steps of which
// each ends at most a quarter behind its beginning, so that a few dozen of them hold
// everything between ten microseconds and an hour.
type Took int

// tookUnit is what the first steps are apart by.
const tookUnit = 10 * time.Microsecond

// TookOf returns the step that a duration lies in; one below 0 counts as 0.
func TookOf(d time.Duration) Took {
	v := uint64((max(d, 0) + tookUnit - 1) / tookUnit)
	wide := max(bits.Len64(v), 3) - 3 // the three digits in front count
	return Took(wide*4) + Took(v>>wide)
}

// Most is the longest that lies in the step.
func (t Took) Most() time.Duration {
	wide := max(t/4-1, 0)
	return time.Duration((int64(t-4*wide)+1)<<wide-1) * tookUnit
}
