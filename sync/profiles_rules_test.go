package sync_test

import (
	"context"
	"fmt"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/profile"
)

// ruled is what the desk has said of a room on a night, at all prices. 0 nights are any.
type ruled struct {
	hotel.Closed
	hotel.LengthLimits
}

// rule changes what the desk says of a room on some nights.
func (m *market) rule(room int, span hotel.Span) {
	r := ruled{Closed: hotel.Closed{Closed: m.dice.IntN(4) == 0, Arrival: m.dice.IntN(3) == 0, Departure: m.dice.IntN(3) == 0}}
	for _, length := range []*int{&r.MinStayArrival, &r.MinStayThrough, &r.MaxStayArrival} {
		if m.dice.IntN(3) == 0 {
			*length = 2 + m.dice.IntN(3)
		}
	}
	if r.MaxStayArrival > 0 { // no rule that leaves no stay is taken
		r.MaxStayArrival = max(r.MaxStayArrival, r.MinStayArrival, r.MinStayThrough)
	}
	nights := func(n int) hotel.Optional[int] { return hotel.Optional[int]{Set: true, Null: n == 0, Value: n} }
	_, _, err := m.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
		PropertyID: m.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
			RoomTypeID: m.house.Rooms[room].ID, Dates: hotel.Dates{Span: span},
			Closed: hotel.Given(r.Closed.Closed), ClosedToArrival: hotel.Given(r.Arrival), ClosedToDeparture: hotel.Given(r.Departure),
			MinStayArrival: nights(r.MinStayArrival), MinStayThrough: nights(r.MinStayThrough), MaxStayArrival: nights(r.MaxStayArrival),
		}},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	for night := span.From; night <= span.To; night++ {
		m.rules[night][room] = r
	}
}

// termsOf is what the channel of a far side can be told.
func termsOf(f *profile.FarSide, settings []byte) (hotel.Terms, error) {
	driver, known := connectors.Lookup(f.Connector)
	if !known {
		return hotel.Terms{}, fmt.Errorf("there is no connector %s", f.Connector)
	}
	s, err := driver.Configure(nil, settings)
	if err != nil {
		return hotel.Terms{}, err
	}
	return s.Capabilities(connectors.Discovered{}).Terms, nil
}

// exact reports whether a far side is told minimum stays as the desk says them, and reads
// them as the house does.
func (s *stand) exact() bool {
	through := s.terms.Fields[hotel.FieldMinStayThrough]
	return s.terms.Fields[hotel.FieldMinStayArrival].As == hotel.Exact && through.As == hotel.Exact && !through.ThroughIncludesDeparture
}

// held compares what a far side shows of a product's restrictions with what the desk has
// said, where it can be told all of it.
func (m *market) held(f *stand, p connectors.RemoteProduct, night hotel.Date, differs func(f *stand, k connectors.Key, got, want any)) {
	want := m.rules[night][m.house.RoomOf(p.Room)]
	k := connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Closures, Night: night}
	if got, _ := f.Book().Shown(k); got.Closed != want.Closed {
		differs(f, k, got.Closed, want.Closed)
	}
	k.Group = hotel.Lengths
	if got, _ := f.Book().Shown(k); got.Lengths != want.LengthLimits {
		differs(f, k, got.Lengths, want.LengthLimits)
	}
}

// longestStay is how long guests look for at the most.
const longestStay = 5

// allows reports whether the desk would sell a stay, as far as its rules go.
func (m *market) allows(room int, nights hotel.Stay) bool {
	first, last := m.rules[nights.CheckIn][room], m.rules[nights.CheckOut][room]
	long := nights.Nights()
	if first.Arrival || last.Departure || long < first.MinStayArrival || first.MaxStayArrival > 0 && long > first.MaxStayArrival {
		return false
	}
	for night := nights.CheckIn; night < nights.CheckOut; night++ {
		if r := m.rules[night][room]; r.Closed.Closed || long < r.MinStayThrough {
			return false
		}
	}
	return true
}

// kept says which stay a far side that is told restrictions would sell though the desk
// forbids it, and which it would not though the desk allows it and the far side is told
// everything.
func (m *market) kept(f *stand, p connectors.RemoteProduct, arrival hotel.Date, wrong func(string)) {
	for long := hotel.Date(1); long <= longestStay && arrival+long < m.today()+lastSold; long++ {
		nights := hotel.Stay{CheckIn: arrival, CheckOut: arrival + long}
		q := profile.Request{Room: p.Room, Rate: p.Rate, CheckIn: nights.CheckIn, CheckOut: nights.CheckOut, Adults: 2}
		sells := f.Book().Sellable(q) == nil
		allowed := m.allows(m.house.RoomOf(p.Room), nights)
		switch free := m.offered(f, p.Room, nights); {
		case sells && !allowed:
			var shown []string
			for night := nights.CheckIn; night <= nights.CheckOut; night++ {
				o, _ := f.Book().Shown(connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Closures, Night: night})
				l, _ := f.Book().Shown(connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Lengths, Night: night})
				shown = append(shown, fmt.Sprint(night, o.Closed, l.Lengths, m.rules[night][m.house.RoomOf(p.Room)]))
			}
			wrong(fmt.Sprintf("%s (%s) sells %s %s for %v, which the desk forbids: %s", f.Connector, f.preset, p.Room, p.Rate, nights, strings.Join(shown, "; ")))
		case !sells && allowed && free && f.exact():
			wrong(fmt.Sprintf("%s (%s) does not sell %s %s for %v, which the desk allows", f.Connector, f.preset, p.Room, p.Rate, nights))
		}
	}
}

// offered reports whether a far side has a room on all nights of a stay.
func (m *market) offered(f *stand, room string, nights hotel.Stay) bool {
	for night := nights.CheckIn; night < nights.CheckOut; night++ {
		if got, _ := f.Book().Shown(connectors.Key{Room: room, Group: hotel.Availability, Night: night}); got.Available == 0 {
			return false
		}
	}
	return true
}
