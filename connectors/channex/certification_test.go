package channex

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/channex/simulator"
	"ostler.example/connectors/simkit"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// today is what all scenarios take place on.
var today = hotel.DateOf(2026, 11, 1)

// hotelClock stands at noon of a day until it is moved.
type hotelClock struct{ now time.Time }

func (c *hotelClock) Now() time.Time                  { return c.now }
func (c *hotelClock) Until(t time.Time) time.Duration { return t.Sub(c.now) }
func (c *hotelClock) Steady() time.Time               { return c.Now() }

// stage is a channel that is joined to a simulator.
type stage struct {
	t     *testing.T
	clock *hotelClock
	sim   *simulator.Simulator
	url   string
	conn  connectors.Connector

	reports []string // what the channel has somebody look at
}

// twoByTwo are the room types and rate plans of the certification.
var twoByTwo = []connectors.RemoteProduct{
	{Room: "T", RoomName: "Twin Room", Rate: "T-BAR", RateName: "Best Available Rate", Adults: 2, Currency: "EUR"},
	{Room: "T", RoomName: "Twin Room", Rate: "T-BB", RateName: "Bed & Breakfast", Adults: 2, Board: "breakfast", Currency: "EUR"},
	{Room: "D", RoomName: "Double Room", Rate: "D-BAR", RateName: "Best Available Rate", Adults: 2, Currency: "EUR"},
	{Room: "D", RoomName: "Double Room", Rate: "D-BB", RateName: "Bed & Breakfast", Adults: 2, Board: "breakfast", Currency: "EUR"},
}

