package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"ostler.example/hotel"
)

// longer gives the house a horizon that updates of all its nights are too large
// for one item with.
func (h *house) longer(t tb) {
	t.Helper()
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 249)")
	h.property.HorizonDays = 249
	err := h.write(context.Background(), bulk, tester, func(t *tx) error {
		s, err := t.structure(h.property.ID)
		if err != nil {
			return err
		}
		a := affected{property: h.property.ID, stock: true, prices: true, rules: true, products: s.selling(product{}), nights: nightSet{}}
		a.nights.addSpan(h.span(0, 249).Span)
		return t.derive(s, a, t.heads.sequence)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (h *house) price(t tb, room hotel.RoomType, night hotel.Date) hotel.RateCell {
	t.Helper()
	return must(h.RateCells(context.Background(), hotel.CellQuery{PropertyID: h.property.ID, Span: h.span(night, night).Span, RoomTypeIDs: []string{room.ID}, RatePlanIDs: []string{h.flex.ID}}))(t)[0]
}

func (h *house) euros(minor int64) hotel.Optional[hotel.Money] {
	return hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})
}

// A large update is in force at once for everybody who reads, long before it is
// in the tables; what others write meanwhile stays, through restarts at every
// step.
func TestLargeUpdateIsInForceAtOnce(t *testing.T) {
	h := newHouse(t)
	h.longer(t)
	ctx := context.Background()
	must(h.Board(ctx, h.property.ID))(t) // somebody reads the board
	entry := func(r hotel.RoomType, amount hotel.Optional[hotel.Money]) hotel.RateEntry {
		return hotel.RateEntry{RoomTypeID: r.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 249), Amount: amount}
	}
	upd := must(h.updateRates(entry(h.double, h.euros(100)), entry(h.suite, h.euros(200))))(t)
	if upd.CellsChanged != 500 || h.number(t, "SELECT COUNT(*) FROM fact_night WHERE version >= ?", upd.Sequence-1) != 0 {
		t.Fatalf("update %+v reached the tables already", upd)
	}
	second := must(h.updateRates(entry(h.double, h.euros(300))))(t) // a second one over the first
	must(h.updateRates(
		hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(150, 150), Amount: h.euros(400)},
		hotel.RateEntry{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, Dates: h.span(151, 151), Amount: null[hotel.Money]()},
	))(t)
	check := func() {
		t.Helper()
		for night, want := range map[hotel.Date][2]int64{0: {300, 200}, 150: {400, 200}, 151: {300, -1}, 249: {300, 200}} {
			got := [2]int64{-1, -1}
			for i, r := range []hotel.RoomType{h.double, h.suite} {
				if own := h.price(t, r, night).Base; own != nil {
					got[i] = own.Minor
				}
			}
			if got != want {
				t.Fatalf("night %d has %v, want %v", night, got, want)
			}
		}
		if diff := sameBoard(h.freshBoard(t), must(h.Board(ctx, h.property.ID))(t)); diff != "" {
			t.Fatal(diff)
		}
	}
	check()
	if v := h.price(t, h.double, 0).Version; v != second.Sequence {
		t.Errorf("version %d, stored by %d", v, second.Sequence)
	}
	for more := true; more; {
		more = must(h.DeriveDue(ctx))(t)
		check()
		h.reopen(t)
		check()
	}
	h.checkHouse(t)
	if len(h.layers.by) != 0 {
		t.Errorf("%d layers are left", len(h.layers.by))
	}
	for _, s := range sheets { // every value is in the tables now
		if n := h.number(t, "SELECT COUNT(*) FROM fact_night WHERE sheet = ?", string(s)); (n > 0) != (s == priceSheet) {
			t.Errorf("%d %s facts", n, s)
		}
	}
}

