package sync_test

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// What hurts the users of channel managers, one story each; docs/proof.md lists
// them all with the tests that tell them.

// pained is a house with two live channels that are polled every minute.
type pained struct {
	*bench
	a, b testkit.FarSide
}

const (
	double = iota
	family
	suite
)

// hurts tells a story. Guests begin when both channels show what there is.
func hurts(t *testing.T, story func(*pained)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pained{bench: newBench(t)}
		defer p.stop()
		for _, of := range []struct {
			id  string
			far *testkit.FarSide
		}{{"a", &p.a}, {"b", &p.b}} {
			*of.far = p.far(of.id)
			p.channel(of.id, of.far.Settings(300))
			if err := p.ldg.GoLive(t.Context(), testkit.Tester, of.id, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.pass(70 * time.Second)
		story(p)
	})
}

// shows is how many rooms a far side shows on a night.
func (p *pained) shows(f testkit.FarSide, room int, night hotel.Date) int {
	o, _ := f.Book().Shown(connectors.Key{Group: hotel.Availability, Room: p.house.RemoteRoom(room), Night: night})
	return o.Available
}

// wish is a guest's for one night.
func (p *pained) wish(room, plan int, night hotel.Date) testkit.Request {
	return testkit.Request{
		Room: p.house.RemoteRoom(room), Rate: p.house.RemoteRate(plan), CheckIn: night, CheckOut: night + 1, Adults: 2, LastName: "Guest",
	}
}

// sell lets a guest book at a far side.
func (p *pained) sell(f testkit.FarSide, q testkit.Request) testkit.Booking {
	p.t.Helper()
	b, err := f.Book().Sell(q)
	if err != nil {
		p.t.Fatal(err)
	}
	return b
}

// kept are the ledger's reservations, in the order in which they were booked.
func (p *pained) kept() []hotel.Reservation {
	p.t.Helper()
	all, err := p.ldg.Reservations(context.Background(), hotel.ReservationFilter{PropertyIDs: []string{p.house.Property.ID}, Limit: 1000})
	if err != nil {
		p.t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b hotel.Reservation) int { return a.Source.BookedAt.Compare(b.Source.BookedAt) })
	return all
}

// A guest at one channel fills in the form while the last room is sold at another; what
// his channel is told meanwhile it disregards. Both bookings are kept, somebody is asked
// about the later one, and nobody is told less than none.
func TestPainLastRoomSoldInsideTheCheckout(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		p.listen(func(r *http.Request, body []byte) {
			if bytes.Contains(body, []byte(`"available":-`)) {
				p.t.Errorf("%s is told %s", r.URL.Host, body)
			}
		})
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(1)})
		p.pass(10 * time.Second)
		cart, err := p.a.Book().Fill(p.wish(suite, 0, night))
		if err != nil {
			p.t.Fatal(err)
		}
		p.pass(5 * time.Minute)
		first := p.sell(p.b, p.wish(suite, 0, night))
		p.pass(2 * time.Minute)
		if a := p.shows(p.a, suite, night); a != 0 {
			p.t.Fatalf("%d are on sale where the guest pays", a)
		}
		p.pass(7 * time.Minute)
		second, err := p.a.Book().Buy(cart)
		if err != nil {
			p.t.Fatal(err)
		}
		p.pass(2 * time.Minute)
		kept := p.kept()
		if len(kept) != 2 || kept[0].Source.Reference != first.Reference || kept[0].Overbooked || kept[1].Source.Reference != second.Reference || !kept[1].Overbooked {
			p.t.Fatalf("kept are %+v", kept)
		}
		if c := p.oversold(); !bytes.Contains(c.Facts, []byte(kept[1].ID)) {
			p.t.Errorf("somebody is asked about %s, and not about the later booking", c.Facts)
		}
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != 0 || b != 0 {
			p.t.Errorf("%d and %d are on sale", a, b)
		}
	})
}

// listen has somebody look at all calls that leave from now on.
func (p *pained) listen(leaves func(r *http.Request, body []byte)) {
	p.t.Helper()
	if err := p.eng.Stop(); err != nil {
		p.t.Fatal(err)
	}
	p.net.Leaves = leaves
	p.reopen()
	p.pass(70 * time.Second)
}

