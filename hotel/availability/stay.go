package availability

import (
	"strconv"

	"ostler.example/hotel"
)

// NightRules are the restrictions of one product on one night, all levels merged.
type NightRules struct {
	Closed  hotel.Closed
	Lengths hotel.LengthLimits
}

// Says reports whether the rules make use of the field.
func (r *NightRules) Says(f hotel.Field) bool {
	switch f {
	case hotel.FieldClosed:
		return r.Closed.Closed
	case hotel.FieldClosedToArrival:
		return r.Closed.Arrival
	case hotel.FieldClosedToDeparture:
		return r.Closed.Departure
	case hotel.FieldMinStayArrival:
		return r.Lengths.MinStayArrival > 0
	case hotel.FieldMinStayThrough:
		return r.Lengths.MinStayThrough > 0
	case hotel.FieldMaxStayArrival:
		return r.Lengths.MaxStayArrival > 0
	case hotel.FieldMaxStayThrough:
		return r.Lengths.MaxStayThrough > 0
	case hotel.FieldMinAdvance:
		return r.Lengths.MinAdvance > 0
	case hotel.FieldMaxAdvance:
		return r.Lengths.MaxAdvance > 0
	case hotel.FieldAvailable, hotel.FieldAmount:
	}
	return false
}

// Record records what the rules say of each field after a step, whose name goes
// before that of the field.
func (r *NightRules) Record(step, by string, tr *hotel.Trace) {
	if tr == nil {
		return
	}
	for _, f := range hotel.Fields {
		if text, restricts := r.Text(f); restricts {
			tr.AddText(step+" "+string(f), text, by)
		}
	}
}

// Text writes what the rules say of a field; false for one that is no
// restriction.
func (r *NightRules) Text(f hotel.Field) (string, bool) {
	flag, number := strconv.FormatBool, strconv.Itoa
	switch f {
	case hotel.FieldClosed:
		return flag(r.Closed.Closed), true
	case hotel.FieldClosedToArrival:
		return flag(r.Closed.Arrival), true
	case hotel.FieldClosedToDeparture:
		return flag(r.Closed.Departure), true
	case hotel.FieldMinStayArrival:
		return number(r.Lengths.MinStayArrival), true
	case hotel.FieldMinStayThrough:
		return number(r.Lengths.MinStayThrough), true
	case hotel.FieldMaxStayArrival:
		return number(r.Lengths.MaxStayArrival), true
	case hotel.FieldMaxStayThrough:
		return number(r.Lengths.MaxStayThrough), true
	case hotel.FieldMinAdvance:
		return number(r.Lengths.MinAdvance), true
	case hotel.FieldMaxAdvance:
		return number(r.Lengths.MaxAdvance), true
	case hotel.FieldAvailable, hotel.FieldAmount:
	}
	return "", false
}

// Violation is one restriction that forbids a stay.
type Violation struct {
	Field  hotel.Field
	Date   hotel.Date // whose restriction it is
	Limit  int        // of a length of stay, or of days ahead
	Detail string     // for people, such as "at least 3 nights"
}

// String returns the detail.
func (v Violation) String() string { return v.Detail }

// Said is of what the detail is made.
func (v Violation) Said() (format string, args []any) { return v.phrase().Said() }

func (v Violation) phrase() hotel.Phrase {
	switch v.Field {
	case hotel.FieldClosed:
		return hotel.Say("closed")
	case hotel.FieldClosedToArrival:
		return hotel.Say("closed to arrival")
	case hotel.FieldClosedToDeparture:
		return hotel.Say("closed to departure")
	case hotel.FieldMinStayArrival, hotel.FieldMinStayThrough:
		return hotel.Say("at least %d nights", v.Limit)
	case hotel.FieldMaxStayArrival, hotel.FieldMaxStayThrough:
		return hotel.Say("at most %d nights", v.Limit)
	case hotel.FieldMinAdvance:
		return hotel.Say("at least %d days ahead", v.Limit)
	case hotel.FieldMaxAdvance:
		return hotel.Say("at most %d days ahead", v.Limit)
	case hotel.FieldAmount:
		return hotel.Say("the night has no price")
	case FieldCutOff:
		return hotel.Say("the last minute to book this arrival is past")
	case hotel.FieldAvailable:
	}
	return hotel.Say("%s", v.Field)
}

