package availability

import "ostler.example/hotel"

// Carry turns the house's rules into what one channel is told, by how the
// channel carries each field. A field that it does not carry is left out, for the
// hotel keeps it at the channel; only Closed is always there, for a channel that
// cannot say it is shown no rooms. A number outside the channel's bounds becomes
// the nearest stricter one that it takes. Where there is none, or a minimum ends
// above its maximum, the night is closed: nothing is ever loosened.
func Carry(r NightRules, fields map[hotel.Field]hotel.Carriage) NightRules {
	carried := NightRules{Closed: hotel.Closed{
		Closed:    r.Closed.Closed,
		Arrival:   r.Closed.Arrival && fields[hotel.FieldClosedToArrival].As != hotel.Absent,
		Departure: r.Closed.Departure && fields[hotel.FieldClosedToDeparture].As != hotel.Absent,
	}}
	from, to := &r.Lengths, &carried.Lengths
	fit := carryMin(&to.MinStayArrival, from.MinStayArrival, fields[hotel.FieldMinStayArrival])
	fit = carryMin(&to.MinStayThrough, from.MinStayThrough, fields[hotel.FieldMinStayThrough]) && fit
	fit = carryMin(&to.MinAdvance, from.MinAdvance, fields[hotel.FieldMinAdvance]) && fit
	fit = carryMax(&to.MaxStayArrival, from.MaxStayArrival, fields[hotel.FieldMaxStayArrival]) && fit
	fit = carryMax(&to.MaxStayThrough, from.MaxStayThrough, fields[hotel.FieldMaxStayThrough]) && fit
	fit = carryMax(&to.MaxAdvance, from.MaxAdvance, fields[hotel.FieldMaxAdvance]) && fit
	if !fit || contradict(to) {
		carried.Closed.Closed = true
	}
	return carried
}

// carryMin sets a minimum, and reports false when the channel takes none that is
// as strict.
func carryMin(to *int, n int, c hotel.Carriage) bool {
	if c.As == hotel.Absent || n == 0 {
		return true
	}
	*to = max(n, c.Min)
	if c.Max > 0 && *to > c.Max {
		*to = c.Max
		return false
	}
	return true
}

// carryMax sets a maximum, and reports false when the channel takes none that is
// as strict.
func carryMax(to *int, n int, c hotel.Carriage) bool {
	if c.As == hotel.Absent || n == 0 {
		return true
	}
	*to = n
	if c.Max > 0 {
		*to = min(n, c.Max)
	}
	if *to < c.Min {
		*to = c.Min
		return false
	}
	return true
}

// contradict reports whether a minimum is above the maximum of its kind, so that
// nothing is let through.
func contradict(n *hotel.LengthLimits) bool {
	return above(n.MinStayArrival, n.MaxStayArrival) ||
		above(n.MinStayThrough, n.MaxStayThrough) ||
		above(n.MinAdvance, n.MaxAdvance)
}