// oversold is the one conflict about what was sold too often.
func (p *pained) oversold() hotel.Conflict {
	p.t.Helper()
	list, err := p.ldg.Conflicts(p.t.Context(), hotel.ConflictFilter{PropertyID: p.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictOversell}, Limit: 10})
	if err != nil || len(list) != 1 {
		p.t.Fatalf("oversold: %+v (%v)", list, err)
	}
	return list[0]
}

// The last room is sold at two channels before either has told us. The booking heard of
// later is the one too many, whichever of the two polls came first.
func TestPainLastRoomSoldBetweenTwoPolls(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(1)})
		p.pass(10 * time.Second)
		p.sell(p.a, p.wish(suite, 0, night))
		p.pass(5 * time.Second)
		p.sell(p.b, p.wish(suite, 0, night))
		p.pass(2 * time.Minute)
		kept := p.kept()
		slices.SortFunc(kept, func(a, b hotel.Reservation) int { return cmp.Compare(a.Sequence, b.Sequence) })
		if len(kept) != 2 || kept[0].Overbooked || !kept[1].Overbooked {
			p.t.Errorf("kept are %+v", kept)
		}
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != 0 || b != 0 {
			p.t.Errorf("%d and %d are on sale", a, b)
		}
	})
}

// A booking that was made before a closing and comes after it was sold while it
// could be: it takes its room, once.
func TestPainSoldBeforeTheClosing(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		p.sell(p.a, p.wish(suite, 0, night))
		p.pass(25 * time.Second)
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Closed: hotel.Given(true)})
		p.pass(2 * time.Minute)
		if kept := p.kept(); len(kept) != 1 || kept[0].Overbooked {
			p.t.Errorf("kept are %+v", kept)
		}
		p.house.Stock(p.t, p.ldg, suite, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Closed: hotel.Given(false)})
		p.pass(2 * time.Minute)
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != testkit.Suites-1 || b != testkit.Suites-1 {
			p.t.Errorf("%d and %d are on sale, one of %d is taken", a, b, testkit.Suites)
		}
	})
}

// One room that is sold under several names is one room: what is left of all goes
// down in one call.
func TestPainOneRoomUnderSeveralNames(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		var together, apart int
		p.listen(func(r *http.Request, body []byte) {
			if r.URL.Host != p.b.Host || r.Method == http.MethodGet || !bytes.Contains(body, []byte(`"available":0`)) {
				return
			}
			both := bytes.Contains(body, []byte(strconv.Quote(p.house.RemoteRoom(double)))) && bytes.Contains(body, []byte(strconv.Quote(p.house.RemoteRoom(family))))
			if both {
				together++
			} else {
				apart++
			}
		})
		p.house.Stock(p.t, p.ldg, double, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(2)})
		p.pass(10 * time.Second)
		p.sell(p.a, p.wish(family, 0, night))
		p.pass(2 * time.Minute)
		for _, f := range []testkit.FarSide{p.a, p.b} {
			if d, n := p.shows(f, double, night), p.shows(f, family, night); d != 0 || n != 0 {
				p.t.Errorf("%d doubles and %d families are on sale", d, n)
			}
		}
		if together != 1 || apart != 0 {
			p.t.Errorf("the other channel is told in %d calls of both, and in %d of one of them; want one call", together, apart)
		}
	})
}

