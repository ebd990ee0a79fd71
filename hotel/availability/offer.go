package availability

import (
	"fmt"

	"ostler.example/hotel"
)

// Offer turns what the house has available on a night into what one channel is
// shown: nothing when closed, and never more than most, the largest number the
// far side accepts; a most of 0 is no bound. The result is never negative. The
// steps recorded are closed and capability_clamp.
//
// The caller passes closed for a closing that the channel cannot be told in
// another way than by an empty stock.
func Offer(house int, closed bool, most int, tr *hotel.Trace) int {
	n, by := max(0, house), ""
	if closed {
		n, by = 0, "sent as no rooms"
	}
	tr.AddCount("closed", n, by)
	by = ""
	if most > 0 {
		n = min(n, most)
		if tr != nil {
			by = fmt.Sprintf("at most %d", most)
		}
	}
	tr.AddCount("capability_clamp", n, by)
	return n
}
