package drift

import "ostler.example/hotel"

// steps are what channels round prices to, in minor units.
var steps = []int64{10, 50, 100, 500, 1000}

// mostRounded is the part of a price, one in so many, that rounding may move.
const mostRounded = 20

// rounding: a price that is what it was told, taken to the next step up or down.
func rounding(s Seen) bool {
	if s.Group != hotel.Price {
		return false
	}
	off := s.Shown - *s.Told
	for _, step := range steps {
		if *s.Told%step != 0 && s.Shown%step == 0 && abs(off) < step && abs(off)*mostRounded <= *s.Told {
			return true
		}
	}
	return false
}

func abs(n int64) int64 { return max(n, -n) }
