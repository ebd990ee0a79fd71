package price

// Mismatch says why a booking costs something else than the channel was told.
type Mismatch string

// What a difference may come from.
const (
	Promotion      Mismatch = "promotion"       // the channel has taken the same percentage off every night
	WrongOccupancy Mismatch = "wrong_occupancy" // it is the price for another number of guests
	OtherRate      Mismatch = "other_rate"      // it is the price of another rate
	Unexplained    Mismatch = "unknown"         // none of these
)

// mostPromoted is the highest percentage that is taken for a promotion.
const mostPromoted = 75

// PromotionOf returns the whole percentage by which every night of theirs is lower
// than ours, all in minor units, give or take half a percent for rounding.
func PromotionOf(ours, theirs []int64) (percent int, ok bool) {
	of, at := Sum(ours), Sum(theirs)
	if of <= 0 || at >= of || len(ours) != len(theirs) {
		return 0, false
	}
	percent = int(((of-at)*100 + of/2) / of)
	if percent < 1 || percent > mostPromoted {
		return 0, false
	}
	for i := range ours {
		off := ours[i]*int64(100-percent)/100 - theirs[i]
		if max(off, -off) > max(1, ours[i]/200) {
			return 0, false
		}
	}
	return percent, true
}

// Sum adds amounts up.
func Sum(amounts []int64) (sum int64) {
	for _, a := range amounts {
		sum += a
	}
	return sum
}

// Alike reports whether two prices of a stay are the same, but for a minor unit a
// night that rounding makes.
func Alike(ours, theirs []int64) bool {
	off := Sum(ours) - Sum(theirs)
	return max(off, -off) <= int64(max(len(ours), len(theirs)))
}
