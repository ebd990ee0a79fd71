package carriage

import "ostler.example/hotel"

// choice is what is told about the arrivals of one night.
type choice struct {
	least, most []int  // by product: lengths read on arrival
	closed      []bool // by product: closed to arrival
	cost        cost
}

// cost orders what could be told: first by the stays turned away, then by longer
// ones, which are not counted, then by how much of it the house did not say.
type cost int64

const (
	statement cost = 1
	longStay  cost = 1 << 16
	stay      cost = 1 << 32
	never     cost = 1 << 52
)

// pay returns the cost of turning the stays away.
func (s *solver) pay(lost lengths) cost {
	longer := lengths(1) << s.longest
	return cost((lost&^longer).count())*stay + cost((lost&longer).count())*longStay
}

// choose picks the best for the arrivals of night a, when what is told about
// nights forbids the stays in hit.
func (s *solver) choose(a int, hit lengths) choice {
	if c, known := s.chosen[hit]; known {
		return c
	}
	n := len(s.house.Products)
	c := choice{least: make([]int, n), most: make([]int, n), closed: make([]bool, n)}
	possible := true
	for _, group := range s.groups {
		possible = s.chooseInterval(a, hit, group, &c) && possible
	}
	if !possible {
		c.cost = never
		if s.channel.tells(hotel.FieldClosedToArrival) {
			c.cost = statement
			for _, group := range s.groups {
				least, most := s.plainLengths(a, group)
				for _, p := range group {
					c.closed[p], c.least[p], c.most[p] = true, least, most
					c.cost += s.pay(s.fates[p][a].legal)
				}
			}
		}
	}
	s.chosen[hit] = c
	return c
}

// chooseInterval picks the interval of lengths that the arrivals of night a may
// stay, one for all products of the group, and the products that are closed to
// arrival. It reports false when no interval will do.
func (s *solver) chooseInterval(a int, hit lengths, group []int, c *choice) bool {
	best := never
	try := func(least, most int, extra cost) {
		if contradict(least, most) {
			return
		}
		total, closed := extra, make([]bool, len(group))
		for i, p := range group {
			f := &s.fates[p][a]
			sold := s.between(least, most) &^ hit
			wrong := sold & f.need
			if s.forbidsLonger(f, least, most) {
				wrong &^= s.length(s.longest + 1)
			}
			if wrong != 0 {
				if !s.channel.tells(hotel.FieldClosedToArrival) || s.channel.shares(hotel.FieldClosedToArrival) {
					return
				}
				closed[i], sold = true, 0
				total += statement
			}
			total += s.pay(f.legal &^ sold)
		}
		if total >= best {
			return
		}
		best = total
		for i, p := range group {
			c.least[p], c.most[p], c.closed[p] = least, most, closed[i]
		}
	}
	least, most := s.plainLengths(a, group)
	try(least, most, 0)
	if best < longStay {
		c.cost += best // as the house says it, and nothing is lost
		return true
	}
	for _, least := range s.values(hotel.FieldMinStayArrival, 0) {
		for _, most := range s.values(hotel.FieldMaxStayArrival, s.upTo(a, group)) {
			try(least, most, statement)
		}
	}
	c.cost += best
	return best < never
}

// plainLengths returns what the house says about the lengths of the arrivals of
// night a, as far as the channel takes it.
func (s *solver) plainLengths(a int, group []int) (least, most int) {
	for _, p := range group {
		n := &s.plain[p][a].Lengths
		least = max(least, n.MinStayArrival)
		if n.MaxStayArrival != 0 && (most == 0 || n.MaxStayArrival < most) {
			most = n.MaxStayArrival
		}
	}
	if contradict(least, most) {
		return 0, 0
	}
	return least, most
}

// upTo returns the longest stay from night a that nothing forbids for being
// too long, 0 where that is within what is counted or there is none such.
func (s *solver) upTo(a int, group []int) int {
	n := 0
	for _, p := range group {
		if u := s.fates[p][a].upTo; u > s.longest && (n == 0 || u < n) {
			n = u
		}
	}
	return n
}

// values lists what the field can be told: 0 for nothing, then every length that
// is counted and that the far side takes, and the one given.
func (s *solver) values(f hotel.Field, further int) []int {
	all := []int{0}
	if !s.channel.tells(f) {
		return all
	}
	c := s.channel.Fields[f]
	for n := max(c.Min, 1); n <= s.longest+1 && (c.Max == 0 || n <= c.Max); n++ {
		all = append(all, n)
	}
	if n, ok := maximum(further, c); ok && n > s.longest+1 {
		all = append(all, n)
	}
	return all
}
