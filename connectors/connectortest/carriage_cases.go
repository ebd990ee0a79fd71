package connectortest

import (
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var carriageCases = []testCase{
	{name: "FieldsMatchCarriage", needs: tellsAny, run: fieldsMatchCarriage},
	{name: "FieldsAreLifted", needs: func(s *session) bool { return tellsAny(s) && s.restricts() }, run: fieldsAreLifted},
	{name: "ThroughIsReadAsDeclared", needs: func(s *session) bool { return s.far.Offers != nil && tellsAny(s) && s.readsThrough() }, run: throughIsReadAsDeclared},
}

// restriction is one field of a night's restrictions, and how to say it.
type restriction struct {
	field hotel.Field
	group hotel.Group
	offer func(n int) hotel.Offer
}

func restrictions() []restriction {
	length := func(f hotel.Field, set func(*hotel.LengthLimits, int)) restriction {
		return restriction{f, hotel.Lengths, func(n int) hotel.Offer {
			var o hotel.Offer
			set(&o.Lengths, n)
			return o
		}}
	}
	closing := func(f hotel.Field, c hotel.Closed) restriction {
		return restriction{f, hotel.Closures, func(int) hotel.Offer { return hotel.Offer{Closed: c} }}
	}
	return []restriction{
		closing(hotel.FieldClosed, hotel.Closed{Closed: true}),
		closing(hotel.FieldClosedToArrival, hotel.Closed{Arrival: true}),
		closing(hotel.FieldClosedToDeparture, hotel.Closed{Departure: true}),
		length(hotel.FieldMinStayArrival, func(l *hotel.LengthLimits, n int) { l.MinStayArrival = n }),
		length(hotel.FieldMinStayThrough, func(l *hotel.LengthLimits, n int) { l.MinStayThrough = n }),
		length(hotel.FieldMaxStayArrival, func(l *hotel.LengthLimits, n int) { l.MaxStayArrival = n }),
		length(hotel.FieldMaxStayThrough, func(l *hotel.LengthLimits, n int) { l.MaxStayThrough = n }),
		length(hotel.FieldMinAdvance, func(l *hotel.LengthLimits, n int) { l.MinAdvance = n }),
		length(hotel.FieldMaxAdvance, func(l *hotel.LengthLimits, n int) { l.MaxAdvance = n }),
	}
}

// fieldsMatchCarriage: each restriction that the channel says it carries exactly
// is shown when it is sent alone, at both of its bounds and not beyond them, and
// is still there when the night's other groups have been sent.
func fieldsMatchCarriage(t T, s *session) {
	night := tomorrow() + 30
	for _, r := range restrictions() {
		carried := s.caps.Fields[r.field]
		if carried.As != hotel.Exact {
			continue
		}
		at := func(n int) []connectors.Change {
			night++
			key := connectors.Key{Room: s.far.Room, Rate: s.far.Rate, Group: r.group, Night: night}
			return []connectors.Change{{Key: key, Offer: r.offer(n)}}
		}
		values := []int{max(carried.Min, 2)}
		if carried.Max > 0 {
			values = []int{max(carried.Min, 1), carried.Max}
		}
		for _, n := range values {
			said := at(n)
			s.send(t, said)
			s.shows(t, said)
			var others []connectors.Change
			for _, c := range s.night(night) {
				if c.Key.Group != r.group {
					others = append(others, c)
				}
			}
			s.send(t, others)
			s.shows(t, said)
		}
		if carried.Max > 0 && r.group == hotel.Lengths {
			if calls, refused := s.conn.Encode(at(carried.Max + 1)); len(refused) != 1 || len(calls) != 0 {
				t.Errorf("Encode takes %s of %d, above the declared %d", r.field, carried.Max+1, carried.Max)
			}
		}
	}
}

// restricts reports whether the channel carries any restriction as it is.
func (s *session) restricts() bool {
	return slices.ContainsFunc(restrictions(), func(r restriction) bool { return s.caps.Fields[r.field].As == hotel.Exact })
}

// fieldsAreLifted: with all restrictions of a group told, each that is lifted is none any
// more, and the others beside it are as they were; told again it is there again. A far side
// that goes back to something of its own where a message leaves a field out
// (ResetsWhenOmitted), and one that keeps what it had, both show it.
func fieldsAreLifted(t T, s *session) {
	night := tomorrow() + 50
	for _, group := range []hotel.Group{hotel.Closures, hotel.Lengths} {
		var carried []restriction
		for _, r := range restrictions() {
			if r.group == group && s.caps.Fields[r.field].As == hotel.Exact {
				carried = append(carried, r)
			}
		}
		if len(carried) == 0 {
			continue
		}
		key := connectors.Key{Room: s.far.Room, Rate: s.far.Rate, Group: group, Night: night}
		tell := func(but int) {
			t.Helper()
			var o hotel.Offer
			for i, r := range carried {
				if i != but {
					o = both(o, r.offer(s.plain(r.field)))
				}
			}
			said := []connectors.Change{{Key: key, Offer: o}}
			s.send(t, said)
			s.shows(t, said)
		}
		tell(-1)
		for i := range carried {
			tell(i)
			tell(-1)
		}
	}
}

// plain is a value of a length that every bound allows and that is no minimum above a maximum.
func (s *session) plain(f hotel.Field) int {
	n, c := 2, s.caps.Fields[f]
	switch f {
	case hotel.FieldMaxStayArrival, hotel.FieldMaxStayThrough, hotel.FieldMaxAdvance:
		n = 5
	default:
	}
	if n = max(n, c.Min); c.Max > 0 {
		n = min(n, c.Max)
	}
	return n
}

// both is what two offers of different fields of one group say together.
func both(a, b hotel.Offer) hotel.Offer {
	return hotel.Offer{
		Closed: hotel.Closed{
			Closed: a.Closed.Closed || b.Closed.Closed, Arrival: a.Closed.Arrival || b.Closed.Arrival, Departure: a.Closed.Departure || b.Closed.Departure,
		},
		Lengths: hotel.LengthLimits{
			MinStayArrival: a.Lengths.MinStayArrival + b.Lengths.MinStayArrival, MinStayThrough: a.Lengths.MinStayThrough + b.Lengths.MinStayThrough,
			MaxStayArrival: a.Lengths.MaxStayArrival + b.Lengths.MaxStayArrival, MaxStayThrough: a.Lengths.MaxStayThrough + b.Lengths.MaxStayThrough,
			MinAdvance: a.Lengths.MinAdvance + b.Lengths.MinAdvance, MaxAdvance: a.Lengths.MaxAdvance + b.Lengths.MaxAdvance,
		},
	}
}

// readsThrough reports whether the channel carries a length that is read on every night.
func (s *session) readsThrough() bool {
	return s.caps.Fields[hotel.FieldMinStayThrough].As == hotel.Exact || s.caps.Fields[hotel.FieldMaxStayThrough].As == hotel.Exact
}

// throughIsReadAsDeclared: a length that is read on every night keeps a stay from being sold
// by its last night, and by its day of departure exactly where that is declared. The engine
// makes up by it for what a far side has no field for.
func throughIsReadAsDeclared(t T, s *session) {
	stay := stayOf(2)
	s.send(t, s.sale(stay.CheckIn, 4, 3))
	if !s.far.Offers(stay) {
		t.Fatalf("two nights that are open are not on sale, so that no length can be tried on them")
	}
	for field, limits := range map[hotel.Field]hotel.LengthLimits{
		hotel.FieldMinStayThrough: {MinStayThrough: 3}, hotel.FieldMaxStayThrough: {MaxStayThrough: 1},
	} {
		carried := s.caps.Fields[field]
		if carried.As != hotel.Exact {
			continue
		}
		for _, at := range []struct {
			on    string
			night hotel.Date
			sold  bool
		}{{"its last night", stay.CheckOut - 1, false}, {"its day of departure", stay.CheckOut, !carried.ThroughIncludesDeparture}} {
			said := connectors.Change{Key: connectors.Key{Room: s.far.Room, Rate: s.far.Rate, Group: hotel.Lengths, Night: at.night}, Offer: hotel.Offer{Lengths: limits}}
			s.send(t, []connectors.Change{said})
			if got := s.far.Offers(stay); got != at.sold {
				t.Errorf("%s forbids two nights on %s alone: they are on sale %t, and by what is declared %t", field, at.on, got, at.sold)
			}
			said.Offer = hotel.Offer{}
			s.send(t, []connectors.Change{said})
		}
	}
}
