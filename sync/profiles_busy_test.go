package sync_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/internal/testkit/profile"
)

// faultsOfMarkets are the ways in which far sides of all protocols fail.
var faultsOfMarkets = []testkit.FaultKind{
	testkit.LostAnswer, testkit.ServerError, testkit.TooManyRequests, testkit.BareLimit, testkit.Timeout, testkit.Cut, testkit.Truncated, testkit.EmptyBody,
}

// faultsOf are those that a connector's have besides: a Channex and a portal refuse an update,
// or a part of it, which stays so until the desk has it tried again; what a Channex has
// confirmed waits in its queue, an update comes late or by half.
var faultsOf = map[string][]testkit.FaultKind{
	"channex":    {testkit.Queued, testkit.Late, testkit.Half, testkit.Reject, testkit.Partial},
	"alpinebits": {testkit.Reject, testkit.Partial},
}

// busy is a while in which a lot happens.
func (m *market) busy() {
	for range 20 + m.dice.IntN(20) {
		switch roll := m.dice.IntN(100); {
		case roll < 38:
			m.guest(m.far[m.dice.IntN(len(m.far))])
		case roll < 62:
			m.desk()
		case roll < 85:
			far := m.far[m.dice.IntN(len(m.far))]
			kinds := slices.Concat(faultsOfMarkets, faultsOf[far.Connector])
			f := testkit.Fault{Kind: kinds[m.dice.IntN(len(kinds))], Seconds: 1 + m.dice.IntN(60), Count: 1 + m.dice.IntN(3)}
			m.count(string(f.Kind))
			if err := far.Plant(f); err != nil {
				m.t.Fatal(err)
			}
		case roll < 88:
			m.visit()
		case roll < 90:
			if m.far[m.dice.IntN(len(m.far))].Ask() {
				m.count("everything is asked for")
			}
		case roll < 95:
			m.count("restart")
			m.restart()
		default:
			m.count("kill")
			m.kill()
		}
		m.pass(time.Duration(m.dice.Int64N(int64(time.Minute))), 5*time.Second)
	}
}

func (m *market) count(what string) { m.counts[what]++ }

// visit lets the far sides that come to read do so. Whether they can is their affair.
func (m *market) visit() {
	for _, f := range m.far {
		_ = f.Visit(context.Background(), "http://hotel.test/inbound/"+f.channel)
	}
}

// guest books at a far side, or changes or cancels what was booked there.
func (m *market) guest(f *stand) {
	var live []profile.Booking
	for _, b := range f.Book().Bookings() {
		if b.Status == profile.Confirmed && b.CheckIn > m.today()+1 {
			live = append(live, b)
		}
	}
	var err error
	what := "booking"
	switch roll := m.dice.IntN(10); {
	case roll < 6 || len(live) == 0:
		products := f.Products()
		p := products[m.dice.IntN(len(products))]
		from := m.today() + 2 + hotel.Date(m.dice.IntN(lastSold-4))
		q := profile.Request{
			Room: p.Room, Rate: p.Rate, CheckIn: from, CheckOut: from + 1 + hotel.Date(m.dice.IntN(4)), Adults: 2, FirstName: "Ada", LastName: "Lovelace",
		}
		if f.Connector != "ical" && m.dice.IntN(4) == 0 {
			other := products[m.dice.IntN(len(products))]
			q.Others = []profile.Part{{Room: other.Room, Rate: other.Rate, CheckIn: q.CheckIn, CheckOut: q.CheckIn + 1 + hotel.Date(m.dice.IntN(3)), Adults: 2}}
			what = "booking of two rooms"
		}
		if f.Connector == "alpinebits" && m.dice.IntN(3) == 0 {
			q.Children = [][]int{{0}, {4, 4}, {3, 11}}[m.dice.IntN(3)]
			m.count("booking with children")
		}
		_, err = f.Book().Sell(q)
	case roll < 8:
		what = "change"
		b := live[m.dice.IntN(len(live))]
		q := profile.Request{Reference: b.Reference, CheckOut: b.CheckOut + 1}
		if n := len(b.Parts()); n > 1 && m.dice.IntN(3) == 0 {
			what, q = "room given up", profile.Request{Reference: b.Reference, Without: 1 + m.dice.IntN(n)}
		}
		if len(b.Children) > 0 && m.dice.IntN(2) == 0 {
			q.Children = b.Children[1:]
		}
		_, err = f.Book().Modify(q)
	default:
		what = "cancellation"
		_, err = f.Book().Cancel(live[m.dice.IntN(len(live))].Reference)
	}
	switch {
	case errors.Is(err, profile.ErrNotSellable):
		return
	case err != nil:
		m.t.Fatal(err)
	}
	m.count(what)
}

