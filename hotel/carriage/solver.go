package carriage

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// solver tells some products together.
type solver struct {
	channel Channel
	house   House
	longest int
	nights  int

	plain  [][]availability.NightRules // by product: what the house says, field by field
	base   [][]availability.NightRules // of plain, what stands whatever else is told
	quiet  []int                       // by product: from this night on, stays are forbidden by base alone, or by their arrival
	fates  [][]fate                    // by product and arrival
	groups [][]int                     // products that share the lengths read on arrival

	throughMin, throughMax hotel.Carriage
	chosen                 map[lengths]choice // for the arrival that is looked at
}

func newSolver(c Channel, h House, longest int) *solver {
	s := &solver{
		channel: c, house: h, longest: longest, nights: len(h.Products[0]),
		throughMin: c.Fields[hotel.FieldMinStayThrough], throughMax: c.Fields[hotel.FieldMaxStayThrough],
	}
	s.lay()
	s.fates = make([][]fate, len(h.Products))
	for p := range h.Products {
		s.quiet = append(s.quiet, s.quietFrom(p))
		s.fates[p] = make([]fate, s.nights)
		for a := range s.nights {
			s.fates[p][a] = s.fateOf(p, a)
		}
	}
	together := c.shares(hotel.FieldMinStayArrival) || c.shares(hotel.FieldMaxStayArrival)
	for p := range h.Products {
		if p == 0 || !together {
			s.groups = append(s.groups, nil)
		}
		last := len(s.groups) - 1
		s.groups[last] = append(s.groups[last], p)
	}
	return s
}

// lay works out what each product is told as it is. Of that, closings, closed
// check-out dates and advance days hold for all products where they are shared.
// Shared or inclusive lengths, and pairs that cannot be told, are chosen later.
func (s *solver) lay() {
	n := len(s.house.Products)
	s.plain, s.base = make([][]availability.NightRules, n), make([][]availability.NightRules, n)
	for p, nights := range s.house.Products {
		s.plain[p] = make([]availability.NightRules, s.nights)
		s.base[p] = make([]availability.NightRules, s.nights)
		for i := range nights {
			told, through := s.channel.plain(nights[i])
			b := availability.NightRules{Closed: told.Closed}
			if s.channel.shares(hotel.FieldClosedToArrival) {
				b.Closed.Arrival = false
			}
			if through && !s.throughShared() && !s.inclusive() {
				b.Lengths = throughOnly(told.Lengths)
			}
			s.plain[p][i], s.base[p][i] = told, b
		}
	}
	shares := s.channel.shares
	for i := range s.nights {
		var closed hotel.Closed
		var limits hotel.LengthLimits
		for p := range n {
			closed = closed.Any(s.base[p][i].Closed)
			limits = availability.Stricter(limits, s.plain[p][i].Lengths)
		}
		for p := range n {
			c, l := &s.base[p][i].Closed, &s.plain[p][i].Lengths
			c.Closed = c.Closed || closed.Closed && shares(hotel.FieldClosed)
			c.Departure = c.Departure || closed.Departure && shares(hotel.FieldClosedToDeparture)
			if shares(hotel.FieldMinAdvance) || shares(hotel.FieldMaxAdvance) {
				l.MinAdvance, l.MaxAdvance = limits.MinAdvance, limits.MaxAdvance
				if contradict(l.MinAdvance, l.MaxAdvance) {
					l.MinAdvance, l.MaxAdvance = 0, 0 // the arrivals are closed by date
				}
			}
		}
	}
}

func (s *solver) throughShared() bool {
	return s.channel.shares(hotel.FieldMinStayThrough) || s.channel.shares(hotel.FieldMaxStayThrough)
}

func (s *solver) inclusive() bool {
	return s.throughMin.ThroughIncludesDeparture || s.throughMax.ThroughIncludesDeparture
}

// solve fills in what each product is told; first is the number of the first of
// them among all.
func (s *solver) solve(told [][]availability.NightRules, forced *[]Forced, first int) {
	blocks := s.blocks()
	for p := range told {
		told[p] = make([]availability.NightRules, s.nights)
	}
	for a := range s.nights {
		s.chosen = map[lengths]choice{}
		c := s.choose(a, blocks[a].hit)
		for p := range told {
			t, base, plain := &told[p][a], &s.base[p][a], &s.plain[p][a]
			t.Closed = base.Closed
			t.Closed.Closed = t.Closed.Closed || blocks[a].closed
			t.Closed.Arrival = t.Closed.Arrival || c.closed[p]
			t.Lengths = availability.Stricter(base.Lengths, hotel.LengthLimits{
				MinStayArrival: c.least[p], MaxStayArrival: c.most[p],
				MinStayThrough: blocks[a].least, MaxStayThrough: blocks[a].most,
				MinAdvance: plain.Lengths.MinAdvance, MaxAdvance: plain.Lengths.MaxAdvance,
			})
			s.explain(forced, first+p, p, a, *t)
		}
	}
}

// explain notes a night that is closed though the house does not close it.
func (s *solver) explain(forced *[]Forced, product, p, a int, t availability.NightRules) {
	said := s.house.Products[p][a].Closed
	note := func(f, cause hotel.Field) {
		*forced = append(*forced, Forced{Product: product, Night: s.house.From + hotel.Date(a), Field: f, Cause: cause})
	}
	if t.Closed.Closed && !said.Closed {
		note(hotel.FieldClosed, s.cause(a))
	}
	if t.Closed.Arrival && !said.Arrival {
		note(hotel.FieldClosedToArrival, s.cause(a))
	}
}

// cause names what the nearest arrival whose stays touch night d needs; closed
// where only another product that shares the value needs it.
func (s *solver) cause(d int) hotel.Field {
	for a := d; a >= 0 && a >= d-s.longest; a-- {
		for p := range s.fates {
			if f := s.fates[p][a]; f.need != 0 {
				return f.cause
			}
		}
	}
	return hotel.FieldClosed
}
