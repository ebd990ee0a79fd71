package carriage_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
	"ostler.example/hotel/carriage"
)

// nights is a calendar in the model: the rules of one product.
type nights []availability.NightRules

var (
	arrivalLengths = []hotel.Field{hotel.FieldMinStayArrival, hotel.FieldMaxStayArrival}
	throughLengths = []hotel.Field{hotel.FieldMinStayThrough, hotel.FieldMaxStayThrough}
	fields         = append([]hotel.Field{
		hotel.FieldClosed, hotel.FieldClosedToArrival, hotel.FieldClosedToDeparture, hotel.FieldMinAdvance, hotel.FieldMaxAdvance,
	}, append(arrivalLengths, throughLengths...)...)
)

// forbids says guest by guest what one field of a calendar does to a stay; the
// stay ends on the morning of night out. inclusive: lengths that are read on
// every night are read on the morning of departure as well.
func (n nights) forbids(f hotel.Field, in, out, today int, inclusive bool) bool {
	length, ahead := out-in, in-today
	touched := n[in:out]
	if inclusive && out < len(n) {
		touched = n[in : out+1]
	}
	first := n[in].Lengths
	switch f {
	case hotel.FieldClosed:
		for _, r := range n[in:out] {
			if r.Closed.Closed {
				return true
			}
		}
	case hotel.FieldClosedToArrival:
		return n[in].Closed.Arrival
	case hotel.FieldClosedToDeparture:
		return out < len(n) && n[out].Closed.Departure
	case hotel.FieldMinStayArrival:
		return length < first.MinStayArrival
	case hotel.FieldMaxStayArrival:
		return first.MaxStayArrival > 0 && length > first.MaxStayArrival
	case hotel.FieldMinStayThrough:
		for _, r := range touched {
			if length < r.Lengths.MinStayThrough {
				return true
			}
		}
	case hotel.FieldMaxStayThrough:
		for _, r := range touched {
			if r.Lengths.MaxStayThrough > 0 && length > r.Lengths.MaxStayThrough {
				return true
			}
		}
	case hotel.FieldMinAdvance:
		return first.MinAdvance > 0 && ahead < first.MinAdvance
	case hotel.FieldMaxAdvance:
		return first.MaxAdvance > 0 && ahead > first.MaxAdvance
	case hotel.FieldAvailable, hotel.FieldAmount:
	}
	return false
}

// allows says whether none of the fields forbids the stay.
func (n nights) allows(of []hotel.Field, in, out, today int, c carriage.Channel) bool {
	for _, f := range of {
		if n.forbids(f, in, out, today, c.Fields[f].ThroughIncludesDeparture) {
			return false
		}
	}
	return true
}

func (n nights) house(in, out, today int) bool {
	return n.allows(fields, in, out, today, carriage.Channel{})
}

// drawChannel draws what a channel can say.
func drawChannel(t *rapid.T) carriage.Channel {
	c := carriage.Channel{Fields: map[hotel.Field]hotel.Carriage{}, Absent: map[hotel.Field]hotel.AbsentPolicy{}}
	for _, f := range fields {
		var as hotel.Carriage
		as.As = rapid.SampledFrom([]hotel.CarriageKind{hotel.Exact, hotel.Coarser, hotel.Absent}).Draw(t, string(f))
		if f == hotel.FieldClosed && as.As == hotel.Coarser {
			as.As = hotel.Exact
		}
		if f.Group() == hotel.Lengths && rapid.IntRange(0, 3).Draw(t, "bounded") == 0 {
			as.Min = rapid.IntRange(0, 2).Draw(t, "lowest")
			as.Max = as.Min + rapid.IntRange(1, 3).Draw(t, "highest")
		}
		if (f == hotel.FieldMinStayThrough || f == hotel.FieldMaxStayThrough) && rapid.IntRange(0, 3).Draw(t, "inclusive") == 0 {
			as.ThroughIncludesDeparture = true
		}
		if as.As != hotel.Absent {
			c.Fields[f] = as
		} else if rapid.Bool().Draw(t, "close") {
			c.Absent[f] = hotel.CloseNights
		}
	}
	return c
}

// respected lists the fields whose word holds at the channel.
func respected(c carriage.Channel) (out []hotel.Field) {
	for _, f := range fields {
		if f == hotel.FieldClosed || c.Fields[f].As != hotel.Absent || c.Absent[f] == hotel.CloseNights {
			out = append(out, f)
		}
	}
	return out
}