// desk changes prices, stock or restrictions, or sells directly.
func (m *market) desk() {
	from := m.today() + hotel.Date(m.dice.IntN(lastSold))
	span := hotel.Span{From: from, To: from + hotel.Date(m.dice.IntN(6))}
	room := m.dice.IntN(len(m.house.Rooms))
	switch m.dice.IntN(4) {
	case 3:
		m.count("restriction")
		m.rule(room, span)
	case 0:
		m.count("price")
		m.price(room, span, 8000+100*int64(m.dice.IntN(100)))
	case 1:
		m.count("stock")
		n := testkit.Doubles - spareDoubles + m.dice.IntN(5) - 2
		m.house.Stock(m.t, m.ldg, 0, span, hotel.InventoryEntry{OutOfOrder: hotel.Given(n)})
		for night := span.From; night <= span.To; night++ {
			m.broken[night] = n
		}
	case 2:
		nights := hotel.Stay{CheckIn: span.From, CheckOut: span.To + 1}
		r, _, err := m.ldg.CreateReservation(context.Background(), testkit.Tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: m.house.Property.ID, RoomTypeID: m.house.Rooms[room].ID, RatePlanID: m.house.Plans[0].ID,
			Stay: nights, Adults: 2, Guest: hotel.Guest{LastName: "Guest"},
		})
		if err != nil {
			return // there is nothing left, and the desk is told so
		}
		m.count("direct")
		m.direct = append(m.direct, stay{id: r.ID, room: room, nights: nights})
	}
}

// Of coming to rest.
const (
	marketStep     = 5 * time.Minute
	marketPatience = 12 * time.Hour // for calendars, which are doubted before they are believed
)

// quiet waits until everything is as it must be, or says what is not.
func (m *market) quiet() {
	began := time.Now()
	for {
		m.pass(marketStep, time.Minute)
		m.visit()
		m.pass(time.Minute, 5*time.Second)
		m.visit()
		m.insist()
		wrong := slices.Concat(m.booked(), m.shown(), m.guarded())
		if len(wrong) == 0 {
			return
		}
		if time.Since(began) > marketPatience || m.t.Failed() {
			m.t.Fatalf("%s: after %s without anything happening:\n%s", time.Now(), time.Since(began), strings.Join(wrong[:min(len(wrong), 10)], "\n"))
		}
	}
}

// insist has the desk try again what was refused: the channel is told the same once more.
func (m *market) insist() {
	ctx := context.Background()
	refused, err := m.ldg.Conflicts(ctx, hotel.ConflictFilter{
		PropertyID: m.house.Property.ID, Kinds: []hotel.ConflictKind{hotel.ConflictRejected}, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 100,
	})
	if err != nil {
		m.t.Fatal(err)
	}
	for _, c := range refused {
		m.count("refusal that is looked at")
		if _, _, err := m.ldg.ResolveConflict(ctx, testkit.Tester, hotel.Once{}, c.ID, hotel.ConflictDecision{Option: hotel.OptionRetry}); err != nil {
			m.t.Fatal(err)
		}
	}
}