// TestProducts reads the room types and rate plans with what Channex tells of each.
func TestProducts(t *testing.T) {
	got, err := newStage(t, twoByTwo).conn.(connectors.Catalog).Products(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(twoByTwo, got); diff != "" {
		t.Errorf("what is sold (-want +got):\n%s", diff)
	}
}

func newStage(t *testing.T, products []connectors.RemoteProduct) *stage {
	s := &stage{t: t, clock: &hotelClock{today.Time().Add(12 * time.Hour)}}
	var err error
	if s.sim, err = simulator.Open(connectors.SimulatorOptions{Hotel: "P1", Secret: testSecret, Products: products, Clock: s.clock}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.sim)
	t.Cleanup(func() {
		server.Close()
		_ = s.sim.Close()
	})
	s.url = server.URL
	s.reopen(kept{})
	return s
}

// reopen opens the channel, as a start of the program does.
func (s *stage) reopen(shelf connectors.Shelf) {
	s.t.Helper()
	driver, _ := connectors.Lookup("channex")
	settings, err := driver.Configure(nil, s.sim.Settings(s.url))
	if err == nil {
		s.conn, err = settings.Open(s.t.Context(), connectors.Env{Client: transport.New(transport.Options{}), Clock: s.clock, Log: zap.NewNop(), Shelf: shelf, Report: func(_ context.Context, r hotel.ChannelReport) error {
			s.reports = append(s.reports, fmt.Sprintf("%s over: %t", r.Code, r.Over))
			return nil
		}})
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// tell sends changes, wants every one of them shown then, and returns how many calls
// of each operation that took.
func (s *stage) tell(changes []connectors.Change) map[string]int {
	s.t.Helper()
	calls, refused := s.conn.Encode(changes)
	if len(refused) > 0 {
		s.t.Fatalf("refused: %+v", refused)
	}
	made := map[string]int{}
	for _, call := range calls {
		made[call.Operation]++
		answer, err := s.conn.Send(s.t.Context(), call)
		if err != nil || answer.Rest != connectors.Applied || len(answer.Keys) > 0 || answer.Ref == "" {
			s.t.Fatalf("%s: %+v, %v", call.Operation, answer, err)
		}
	}
	for _, c := range changes {
		if got, _ := s.sim.Book().Shown(c.Key); got != c.Offer.Pick(c.Key.Group) {
			s.t.Fatalf("%v shows %+v, want %+v", c.Key, got, c.Offer)
		}
	}
	return made
}

// The ways to say what a scenario tells, on nights of November 2026 and later.
func nights(from, to hotel.Date, k connectors.Key, o hotel.Offer) (out []connectors.Change) {
	for k.Night = from; k.Night <= to; k.Night++ {
		out = append(out, connectors.Change{Key: k, Offer: o})
	}
	return out
}

func november(day int) hotel.Date { return hotel.DateOf(2026, 11, day) }

func rate(room, plan string, from, to hotel.Date, minor int64) []connectors.Change {
	return nights(from, to, connectors.Key{Room: room, Rate: room + "-" + plan, Group: hotel.Price}, hotel.Offer{Amount: eur(minor)})
}

func lengths(room, plan string, from, to hotel.Date, l hotel.LengthLimits) []connectors.Change {
	return nights(from, to, connectors.Key{Room: room, Rate: room + "-" + plan, Group: hotel.Lengths}, hotel.Offer{Lengths: l})
}

func closing(room, plan string, from, to hotel.Date, c hotel.Closed) []connectors.Change {
	return nights(from, to, connectors.Key{Room: room, Rate: room + "-" + plan, Group: hotel.Closures}, hotel.Offer{Closed: c})
}

func left(room string, from, to hotel.Date, n int) []connectors.Change {
	return nights(from, to, connectors.Key{Room: room, Group: hotel.Availability}, hotel.Offer{Available: n})
}

// join returns all changes together.
func join(parts ...[]connectors.Change) (out []connectors.Change) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// TestCertification tells the scenarios 2 to 10 of the certification of Channex, each
// in one call. The minimum of one night of the seventh is none.
func TestCertification(t *testing.T) {
	n, least := november, func(n int) hotel.LengthLimits { return hotel.LengthLimits{MinStayArrival: n, MinStayThrough: n} }
	winter, spring := hotel.DateOf(2026, 12, 1), hotel.DateOf(2027, 5, 1)
	noArrival, noDeparture := hotel.Closed{Arrival: true}, hotel.Closed{Departure: true}
	s := newStage(t, twoByTwo)
	for _, c := range []struct {
		name      string
		operation string
		changes   []connectors.Change
	}{
		{"2 one price on one date", updateRestrictions, rate("T", "BAR", n(22), n(22), 33300)},
		{"3 a date each of several plans", updateRestrictions, join(
			rate("T", "BAR", n(21), n(21), 33300), rate("D", "BAR", n(25), n(25), 44400), rate("D", "BB", n(29), n(29), 45623))},
		{"4 spans of several plans", updateRestrictions, join(
			rate("T", "BAR", n(1), n(10), 24100), rate("D", "BAR", n(10), n(16), 31266), rate("D", "BB", n(1), n(20), 11100))},
		{"5 minimum stays", updateRestrictions, join(
			lengths("T", "BAR", n(23), n(23), least(3)), lengths("D", "BAR", n(25), n(25), least(2)), lengths("D", "BB", n(15), n(15), least(5)))},
		{"6 closings", updateRestrictions, join(
			closing("T", "BAR", n(14), n(14), hotel.Closed{Closed: true}), closing("D", "BAR", n(16), n(16), hotel.Closed{Closed: true}), closing("D", "BB", n(20), n(20), hotel.Closed{Closed: true}))},
		{"7 several restrictions", updateRestrictions, join(
			closing("T", "BAR", n(1), n(10), noArrival), lengths("T", "BAR", n(1), n(10), hotel.LengthLimits{MaxStayArrival: 4}),
			closing("T", "BB", n(12), n(16), noDeparture), lengths("T", "BB", n(12), n(16), least(6)),
			closing("D", "BAR", n(10), n(16), noArrival), lengths("D", "BAR", n(10), n(16), least(2)),
			lengths("D", "BB", n(1), n(20), least(10)))},
		{"8 half a year", updateRestrictions, join(
			rate("T", "BAR", winter, spring, 43200), closing("T", "BAR", winter, spring, hotel.Closed{}), lengths("T", "BAR", winter, spring, least(2)),
			rate("D", "BAR", winter, spring, 34200), lengths("D", "BAR", winter, spring, least(3)))},
		{"9 counts on single dates", updateAvailability, join(left("T", n(21), n(21), 7), left("D", n(25), n(25), 0))},
		{"10 counts on spans", updateAvailability, join(left("T", n(10), n(16), 3), left("D", n(17), n(24), 4))},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.t, s.clock.now = t, s.clock.now.Add(7*time.Second)
			if made := s.tell(c.changes); len(made) != 1 || made[c.operation] != 1 {
				t.Errorf("it takes %v, want one of %s", made, c.operation)
			}
		})
	}
	if n := s.sim.OverLimit(); n > 0 {
		t.Errorf("%d calls came beyond the limits", n)
	}
}

// TestFullSync tells 500 days of 20 room types with 10 rate plans each, with prices
// that differ by season, day of the week, room type and rate plan: two calls.
func TestFullSync(t *testing.T) {
	var products []connectors.RemoteProduct
	var changes []connectors.Change
	for r := range 20 {
		room := fmt.Sprintf("994d1375-dbbd-4072-8724-b2ab32ce%04d", r)
		for night := today; night < today+500; night++ {
			changes = append(changes, left(room, night, night, (int(night)*7+r)%9)...)
		}
		for p := range 10 {
			plan := fmt.Sprintf("445835fb-7956-42ac-9efc-3e6f33%03d%03d", r, p)
			products = append(products, connectors.RemoteProduct{Room: room, Rate: plan})
			for night := today; night < today+500; night++ {
				weekend := night.Weekday() == time.Friday || night.Weekday() == time.Saturday
				key, price := connectors.Key{Room: room, Rate: plan, Night: night}, int64(8000+731*r+517*p+99*int(night.Time().Month()))
				least := 0
				if weekend {
					price, least = price+2550, 2
				}
				for g, o := range map[hotel.Group]hotel.Offer{
					hotel.Price: {Amount: eur(price)}, hotel.Lengths: {Lengths: hotel.LengthLimits{MinStayArrival: least}},
					hotel.Closures: {Closed: hotel.Closed{Arrival: weekend && p == 3}},
				} {
					key.Group = g
					changes = append(changes, connectors.Change{Key: key, Offer: o})
				}
			}
		}
	}
	s := newStage(t, products)
	if made := s.tell(changes); made[updateAvailability] != 1 || made[updateRestrictions] != 1 {
		t.Errorf("it takes %v, want one call each", made)
	}
}

// ledger is a sink that keeps what it is told, once each, unless it is full.
type ledger struct {
	full   bool
	events []string
	known  map[string]bool

	works func() // with each message; nil: at once
	hints int
}

// Deliver implements [connectors.Sink].
func (l *ledger) Deliver(_ context.Context, m connectors.Message) error {
	if l.full {
		return errors.New("the disk is full")
	}
	if l.works != nil {
		l.works()
	}
	if l.known == nil {
		l.known = map[string]bool{}
	}
	if !l.known[m.Key] {
		l.known[m.Key], l.events = true, append(l.events, m.Ref+" "+string(m.Event))
	}
	return nil
}

// Hint implements [connectors.Sink].
func (l *ledger) Hint() { l.hints++ }

// TestRecovery looks for what the feed has dropped among more bookings than one poll can
// list, one of which nobody can read: the newest come first, each poll goes on where the
// one before ended, and asks for the next.
func TestRecovery(t *testing.T) {
	s, l := newStage(t, twoByTwo), &ledger{}
	first := today + 20
	s.tell(join(left("T", first, first+5, 400), rate("T", "BAR", first, first+5, 10000), closing("T", "BAR", first, first+5, hotel.Closed{})))
	polls, cursor := s.conn.(connectors.Poller), ""
	poll := func() {
		t.Helper()
		next, err := polls.Poll(t.Context(), cursor, l)
		if err != nil {
			t.Fatalf("poll: %v", err)
		}
		cursor = next
	}
	poll()
	sell := func(n int) {
		t.Helper()
		for range n {
			s.clock.now = s.clock.now.Add(time.Second)
			if _, err := s.sim.Book().Sell(simkit.Request{Room: "T", Rate: "T-BAR", CheckIn: first, CheckOut: first + 1, Adults: 2, LastName: "Hopper"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	const known, dropped = 240, 3
	sell(known)
	poll()
	if len(l.events) != known {
		t.Fatalf("%d bookings came in", len(l.events))
	}
	l.full = true
	sell(dropped)
	if _, err := polls.Poll(t.Context(), cursor, l); err == nil {
		t.Fatal("a full disk is a poll that went well")
	}
	s.clock.now = s.clock.now.Add(40 * time.Minute)
	if err := s.sim.Plant(simkit.Fault{Kind: simkit.Garble}); err != nil {
		t.Fatal(err)
	}
	sell(1) // in words that nobody knows
	l.full, l.hints, l.works = false, 0, func() { s.clock.now = s.clock.now.Add(50 * time.Millisecond) }
	poll()
	if len(l.events) != known+dropped+1 || l.hints != 1 {
		t.Errorf("after one poll %d are stored, want all %d; %d hints say that there is more to list, want 1", len(l.events), known+dropped+1, l.hints)
	}
	for range 10 {
		if l.hints = 0; !strings.Contains(cursor, "lost") {
			break
		}
		poll()
	}
	if strings.Contains(cursor, "lost") || l.hints > 0 {
		t.Errorf("the list is not read to its end: %s", cursor)
	}
}

// TestListMeetsWhatIsChangedMeanwhile: a booking that nobody knew is changed while it is
// listed, and so moves from a page to come to one that was read.
func TestListMeetsWhatIsChangedMeanwhile(t *testing.T) {
	s, l := newStage(t, twoByTwo), &ledger{}
	first := today + 20
	s.tell(join(left("T", first, first+5, 400), rate("T", "BAR", first, first+5, 10000), closing("T", "BAR", first, first+5, hotel.Closed{})))
	const all = 250
	var oldest simkit.Booking
	for n := range all {
		s.clock.now = s.clock.now.Add(time.Second)
		b, err := s.sim.Book().Sell(simkit.Request{Room: "T", Rate: "T-BAR", CheckIn: first, CheckOut: first + 1, Adults: 2, LastName: "Hopper"})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			oldest = b
		}
	}
	told := 0
	l.works = func() {
		if told++; told != 150 { // the second page is under way, the oldest is on the third
			return
		}
		s.clock.now = s.clock.now.Add(time.Second)
		if _, err := s.sim.Book().Modify(simkit.Request{Reference: oldest.Reference, CheckOut: first + 2}); err != nil {
			t.Error(err)
		}
	}
	if err := s.conn.(connectors.Lister).List(t.Context(), first, first+5, l); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(l.events, oldest.Reference+" modified") || len(l.events) != all {
		t.Errorf("%d bookings are listed, want %d, and that of %s as it was changed to", len(l.events), all, oldest.Reference)
	}
}

// TestDroppedIsLookedFor: a revision of which Channex says that nobody acknowledged it is
// looked for in the list, and a revision that cannot be acknowledged keeps none back.
func TestDroppedIsLookedFor(t *testing.T) {
	s, l := newStage(t, twoByTwo), &ledger{}
	first := today + 20
	s.tell(join(left("T", first, first+5, 8), rate("T", "BAR", first, first+5, 10000), closing("T", "BAR", first, first+5, hotel.Closed{})))
	if _, err := s.sim.Book().Sell(simkit.Request{Room: "T", Rate: "T-BAR", CheckIn: first, CheckOut: first + 1, Adults: 2, LastName: "Hopper"}); err != nil {
		t.Fatal(err)
	}
	for _, e := range s.sim.Book().Events(0, 10) { // gone from the feed, and never stored
		if err := s.sim.Book().Acknowledge(e.Seq); err != nil {
			t.Fatal(err)
		}
	}
	polls := s.conn.(connectors.Poller)
	cursor, err := polls.Poll(t.Context(), "", l)
	if err != nil || len(l.events) != 0 {
		t.Fatalf("%v is stored, %v", l.events, err)
	}
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"event":"non_acked_booking","property_id":"P1"}`))
	r.Header.Set("X-Channex-Webhook-Secret", "webhooks of "+testSecret)
	w := httptest.NewRecorder()
	s.conn.(connectors.Receiver).Handler(l).ServeHTTP(w, r)
	if w.Code != http.StatusOK || l.hints != 1 {
		t.Fatalf("the webhook is answered %d with %d hints", w.Code, l.hints)
	}
	if _, err := polls.Poll(t.Context(), cursor, l); err != nil || fmt.Sprint(l.events) != "[BDC-000001 booked]" {
		t.Errorf("stored is %v, %v", l.events, err)
	}

	// A list is under way already, and has passed by the first page.
	s.conn.(connectors.Receiver).Handler(l).ServeHTTP(httptest.NewRecorder(), func() *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"event":"non_acked_booking","property_id":"P1"}`))
		r.Header.Set("X-Channex-Webhook-Secret", "webhooks of "+testSecret)
		return r
	}())
	again := &ledger{}
	under := fmt.Sprintf(`{"drained":%q,"lost":%q,"page":7}`, s.clock.now.Format(time.RFC3339), s.clock.now.Format(time.RFC3339))
	if _, err := polls.Poll(t.Context(), under, again); err != nil || fmt.Sprint(again.events) != "[BDC-000001 booked]" {
		t.Errorf("beside a list that is under way %v is stored, %v", again.events, err)
	}
}

