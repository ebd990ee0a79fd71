package report

import (
	"math/big"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// drawBooks draws a house of three room types, two of which share a pool, and a few
// bookings around the span.
func drawBooks(t *rapid.T) Books {
	b := Books{
		Property: hotel.Property{Entity: hotel.Entity{ID: "inn"}, TimeZone: "Europe/Berlin", Currency: "EUR"},
		Rooms:    map[string]int{"double": 1, "twin": 1, "suite": 2}, Commissions: map[string]hotel.Commission{"ch1": {Pct: "12.5", Base: "gross", OnNoShow: true}},
	}
	for d := innSpan.From - 2; d <= innSpan.To+2; d++ {
		b.Supply = append(b.Supply, Supply{d, "", 6, rapid.IntRange(0, 6).Draw(t, "available"), 0}, Supply{d, "suite", 4, 4, 2})
	}
	for range rapid.IntRange(0, 3).Draw(t, "sums") {
		h := History{PastSales: hotel.PastSales{
			Night: innSpan.From + hotel.Date(rapid.IntRange(-2, 5).Draw(t, "past")), RoomTypeID: rapid.SampledFrom([]string{"", "double", "suite"}).Draw(t, "past room"),
			ChannelID: rapid.SampledFrom([]string{"", hotel.Direct, "ch1"}).Draw(t, "past channel"), Rooms: rapid.IntRange(0, 9).Draw(t, "past rooms"),
		}}
		if rapid.Bool().Draw(t, "past revenue") {
			m := hotel.Money{Minor: rapid.Int64Range(0, 90000).Draw(t, "past money"), Currency: rapid.SampledFrom([]hotel.Currency{"EUR", "EUR", "CHF"}).Draw(t, "past currency")}
			h.Revenue = &m
		}
		b.History = append(b.History, h)
	}
	for range rapid.IntRange(0, 8).Draw(t, "bookings") {
		b.Bookings = append(b.Bookings, drawBooking(t, len(b.Bookings)))
	}
	return b
}

func drawBooking(t *rapid.T, n int) hotel.Reservation {
	statuses := []hotel.ReservationStatus{
		hotel.Enquired, hotel.Requested, hotel.Held, hotel.Waitlisted, hotel.Confirmed, hotel.Confirmed, hotel.CheckedIn, hotel.CheckedOut,
		hotel.Cancelled, hotel.NoShow, hotel.Declined,
	}
	in := innSpan.From + hotel.Date(rapid.IntRange(-4, 5).Draw(t, "in"))
	nights := rapid.IntRange(1, 5).Draw(t, "nights")
	r := hotel.Reservation{
		Entity: hotel.Entity{ID: string(rune('a' + n))}, Status: rapid.SampledFrom(statuses).Draw(t, "status"),
		RoomTypeID: rapid.SampledFrom([]string{"double", "twin", "suite"}).Draw(t, "room"), RatePlanID: "flex",
		Stay:   hotel.Stay{CheckIn: in, CheckOut: in + hotel.Date(nights)},
		Adults: rapid.IntRange(1, 3).Draw(t, "adults"), ChildrenAges: make([]int, rapid.IntRange(0, 1).Draw(t, "children")),
		Source: hotel.Source{
			ChannelID: rapid.SampledFrom([]string{hotel.Direct, "ch1", "ch2"}).Draw(t, "channel"),
			BookedAt:  (in - hotel.Date(rapid.IntRange(-1, 100).Draw(t, "lead"))).At(rapid.IntRange(0, 23).Draw(t, "hour"), 0, time.UTC),
		},
		Segment: rapid.SampledFrom([]string{"", "leisure"}).Draw(t, "segment"),
		Free:    rapid.IntRange(0, 9).Draw(t, "free") == 0, HouseUse: rapid.IntRange(0, 9).Draw(t, "house") == 0,
	}
	if rapid.IntRange(0, 3).Draw(t, "moved") == 0 {
		r.EarlierRooms = []hotel.EarlierRoom{{Until: in + 1, RoomTypeID: "suite"}}
	}
	if rapid.IntRange(0, 4).Draw(t, "no price") > 0 {
		amount := func(name string) int64 { return rapid.Int64Range(0, 50000).Draw(t, name) }
		costs(amount("net"), amount("extras"), amount("vat"))(&r)
		for i := range r.Nightly {
			r.Nightly[i].Amount.Minor = rapid.Int64Range(0, 3).Draw(t, "nightly")
		}
		if rapid.IntRange(0, 5).Draw(t, "francs") == 0 {
			r.Totals.Room.Currency = "CHF"
		}
	}
	if r.Status == hotel.Cancelled || r.Status == hotel.NoShow {
		r.Cancel = penalty(rapid.Int64Range(0, 20000).Draw(t, "charge"))
		r.Cancel.Waived = rapid.Bool().Draw(t, "waived")
	}
	if r.Source.ChannelID != hotel.Direct && rapid.Bool().Draw(t, "told") {
		m := euros(rapid.Int64Range(0, 9000).Draw(t, "commission"))
		r.Commission = &m
	}
	return r
}

// model counts one date after the other, booking by booking, from what the words of
// the figures say.
type model struct {
	Books
	span hotel.Span
	only func(r *hotel.Reservation, room string) bool
	sums func(h *History) bool
}

func (m *model) eachNight(do func(d hotel.Date, r *hotel.Reservation, room string)) {
	for d := m.span.From; d <= m.span.To; d++ {
		for i := range m.Bookings {
			r := &m.Bookings[i]
			live := r.Status == hotel.Confirmed || r.Status == hotel.CheckedIn || r.Status == hotel.CheckedOut
			room := r.RoomTypeID
			if len(r.EarlierRooms) > 0 && d < r.EarlierRooms[0].Until {
				room = r.EarlierRooms[0].RoomTypeID
			}
			if live && d >= r.Stay.CheckIn && d < r.Stay.CheckOut && m.only(r, room) {
				do(d, r, room)
			}
		}
	}
}

// euroPart is the part of a stay's amount that falls on its n-th night: the rounded
// sum up to it less the rounded sum before it.
func euroPart(r *hotel.Reservation, amount int64, n int) int64 {
	upTo := func(n int) int64 {
		whole, before := new(big.Rat), new(big.Rat)
		for i, night := range r.Nightly {
			w := big.NewRat(night.Amount.Minor, 1)
			whole.Add(whole, w)
			if i < n {
				before.Add(before, w)
			}
		}
		if whole.Sign() == 0 {
			whole, before = big.NewRat(int64(len(r.Nightly)), 1), big.NewRat(int64(n), 1)
		}
		x := before.Mul(before, big.NewRat(amount, 1))
		x.Quo(x, whole).Add(x, big.NewRat(1, 2))
		return new(big.Int).Div(x.Num(), x.Denom()).Int64()
	}
	return upTo(n+1) - upTo(n)
}

func inEuros(r *hotel.Reservation) bool { return r.Totals != nil && r.Totals.Room.Currency == "EUR" }

// figures are the sums that the reports' figures rest on.
func (m *model) figures() map[string]int64 {
	f := map[string]int64{}
	for _, s := range m.Supply {
		if m.span.Contains(s.Night) {
			f["rooms_available"] += int64(s.Available)
		}
	}
	m.eachNight(func(d hotel.Date, r *hotel.Reservation, room string) {
		rooms := int64(m.Rooms[room])
		f["guests"] += int64(r.Adults + len(r.ChildrenAges))
		if d == r.Stay.CheckIn {
			f["arrivals"] += rooms
		} else {
			f["stayovers"] += rooms
		}
		n := int(d - r.Stay.CheckIn)
		switch {
		case r.HouseUse:
			f["rooms_house_use"] += rooms
		case r.Free:
			f["rooms_complimentary"] += rooms
		default:
			f["rooms_sold"] += rooms
			if !inEuros(r) {
				f["rooms_sold_without_price"] += rooms
				return
			}
			f["room_revenue"] += euroPart(r, r.Totals.Room.Minor, n)
			f["vat"] += euroPart(r, r.Totals.VAT.Minor, n)
		}
		if inEuros(r) {
			f["extras_revenue"] += euroPart(r, r.Totals.Extras.Minor, n)
		}
	})
	for _, h := range m.History {
		if m.sums == nil || !m.span.Contains(h.Night) || !m.sums(&h) {
			continue
		}
		f["rooms_sold"] += int64(h.Rooms)
		if h.Revenue != nil && h.Revenue.Currency == "EUR" {
			f["room_revenue"] += h.Revenue.Minor
		} else {
			f["rooms_sold_without_price"] += int64(h.Rooms)
		}
	}
	for i := range m.Bookings {
		r := &m.Bookings[i]
		room := r.RoomTypeID
		if len(r.EarlierRooms) > 0 {
			room = r.EarlierRooms[0].RoomTypeID
		}
		if m.span.Contains(r.Stay.CheckIn) && m.only(r, room) {
			m.arriving(f, r, int64(m.Rooms[room]))
		}
	}
	return f
}

func (m *model) arriving(f map[string]int64, r *hotel.Reservation, rooms int64) {
	switch r.Status {
	case hotel.Enquired, hotel.Waitlisted, hotel.Declined:
		return
	case hotel.Requested, hotel.Held, hotel.Confirmed, hotel.CheckedIn, hotel.CheckedOut:
	case hotel.Cancelled, hotel.NoShow:
		f["lost_room_nights"] += rooms * int64(r.Stay.Nights())
		if inEuros(r) && !r.Free && !r.HouseUse {
			f["lost_revenue"] += r.Totals.Room.Minor
		}
		charge := r.Cancel.Penalty.Minor
		if r.Cancel.Waived {
			charge = 0
		}
		net := charge
		if r.Totals != nil && r.Totals.Gross.Minor != 0 {
			x := big.NewRat(charge*(r.Totals.Room.Minor+r.Totals.Extras.Minor), r.Totals.Gross.Minor)
			net = halfEven(x)
		}
		f["vat"] += charge - net
		if r.Status == hotel.Cancelled {
			f["cancelled"]++
			f["cancellation_fees"] += net
		} else {
			f["no_shows"]++
			f["room_revenue"] += net
		}
	}
	f["booked"]++
}

func halfEven(x *big.Rat) int64 {
	twice := new(big.Rat).Mul(x, big.NewRat(2, 1))
	down := new(big.Int).Div(x.Num(), x.Denom())
	if twice.IsInt() && twice.Num().Bit(0) == 1 { // just between
		return down.Int64() + int64(down.Bit(0))
	}
	up := new(big.Rat).Add(x, big.NewRat(1, 2))
	return new(big.Int).Div(up.Num(), up.Denom()).Int64()
}

// Totals and rows are those of a plain count.
func TestReportsEqualAPlainCount(t *testing.T) {
	everything := func(*hotel.Reservation, string) bool { return true }
	rapid.Check(t, func(t *rapid.T) {
		b := drawBooks(t)
		want := (&model{b, innSpan, everything, func(*History) bool { return true }}).figures()
		for _, d := range Definitions {
			if d.Name == "pickup" {
				continue
			}
			by := rapid.SliceOfNDistinct(rapid.SampledFrom(Dimensions), 0, 2, rapid.ID[Dimension]).Draw(t, "by")
			r := d.Make(Query{Span: innSpan, Currency: "EUR", GroupBy: by}, Set{Books: []Books{b}}, nil, nil)
			for i, f := range d.Figures {
				sum, counted := want[f.Name]
				if counted && d.Name != "lead-time" && r.Totals.Values[i] != known(sum) {
					t.Fatalf("%s of %s is %v, want %d", f.Name, d.Name, r.Totals.Values[i], sum)
				}
				checkRows(t, r, i)
			}
		}
		byRoom := Named("occupancy").Make(Query{Span: innSpan, Currency: "EUR", GroupBy: []Dimension{ByRoomType, ByChannel}}, Set{Books: []Books{b}}, nil, nil)
		for _, row := range byRoom.Rows {
			of := (&model{b, innSpan, func(r *hotel.Reservation, room string) bool {
				return room == row.Key[0] && r.Source.ChannelID == row.Key[1]
			}, func(h *History) bool { return h.RoomTypeID == row.Key[0] && h.ChannelID == row.Key[1] }}).figures()
			if got := row.Values[3]; got != known(of["rooms_sold"]) {
				t.Fatalf("%v sold %v, want %d", row.Key, got, of["rooms_sold"])
			}
		}
	})
}

// checkRows sees that a figure that can be added up comes to the total.
func checkRows(t *rapid.T, r Report, figure int) {
	f := r.Figures[figure]
	derived := []string{"adr", "revpar", "trevpar", "net_room_revenue", "net_adr", "adr_pickup"}
	if f.Kind != Count && f.Kind != Amount || slices.Contains(derived, f.Name) || !r.Totals.Values[figure].Known {
		return
	}
	var sum int64
	for _, row := range r.Rows {
		if !row.Values[figure].Known {
			return // it cannot be told apart
		}
		sum += row.Values[figure].N
	}
	if sum != r.Totals.Values[figure].N && !slices.Contains([]string{"rooms_total", "rooms_available", "rooms_out_of_order", "rooms_blocked"}, f.Name) {
		t.Fatalf("rows of %s by %v come to %d, the total is %d", f.Name, r.GroupBy, sum, r.Totals.Values[figure].N)
	}
}

// A booking with an exchange counts as if it had been made in the report's currency.
func TestAnExchangeChangesNothing(t *testing.T) {
	double := func(m hotel.Money) hotel.Money { return hotel.Money{Minor: 2 * m.Minor, Currency: "CHF"} }
	rapid.Check(t, func(t *rapid.T) {
		b := drawBooks(t)
		abroad := b
		abroad.Bookings = slices.Clone(b.Bookings)
		for i := range abroad.Bookings {
			r := &abroad.Bookings[i]
			if !inEuros(r) || rapid.Bool().Draw(t, "at home") {
				continue
			}
			totals := *r.Totals
			totals.Room, totals.Extras, totals.VAT, totals.Gross = double(totals.Room), double(totals.Extras), double(totals.VAT), double(totals.Gross)
			r.Totals, r.Exchange = &totals, &hotel.BookingExchange{Rate: "0.5", From: "CHF", To: "EUR"}
			if r.Commission != nil {
				m := double(*r.Commission)
				r.Commission = &m
			}
			if r.Cancel != nil {
				cancel, m := *r.Cancel, double(*r.Cancel.Penalty)
				cancel.Penalty = &m
				r.Cancel = &cancel
			}
		}
		for _, d := range Definitions {
			q := Query{Span: innSpan, Currency: "EUR", GroupBy: []Dimension{ByDay}}
			set := func(b Books) Set {
				return Set{Books: []Books{b}, Since: []Books{{Property: b.Property}}, LastYear: []Books{b}}
			}
			one, other := d.Make(q, set(b), nil, nil), d.Make(q, set(abroad), nil, nil)
			if !reflect.DeepEqual(one.Rows, other.Rows) || !reflect.DeepEqual(one.Totals, other.Totals) {
				t.Fatalf("%s differs", d.Name)
			}
		}
	})
}

// Where prices are net of commission, it is part of what the room brought.
func TestNetPricesHaveTheirCommissionAdded(t *testing.T) {
	r := stayed("n", "double", "2026-12-01", "2026-12-03", hotel.Confirmed, costs(20000, 0, 0))
	r.Source.ChannelID, r.NetOfCommission = "ch1", true
	told := euros(3000)
	for name, c := range map[string]struct {
		commission *hotel.Money
		revenue    int64
	}{"told": {&told, 23000}, "not told": {nil, 20000}} {
		r.Commission = c.commission
		b := Books{Property: hotel.Property{TimeZone: "UTC", Currency: "EUR"}, Bookings: []hotel.Reservation{r}, Commissions: map[string]hotel.Commission{"ch1": {Pct: "10"}}}
		got := Named("revenue").Make(Query{Span: innSpan, Currency: "EUR"}, Set{Books: []Books{b}}, nil, nil)
		if got.Totals.Values[0] != known(c.revenue) {
			t.Errorf("%s: room revenue %v, want %d", name, got.Totals.Values[0], c.revenue)
		}
	}
}

// Nobody has to click: a guest who was booked in has slept here.
func TestClickingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBooks(t)
		clicked := b
		clicked.Bookings = slices.Clone(b.Bookings)
		for i := range b.Bookings {
			if onTheBooks(&b.Bookings[i]) {
				b.Bookings[i].Status = hotel.Confirmed
				clicked.Bookings[i].Status = rapid.SampledFrom([]hotel.ReservationStatus{hotel.CheckedIn, hotel.CheckedOut}).Draw(t, "clicked")
			}
		}
		for _, d := range Definitions {
			q := Query{Span: innSpan, Currency: "EUR", GroupBy: []Dimension{ByDay}}
			set := func(b Books) Set {
				return Set{Books: []Books{b}, Since: []Books{{Property: b.Property}}, LastYear: []Books{b}}
			}
			one, other := d.Make(q, set(b), nil, nil), d.Make(q, set(clicked), nil, nil)
			if !reflect.DeepEqual(one.Rows, other.Rows) || !reflect.DeepEqual(one.Totals, other.Totals) {
				t.Fatalf("%s differs", d.Name)
			}
		}
	})
}