func drawHouse(t *rapid.T, length int, advance bool) nights {
	n := make(nights, length)
	rarely := func(label string) bool { return rapid.IntRange(0, 5).Draw(t, label) == 0 }
	number := func(label string, most int) int {
		if !rarely(label) {
			return 0
		}
		return rapid.IntRange(1, most).Draw(t, label)
	}
	for i := range n {
		n[i] = availability.NightRules{
			Closed: hotel.Closed{Closed: rarely("closed") && rarely("really"), Arrival: rarely("arrival"), Departure: rarely("departure")},
			Lengths: hotel.LengthLimits{
				MinStayArrival: number("min arrival", 4), MinStayThrough: number("min through", 4),
				MaxStayArrival: number("max arrival", 6), MaxStayThrough: number("max through", 6),
			},
		}
		if advance {
			n[i].Lengths.MinAdvance, n[i].Lengths.MaxAdvance = number("min advance", 9), number("max advance", 9)
		}
	}
	return n
}

// TestNothingForbiddenIsSold asks every stay of up to 14 nights, and some longer
// ones, at every kind of channel.
func TestNothingForbiddenIsSold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChannel(t)
		const length = 20
		products := make([][]availability.NightRules, rapid.IntRange(1, 3).Draw(t, "products"))
		for p := range products {
			products[p] = drawHouse(t, length, true)
		}
		if level := rapid.SampledFrom([]hotel.Level{hotel.PerRate, hotel.PerRoomType}).Draw(t, "level"); level != hotel.PerRate {
			for f, v := range c.Fields {
				if rapid.Bool().Draw(t, "shared") {
					v.Level = level
					c.Fields[f] = v
				}
			}
		}
		today := rapid.IntRange(-8, 0).Draw(t, "today")
		facts := carriage.House{From: 0, Today: hotel.Date(today), Products: products}
		told := c.Tell(facts)

		lost := map[int]int{}
		for _, l := range c.Lost(facts, told) {
			lost[l.Product] += l.Stays
		}
		for p := range products {
			house, at := nights(products[p]), nights(told.Products[p])
			checkTold(t, c, at)
			turnedAway := 0
			for in := range length {
				for out := in + 1; out <= length; out++ {
					sold := at.allows(fields, in, out, today, c)
					if sold && !house.allows(respected(c), in, out, today, carriage.Channel{}) {
						t.Fatalf("product %d: stay %d to %d is sold\nhouse %+v\ntold  %+v", p, in, out, house, at)
					}
					if !sold && out-in <= told.Longest && house.house(in, out, today) {
						turnedAway++
					}
				}
			}
			if turnedAway != lost[p] {
				t.Fatalf("product %d: %d stays are turned away, %d reported", p, turnedAway, lost[p])
			}
		}
		for f, v := range c.Fields {
			if v.As != hotel.Exact || v.Level == hotel.PerRate {
				continue
			}
			for p := 1; p < len(products); p++ {
				for i := range length {
					if a, b := valueOf(told.Products[0][i], f), valueOf(told.Products[p][i], f); a != b {
						t.Fatalf("%s on night %d is %d for one product and %d for another, who share it", f, i, a, b)
					}
				}
			}
		}
	})
}

// checkTold checks that nothing is told that the far side cannot be told.
func checkTold(t *rapid.T, c carriage.Channel, at nights) {
	for i, r := range at {
		for _, f := range fields {
			v := valueOf(r, f)
			if f == hotel.FieldClosed || v == 0 {
				continue
			}
			as := c.Fields[f]
			if as.As != hotel.Exact || v < as.Min || as.Max > 0 && f.Group() == hotel.Lengths && v > as.Max {
				t.Fatalf("night %d: told %s %d by a channel with %+v", i, f, v, as)
			}
		}
		n := r.Lengths
		for _, pair := range [][2]int{{n.MinStayArrival, n.MaxStayArrival}, {n.MinStayThrough, n.MaxStayThrough}, {n.MinAdvance, n.MaxAdvance}} {
			if pair[1] != 0 && pair[0] > pair[1] {
				t.Fatalf("night %d: told at least %d and at most %d", i, pair[0], pair[1])
			}
		}
	}
}

func valueOf(r availability.NightRules, f hotel.Field) int {
	flag := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	switch f {
	case hotel.FieldClosed:
		return flag(r.Closed.Closed)
	case hotel.FieldClosedToArrival:
		return flag(r.Closed.Arrival)
	case hotel.FieldClosedToDeparture:
		return flag(r.Closed.Departure)
	case hotel.FieldMinStayArrival:
		return r.Lengths.MinStayArrival
	case hotel.FieldMinStayThrough:
		return r.Lengths.MinStayThrough
	case hotel.FieldMaxStayArrival:
		return r.Lengths.MaxStayArrival
	case hotel.FieldMaxStayThrough:
		return r.Lengths.MaxStayThrough
	case hotel.FieldMinAdvance:
		return r.Lengths.MinAdvance
	case hotel.FieldMaxAdvance:
		return r.Lengths.MaxAdvance
	case hotel.FieldAvailable, hotel.FieldAmount:
	}
	return 0
}