// Two names of the same rooms in one order, which together are more than there are: it
// is kept whole, and somebody is asked about it.
func TestPainOneOrderOfTwoNamesOfARoom(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		p.house.Stock(p.t, p.ldg, double, hotel.Span{From: night, To: night}, hotel.InventoryEntry{Total: hotel.Given(2)})
		p.pass(10 * time.Second)
		q := p.wish(double, 0, night)
		other := p.wish(family, 0, night)
		q.Others = []testkit.Part{{Room: other.Room, Rate: other.Rate, CheckIn: night, CheckOut: night + 1, Adults: 2}}
		b := p.sell(p.a, q)
		p.pass(2 * time.Minute)
		kept := p.kept()
		if len(kept) != 2 || kept[0].Source.Reference != b.Reference || kept[0].GroupID == "" || kept[0].GroupID != kept[1].GroupID {
			p.t.Fatalf("kept are %+v", kept)
		}
		if c := p.oversold(); !bytes.Contains(c.Facts, []byte(kept[0].ID)) && !bytes.Contains(c.Facts, []byte(kept[1].ID)) {
			p.t.Errorf("somebody is asked about %s, and not about the order", c.Facts)
		}
		if d, n := p.shows(p.b, double, night), p.shows(p.b, family, night); d != 0 || n != 0 {
			p.t.Errorf("%d doubles and %d families are on sale", d, n)
		}
	})
}

// Cancelled here alone, a channel's guest would come all the same: the channel is
// asked to cancel, and the room stays taken until it has.
func TestPainCancelledHereAlone(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		b := p.sell(p.a, p.wish(suite, 0, night))
		p.pass(2 * time.Minute)
		kept := p.kept()
		if len(kept) != 1 {
			p.t.Fatalf("kept are %+v", kept)
		}
		p.a.Plant(p.t, testkit.Fault{Kind: testkit.Reject})
		r, _, err := p.ldg.CancelReservation(p.t.Context(), testkit.Tester, hotel.Once{}, kept[0].ID, hotel.CancelRequest{})
		if err != nil || r.Status != hotel.Confirmed || r.OpenAction() == nil {
			p.t.Fatalf("asked: %s with %+v (%v)", r.Status, r.Actions, err)
		}
		p.pass(time.Minute)
		if n, asked := p.shows(p.b, suite, night), p.raised(hotel.ConflictCancelAsked); n != testkit.Suites-1 || asked != 1 {
			p.t.Errorf("refused: %d are on sale, %d times asked", n, asked)
		}
		if _, _, err := p.ldg.CancelReservation(p.t.Context(), testkit.Tester, hotel.Once{}, kept[0].ID, hotel.CancelRequest{}); err != nil {
			p.t.Fatal(err)
		}
		p.pass(time.Minute)
		there, _ := p.a.Book().Booking(b.Reference)
		if n := p.shows(p.b, suite, night); n != testkit.Suites || there.Status != "cancelled" {
			p.t.Errorf("the channel has it %s, and %d are on sale", there.Status, n)
		}
	})
}

// A booking of what is not mapped is kept whole and holds a room. Mapped, it is
// what it is without anybody typing it in.
func TestPainBookingOfWhatIsNotMapped(t *testing.T) {
	hurts(t, func(p *pained) {
		night, all := p.first+3, p.house.Mappings()
		p.sell(p.a, p.wish(suite, 1, night)) // and before it is read, somebody takes the rate away
		known := slices.DeleteFunc(slices.Clone(all), func(m hotel.Mapping) bool { return m.RemoteRate == p.house.RemoteRate(1) })
		p.mapped("a", known)
		p.pass(2 * time.Minute)
		kept := p.kept()
		if len(kept) != 1 || kept[0].HeldRoom == "" || kept[0].RatePlanID != "" || kept[0].Guest.LastName != "Guest" {
			p.t.Fatalf("kept are %+v", kept)
		}
		if n := p.shows(p.b, suite, night); n != testkit.Suites-1 {
			p.t.Errorf("%d are on sale, its room is not held", n)
		}
		asked := func() hotel.Conflict {
			list, err := p.ldg.Conflicts(p.t.Context(), hotel.ConflictFilter{PropertyID: p.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictUnmapped}, Limit: 10})
			if err != nil || len(list) != 1 {
				p.t.Fatalf("%d times asked (%v), want once", len(list), err)
			}
			return list[0]
		}
		if c := asked(); c.Status != hotel.ConflictOpen || c.Severity != hotel.Critical || c.Subject.ID != kept[0].ID {
			p.t.Errorf("asked is %+v", c)
		}
		p.mapped("a", all)
		p.pass(2 * time.Minute)
		kept = p.kept()
		if len(kept) != 1 || kept[0].RatePlanID != p.house.Plans[1].ID || kept[0].RoomTypeID != p.house.Rooms[suite].ID {
			p.t.Errorf("mapped, kept are %+v", kept)
		}
		if c := asked(); c.DecidedBy != hotel.ByItself {
			p.t.Errorf("mapped, and somebody is asked still: %+v", c)
		}
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != testkit.Suites-1 || b != testkit.Suites-1 {
			p.t.Errorf("%d and %d are on sale", a, b)
		}
	})
}

