package sync_test

import (
	"context"
	"fmt"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/profile"
)

// ruled is what the desk has said of a room on a night, at all prices: the fields that
// Channex takes as they are, however its property reads minimum stays.
type ruled struct {
	hotel.Closed
	longest int // a stay that begins then, in nights; 0: any
}

// rule changes what the desk says of a room on some nights.
func (m *market) rule(room int, span hotel.Span) {
	r := ruled{Closed: hotel.Closed{Closed: m.dice.IntN(4) == 0, Arrival: m.dice.IntN(3) == 0, Departure: m.dice.IntN(3) == 0}, longest: m.dice.IntN(3) * 2}
	_, _, err := m.ldg.UpdateRestrictions(context.Background(), testkit.Tester, hotel.Once{}, hotel.RestrictionUpdate{
		PropertyID: m.house.Property.ID, Source: "api", Entries: []hotel.RestrictionEntry{{
			RoomTypeID: m.house.Rooms[room].ID, Dates: hotel.Dates{Span: span},
			Closed: hotel.Given(r.Closed.Closed), ClosedToArrival: hotel.Given(r.Arrival), ClosedToDeparture: hotel.Given(r.Departure), MaxStayArrival: hotel.Optional[int]{Set: true, Null: r.longest == 0, Value: r.longest},
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

// held compares what a Channex shows of a product's restrictions with what the desk has said.
func (m *market) held(f *stand, p connectors.RemoteProduct, night hotel.Date, differs func(f *stand, k connectors.Key, got, want any)) {
	want := m.rules[night][m.house.RoomOf(p.Room)]
	k := connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Closures, Night: night}
	if got, _ := f.Book().Shown(k); got.Closed != want.Closed {
		differs(f, k, got.Closed, want.Closed)
	}
	k.Group = hotel.Lengths
	if got, _ := f.Book().Shown(k); got.Lengths != (hotel.LengthLimits{MaxStayArrival: want.longest}) {
		differs(f, k, got.Lengths, want.longest)
	}
}
