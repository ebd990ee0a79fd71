package availability

// Uncounted returns how many bookings a number that was given at a position of
// the journal does not have in it yet. A booking is known by the position at
// which the system that counts acknowledged it, 0 when it has not: a number
// counts a booking when it was written after the acknowledgement. A booking that
// is cancelled, or has left the room type, stays in the list until that is
// acknowledged, so that a cancellation adds no room by itself.
func Uncounted(given int64, acknowledged []int64) int {
	n := 0
	for _, at := range acknowledged {
		if at == 0 || given <= at {
			n++
		}
	}
	return n
}
