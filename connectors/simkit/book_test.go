package simkit

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fixed is a clock that stands still.
type fixed struct{ at time.Time }

func (f fixed) Now() time.Time                  { return f.at }
func (f fixed) Until(t time.Time) time.Duration { return t.Sub(f.at) }
func (f fixed) Steady() time.Time               { return f.Now() }

var (
	noon  = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	first = hotel.DateOf(2027, 3, 10)
	yes   = hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes}
	relay = hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo}
)

// onSale opens nights of DBL with the rate BAR: so many rooms, for one guest or
// two.
func onSale(from hotel.Date, nights, rooms int) []connectors.Change {
	var out []connectors.Change
	for night := from; night < from+hotel.Date(nights); night++ {
		out = append(
			out,
			change(hotel.Availability, 0, night, hotel.Offer{Available: rooms}),
			change(hotel.Price, 1, night, hotel.Offer{Amount: hotel.Money{Minor: 8000, Currency: "EUR"}}),
			change(hotel.Price, 2, night, hotel.Offer{Amount: hotel.Money{Minor: 10000, Currency: "EUR"}}),
		)
	}
	return out
}

func change(g hotel.Group, guests int, night hotel.Date, o hotel.Offer) connectors.Change {
	k := connectors.Key{Room: "DBL", Rate: "BAR", Group: g, Occupancy: guests, Night: night}
	if g == hotel.Availability {
		k.Rate = ""
	}
	return connectors.Change{Key: k, Offer: o}
}

func options(dir string, adjusts hotel.Adjusts) Options {
	return Options{
		Dir: dir, Prefix: "SIM", Adjusts: adjusts, Clock: fixed{noon},
		Products: []connectors.RemoteProduct{{Room: "DBL", Rate: "BAR"}},
		Opening:  onSale(first, 10, 2),
	}
}

func open(t interface {
	Helper()
	Fatal(...any)
	Cleanup(func())
}, o Options,
) *Book {
	t.Helper()
	b, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func ask(from, nights int) Request {
	return Request{Room: "DBL", Rate: "BAR", CheckIn: first + hotel.Date(from), CheckOut: first + hotel.Date(from+nights), Adults: 2, LastName: "Lovelace"}
}

// counts are the shown counts of the ten nights.
func counts(b *Book) []int {
	out := make([]int, 10)
	for i := range out {
		o, _ := b.Shown(change(hotel.Availability, 0, first+hotel.Date(i), hotel.Offer{}).Key)
		out[i] = o.Available
	}
	return out
}

func TestSaleChangesCountsAsDeclared(t *testing.T) {
	for _, c := range []struct {
		name                 string
		adjusts              hotel.Adjusts
		book, modify, cancel []int
	}{
		{"a channel", yes, []int{1, 1, 2, 2}, []int{2, 1, 1, 2}, []int{2, 2, 2, 2}},
		{"a hub", relay, []int{1, 1, 2, 2}, []int{1, 1, 2, 2}, []int{1, 1, 2, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, options("", c.adjusts))
			booking, err := b.Sell(ask(0, 2))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.book, counts(b)[:4]); diff != "" {
				t.Errorf("after the booking: -want +got:\n%s", diff)
			}
			if booking.Reference != "SIM-000001" || booking.Revision != 1 || booking.Total().Amount() != "200.00" {
				t.Errorf("the booking is %+v", booking)
			}
			changed, err := b.Modify(Request{Reference: booking.Reference, CheckIn: first + 1, CheckOut: first + 3})
			if err != nil || changed.Revision != 2 || changed.Adults != 2 {
				t.Fatalf("the change is %+v, %v", changed, err)
			}
			if diff := cmp.Diff(c.modify, counts(b)[:4]); diff != "" {
				t.Errorf("after the change: -want +got:\n%s", diff)
			}
			if gone, err := b.Cancel(booking.Reference); err != nil || gone.Status != Cancelled || gone.Revision != 3 {
				t.Fatalf("the cancellation is %+v, %v", gone, err)
			}
			if diff := cmp.Diff(c.cancel, counts(b)[:4]); diff != "" {
				t.Errorf("after the cancellation: -want +got:\n%s", diff)
			}
			if _, err := b.Cancel(booking.Reference); !errors.Is(err, ErrNotSellable) {
				t.Errorf("a second cancellation ends with %v", err)
			}
			var kinds []connectors.EventKind
			for _, e := range b.Events(0, 10) {
				kinds = append(kinds, e.Kind)
			}
			if diff := cmp.Diff([]connectors.EventKind{connectors.Booked, connectors.Modified, connectors.Cancelled}, kinds); diff != "" {
				t.Errorf("the events: -want +got:\n%s", diff)
			}
		})
	}
}