// TestNothingElseSellsMore tries all that a channel could be told about a few
// nights: no safe way turns fewer stays away.
func TestNothingElseSellsMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChannel(t)
		c.Fields[hotel.FieldClosed] = hotel.Carriage{As: hotel.Exact}
		length := 5
		for _, f := range throughLengths {
			if c.Fields[f].As == hotel.Exact {
				length-- // there is more to try
			}
		}
		house := drawHouse(t, length, false)
		facts := carriage.House{Products: [][]availability.NightRules{house}}
		told := c.Tell(facts)
		got := 0
		for _, l := range c.Lost(facts, told) {
			got += l.Stays
		}
		if fewest := fewestLost(c, house, length); got != fewest {
			t.Fatalf("%d stays are turned away, %d would do\nchannel %+v\nhouse %+v\ntold %+v", got, fewest, c, house, told)
		}
	})
}

// fewestLost tries every safe way to tell the nights. What is told about the
// arrivals of a night binds no others, so those are tried night by night.
func fewestLost(c carriage.Channel, house nights, length int) int {
	values := func(f hotel.Field) []int {
		all := []int{0}
		as := c.Fields[f]
		if as.As != hotel.Exact {
			return all
		}
		for n := max(as.Min, 1); n <= length+1 && (as.Max == 0 || n <= as.Max); n++ {
			all = append(all, n)
		}
		return all
	}
	arrivals := []bool{false}
	if c.Fields[hotel.FieldClosedToArrival].As == hotel.Exact {
		arrivals = append(arrivals, true)
	}
	at := make(nights, length)
	for i := range at {
		at[i].Closed.Departure = house[i].Closed.Departure && c.Fields[hotel.FieldClosedToDeparture].As == hotel.Exact
	}
	must := respected(c)
	type stay struct{ allowed, forbidden bool }
	known := map[[2]int]stay{}
	for in := range length {
		for out := in + 1; out <= length; out++ {
			known[[2]int{in, out}] = stay{house.house(in, out, 0), !house.allows(must, in, out, 0, carriage.Channel{})}
		}
	}
	// The fewest that are lost of the arrivals of one night; -1: nothing is safe.
	arrival := func(in int) int {
		fewest := -1
		for _, closed := range arrivals {
			for _, least := range values(hotel.FieldMinStayArrival) {
				for _, most := range values(hotel.FieldMaxStayArrival) {
					if most != 0 && least > most {
						continue
					}
					r := &at[in]
					r.Closed.Arrival, r.Lengths.MinStayArrival, r.Lengths.MaxStayArrival = closed, least, most
					lost, safe := 0, true
					for out := in + 1; out <= length && safe; out++ {
						s, sold := known[[2]int{in, out}], at.allows(fields, in, out, 0, c)
						safe = !sold || !s.forbidden
						if !sold && s.allowed {
							lost++
						}
					}
					if safe && (fewest < 0 || lost < fewest) {
						fewest = lost
					}
				}
			}
		}
		at[in].Closed.Arrival, at[in].Lengths.MinStayArrival, at[in].Lengths.MaxStayArrival = false, 0, 0
		return fewest
	}
	best := -1
	// From the last night on, so that an arrival is settled once its nights are.
	var try func(night, lost int)
	try = func(night, lost int) {
		if best >= 0 && lost >= best {
			return
		}
		if night < 0 {
			best = lost
			return
		}
		for _, closed := range []bool{false, true} {
			for _, least := range values(hotel.FieldMinStayThrough) {
				for _, most := range values(hotel.FieldMaxStayThrough) {
					if most != 0 && least > most || house[night].Closed.Closed && !closed {
						continue
					}
					at[night].Closed.Closed = closed
					at[night].Lengths = hotel.LengthLimits{MinStayThrough: least, MaxStayThrough: most}
					if n := arrival(night); n >= 0 {
						try(night-1, lost+n)
					}
				}
			}
		}
		at[night].Closed.Closed, at[night].Lengths = false, hotel.LengthLimits{}
	}
	try(length-1, 0)
	return best
}

func TestTellIsAFunctionOfItsArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawChannel(t)
		h := carriage.House{Products: [][]availability.NightRules{drawHouse(t, 12, false)}}
		if a, b := fmt.Sprint(c.Tell(h)), fmt.Sprint(c.Tell(h)); a != b {
			t.Fatalf("told once %s\nand then %s", a, b)
		}
	})
}