// number returns the number that a query gives.
func (h *house) number(t tb, query string, args ...any) int {
	t.Helper()
	n := 0
	if err := h.readDB.QueryRowContext(context.Background(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A booking between the proposal and its storing is on the board, and does not make
// the proposal void.
func TestLargeUpdateBesideABooking(t *testing.T) {
	h := newHouse(t)
	h.longer(t)
	ctx := context.Background()
	must(h.Board(ctx, h.property.ID))(t)
	drawn := 0
	in := h.largePrices(func() {
		drawn++
		must2(h.book(h.double, h.today+3, h.today+4, hotel.Once{}))(t)
	})
	must2(h.update(ctx, tester, hotel.Once{}, in))(t)
	if drawn != 1 {
		t.Errorf("drawn up %d times", drawn)
	}
	if diff := sameBoard(h.freshBoard(t), must(h.Board(ctx, h.property.ID))(t)); diff != "" {
		t.Error(diff)
	}
	h.deriveAll(t)
	h.checkHouse(t)
}

// largePrices is a large update of the double's prices to 50.00. meanwhile runs
// while it is drawn up.
func (h *house) largePrices(meanwhile func()) request {
	in := request{kind: "rates", property: h.property.ID, source: "api"}
	e := hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 249), Amount: h.euros(5000)}
	in.count(e.Dates, 1)
	in.draw = func(ctx context.Context, p *proposal) error {
		meanwhile()
		prices, err := proposePrices(ctx, p)
		if err != nil {
			return err
		}
		return p.enter(0, e.Dates, e.ExpectedVersion, nil, func() ([]target, error) {
			return []target{prices.subject(product{e.RoomTypeID, e.RatePlanID}.subject(), func(_ hotel.Date, v priceFact) (priceFact, error) {
				return v.with(e, terms{p.source, hotel.RateRankOf(&p.s.property), p.today}), nil
			})}, nil
		})
	}
	return in
}

// Whoever writes one of the nights while a large update is drawn up comes before
// it: the update knows of it, and wins as the later one.
func TestLargeUpdateIsDrawnUpAgain(t *testing.T) {
	ctx := context.Background()
	small := func(h *house, t tb, amount int64) {
		t.Helper()
		must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(7, 7), Amount: h.euros(amount)}))(t)
	}
	for _, test := range []struct {
		name      string
		meanwhile func(h *house, t tb, drawn int)
		want      int
	}{
		{"one of its prices", func(h *house, t tb, drawn int) {
			if drawn == 1 {
				small(h, t, 777)
			}
		}, 2},
		{"the price of another product", func(h *house, t tb, _ int) {
			must(h.updateRates(hotel.RateEntry{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, Dates: h.span(7, 7), Amount: h.euros(777)}))(t)
		}, 1},
		{"a restriction of the same product", func(h *house, t tb, _ int) {
			must(h.updateRules(hotel.RestrictionEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(7, 7), Closed: hotel.Given(true)}))(t)
		}, 1},
		{"what the house is made of", func(h *house, t tb, drawn int) {
			if drawn == 1 {
				must2(h.CreatePool(ctx, tester, hotel.Once{}, hotel.Pool{PropertyID: h.property.ID, Code: "annex", Name: "Annex", TotalUnits: 3, Status: hotel.Active}))(t)
			}
		}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			h.longer(t)
			must(h.Board(ctx, h.property.ID))(t)
			drawn := 0
			upd, _, err := h.update(ctx, tester, hotel.Once{}, h.largePrices(func() {
				drawn++
				test.meanwhile(h, t, drawn)
			}))
			if err != nil || drawn != test.want || upd.CellsChanged != 250 {
				t.Errorf("drawn up %d times, want %d; %+v, %v", drawn, test.want, upd, err)
			}
			if got := h.price(t, h.double, 7).Base.Minor; got != 5000 {
				t.Errorf("price %d", got)
			}
			if diff := sameBoard(h.freshBoard(t), must(h.Board(ctx, h.property.ID))(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
	t.Run("again and again", func(t *testing.T) {
		h := newHouse(t)
		h.longer(t)
		n := int64(0)
		_, _, err := h.update(ctx, tester, hotel.Once{}, h.largePrices(func() {
			n++
			small(h, t, n)
		}))
		if refusedAs(err) != "temporarily_unavailable" || n != mostTries {
			t.Errorf("after %d tries told %v", n, err)
		}
		if got := h.price(t, h.double, 7).Base.Minor; got != n {
			t.Errorf("price %d", got)
		}
	})
}

func TestPartialUpdate(t *testing.T) {
	h := newHouse(t)
	version := h.price(t, h.double, 0).Version + 1000
	euro := h.euros(900)
	upd, _, err := h.UpdateRates(context.Background(), tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Partial: true, Entries: []hotel.RateEntry{
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 1), Amount: euro},
		{RoomTypeID: "x", RatePlanID: h.flex.ID, Dates: h.span(0, 1), Amount: euro},
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(-1, 1), Amount: h.euros(1)},
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 0), Amount: h.euros(2), ExpectedVersion: &version},
		{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, Dates: h.span(3, 3), Amount: h.euros(-1)},
		{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, Dates: h.span(4, 4), Amount: euro},
	}})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, r := range upd.Results {
		if len(r.Faults) == 0 {
			told = append(told, "applied")
			continue
		}
		told = append(told, r.Faults[0].Code+" at "+r.Faults[0].Pointer)
	}
	want := []string{
		"applied", "unknown_room_type at /entries/1/room_type_id", "date_in_past at /entries/2/date_from",
		"version_conflict at /entries/3/expected_version", "min at /entries/4/values/amount", "applied",
	}
	if !slices.Equal(told, want) || upd.CellsChanged != 3 {
		t.Errorf("told %q, %d cells", told, upd.CellsChanged)
	}
	if a, b := h.price(t, h.double, 0).Base.Minor, h.price(t, h.suite, 3).Base.Minor; a != 900 || b != 10000 {
		t.Errorf("prices %d, %d", a, b)
	}
}

