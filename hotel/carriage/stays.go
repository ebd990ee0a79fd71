package carriage

import (
	"math/bits"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// lengths is a set of lengths of stay from one arrival: bit l-1 for l nights, and
// the bit behind the longest that is counted for all that are longer.
type lengths uint64

func (s lengths) count() int { return bits.OnesCount64(uint64(s)) }

// fate says what has to become of the stays of one arrival, apart from those that
// are forbidden already by what the channel is told as it is.
type fate struct {
	need  lengths     // must be forbidden
	legal lengths     // should not be
	upTo  int         // where longer ones than are counted must be forbidden for being too long: the first that must, less one
	from  int         // where they must be forbidden for being too short: the first that is not
	cause hotel.Field // what the house forbids the first of need by
}

// fateOf works out the fate of a product's stays that arrive on night a.
func (s *solver) fateOf(p, a int) fate {
	house, base := s.house.Products[p], s.base[p]
	var f fate
	var through, told hotel.LengthLimits
	for l := 1; a+l <= len(house); l++ {
		night := a + l - 1
		if base[night].Closed.Closed {
			break // this and all that are longer
		}
		through = availability.Stricter(through, throughOnly(house[night].Lengths))
		told = availability.Stricter(told, throughOnly(base[night].Lengths))
		if base[a].Closed.Arrival || a+l < len(house) && base[a+l].Closed.Departure ||
			l < told.MinStayThrough || contradict(l, told.MaxStayThrough) {
			continue
		}
		cause, legal := s.forbids(p, a, l, through)
		switch {
		case legal:
			f.legal |= s.length(l)
			if l > s.longest && a+l >= s.quiet[p] && house[a].Lengths.MaxStayArrival == 0 && through.MaxStayThrough == told.MaxStayThrough {
				return f // so is whatever is longer
			}
		case cause != "":
			if f.need == 0 {
				f.cause = cause
			}
			f.need |= s.length(l)
			if l <= s.longest {
				continue
			}
			if cause == hotel.FieldMinStayArrival {
				f.from = house[a].Lengths.MinStayArrival
				continue
			}
			f.upTo = l - 1
			return f
		}
	}
	return f
}

// forbidsLonger reports whether an interval of lengths, told of an arrival, lets through none of
// the stays longer than are counted that must be forbidden.
func (s *solver) forbidsLonger(f *fate, least, most int) bool {
	return least >= f.from && (f.upTo == 0 || most > s.longest && most <= f.upTo)
}

// quietFrom returns the night from which base says of a product all that the house
// says about those who stay over a night or leave on it.
func (s *solver) quietFrom(p int) int {
	house, base := s.house.Products[p], s.base[p]
	n := len(house)
	for n > 0 && house[n-1].Closed.Departure == base[n-1].Closed.Departure && throughOnly(house[n-1].Lengths) == throughOnly(base[n-1].Lengths) {
		n--
	}
	return n
}

// length returns the set of one length.
func (s *solver) length(l int) lengths { return 1 << (min(l, s.longest+1) - 1) }

// between returns the set of the lengths from least to most; 0 is no bound.
func (s *solver) between(least, most int) lengths {
	set := lengths(1)<<(s.longest+1) - 1
	if least > 0 {
		set &^= lengths(1)<<min(least-1, s.longest) - 1
	}
	if most > 0 && most <= s.longest {
		set &= lengths(1)<<most - 1
	}
	return set
}

// forbids names a field by which the house forbids a stay and which the channel
// has to respect; none for a stay that only the hotel's own settings at the
// channel forbid. legal says that nothing forbids it. Advance days that the
// channel is told count as allowing: they change by themselves.
func (s *solver) forbids(p, a, l int, through hotel.LengthLimits) (cause hotel.Field, legal bool) {
	house, told, advance := s.house.Products[p], &s.plain[p][a].Lengths, s.house.advance(a)
	r := &house[a].Lengths
	legal = true
	for _, c := range [...]struct {
		forbids bool
		field   hotel.Field
	}{
		{house[a].Closed.Arrival, hotel.FieldClosedToArrival},
		{a+l < len(house) && house[a+l].Closed.Departure, hotel.FieldClosedToDeparture},
		{l < r.MinStayArrival, hotel.FieldMinStayArrival},
		{l < through.MinStayThrough, hotel.FieldMinStayThrough},
		{contradict(l, r.MaxStayArrival), hotel.FieldMaxStayArrival},
		{contradict(l, through.MaxStayThrough), hotel.FieldMaxStayThrough},
		{advance < r.MinAdvance && told.MinAdvance < r.MinAdvance, hotel.FieldMinAdvance},
		{contradict(advance, r.MaxAdvance) && (told.MaxAdvance == 0 || told.MaxAdvance > r.MaxAdvance), hotel.FieldMaxAdvance},
	} {
		if !c.forbids {
			continue
		}
		if legal = false; cause == "" && s.channel.enforces(c.field) {
			cause = c.field
		}
	}
	return cause, legal
}

func throughOnly(n hotel.LengthLimits) hotel.LengthLimits {
	return hotel.LengthLimits{MinStayThrough: n.MinStayThrough, MaxStayThrough: n.MaxStayThrough}
}

// broken returns the first statement that forbids a stay of l nights from night
// a on, booked so many days ahead, as the far side reads it. The zero Channel
// reads as the house does.
func (c Channel) broken(at []availability.NightRules, a, l, advance int) (night int, field hotel.Field, forbids bool) {
	r := &at[a]
	switch {
	case r.Closed.Arrival:
		return a, hotel.FieldClosedToArrival, true
	case l < r.Lengths.MinStayArrival:
		return a, hotel.FieldMinStayArrival, true
	case contradict(l, r.Lengths.MaxStayArrival):
		return a, hotel.FieldMaxStayArrival, true
	case advance < r.Lengths.MinAdvance:
		return a, hotel.FieldMinAdvance, true
	case contradict(advance, r.Lengths.MaxAdvance):
		return a, hotel.FieldMaxAdvance, true
	}
	leastOut, mostOut := c.Fields[hotel.FieldMinStayThrough].ThroughIncludesDeparture, c.Fields[hotel.FieldMaxStayThrough].ThroughIncludesDeparture
	for d := a; d < min(a+l+1, len(at)); d++ {
		last := d == a+l
		switch {
		case !last && at[d].Closed.Closed:
			return d, hotel.FieldClosed, true
		case (!last || leastOut) && l < at[d].Lengths.MinStayThrough:
			return d, hotel.FieldMinStayThrough, true
		case (!last || mostOut) && contradict(l, at[d].Lengths.MaxStayThrough):
			return d, hotel.FieldMaxStayThrough, true
		case last && at[d].Closed.Departure:
			return d, hotel.FieldClosedToDeparture, true
		}
	}
	return 0, "", false
}
