package drift

import "ostler.example/hotel"

// sale: fewer rooms than it was told, at a channel that lowers its own count, while
// not all that it has sold can be known. To raise it again would sell the room
// twice.
func sale(s Seen) bool {
	return s.Group == hotel.Availability && s.Shown < *s.Told && s.Sells && !s.Heard
}