// booked says which bookings of the far sides are not in the ledger once, as they are.
func (m *market) booked() (wrong []string) {
	all, err := m.ldg.Reservations(context.Background(), hotel.ReservationFilter{PropertyIDs: []string{m.house.Property.ID}, Limit: 5000})
	if err != nil {
		m.t.Fatal(err)
	}
	type name struct{ channel, ref string }
	kept := map[name][]hotel.Reservation{}
	for _, r := range all {
		if r.Source.Reference != "" {
			at := name{r.Source.ChannelID, r.Source.Reference}
			if f := m.farOf(at.channel); f.renames() {
				if at.ref = m.nights(r.RoomTypeID, r.Stay); r.Status == hotel.Cancelled {
					continue
				}
			}
			kept[at] = append(kept[at], r)
		}
	}
	for _, f := range m.far {
		for _, b := range f.Book().Bookings() {
			at := name{f.channel, f.Reference(b)}
			if f.renames() {
				if b.Status != profile.Confirmed {
					continue
				}
				at.ref = m.nights(m.house.Rooms[m.house.RoomOf(b.Room)].ID, b.Stay())
			}
			has := kept[at]
			if f.renames() { // guests may stay for the same nights
				has = has[:min(len(has), 1)]
			}
			if kept[at] = kept[at][len(has):]; len(kept[at]) == 0 {
				delete(kept, at)
			}
			given := func(r hotel.Reservation) bool { return r.Status == hotel.Cancelled }
			if b.Status == profile.Confirmed && slices.ContainsFunc(has, func(r hotel.Reservation) bool { return !given(r) }) {
				has = slices.DeleteFunc(slices.Clone(has), given) // rooms of it that were given up
			}
			switch {
			case b.Status != profile.Confirmed && len(has) > len(b.Parts()) && !slices.ContainsFunc(has, func(r hotel.Reservation) bool { return !given(r) }):
			case b.Status != profile.Confirmed && len(has) == 0 && f.Connector == "ical": // nobody has seen it
			case len(has) != len(b.Parts()):
				wrong = append(wrong, fmt.Sprintf("%s %s (%s) is of %d rooms, and in the ledger %d times", f.Connector, at.ref, b.Status, len(b.Parts()), len(has)))
			default:
				wrong = append(wrong, m.misheld(f, at.ref, b, has)...)
			}
		}
	}
	for at := range kept {
		wrong = append(wrong, fmt.Sprintf("the ledger has %s of channel %s, which nobody has sold", at.ref, at.channel))
	}
	slices.Sort(wrong)
	return wrong
}

// nights names a booking by what it is of.
func (m *market) nights(roomType string, nights hotel.Stay) string {
	return fmt.Sprint(roomType, nights.CheckIn, nights.CheckOut)
}

// misheld says which rooms of a booking the ledger has otherwise than its far side.
func (m *market) misheld(f *stand, ref string, b profile.Booking, has []hotel.Reservation) (wrong []string) {
	left := slices.Clone(has)
	for _, r := range has {
		if (b.Status == profile.Confirmed) == (r.Status == hotel.Cancelled) {
			wrong = append(wrong, fmt.Sprintf("%s %s is %s there, and %s in the ledger", f.Connector, ref, b.Status, r.Status))
		}
	}
	for _, p := range b.Parts() {
		i := slices.IndexFunc(left, func(r hotel.Reservation) bool {
			party := f.Connector == "ical" || r.Adults == p.Adults && slices.Equal(r.ChildrenAges, p.Children)
			return r.Stay == p.Stay() && r.RoomTypeID == m.house.Rooms[m.house.RoomOf(p.Room)].ID && party
		})
		switch {
		case b.Status != profile.Confirmed:
		case i < 0:
			wrong = append(wrong, fmt.Sprintf("%s %s is for %s %v, %d and %v there, and %v, %d and %v in the ledger",
				f.Connector, ref, p.Room, p.Stay(), p.Adults, p.Children, left[0].Stay, left[0].Adults, left[0].ChildrenAges))
		default:
			left = slices.Delete(left, i, i+1)
		}
	}
	return wrong
}

// free is how many of each room could be sold on a night.
func (m *market) free(night hotel.Date) [3]int {
	left := m.left(night)
	doubles, suites := max(0, left[0]), max(0, left[2])
	return [3]int{doubles, doubles / 2, suites}
}