// Unpriced is the violation of a night that is sold at no price.
func Unpriced(night hotel.Date) Violation { return violation(hotel.FieldAmount, night, 0) }

func violation(f hotel.Field, d hotel.Date, limit int) Violation {
	v := Violation{Field: f, Date: d, Limit: limit}
	v.Detail = v.phrase().String()
	return v
}

// Violations lists what forbids the stay when it is booked on the date today:
// the arrival fields and the advance days of the check-in date first, then night
// by night the closings and the through fields, last the departure field of the
// check-out date, which is no night of the stay. It is nil when the stay is let
// through. The length of an empty or reversed stay is 0 nights.
func Violations(stay hotel.Stay, today hotel.Date, at func(hotel.Date) NightRules) []Violation {
	var all []Violation
	check(stay, today, at, func(b broken) bool {
		all = append(all, violation(b.field, b.date, b.limit))
		return true
	})
	return all
}

// Allows reports whether nothing forbids the stay: whether Violations is empty.
func Allows(stay hotel.Stay, today hotel.Date, at func(hotel.Date) NightRules) bool {
	allowed := true
	check(stay, today, at, func(broken) bool {
		allowed = false
		return false
	})
	return allowed
}

// broken is a violation before it is put into words.
type broken struct {
	field hotel.Field
	date  hotel.Date
	limit int
}

// check finds what forbids a stay and stops when yield returns false.
func check(stay hotel.Stay, today hotel.Date, at func(hotel.Date) NightRules, yield func(broken) bool) {
	nights := stay.Nights()
	arrival := at(stay.CheckIn)
	advance := int(stay.CheckIn - today)
	onArrival := [...]struct {
		forbids bool
		field   hotel.Field
		limit   int
	}{
		{arrival.Closed.Arrival, hotel.FieldClosedToArrival, 0},
		{below(nights, arrival.Lengths.MinStayArrival), hotel.FieldMinStayArrival, arrival.Lengths.MinStayArrival},
		{above(nights, arrival.Lengths.MaxStayArrival), hotel.FieldMaxStayArrival, arrival.Lengths.MaxStayArrival},
		{below(advance, arrival.Lengths.MinAdvance), hotel.FieldMinAdvance, arrival.Lengths.MinAdvance},
		{above(advance, arrival.Lengths.MaxAdvance), hotel.FieldMaxAdvance, arrival.Lengths.MaxAdvance},
	}
	for _, c := range onArrival {
		if c.forbids && !yield(broken{c.field, stay.CheckIn, c.limit}) {
			return
		}
	}
	for d := stay.CheckIn; d < stay.CheckOut; d++ {
		r := at(d)
		if r.Closed.Closed && !yield(broken{hotel.FieldClosed, d, 0}) {
			return
		}
		if below(nights, r.Lengths.MinStayThrough) && !yield(broken{hotel.FieldMinStayThrough, d, r.Lengths.MinStayThrough}) {
			return
		}
		if above(nights, r.Lengths.MaxStayThrough) && !yield(broken{hotel.FieldMaxStayThrough, d, r.Lengths.MaxStayThrough}) {
			return
		}
	}
	if at(stay.CheckOut).Closed.Departure {
		yield(broken{hotel.FieldClosedToDeparture, stay.CheckOut, 0})
	}
}

// below and above compare with a limit of which 0 is none.
func below(n, limit int) bool { return limit != 0 && n < limit }
func above(n, limit int) bool { return limit != 0 && n > limit }