// kept is a shelf.
type kept map[string][]byte

// Get implements [connectors.Shelf].
func (k kept) Get(_ context.Context, name string) ([]byte, error) { return k[name], nil }

// Put implements [connectors.Shelf].
func (k kept) Put(_ context.Context, name string, body []byte) error {
	k[name] = body
	return nil
}

// TestDroppedIsLookedForUntilItIsFound: the poll that the webhook causes fails, or the
// program is restarted before its cursor is stored. Channex was told that we have heard.
func TestDroppedIsLookedForUntilItIsFound(t *testing.T) {
	for name, between := range map[string]func(t *testing.T, s *stage, shelf kept){
		"a poll that fails": func(t *testing.T, s *stage, _ kept) {
			if err := s.sim.Plant(simkit.Fault{Kind: simkit.ServerError, Count: 1}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.conn.(connectors.Poller).Poll(t.Context(), "", &ledger{}); err == nil {
				t.Fatal("the poll went well")
			}
		},
		"a restart": func(t *testing.T, s *stage, shelf kept) { s.reopen(shelf) },
	} {
		t.Run(name, func(t *testing.T) {
			s, l, shelf := newStage(t, twoByTwo), &ledger{}, kept{}
			s.reopen(shelf)
			first := today + 20
			s.tell(join(left("T", first, first+5, 8), rate("T", "BAR", first, first+5, 10000), closing("T", "BAR", first, first+5, hotel.Closed{})))
			cursor, err := s.conn.(connectors.Poller).Poll(t.Context(), "", l)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.sim.Book().Sell(simkit.Request{Room: "T", Rate: "T-BAR", CheckIn: first, CheckOut: first + 1, Adults: 2, LastName: "Hopper"}); err != nil {
				t.Fatal(err)
			}
			for _, e := range s.sim.Book().Events(0, 10) { // gone from the feed, and never stored
				if err := s.sim.Book().Acknowledge(e.Seq); err != nil {
					t.Fatal(err)
				}
			}
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"event":"non_acked_booking","property_id":"P1"}`))
			r.Header.Set("X-Channex-Webhook-Secret", "webhooks of "+testSecret)
			s.conn.(connectors.Receiver).Handler(l).ServeHTTP(httptest.NewRecorder(), r)
			between(t, s, shelf)
			for range 2 { // it is looked for once
				if cursor, err = s.conn.(connectors.Poller).Poll(t.Context(), cursor, l); err != nil {
					t.Fatal(err)
				}
			}
			if want := []string{"non_acked_booking over: false", "non_acked_booking over: true"}; !slices.Equal(s.reports, want) {
				t.Errorf("reported is %q, want %q", s.reports, want)
			}
			if fmt.Sprint(l.events) != "[BDC-000001 booked]" || strings.Contains(cursor, "lost") {
				t.Errorf("stored is %v; the cursor is %s", l.events, cursor)
			}
		})
	}
}

// TestBookings takes the booking scenario, 11, and one that Channex drops before it
// could be stored: each revision is stored, then acknowledged; the count goes down by
// itself for what is new alone.
func TestBookings(t *testing.T) {
	s, l := newStage(t, twoByTwo), &ledger{}
	first := today + 20
	s.tell(join(left("T", first, first+5, 8), rate("T", "BAR", first, first+5, 10000), closing("T", "BAR", first, first+5, hotel.Closed{})))
	shows := func() int {
		o, _ := s.sim.Book().Shown(connectors.Key{Room: "T", Group: hotel.Availability, Night: first})
		return o.Available
	}
	cursor := ""
	poll := func(works bool) {
		t.Helper()
		next, err := s.conn.(connectors.Poller).Poll(t.Context(), cursor, l)
		if (err == nil) != works {
			t.Fatalf("poll: %v", err)
		}
		cursor = next
	}
	sell := func() simkit.Booking {
		t.Helper()
		b, err := s.sim.Book().Sell(simkit.Request{Room: "T", Rate: "T-BAR", CheckIn: first, CheckOut: first + 2, Adults: 2, LastName: "Hopper"})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	poll(true)
	b := sell()
	s.clock.now = s.clock.now.Add(time.Minute)
	if _, err := s.sim.Book().Modify(simkit.Request{Reference: b.Reference, CheckOut: first + 3}); err != nil {
		t.Fatal(err)
	}
	s.clock.now = s.clock.now.Add(time.Minute)
	if _, err := s.sim.Book().Cancel(b.Reference); err != nil {
		t.Fatal(err)
	}
	poll(true)
	if got, want := fmt.Sprint(l.events), "[BDC-000001 booked BDC-000001 modified BDC-000001 cancelled]"; got != want || s.sim.Book().State().Waiting != 0 {
		t.Errorf("stored %s, %d wait; want %s and none", got, s.sim.Book().State().Waiting, want)
	}
	if n := shows(); n != 7 {
		t.Errorf("%d rooms are left, want 7: Channex takes off the new booking, and puts nothing back", n)
	}

	sell()
	l.full = true
	poll(false)
	l.full, s.clock.now = false, s.clock.now.Add(40*time.Minute)
	poll(true)
	if got := l.events[len(l.events)-1]; got != "BDC-000002 booked" {
		t.Errorf("the last that is stored is %s; the feed has forgotten a booking, and nobody looked for it", got)
	}
}
