package connectortest

import (
	"slices"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

var readCases = []testCase{
	{name: "ReadbackMatchesSend", needs: reads, run: readbackMatchesSend},
	{name: "ReadIsWhole", needs: reads, run: readIsWhole},
	{name: "WholeReadMatchesSend", needs: readsWhole, run: wholeReadMatchesSend},
	{name: "CatalogHasProduct", needs: hasCatalog, run: catalogHasProduct},
	{name: "ListByDateConsumesNothing", needs: lists, run: listByDateConsumesNothing},
}

// reads, lists and hasCatalog are declared and true.
func reads(s *session) bool {
	_, really := s.conn.(connectors.Reader)
	return s.caps.Reads && really
}

func readsWhole(s *session) bool {
	_, really := s.conn.(connectors.WholeReader)
	return reads(s) && s.caps.ReadsWhole && really
}

func lists(s *session) bool {
	_, really := s.conn.(connectors.Lister)
	return s.caps.Lists && really && sells(s)
}

func hasCatalog(s *session) bool {
	_, really := s.conn.(connectors.Catalog)
	return s.caps.HasCatalog && really
}

// readbackMatchesSend: what was sent is read back for the nights asked for, and
// nothing outside of them.
func readbackMatchesSend(t T, s *session) {
	from := tomorrow()
	s.send(t, s.span(from, 12))
	read, err := s.conn.(connectors.Reader).Read(t.Context(), s.far.Room, from+2, from+9)
	if err != nil {
		t.Fatalf("read back: %v", err)
	}
	s.readBack(t, read, from)
}

// readIsWhole: every field that is declared is in the answer for each night that is asked
// for, all lengths of stay, and the price of the room and for each number of guests.
func readIsWhole(t T, s *session) {
	from := tomorrow()
	var said []connectors.Change
	for night := from; night < from+5; night++ {
		said = append(said, s.everything(night)...)
	}
	s.send(t, said)
	read, err := s.conn.(connectors.Reader).Read(t.Context(), s.far.Room, from, from+4)
	if err != nil {
		t.Fatalf("read back: %v", err)
	}
	got := map[connectors.Key]hotel.Offer{}
	for _, c := range read {
		got[c.Key] = c.Offer.Pick(c.Key.Group)
	}
	readsAs(t, got, said)
}

// readsAs checks that what is read back is what was told.
func readsAs(t T, got map[connectors.Key]hotel.Offer, want []connectors.Change) {
	t.Helper()
	var wrong []string
	for _, c := range want {
		if o, read := got[c.Key]; !read || o != c.Offer.Pick(c.Key.Group) {
			wrong = append(wrong, differs(c, o, read))
		}
	}
	if len(wrong) > 0 {
		t.Errorf("what is read back is not what was told: %s", several(wrong))
	}
}

// everything is a change of each field that the channel carries, of one night that is open.
func (s *session) everything(night hotel.Date) []connectors.Change {
	var out []connectors.Change
	var lengths hotel.LengthLimits
	for _, r := range restrictions() {
		carried := s.caps.Fields[r.field]
		if carried.As != hotel.Exact || r.group != hotel.Lengths {
			continue
		}
		n := 2 + int(night)%3
		if carried.Max > 0 {
			n = min(n, carried.Max)
		}
		lengths = both(hotel.Offer{Lengths: lengths}, r.offer(max(n, carried.Min))).Lengths // of which nothing else is set
	}
	for _, c := range s.night(night) {
		switch c.Key.Group {
		case hotel.Closures:
			c.Offer.Closed.Closed = false
		case hotel.Lengths:
			c.Offer.Lengths = lengths
		case hotel.Price:
			for guests := range 3 {
				if guests > 0 && !s.caps.ByOccupancy(c.Key.Rate) {
					continue
				}
				priced := c
				priced.Key.Occupancy = guests
				if guests == 1 {
					priced.Offer.Amount.Minor -= 1000
				}
				out = append(out, priced)
			}
			continue
		case hotel.Availability:
		}
		out = append(out, c)
	}
	return out
}

// wholeReadMatchesSend: what was sent is among what is shown of all rooms on the nights asked
// for, and nothing outside of them.
func wholeReadMatchesSend(t T, s *session) {
	from := tomorrow()
	s.send(t, s.span(from, 12))
	read, err := s.conn.(connectors.WholeReader).ReadWhole(t.Context(), from+2, from+9)
	if err != nil {
		t.Fatalf("read back: %v", err)
	}
	others := slices.DeleteFunc(slices.Clone(read), func(c connectors.Change) bool { return c.Key.Room == s.far.Room })
	for _, c := range others {
		if c.Key.Night < from+2 || c.Key.Night > from+9 {
			t.Errorf("%s is read back and was not asked for", named(c.Key))
		}
	}
	s.readBack(t, slices.DeleteFunc(read, func(c connectors.Change) bool { return c.Key.Room != s.far.Room }), from)
}

// readBack checks what is read of the room that was sold from a night on, of nights 2 to 9.
func (s *session) readBack(t T, read []connectors.Change, from hotel.Date) {
	t.Helper()
	got := map[connectors.Key]hotel.Offer{}
	for _, c := range read {
		if _, twice := got[c.Key]; twice {
			t.Errorf("%s is read back twice", named(c.Key))
		}
		if c.Key.Room != s.far.Room || c.Key.Night < from+2 || c.Key.Night > from+9 {
			t.Errorf("%s is read back and was not asked for", named(c.Key))
		}
		got[c.Key] = c.Offer.Pick(c.Key.Group)
	}
	readsAs(t, got, s.span(from+2, 8))
}

// catalogHasProduct: what can be mapped contains what is sold.
func catalogHasProduct(t T, s *session) {
	products, err := s.conn.(connectors.Catalog).Products(t.Context())
	if err != nil {
		t.Fatalf("list products: %v", err)
	}
	if !slices.ContainsFunc(products, func(p connectors.RemoteProduct) bool { return p.Room == s.far.Room && p.Rate == s.far.Rate }) {
		t.Errorf("the catalogue %v has no %s %s", products, s.far.Room, s.far.Rate)
	}
	for _, p := range products {
		if p != p.Sane() {
			t.Errorf("the catalogue has %+v, of which %+v means something", p, p.Sane())
		}
	}
}

// listByDateConsumesNothing: the list has every booking with a night in the
// span, twice the same, and leaves what waits where it is.
func listByDateConsumesNothing(t T, s *session) {
	first, from := tomorrow(), tomorrow()+3
	s.send(t, s.sale(first, 40, 30))
	want := map[string]hotel.Stay{}
	for i := range 25 {
		stay := hotel.Stay{CheckIn: first + hotel.Date(i), CheckOut: first + hotel.Date(i+2)}
		ref := s.far.Book(t, stay)
		if stay.CheckOut > from && stay.CheckIn < from+20 {
			want[ref] = stay
		}
	}
	waiting := s.waiting()
	list := func() map[string]hotel.Stay {
		k := &sink{}
		if err := s.conn.(connectors.Lister).List(t.Context(), from, from+20, k); err != nil {
			t.Fatalf("list: %v", err)
		}
		got := map[string]hotel.Stay{}
		for _, m := range k.messages() {
			if len(m.Booking.Rooms) == 1 {
				got[m.Ref] = m.Booking.Rooms[0].Stay
			}
		}
		return got
	}
	for _, pass := range []string{"first", "second"} {
		if diff := cmp.Diff(want, list()); diff != "" {
			t.Errorf("the %s list differs from what was booked (-want +got):\n%s", pass, diff)
		}
	}
	if now := s.waiting(); now != waiting {
		t.Errorf("listing left %d of %d waiting messages", now, waiting)
	}
}