// What came onto the books less what went off them is what there is more.
func TestPickupIsTheDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		since, until := drawBooks(t), drawBooks(t)
		everything := func(*hotel.Reservation, string) bool { return true }
		nights := func(b Books) (rooms int64) {
			(&model{Books: b, span: innSpan, only: everything}).eachNight(func(_ hotel.Date, r *hotel.Reservation, room string) {
				if !r.Free && !r.HouseUse {
					rooms += int64(b.Rooms[room])
				}
			})
			return rooms
		}
		d := Named("pickup")
		r := d.Make(Query{Span: innSpan, Currency: "EUR"}, Set{Books: []Books{until}, Since: []Books{since}, LastYear: []Books{{}}}, nil, nil)
		if got, want := r.Totals.Values[2], known(nights(until)-nights(since)); got != want {
			t.Fatalf("rooms_net is %v, want %v", got, want)
		}
		if got, want := r.Totals.Values[5], known(nights(until)); got != want {
			t.Fatalf("otb_rooms is %v, want %v", got, want)
		}
	})
}

// What a pickup is compared with is that of the dates it is compared with, and so is the
// year before.
func TestPickupBesideThatOfBefore(t *testing.T) {
	everything := func(*hotel.Reservation, string) bool { return true }
	nights := func(b Books, span hotel.Span) (rooms int64) {
		(&model{Books: b, span: span, only: everything}).eachNight(func(_ hotel.Date, r *hotel.Reservation, room string) {
			if !r.Free && !r.HouseUse {
				rooms += int64(b.Rooms[room])
			}
		})
		return rooms
	}
	moved := func(b Books, by hotel.Date) Books {
		b.History = nil
		for i := range b.Bookings {
			r := &b.Bookings[i]
			r.Stay.CheckIn, r.Stay.CheckOut = r.Stay.CheckIn-by, r.Stay.CheckOut-by
			for j := range r.EarlierRooms {
				r.EarlierRooms[j].Until -= by
			}
			for j := range r.Nightly {
				r.Nightly[j].Date -= by
			}
		}
		return b
	}
	rapid.Check(t, func(t *rapid.T) {
		const days = 7
		since, until, year := moved(drawBooks(t), days), moved(drawBooks(t), days), moved(drawBooks(t), days+Year)
		q := Query{Span: innSpan, Currency: "EUR", GroupBy: rapid.SampledFrom([][]Dimension{nil, {ByDay}, {ByRoomType}}).Draw(t, "by")}
		then := q
		then.Dated = func(d hotel.Date) (hotel.Date, bool) { return d + days, true }
		none := []Books{{}}
		r := Named("pickup").Make(q, Set{Books: none, Since: none, LastYear: none}, &then, &Set{Books: []Books{until}, Since: []Books{since}, LastYear: []Books{year}})
		week := hotel.Span{From: innSpan.From - days, To: innSpan.To - days}
		want := map[string]int64{
			"rooms_net": nights(until, week) - nights(since, week), "otb_rooms": nights(until, week),
			"otb_last_year": nights(year, hotel.Span{From: week.From - Year, To: week.To - Year}),
		}
		for i, f := range r.Figures {
			n, counted := want[f.Name]
			if !counted {
				continue
			}
			var rows int64
			for _, row := range r.Rows {
				rows += row.Before[i].N
			}
			if r.Totals.Values[i] != known(0) || r.Totals.Before[i] != known(n) || rows != n {
				t.Fatalf("%s is %v beside %v, in rows %d, want 0 beside %d", f.Name, r.Totals.Values[i], r.Totals.Before[i], rows, n)
			}
		}
	})
}