func TestSellRefuses(t *testing.T) {
	closed := func(c hotel.Closed) hotel.Offer { return hotel.Offer{Closed: c} }
	limits := func(l hotel.LengthLimits) hotel.Offer { return hotel.Offer{Lengths: l} }
	past := ask(0, 1)
	past.CheckIn, past.CheckOut = hotel.DateOf(2027, 2, 27), hotel.DateOf(2027, 2, 28)
	unknown := ask(0, 1)
	unknown.Rate = "NOPE"
	crowd := ask(0, 1)
	crowd.Adults = 5
	for _, c := range []struct {
		name  string
		set   []connectors.Change
		ask   Request
		wants string
	}{
		{"a rate that does not exist", nil, unknown, "not in the catalogue"},
		{"no night", nil, ask(1, 0), "1 to 60 nights"},
		{"a stay turned round", nil, ask(3, -2), "1 to 60 nights"},
		{"a night that is over", nil, past, "is over"},
		{"one night sold out", []connectors.Change{change(hotel.Availability, 0, first+1, hotel.Offer{})}, ask(0, 3), "no room"},
		{"one night never opened", nil, ask(8, 3), "no room"},
		{"one night closed", []connectors.Change{change(hotel.Closures, 0, first+2, closed(hotel.Closed{Closed: true}))}, ask(0, 3), "is closed"},
		{"no price for so many", nil, crowd, "no price for 5"},
		{"no arrival", []connectors.Change{change(hotel.Closures, 0, first, closed(hotel.Closed{Arrival: true}))}, ask(0, 3), "no arrival"},
		{"no departure", []connectors.Change{change(hotel.Closures, 0, first+3, closed(hotel.Closed{Departure: true}))}, ask(0, 3), "no departure"},
		{"too short from arrival", []connectors.Change{change(hotel.Lengths, 0, first, limits(hotel.LengthLimits{MinStayArrival: 4}))}, ask(0, 3), "too few"},
		{"too long from arrival", []connectors.Change{change(hotel.Lengths, 0, first, limits(hotel.LengthLimits{MaxStayArrival: 2}))}, ask(0, 3), "too many"},
		{"too short through", []connectors.Change{change(hotel.Lengths, 0, first+2, limits(hotel.LengthLimits{MinStayThrough: 4}))}, ask(0, 3), "too few"},
		{"too long through", []connectors.Change{change(hotel.Lengths, 0, first+2, limits(hotel.LengthLimits{MaxStayThrough: 2}))}, ask(0, 3), "too many"},
		{"too late", []connectors.Change{change(hotel.Lengths, 0, first, limits(hotel.LengthLimits{MinAdvance: 30}))}, ask(0, 3), "days ahead"},
		{"too early", []connectors.Change{change(hotel.Lengths, 0, first, limits(hotel.LengthLimits{MaxAdvance: 3}))}, ask(0, 3), "days ahead"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, options("", yes))
			if _, err := b.Take(c.set, Receipt{}); err != nil {
				t.Fatal(err)
			}
			before := b.State()
			_, err := b.Sell(c.ask)
			if !errors.Is(err, ErrNotSellable) || !strings.Contains(err.Error(), c.wants) {
				t.Errorf("it ends with %v, want %q", err, c.wants)
			}
			if diff := cmp.Diff(before, b.State()); diff != "" {
				t.Errorf("the book changed all the same:\n%s", diff)
			}
		})
	}
}

