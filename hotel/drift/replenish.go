package drift

import "ostler.example/hotel"

// replenish: more rooms than it was told, and no more of them than its guests have
// given back since. The channel put them on sale again by itself.
func replenish(s Seen) bool {
	more := s.Shown - *s.Told
	return s.Group == hotel.Availability && more > 0 && more <= int64(s.Freed)
}