// Parts add up, and none is further than a cent from its share.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(-1000000, 1000000).Draw(t, "amount")
		weights := rapid.SliceOfN(rapid.Int64Range(0, 100), 1, 9).Draw(t, "weights")
		var sum, whole int64
		for _, w := range weights {
			whole += w
		}
		for i, part := range spread(amount, weights) {
			sum += part
			if whole == 0 {
				continue
			}
			off := new(big.Rat).Sub(big.NewRat(part, 1), big.NewRat(amount*weights[i], whole))
			if off.Abs(off).Cmp(big.NewRat(1, 1)) > 0 {
				t.Fatalf("part %d of %d over %v is %d", i, amount, weights, part)
			}
		}
		if sum != amount {
			t.Fatalf("parts come to %d", sum)
		}
	})
}

func TestWeeksBeginOnMonday(t *testing.T) {
	for date, want := range map[string]string{"2026-11-29": "2026-11-23", "2026-11-30": "2026-11-30", "2026-12-06": "2026-11-30"} {
		if got := (&place{}).in(ByWeek, day(date)); got != want {
			t.Errorf("%s is in the week of %s, want %s", date, got, want)
		}
	}
}

// What an earlier system had on the books a year ago counts as what was booked here,
// and nothing that rests on nights which were not over then is a number.
func TestHistoryOfNightsThatWereNotOver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawBooks(t)
		var rooms int64
		for i := range b.History {
			b.History[i].Night -= Year
			if innSpan.Contains(b.History[i].Night + Year) {
				rooms += int64(b.History[i].Rooms)
			}
		}
		pickup := func(b Books) Value {
			r := Named("pickup").Make(Query{Span: innSpan, Currency: "EUR"}, Set{Books: []Books{{}}, Since: []Books{{}}, LastYear: []Books{{Property: b.Property, History: b.History}}}, nil, nil)
			return r.Totals.Values[7]
		}
		if got := pickup(b); got != known(rooms) {
			t.Fatalf("otb_last_year is %v, want %d", got, rooms)
		}
		in := innSpan.From - Year
		b.History = append(b.History, History{PastSales: hotel.PastSales{Night: in, RoomTypeID: "suite", Rooms: 1}, Later: true})
		if got := pickup(b); got.Known {
			t.Fatalf("otb_last_year is %v, of a night that was still to come", got)
		}
	})
}