// left is how many doubles and suites are left on a night, worked out from what was sold;
// less than none where rooms were sold twice.
func (m *market) left(night hotel.Date) [3]int {
	doubles, suites := testkit.Doubles-m.broken[night], testkit.Suites
	take := func(room int, nights hotel.Stay) {
		switch {
		case !nights.Contains(night):
		case room == 2:
			suites--
		default:
			doubles -= 1 + room
		}
	}
	for _, s := range m.direct {
		take(s.room, s.nights)
	}
	for _, f := range m.far {
		for _, b := range f.Book().Bookings() {
			for _, p := range b.Parts() {
				if b.Status == profile.Confirmed {
					take(m.house.RoomOf(p.Room), p.Stay())
				}
			}
		}
	}
	return [3]int{0: doubles, 2: suites}
}

// shown says where a far side shows something else than what is left, at its price.
func (m *market) shown() (wrong []string) {
	differs := func(f *stand, k connectors.Key, got any, want any) {
		wrong = append(wrong, fmt.Sprintf("%s shows %v for %s %s on %s, want %v", f.Connector, got, k.Room, k.Rate, k.Night, want))
	}
	for night := m.today() + 1; night < m.today()+lastSold; night++ {
		free := m.free(night)
		for _, f := range m.far {
			for room := range m.house.Rooms {
				k := connectors.Key{Room: m.house.RemoteRoom(room), Group: hotel.Availability, Night: night}
				want, known := m.onSale(room, night, free[room])
				if !known {
					continue
				}
				if m.rules[night][room].Closed.Closed && !f.closes() {
					want = 0
				}
				if f.Connector == "ical" {
					want = m.listed(f, k, want)
				}
				if got, set := f.Book().Shown(k); !set || got.Available != want {
					differs(f, k, got.Available, want)
				}
			}
			for _, p := range f.Products() {
				if f.Connector != "ical" { // whose sites have prices of their own
					m.priced(f, p, night, differs)
				}
				if f.closes() {
					m.kept(f, p, night, func(what string) { wrong = append(wrong, what) })
				}
				if f.closes() && f.exact() {
					m.held(f, p, night, differs)
				}
			}
		}
	}
	return wrong
}

// listed is what a site of calendars shows of a listing, which is one room: nothing once
// it has sold that.
func (m *market) listed(f *stand, k connectors.Key, free int) int {
	for _, b := range f.Book().Bookings() {
		if b.Status == profile.Confirmed && b.Room == k.Room && b.Stay().Contains(k.Night) {
			return 0
		}
	}
	return min(free, 1)
}

// priced compares the prices of a product: for two, that of the room or for two guests; for
// one, where it has such a price.
func (m *market) priced(f *stand, p connectors.RemoteProduct, night hotel.Date, differs func(f *stand, k connectors.Key, got, want any)) {
	want := hotel.Money{Minor: m.prices[night][m.house.RoomOf(p.Room)], Currency: "EUR"}
	if m.planOf(p) == 1 {
		want.Minor = want.Minor * 9 / 10 // saver
	}
	k := connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Price, Night: night}
	found := map[int]hotel.Money{}
	for _, guests := range []int{0, 2} {
		k.Occupancy = guests
		if got, set := f.Book().Shown(k); set && got.Amount != (hotel.Money{}) {
			found[guests] = got.Amount
		}
	}
	if len(found) == 0 || slices.ContainsFunc(slices.Collect(maps.Values(found)), func(got hotel.Money) bool { return got != want }) {
		differs(f, k, found, want)
	}
	k.Occupancy, want.Minor = 1, want.Minor*9/10
	if !f.terms.ByOccupancy(p.Rate) {
		want = hotel.Money{}
	}
	if got, _ := f.Book().Shown(k); got.Amount != want && (got.Amount.Minor != 0 || want.Minor != 0) {
		differs(f, k, got.Amount, want)
	}
}
