package report

// Figure is one figure of a report: its name, what it is measured in, and what it
// means.
type Figure struct {
	Name string
	Kind Kind
	Text string
	of   func(f *figured) Value
}

// figured is what figures of a row are worked out of.
type figured struct {
	sums
	all   *sums // of the whole report
	whole bool  // the report is of the whole house, and not of one channel
	house bool  // the row is a part of the house, and knows its rooms
	ofAll bool  // the row is a part of all that the service did, and not of a property
}

func counted(s sum) func(*figured) Value {
	return func(f *figured) Value { return known(f.n[s]) }
}

// supplied is a number of rooms that there are.
func supplied(s sum) func(*figured) Value {
	return func(f *figured) Value { return Value{Known: f.house && f.told, N: f.n[s]}.orNothing() }
}

// orNothing leaves no number in what is not known.
func (v Value) orNothing() Value {
	if !v.Known {
		return Value{}
	}
	return v
}

// perRoom is so many times something for each room that there is.
func perRoom(times int64, what func(*sums) int64) func(*figured) Value {
	return func(f *figured) Value {
		if !f.house || !f.told {
			return Value{}
		}
		return ratio(what(&f.sums), times, f.n[roomsAvailable])
	}
}

// rate is so many times one sum by another.
func rate(num sum, times int64, den sum) func(*figured) Value {
	return func(f *figured) Value { return ratio(f.n[num], times, f.n[den]) }
}

// part is a row's part of the whole report, in hundredths of a per cent.
func part(s sum) func(*figured) Value {
	return func(f *figured) Value {
		if !f.whole {
			return Value{}
		}
		return ratio(f.n[s], 100*100, f.all.n[s])
	}
}

// priced is how many of the nights that were sold have a price.
func (s *sums) priced() int64 { return s.n[nightsSold] - s.n[nightsUnpriced] }

// revenue is all that guests pay without taxes.
func (s *sums) revenue() int64 {
	return s.n[roomRevenue] + s.n[extrasRevenue] + s.n[cancellationFees]
}

// unknownPct is the part of room revenue whose commission is not known, in hundredths
// of a per cent.
func (s *sums) unknownPct() Value { return ratio(s.n[roomRevenueUnknown], 100*100, s.n[roomRevenue]) }

// mostUnknown is how much of it may be unknown where net revenue is still told.
const mostUnknown = 5 * 100

// net returns what is left of room revenue after commission, for each of so many.
func (s *sums) net(each int64) Value {
	if unknown := s.unknownPct(); unknown.Known && unknown.N > mostUnknown {
		return Value{}
	}
	return ratio(s.n[roomRevenue]-s.n[commission], 1, each)
}
