package carriage

import (
	"cmp"
	"slices"

	"ostler.example/hotel"
)

// block is what is told about one night beyond the base, and which stays from
// the night on that forbids, together with what is told about later nights.
type block struct {
	closed      bool
	least, most int // lengths read on every night
	hit         lengths
}

// ahead is how the nights from one on are blocked: for each length the nights
// until the first that forbids it, capped at the length, for then no stay of it
// gets that far. The last two places are what the first night is told, which a
// far side that reads it on the check-out date applies to the night before.
type ahead [most + 4]uint8

const (
	nextLeast = most + 2
	nextMost  = most + 3
)

// step is one way to tell the nights from one on.
type step struct {
	block
	ahead
	cost  cost
	later *step
}

// width is how many ways are kept for each night. As long as there are no more,
// the best of all is found; with more, what is told stays safe but may turn away
// more than it had to. Only lengths read on every night that stand in for others
// make so many.
const width = 64

// blocks picks what is told about each night beyond the base.
func (s *solver) blocks() []block {
	cover := s.cover()
	out := make([]block, s.nights)
	if cover == nil {
		return out
	}
	end := &step{}
	for l := range s.longest + 1 {
		end.ahead[l] = uint8(l + 1)
	}
	ways := []*step{end}
	for d := s.nights - 1; d >= 0; d-- {
		ways = s.extend(d, cover[d], ways)
	}
	best := slices.MinFunc(ways, func(a, b *step) int { return cmp.Compare(a.cost, b.cost) })
	for d := range out {
		out[d], best = best.block, best.later
	}
	return out
}

// cover says for each night what stays touch it that have to be forbidden and
// cannot be, without loss, by what is told about their arrival. It is nil when
// there are none: then nothing needs to be told about nights.
func (s *solver) cover() []lengths {
	var cover []lengths
	for a := range s.nights {
		s.chosen = map[lengths]choice{}
		if s.choose(a, 0).cost < longStay {
			continue
		}
		if cover == nil {
			cover = make([]lengths, s.nights)
		}
		for p := range s.fates {
			need := s.fates[p][a].need
			for l := 1; l <= s.longest+1; l++ {
				if need&s.length(l) == 0 {
					continue
				}
				reach := a + l
				if s.inclusive() {
					reach++
				}
				for d := a; d < min(reach, s.nights); d++ {
					cover[d] |= s.length(l)
				}
			}
		}
	}
	return cover
}

// extend tells night d in every way that could help, before every way to tell
// the later nights, and keeps the best of those that block the same.
func (s *solver) extend(d int, cover lengths, later []*step) []*step {
	s.chosen = map[lengths]choice{}
	at := map[ahead]int{}
	var ways []*step
	for _, next := range later {
		for _, b := range s.options(d, cover) {
			way := s.join(d, b, next)
			i, known := at[way.ahead]
			switch {
			case !known:
				at[way.ahead] = len(ways)
				ways = append(ways, way)
			case way.cost < ways[i].cost:
				ways[i] = way
			}
		}
	}
	if len(ways) > width {
		slices.SortStableFunc(ways, func(a, b *step) int { return cmp.Compare(a.cost, b.cost) })
		ways = ways[:width]
	}
	return ways
}

// options lists what could be told about night d: nothing more, closed, and the
// lengths that forbid some of the stays that have to be forbidden, no longer
// and no shorter than that.
func (s *solver) options(d int, cover lengths) []block {
	all := []block{{}}
	if cover == 0 {
		return all
	}
	least, most := []int{0}, []int{0}
	for l := 1; l <= s.longest+1; l++ {
		if cover&s.length(l) == 0 {
			continue
		}
		if n := l + 1; l <= s.longest && s.channel.tells(hotel.FieldMinStayThrough) {
			if n, ok := minimum(n, s.throughMin); ok {
				least = append(least, n)
			}
		}
		if n := l - 1; n > 0 && s.channel.tells(hotel.FieldMaxStayThrough) {
			if n, ok := maximum(n, s.throughMax); ok {
				most = append(most, n)
			}
		}
	}
	for _, low := range slices.Compact(least) {
		for _, high := range slices.Compact(most) {
			if (low == 0 && high == 0) || !s.consistent(d, low, high) {
				continue
			}
			all = append(all, block{least: low, most: high})
			if s.inclusive() { // it still binds who leaves on the date
				all = append(all, block{closed: true, least: low, most: high})
			}
		}
	}
	return append(all, block{closed: true})
}

// consistent reports whether the lengths can be told beside those of the base.
func (s *solver) consistent(d, least, most int) bool {
	for p := range s.base {
		n := &s.base[p][d].Lengths
		high := most
		if n.MaxStayThrough != 0 && (high == 0 || n.MaxStayThrough < high) {
			high = n.MaxStayThrough
		}
		if contradict(max(least, n.MinStayThrough), high) {
			return false
		}
	}
	return true
}

// join puts what is told about night d before a way to tell the later ones.
func (s *solver) join(d int, b block, next *step) *step {
	way := &step{block: b, ahead: next.ahead, later: next, cost: next.cost}
	least, most := b.least, b.most
	if s.throughMin.ThroughIncludesDeparture {
		least = max(least, int(next.ahead[nextLeast]))
		way.ahead[nextLeast] = uint8(b.least)
	}
	if s.throughMax.ThroughIncludesDeparture {
		if n := int(next.ahead[nextMost]); n != 0 && (most == 0 || n < most) {
			most = n
		}
		way.ahead[nextMost] = uint8(b.most)
	}
	for l := 1; l <= s.longest+1; l++ {
		n := &way.ahead[l-1]
		switch {
		case b.closed, l < least && l <= s.longest, contradict(l, most):
			*n = 0
		case int(*n) < l:
			*n++
		}
		if int(*n) < l {
			way.hit |= s.length(l)
		}
	}
	way.cost += s.choose(d, way.hit).cost
	if b.closed {
		way.cost += 4 * statement
	}
	if b.least != 0 {
		way.cost += statement
	}
	if b.most != 0 {
		way.cost += statement
	}
	return way
}