// TestChangeKeepsWhatIsHeld: the guest's own nights need no free room and may
// have been closed since.
func TestChangeKeepsWhatIsHeld(t *testing.T) {
	b := open(t, options("", yes))
	booking, err := b.Sell(ask(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	shut := []connectors.Change{
		change(hotel.Availability, 0, first, hotel.Offer{}),
		change(hotel.Closures, 0, first+1, hotel.Offer{Closed: hotel.Closed{Closed: true}}),
	}
	if _, err := b.Take(shut, Receipt{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Modify(Request{Reference: booking.Reference, CheckOut: first + 3}); err != nil {
		t.Errorf("a night more is refused: %v", err)
	}
	if _, err := b.Modify(Request{Reference: booking.Reference, CheckOut: first + 11}); !errors.Is(err, ErrNotSellable) {
		t.Errorf("nights that were never opened are sold: %v", err)
	}
	if _, err := b.Modify(Request{Reference: "SIM-000077"}); !errors.Is(err, ErrNoBooking) {
		t.Errorf("a change of nothing ends with %v", err)
	}
}

func TestTakeRecognisesCalls(t *testing.T) {
	b := open(t, options("", yes))
	set := func(n int) []connectors.Change {
		return []connectors.Change{change(hotel.Availability, 0, first, hotel.Offer{Available: n})}
	}
	for _, c := range []struct {
		name    string
		rooms   int
		receipt Receipt
		answer  string
		err     error
		shown   int
	}{
		{"a first call", 5, Receipt{ID: "a", Version: 3, Answer: []byte("1")}, "1", nil, 5},
		{"its repeat, with other words", 6, Receipt{ID: "a", Version: 3, Answer: []byte("2")}, "1", nil, 5},
		{"an older call", 7, Receipt{ID: "b", Version: 2, Answer: []byte("3")}, "", ErrOldVersion, 5},
		{"one of the same version", 7, Receipt{ID: "c", Version: 3, Answer: []byte("3")}, "", ErrOldVersion, 5},
		{"a later call", 8, Receipt{ID: "d", Version: 4, Answer: []byte("4")}, "4", nil, 8},
		{"the first once more", 9, Receipt{ID: "a", Version: 3, Answer: []byte("5")}, "1", nil, 8},
		{"a call without either", 1, Receipt{Answer: []byte("6")}, "6", nil, 1},
	} {
		answer, err := b.Take(set(c.rooms), c.receipt)
		if !errors.Is(err, c.err) || string(answer) != c.answer || counts(b)[0] != c.shown {
			t.Errorf("%s: answer %q, %v, shown %d; want %q, %v, %d", c.name, answer, err, counts(b)[0], c.answer, c.err, c.shown)
		}
	}
}

// A reference is used again when nobody comes for its booking any more, and not before.
func TestReferenceIsUsedAgain(t *testing.T) {
	b := open(t, options(t.TempDir(), yes))
	made, err := b.Sell(ask(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	again := ask(4, 1)
	again.Reference = made.Reference
	if _, err := b.Sell(again); !errors.Is(err, ErrNotSellable) {
		t.Errorf("the reference of a guest who is to come is used again: %v", err)
	}
	if _, err := b.Cancel(made.Reference); err != nil {
		t.Fatal(err)
	}
	next, err := b.Sell(again)
	if err != nil || next.Reference != made.Reference || next.Number != made.Number+1 || next.Revision != 1 {
		t.Errorf("the next booking is %+v: %v", next, err)
	}
	if all := b.Bookings(); len(all) != 1 || all[0].CheckIn != next.CheckIn || all[0].Status != Confirmed {
		t.Errorf("the book has %+v", all)
	}
	if third, err := b.Sell(ask(0, 1)); err != nil || third.Number != 3 || third.Reference == made.Reference {
		t.Errorf("the third booking is %+v: %v", third, err)
	}
	again.Reference = "nobody's"
	if _, err := b.Sell(again); !errors.Is(err, ErrNotSellable) {
		t.Errorf("a reference that nobody had is used again: %v", err)
	}
}

// TestLengthsOnTheDayOfDeparture are looked at where the book is so: a stay that ends on a day
// of longer ones is not sold.
func TestLengthsOnTheDayOfDeparture(t *testing.T) {
	for _, leaving := range []bool{false, true} {
		o := options("", yes)
		o.Leaving = leaving
		b := open(t, o)
		long := change(hotel.Lengths, 0, first+3, hotel.Offer{Lengths: hotel.LengthLimits{MinStayThrough: 4}})
		if _, err := b.Take([]connectors.Change{long}, Receipt{}); err != nil {
			t.Fatal(err)
		}
		if err := b.Sellable(ask(0, 3)); errors.Is(err, ErrNotSellable) != leaving {
			t.Errorf("leaving %t: a stay up to a day of longer ones ends with %v", leaving, err)
		}
	}
}
