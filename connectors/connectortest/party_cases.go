package connectortest

import (
	"fmt"
	"slices"
	"strings"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var partyCases = []testCase{
	{name: "ChildrenKeepTheirAges", needs: func(s *session) bool { return tellsOfParties(s) && s.far.Family != nil }, run: childrenKeepTheirAges},
	{name: "RoomsOfABookingStayApart", needs: func(s *session) bool { return tellsOfParties(s) && s.far.Group != nil && s.far.GiveUp != nil }, run: roomsOfABookingStayApart},
}

// tellsOfParties: its messages say who comes, and we get them.
func tellsOfParties(s *session) bool { return !s.far.Bare && (polls(s) || receivesMessages(s)) }

// childrenKeepTheirAges: a party arrives with as many adults, and with each child at its age:
// an infant, twins, and in whatever order. They are still there when the stay is changed, and
// who comes without any has none.
func childrenKeepTheirAges(t T, s *session) {
	k, cursor, ages := &sink{}, "", []int{0, 4, 9, 9}
	comes := func(want ...int) {
		t.Helper()
		m := s.hear(t, k, &cursor)
		if len(m.Booking.Rooms) != 1 {
			t.Fatalf("the message about %s has %d rooms, want 1", m.Event, len(m.Booking.Rooms))
		}
		r := m.Booking.Rooms[0]
		if got := slices.Sorted(slices.Values(r.Children)); r.Adults != 2 || !slices.Equal(got, want) {
			t.Errorf("of a party of 2 adults and children of %v, %s is %d adults and children of %v", want, m.Event, r.Adults, got)
		}
	}
	s.send(t, s.sale(tomorrow(), 6, 3))
	ref := s.far.Family(t, stayOf(3), []int{9, 0, 4, 9})
	comes(ages...)
	if changes(s) {
		s.far.Modify(t, ref, stayOf(2))
		comes(ages...)
	}
	s.far.Book(t, stayOf(1))
	comes()
}

// roomsOfABookingStayApart: each room of a booking of several arrives as a room of its own,
// with its own nights, party and prices, also two that are alike, and all in one booking. One
// that is given up leaves the others as they were; where messages name what changes, it is named
// as gone.
func roomsOfABookingStayApart(t T, s *session) {
	first := tomorrow()
	cost := map[string]hotel.Money{} // what a night costs a party, by [nightly]
	s.offer(t, s.far.Room, s.far.Rate, first, cost)
	room := func(from, to hotel.Date, adults int) connectors.SimulatedRoom {
		return connectors.SimulatedRoom{Room: s.far.Room, Rate: s.far.Rate, Stay: hotel.Stay{CheckIn: first + from, CheckOut: first + to}, Adults: adults}
	}
	rooms := []connectors.SimulatedRoom{room(0, 2, 2), room(1, 4, 1), room(0, 2, 2)}
	if s.far.OtherRoom != "" {
		s.offer(t, s.far.OtherRoom, s.far.OtherRate, first, cost)
		rooms[1].Room, rooms[1].Rate = s.far.OtherRoom, s.far.OtherRate
	}
	if s.far.Family != nil {
		rooms[1].Children = []int{6}
	}

	k, cursor := &sink{}, ""
	ref := s.far.Group(t, rooms)
	booked := s.hear(t, k, &cursor)
	s.has(t, booked, connectors.Booked, ref, rooms, cost)
	names := roomNames(booked.Booking)
	if len(names) > 0 && len(names) != len(rooms) {
		t.Errorf("%d rooms have the references %q", len(rooms), names)
	}
	s.far.GiveUp(t, ref, 1)
	left := s.hear(t, k, &cursor)
	stay := []connectors.SimulatedRoom{rooms[0], rooms[2]}
	if s.caps.PartialGroups {
		stay = rooms[1:2] // what changes, which is the room that is gone
	}
	s.has(t, left, connectors.Modified, ref, stay, cost)
	for _, r := range left.Booking.Rooms {
		if r.Gone != s.caps.PartialGroups {
			t.Errorf("one room is given up, and of %s the message says that it is gone: %t", party(roomOf(r)), r.Gone)
		}
	}
	for _, name := range roomNames(left.Booking) {
		if !slices.Contains(names, name) {
			t.Errorf("a room that stays is %q now, and was one of %q", name, names)
		}
	}
}

// offer puts a room on sale from a night on, to one guest and to two at prices that differ, and
// notes them.
func (s *session) offer(t T, room, rate string, from hotel.Date, cost map[string]hotel.Money) {
	t.Helper()
	of := *s
	of.far.Room, of.far.Rate = room, rate
	var all []connectors.Change
	for _, c := range of.sale(from, 6, 3) {
		if c.Key.Group == hotel.Price {
			if room == s.far.OtherRoom {
				c.Offer.Amount.Minor += 700
			}
			alone := c
			if c.Key.Occupancy > 0 {
				alone.Key.Occupancy = 1
				alone.Offer.Amount.Minor -= 1500
				all = append(all, alone)
			}
			cost[nightly(room, c.Key.Night, 1)], cost[nightly(room, c.Key.Night, 2)] = alone.Offer.Amount, c.Offer.Amount
		}
		all = append(all, c)
	}
	s.send(t, all)
	s.fetch(t)
}

// nightly names what so many adults pay for a night of a room.
func nightly(room string, night hotel.Date, adults int) string {
	return fmt.Sprint(room, " ", night, " ", adults)
}

// roomNames are the references that the far side gives to the rooms of a booking, each once.
func roomNames(b hotel.ChannelBooking) (names []string) {
	for _, r := range b.Rooms {
		if r.Ref != "" && !slices.Contains(names, r.Ref) {
			names = append(names, r.Ref)
		}
	}
	return names
}

// has checks that a message is about the rooms of one booking, in whatever order. Prices are
// those that were told, where the channel carries them.
func (s *session) has(t T, m told, event connectors.EventKind, ref string, rooms []connectors.SimulatedRoom, cost map[string]hotel.Money) {
	t.Helper()
	if m.Event != event || m.Ref != ref {
		t.Errorf("the message is %s of %q, want %s of %q", m.Event, m.Ref, event, ref)
	}
	var want, got []string
	for _, r := range rooms {
		want = append(want, party(r))
	}
	for _, r := range m.Booking.Rooms {
		got = append(got, party(roomOf(r)))
		if s.caps.Fields[hotel.FieldAmount].As == hotel.Exact {
			costs(t, r, cost)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s are the rooms [%s], want [%s]", event, strings.Join(got, "; "), strings.Join(want, "; "))
	}
}

// roomOf is what of a room of a message guests know.
func roomOf(r hotel.ChannelRoom) connectors.SimulatedRoom {
	return connectors.SimulatedRoom{Room: r.Room, Rate: r.Rate, Stay: r.Stay, Adults: r.Adults, Children: r.Children}
}

// party says who comes to a room, and when.
func party(r connectors.SimulatedRoom) string {
	said := fmt.Sprintf("%s at %s from %s to %s for %d adults", r.Room, r.Rate, r.Stay.CheckIn, r.Stay.CheckOut, r.Adults)
	if len(r.Children) > 0 {
		said += fmt.Sprintf(" and children of %v", slices.Sorted(slices.Values(r.Children)))
	}
	return said
}

// costs checks what a room of a booking costs, by night or in all, as far as the message says.
func costs(t T, r hotel.ChannelRoom, cost map[string]hotel.Money) {
	t.Helper()
	var nights []hotel.Money
	var sum hotel.Money
	for _, night := range r.Stay.Dates() {
		amount := cost[nightly(r.Room, night, r.Adults)]
		nights, sum = append(nights, amount), hotel.Money{Minor: sum.Minor + amount.Minor, Currency: amount.Currency}
	}
	if len(r.Amounts) > 0 && !slices.Equal(r.Amounts, nights) {
		t.Errorf("a room of %s from %s costs %v a night, want %v", r.Room, r.Stay.CheckIn, r.Amounts, nights)
	}
	if r.Total != nil && *r.Total != sum {
		t.Errorf("a room of %s from %s costs %v in all, want %v", r.Room, r.Stay.CheckIn, *r.Total, sum)
	}
}
