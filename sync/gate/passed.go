package gate

import (
	"slices"
	"time"
)

// rememberedFor is how long a gate remembers calls that are over. Whoever hands in the
// calls that are recorded has read them before, and no longer ago than this.
const rememberedFor = time.Minute

// passed are the permits of the calls that are on their way, and of those that are over
// since no more than rememberedFor, in the order in which they were given. A limit that is
// new counts them though nobody has recorded them yet.
type passed []*Permit

// add notes a permit, and forgets those at the head that nobody has to know of any more.
func (all *passed) add(p *Permit) {
	i := 0
	for i < len(*all) && (*all)[i].done && ((*all)[i].unsent || p.steady.Sub((*all)[i].over) > rememberedFor) {
		(*all)[i] = nil
		i++
	}
	*all = append((*all)[i:], p)
}

// unrecorded returns the calls of sent that are not among these, which are counted by
// their permits.
func (all passed) unrecorded(sent []Sent) []Sent {
	known := map[Sent]int{}
	for _, p := range all {
		if !p.unsent {
			known[p.sent()]++
		}
	}
	return slices.DeleteFunc(slices.Clone(sent), func(s Sent) bool {
		s.At = s.At.UTC().Truncate(time.Microsecond)
		known[s]--
		return known[s] >= 0
	})
}