// Every figure that more rooms sold, or more revenue, would change is told only where
// they are known.
func TestNoNumberRestsOnNightsThatAreNotKnown(t *testing.T) {
	b := Books{
		Property: hotel.Property{Entity: hotel.Entity{ID: "inn"}, TimeZone: "UTC", Currency: "EUR"}, Rooms: map[string]int{"double": 1},
		Supply:   []Supply{{innSpan.From, "double", 9, 9, 0}},
		Bookings: []hotel.Reservation{stayed("a", "double", innSpan.From.String(), (innSpan.From + 1).String(), hotel.Confirmed, costs(10000, 0, 0))},
	}
	more := b
	more.History = []History{{PastSales: hotel.PastSales{Night: innSpan.From, RoomTypeID: "double", ChannelID: "ch1", Rooms: 3, Revenue: &hotel.Money{Minor: 20001, Currency: "EUR"}}}}
	later := more
	later.History = []History{{PastSales: more.History[0].PastSales, Later: true}}
	for _, name := range []string{"occupancy", "revenue", "channels", "cancellations", "lead-time"} {
		d := Named(name)
		for _, by := range [][]Dimension{nil, {ByRoomType}} {
			values := func(b Books) Row {
				r := d.Make(Query{Span: innSpan, Currency: "EUR", GroupBy: by}, Set{Books: []Books{b}}, nil, nil)
				if len(by) > 0 {
					return r.Rows[0]
				}
				return r.Totals
			}
			was, would, is := values(b), values(more), values(later)
			for i, f := range d.Figures {
				if changes := was.Values[i] != would.Values[i]; changes && is.Values[i].Known {
					t.Errorf("%s of %s is %v, of nights that are not known", f.Name, name, is.Values[i])
				}
			}
		}
	}
}