// The program is off for three quarters of an hour while a channel sells. What
// was sold then comes in once.
func TestPainOffWhileAChannelSells(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		if err := p.eng.Stop(); err != nil {
			p.t.Fatal(err)
		}
		b := p.sell(p.a, p.wish(suite, 0, night))
		time.Sleep(45 * time.Minute)
		p.reopen()
		p.pass(2 * time.Minute)
		if kept := p.kept(); len(kept) != 1 || kept[0].Source.Reference != b.Reference {
			p.t.Errorf("kept are %+v", kept)
		}
		if n := p.shows(p.b, suite, night); n != testkit.Suites-1 {
			p.t.Errorf("%d are on sale", n)
		}
	})
}

// Our acknowledgement does not arrive, and the booking is told again; then it arrives,
// and its answer is lost. It is one booking.
func TestPainAnswerLostAfterTheEffect(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		acknowledges := func(r *http.Request) bool {
			return r.URL.Host == p.a.Host && r.Method == http.MethodPost && r.URL.Path == "/hotels/H1/feed/acknowledge"
		}
		told := 0
		p.listen(func(r *http.Request, _ []byte) {
			if !acknowledges(r) {
				return
			}
			if told++; told == 2 {
				p.a.Plant(p.t, testkit.Fault{Kind: testkit.LostAnswer})
			}
		})
		p.net.Hinders = func(r *http.Request) error {
			if acknowledges(r) && told == 1 {
				return io.ErrUnexpectedEOF
			}
			return nil
		}
		p.sell(p.a, p.wish(suite, 0, night))
		p.pass(20 * time.Minute)
		if waiting := len(p.a.Book().Events(0, 10)); told != 2 || waiting != 0 {
			p.t.Errorf("acknowledged %d times, %d wait; want two times and none", told, waiting)
		}
		if kept := p.kept(); len(kept) != 1 {
			p.t.Errorf("kept are %+v", kept)
		}
		if a, b := p.shows(p.a, suite, night), p.shows(p.b, suite, night); a != testkit.Suites-1 || b != testkit.Suites-1 {
			p.t.Errorf("%d and %d are on sale", a, b)
		}
	})
}

// More bookings wait than fit on a page of the feed. All of them are read, and
// none is acknowledged before it is kept.
func TestPainFeedLongerThanAPage(t *testing.T) {
	hurts(t, func(p *pained) {
		const sold = 250
		if err := p.eng.Stop(); err != nil {
			p.t.Fatal(err)
		}
		for i := range sold {
			p.sell(p.a, p.wish(double, 0, p.first+1+hotel.Date(i%(testkit.HorizonDays-1))))
		}
		p.net.Leaves = func(r *http.Request, _ []byte) {
			if r.URL.Host != p.a.Host || r.Method != http.MethodPost || r.URL.Path != "/hotels/H1/feed/acknowledge" {
				return
			}
			if waiting := len(p.a.Book().Events(0, 1000)); len(p.kept()) < sold-waiting {
				p.t.Errorf("%d wait and %d are kept", waiting, len(p.kept()))
			}
		}
		p.reopen()
		p.pass(5 * time.Minute)
		if n := len(p.kept()); n != sold || len(p.a.Book().Events(0, 1)) != 0 {
			p.t.Errorf("%d of %d are kept, %d wait", n, sold, len(p.a.Book().Events(0, 1000)))
		}
	})
}

