package hotel

import "time"

// AsOf is a point of the journal from which something is to be seen: behind the
// entry with the sequence, or else at an instant. The zero value is now.
type AsOf struct {
	Sequence int64
	At       time.Time
}

// Now reports whether it is the present.
func (a AsOf) Now() bool { return a.Sequence == 0 && a.At.IsZero() }
