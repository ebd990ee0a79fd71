package carriage

import (
	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

// Channel is what a far side can be told, and what is done about the rest.
type Channel struct {
	Fields map[hotel.Field]hotel.Carriage     // Absent for every field that is missing here
	Absent map[hotel.Field]hotel.AbsentPolicy // for absent fields; missing: kept at the channel
	Stock  hotel.StockPer                     // what a closing is for that is told as no rooms
}

// For returns what a channel with the terms can be told.
func For(t hotel.Terms, absent map[hotel.Field]hotel.AbsentPolicy) Channel {
	return Channel{Fields: t.Fields, Absent: absent, Stock: t.StockPer}
}

// tells reports whether the far side is told the field itself. A closing always
// is: where it has no field, it is shown no rooms.
func (c Channel) tells(f hotel.Field) bool {
	return f == hotel.FieldClosed || c.Fields[f].As == hotel.Exact
}

// enforces reports whether the far side must not sell what the field forbids. A
// field that the hotel keeps there by itself is nobody's business here.
func (c Channel) enforces(f hotel.Field) bool {
	return c.tells(f) || c.Fields[f].As == hotel.Coarser || c.Absent[f] == hotel.CloseNights
}

// Level returns the widest level of a value, which says what products have to be
// told together.
func (c Channel) Level() hotel.Level {
	widest := hotel.PerRate
	for _, f := range restrictions {
		widest = max(widest, c.level(f))
	}
	return widest
}

// level returns what one value of the field is for, [hotel.PerRate] where it is
// not told.
func (c Channel) level(f hotel.Field) hotel.Level {
	carried := c.Fields[f]
	switch {
	case carried.As == hotel.Exact:
		return carried.Level
	case f == hotel.FieldClosed && c.Stock != hotel.PerProduct:
		return hotel.PerRoomType // closed is told as no rooms
	}
	return hotel.PerRate
}

func (c Channel) shares(f hotel.Field) bool { return c.level(f) != hotel.PerRate }

// restrictions are the fields that this package is about.
var restrictions = [...]hotel.Field{
	hotel.FieldClosed, hotel.FieldClosedToArrival, hotel.FieldClosedToDeparture,
	hotel.FieldMinStayArrival, hotel.FieldMinStayThrough, hotel.FieldMaxStayArrival, hotel.FieldMaxStayThrough,
	hotel.FieldMinAdvance, hotel.FieldMaxAdvance,
}

// minimum returns the nearest value to n, not below it, that the far side takes
// as a minimum. It reports false where there is none. 0 is no minimum.
func minimum(n int, c hotel.Carriage) (int, bool) {
	if n == 0 {
		return 0, true
	}
	n = max(n, c.Min)
	return n, c.Max == 0 || n <= c.Max
}

// maximum is the same for a maximum: the nearest value not above n.
func maximum(n int, c hotel.Carriage) (int, bool) {
	if n == 0 {
		return 0, true
	}
	if c.Max > 0 {
		n = min(n, c.Max)
	}
	return n, n >= max(c.Min, 1)
}

// contradict reports whether nothing is both as long as a minimum and as short as
// a maximum, of which 0 is none.
func contradict(least, most int) bool { return most != 0 && least > most }

// plain is a night told field by field, as far as the far side has the fields
// and takes the numbers. A pair of lengths that contradicts itself is left out;
// through is false when the lengths read on every night are not told as they are.
func (c Channel) plain(r availability.NightRules) (told availability.NightRules, through bool) {
	tells := func(f hotel.Field) bool { return c.tells(f) }
	told.Closed = hotel.Closed{
		Closed:    r.Closed.Closed,
		Arrival:   r.Closed.Arrival && tells(hotel.FieldClosedToArrival),
		Departure: r.Closed.Departure && tells(hotel.FieldClosedToDeparture),
	}
	pair := func(least, most *int, low, high int, lowField, highField hotel.Field) bool {
		fits := true
		if tells(lowField) {
			n, ok := minimum(low, c.Fields[lowField])
			if fits = n == low; ok {
				*least = n
			}
		}
		if tells(highField) {
			n, ok := maximum(high, c.Fields[highField])
			if fits = fits && n == high; ok {
				*most = n
			}
		}
		if contradict(*least, *most) {
			*least, *most, fits = 0, 0, false
		}
		return fits
	}
	from, to := &r.Lengths, &told.Lengths
	for _, least := range []*int{&from.MinStayArrival, &from.MinStayThrough} {
		if *least == 1 {
			*least = 0 // every stay has a night: some far sides show it as none
		}
	}
	pair(&to.MinStayArrival, &to.MaxStayArrival, from.MinStayArrival, from.MaxStayArrival, hotel.FieldMinStayArrival, hotel.FieldMaxStayArrival)
	through = pair(&to.MinStayThrough, &to.MaxStayThrough, from.MinStayThrough, from.MaxStayThrough, hotel.FieldMinStayThrough, hotel.FieldMaxStayThrough)
	pair(&to.MinAdvance, &to.MaxAdvance, from.MinAdvance, from.MaxAdvance, hotel.FieldMinAdvance, hotel.FieldMaxAdvance)
	return told, through
}
