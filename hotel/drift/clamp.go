package drift

import "ostler.example/hotel"

// clamp: the channel has a highest or lowest value. Different values beyond it are
// all shown as that one, and nothing beyond it is shown at all.
func clamp(s Seen) bool {
	if s.Group != hotel.Availability && s.Group != hotel.Price {
		return false
	}
	side := int64(1) // beyond is above
	if s.Shown > *s.Told {
		side = -1
	}
	beyond := map[int64]bool{*s.Told: true}
	for _, p := range s.Beside {
		switch {
		case (p.Shown-s.Shown)*side > 0:
			return false // it can show more than that
		case (p.Told-s.Shown)*side > 0 && p.Shown == s.Shown:
			beyond[p.Told] = true
		}
	}
	return len(beyond) > 1
}