func TestEveryFaultIsTold(t *testing.T) {
	h := newHouse(t)
	_, err := h.updateRates(
		hotel.RateEntry{RoomTypeID: "x", RatePlanID: h.flex.ID, Dates: h.span(0, 1), Amount: h.euros(1)},
		hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 1), Amount: h.euros(1)},
		hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: "x", Dates: h.span(0, 1), Amount: h.euros(1)},
	)
	r := (*hotel.Refusal)(nil)
	if !errors.As(err, &r) || len(r.Items) != 2 || r.Items[1].Pointer != "/entries/2/rate_plan_id" {
		t.Fatalf("told %v", err)
	}
	if got := h.price(t, h.double, 0).Base.Minor; got != 10000 {
		t.Errorf("price %d", got)
	}
}

func TestDryRunStoresNothing(t *testing.T) {
	h := newHouse(t)
	h.longer(t)
	before := must(h.Sequence(context.Background()))(t)
	upd, replayed, err := h.UpdateRates(context.Background(), tester, onceOf("dry", 1), hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", DryRun: true, Entries: []hotel.RateEntry{
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 249), Amount: h.euros(900)},
		{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 59), Amount: h.euros(10000)},
	}})
	if err != nil || replayed || upd.ID != "" || upd.CellsMatched != 310 || upd.CellsChanged != 190 || !slices.Equal(changedBy(upd), []int{250, 60}) {
		t.Errorf("update %+v, %v, %v", upd, replayed, err)
	}
	if got := must(h.Sequence(context.Background()))(t); got != before || h.number(t, "SELECT COUNT(*) FROM idempotency") != 0 {
		t.Error("the dry run left something")
	}
}

// Whoever tries it is told from which nights rooms would be taken that are sold, and
// those are the nights on which somebody is asked when it is done.
func TestDryRunTellsWhoseRoomsItTakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		for range rapid.IntRange(1, 8).Draw(t, "bookings") {
			in := h.today + hotel.Date(rapid.IntRange(0, 4).Draw(t, "in"))
			room := rapid.SampledFrom([]hotel.RoomType{h.double, h.suite}).Draw(t, "room")
			_, _, _ = h.book(room, in, in+hotel.Date(rapid.IntRange(1, 3).Draw(t, "nights")), hotel.Once{}) // none may be left
		}
		var entries []hotel.InventoryEntry
		for range rapid.IntRange(1, 3).Draw(t, "entries") {
			first := hotel.Date(rapid.IntRange(0, 4).Draw(t, "first"))
			e := hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(first, first+hotel.Date(rapid.IntRange(0, 3).Draw(t, "days")))}
			switch rapid.IntRange(0, 2).Draw(t, "what") {
			case 0:
				e.Total = hotel.Given(rapid.IntRange(0, 6).Draw(t, "total"))
			case 1:
				e.OutOfOrder = hotel.Given(rapid.IntRange(0, 2).Draw(t, "out"))
			case 2:
				e.Overbooking = hotel.Given(rapid.IntRange(0, 1).Draw(t, "overbooking"))
			}
			entries = append(entries, e)
		}
		u := hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", DryRun: true, Entries: entries}
		tried, _, err := h.UpdateInventory(context.Background(), tester, hotel.Once{}, u)
		if err != nil {
			t.Skip(err) // more units away than there are
		}
		u.DryRun = false
		must2(h.UpdateInventory(context.Background(), tester, hotel.Once{}, u))(t)
		want := map[string]bool{}
		for _, c := range h.conflicts(t, hotel.ConflictOversell) {
			var facts CrowdFacts
			if err := json.Unmarshal(c.Facts, &facts); err != nil {
				t.Fatal(err)
			}
			for _, n := range facts.Crowded {
				for d := n.From; d <= n.To; d++ {
					want[fmt.Sprint(c.Subject.RoomTypeID, d, n.Net)] = true
				}
			}
		}
		got := map[string]bool{}
		for _, o := range tried.Oversold {
			for d := o.From; d <= o.To; d++ {
				got[fmt.Sprint(o.RoomTypeID, d, o.Net)] = true
			}
		}
		if !maps.Equal(got, want) {
			t.Fatalf("told %v, asked about %v", got, want)
		}
	})
}

// The repeat of a large update finds what it did the first time, and a refusal
// is kept like any other.
func TestLargeUpdateIsRepeated(t *testing.T) {
	h := newHouse(t)
	h.longer(t)
	ctx := context.Background()
	send := func(key string, plan string) (hotel.AriUpdate, bool, error) {
		return h.UpdateRates(ctx, tester, onceOf(key, 1), hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.RateEntry{
			{RoomTypeID: h.double.ID, RatePlanID: plan, Dates: h.span(0, 249), Amount: h.euros(900)},
		}})
	}
	first, replayed, err := send("a", h.flex.ID)
	again, repeated, second := send("a", h.flex.ID)
	if err != nil || second != nil || replayed || !repeated || first.ID != again.ID || again.Sequence != first.Sequence {
		t.Errorf("first %+v %v, then %+v %v", first, err, again, second)
	}
	for range 2 {
		if _, _, err := send("b", "x"); refusedAs(err) != "validation_failed" {
			t.Errorf("told %v", err)
		}
	}
	if n := h.number(t, "SELECT COUNT(*) FROM idempotency WHERE refusal <> ''"); n != 1 {
		t.Errorf("%d refusals are kept", n)
	}
}