// The desk gives a channel's guest another room. A later word of the channel about
// something else does not move him back.
func TestPainMovedGuestIsMovedBack(t *testing.T) {
	hurts(t, func(p *pained) {
		night := p.first + 3
		b := p.sell(p.a, p.wish(double, 0, night))
		p.pass(2 * time.Minute)
		to := p.house.Rooms[suite].ID
		if _, _, err := p.ldg.ChangeReservation(p.t.Context(), testkit.Tester, hotel.Once{}, p.kept()[0].ID, hotel.ReservationChange{RoomTypeID: &to}); err != nil {
			p.t.Fatal(err)
		}
		q := p.wish(double, 0, night)
		q.Reference, q.LastName = b.Reference, "Guest-Host"
		if _, err := p.a.Book().Modify(q); err != nil {
			p.t.Fatal(err)
		}
		p.pass(2 * time.Minute)
		if kept := p.kept(); len(kept) != 1 || kept[0].RoomTypeID != to || kept[0].Guest.LastName != "Guest-Host" {
			p.t.Errorf("kept are %+v", kept)
		}
		if d, s := p.shows(p.b, double, night), p.shows(p.b, suite, night); d != testkit.Doubles || s != testkit.Suites-1 {
			p.t.Errorf("%d doubles and %d suites are on sale", d, s)
		}
	})
}

// An update of which some entries are refused is answered with 200: exactly those
// are known to be refused, and everything else is shown.
func TestPainRefusedEntriesUnder200(t *testing.T) {
	hurts(t, func(p *pained) {
		p.a.Plant(p.t, testkit.Fault{Kind: testkit.Partial, Count: 1})
		nights := hotel.Span{From: p.first + 3, To: p.first + 8}
		u := hotel.InventoryUpdate{PropertyID: p.house.Property.ID, Source: "api"}
		for d := nights.From; d <= nights.To; d++ {
			u.Entries = append(u.Entries, hotel.InventoryEntry{
				RoomTypeID: p.house.Rooms[suite].ID, Dates: hotel.Dates{Span: hotel.Span{From: d, To: d}}, SellLimit: hotel.Given(int(d-nights.From) % 3),
			})
		}
		if _, _, err := p.ldg.UpdateInventory(p.t.Context(), testkit.Tester, hotel.Once{}, u); err != nil {
			p.t.Fatal(err)
		}
		p.pass(10 * time.Second)
		wrong := 0
		for d := nights.From; d <= nights.To; d++ {
			if p.shows(p.a, suite, d) != int(d-nights.From)%3 {
				wrong++
			}
		}
		state, err := p.ldg.Channel(p.t.Context(), "a")
		if err != nil {
			p.t.Fatal(err)
		}
		if wrong == 0 || state.Rejected != wrong {
			p.t.Errorf("%d nights show another number, %d are known to be refused", wrong, state.Rejected)
		}
		// What should be closed is told again without anybody's doing.
		f := hotel.ConflictFilter{PropertyID: p.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictRejected}, Limit: 10}
		list, err := p.ldg.Conflicts(p.t.Context(), f)
		if err != nil || len(list) != 1 || list[0].Severity != hotel.Critical {
			p.t.Fatalf("conflicts %+v (%v)", list, err)
		}
		p.pass(12 * time.Minute)
		for d := nights.From; d <= nights.To; d++ {
			if n := p.shows(p.a, suite, d); n != int(d-nights.From)%3 {
				p.t.Errorf("%d suites are on sale on %s", n, d)
			}
		}
		if list, err = p.ldg.Conflicts(p.t.Context(), f); err != nil || len(list) != 1 || list[0].DecidedBy != hotel.ByItself {
			p.t.Errorf("conflicts %+v (%v)", list, err)
		}
	})
}

// reopen starts another engine on the ledger.
func (p *pained) reopen() {
	p.t.Helper()
	if err := p.ldg.Close(); err != nil {
		p.t.Fatal(err)
	}
	var err error
	if p.ldg, err = ledger.Open(p.t.Context(), ledger.Options{Path: p.path, Clock: hotel.SystemClock{}}); err != nil {
		p.t.Fatal(err)
	}
	p.newEngine()
	if err := p.eng.Start(p.t.Context()); err != nil {
		p.t.Fatal(err)
	}
}
