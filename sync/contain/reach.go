package contain

import (
	"errors"

	"ostler.example/hotel"
)

// ErrLate is in the error of a call that did not end in the time that it was given.
var ErrLate = errors.New("it did not end in its time")

// Reach learns about how many nights a far side can be asked at once. A call that does
// not end in its time is made again about half of its nights, and so are those behind it;
// when some have ended, more are tried. The zero value begins with as many as are allowed.
type Reach struct {
	nights int // as many as may be asked for; 0: all that are allowed
	ended  int // calls in a row that did
}

// endedBefore is how many calls have to end before more nights are asked for, so that
// few are made in vain.
const endedBefore = 8

// Each asks about the nights of a span, at most so many at a time, in order, and ends
// with the first error that asking for fewer would not mend.
func (r *Reach) Each(of hotel.Span, most int, call func(hotel.Span) error) error {
	for from := of.From; from <= of.To; {
		n := most
		if r.nights > 0 {
			n = min(n, r.nights)
		}
		span := hotel.Span{From: from, To: min(of.To, from+hotel.Date(n)-1)}
		err := call(span)
		if errors.Is(err, ErrLate) && span.Days() > 1 {
			r.nights, r.ended = span.Days()/2, 0
			continue
		}
		if err != nil {
			return err
		}
		if r.ended++; r.nights > 0 && r.ended >= endedBefore {
			r.nights, r.ended = 2*r.nights, 0
		}
		from = span.To + 1
	}
	return nil
}
