package connectortest

import (
	"ostler.example/connectors"
	"ostler.example/hotel"
)

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
				t.Errorf("%s of %d is taken, above the declared %d", r.field, carried.Max+1, carried.Max)
			}
		}
	}
}
