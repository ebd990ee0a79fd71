package ledger

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

func (h *house) span(from, to hotel.Date) hotel.Dates {
	return hotel.Dates{Span: hotel.Span{From: h.today + from, To: h.today + to}}
}

func (h *house) updateStock(entries ...hotel.InventoryEntry) (hotel.AriUpdate, error) {
	upd, _, err := h.UpdateInventory(context.Background(), tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "pms", Entries: entries})
	return upd, err
}

func (h *house) updateRates(entries ...hotel.RateEntry) (hotel.AriUpdate, error) {
	upd, _, err := h.UpdateRates(context.Background(), tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Entries: entries})
	return upd, err
}

func (h *house) updateRules(entries ...hotel.RestrictionEntry) (hotel.AriUpdate, error) {
	upd, _, err := h.UpdateRestrictions(context.Background(), tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: h.property.ID, Source: "api", Entries: entries})
	return upd, err
}

func (h *house) stock(t tb, room hotel.RoomType, from, to hotel.Date) []hotel.InventoryCell {
	t.Helper()
	return must(h.Inventory(context.Background(), hotel.InventoryQuery{PropertyID: h.property.ID, Span: h.span(from, to).Span, RoomTypeIDs: []string{room.ID}}))(t).Cells
}

// changedBy lists how many cells each entry changed.
func changedBy(upd hotel.AriUpdate) []int {
	var list []int
	for _, r := range upd.Results {
		list = append(list, r.Changed)
	}
	return list
}

func null[V any]() hotel.Optional[V] { return hotel.Optional[V]{Set: true, Null: true} }

func TestUpdateTouchesTheNightsThatItNames(t *testing.T) {
	h := newHouse(t)
	dates := h.span(0, 13) // from a Saturday on
	dates.Weekdays[time.Saturday], dates.Weekdays[time.Sunday] = true, true
	dates.Except = []hotel.Date{h.today + 7}
	upd := must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: dates, SellLimit: hotel.Given(1)}))(t)
	if upd.CellsMatched != 3 || upd.CellsChanged != 3 || upd.Entries != 1 || !slices.Equal(changedBy(upd), []int{3}) {
		t.Errorf("update %+v", upd)
	}
	var limited []hotel.Date
	for _, c := range h.stock(t, h.double, 0, 13) {
		if c.SellLimit != nil {
			limited = append(limited, c.Date-h.today)
			if c.Available != 1 || c.Free != 5 || c.Source != "pms" || !c.UpdatedAt.Equal(h.clock.Now()) {
				t.Errorf("cell %+v", c)
			}
		}
	}
	if !slices.Equal(limited, []hotel.Date{0, 1, 8}) {
		t.Errorf("nights %v", limited)
	}
}

func TestLaterEntryWins(t *testing.T) {
	h := newHouse(t)
	upd := must(h.updateStock(
		hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 2), Total: hotel.Given(9), Closed: hotel.Given(true)},
		hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(1, 2), Total: hotel.Given(3)},
		hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(2, 2), Closed: null[bool]()},
	))(t)
	if !slices.Equal(changedBy(upd), []int{3, 2, 1}) {
		t.Errorf("changed %v", changedBy(upd))
	}
	var got [][2]int
	for _, c := range h.stock(t, h.double, 0, 2) {
		got = append(got, [2]int{c.Total, c.Available})
	}
	if diff := cmp.Diff([][2]int{{9, 0}, {3, 0}, {3, 3}}, got); diff != "" {
		t.Errorf("total and available (-want +got):\n%s", diff)
	}
}

func TestNullPutsTheDefaultBack(t *testing.T) {
	h := newHouse(t)
	must(h.updateStock(hotel.InventoryEntry{
		RoomTypeID: h.double.ID, Dates: h.span(0, 0), Total: hotel.Given(9), OutOfOrder: hotel.Given(2), Overbooking: hotel.Given(1), SellLimit: hotel.Given(4),
	}))(t)
	must(h.updateStock(hotel.InventoryEntry{
		RoomTypeID: h.double.ID, Dates: h.span(0, 0), Total: null[int](), OutOfOrder: null[int](), Overbooking: null[int](), SellLimit: null[int](),
	}))(t)
	if c := h.stock(t, h.double, 0, 0)[0]; c.Total != 5 || c.OutOfOrder != 0 || c.Overbooking != 0 || c.SellLimit != nil || c.Available != 5 {
		t.Errorf("cell %+v", c)
	}
	ctx := context.Background()
	must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, Dates: h.span(0, 0), Amount: hotel.Given(hotel.Money{Minor: 5, Currency: "EUR"})}))(t)
	cell := func(p hotel.RatePlan) hotel.RateCell {
		t.Helper()
		return must(h.RateCells(ctx, hotel.CellQuery{PropertyID: h.property.ID, Span: h.span(0, 0).Span, RoomTypeIDs: []string{h.double.ID}, RatePlanIDs: []string{p.ID}}))(t)[0]
	}
	if c := cell(h.saver); c.Origin != hotel.ManualOverride || c.Amount.Minor != 5 {
		t.Errorf("a price of its own: %+v", c)
	}
	must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, Dates: h.span(0, 0), Amount: null[hotel.Money]()}))(t)
	if c := cell(h.saver); c.Origin != hotel.DerivedPrice || c.Amount.Minor != 9000 {
		t.Errorf("derived again: %+v", c)
	}
	must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 0), Amount: null[hotel.Money]()}))(t)
	if c := cell(h.saver); c.Amount != nil || c.Origin != hotel.NoPrice {
		t.Errorf("derived from nothing: %+v", c)
	}
	h.checkHouse(t)
}

func TestUpdateThatChangesNothing(t *testing.T) {
	h := newHouse(t)
	entry := hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 5), OutOfOrder: hotel.Given(1)}
	must(h.updateStock(entry))(t)
	sequence, version := must(h.Sequence(context.Background()))(t), h.stock(t, h.double, 0, 0)[0].Version
	upd := must(h.updateStock(entry))(t)
	if upd.CellsChanged != 0 || upd.CellsMatched != 6 {
		t.Errorf("update %+v", upd)
	}
	if got := must(h.Sequence(context.Background()))(t); got != sequence {
		t.Errorf("%d entries for nothing", got-sequence)
	}
	if got := h.stock(t, h.double, 0, 0)[0].Version; got != version || version == 0 {
		t.Errorf("version %d, before %d", got, version)
	}
}

func TestExpectedVersion(t *testing.T) {
	h := newHouse(t)
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 1), OutOfOrder: hotel.Given(1)}))(t)
	version := h.stock(t, h.double, 0, 0)[0].Version
	must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 0), ExpectedVersion: &version, OutOfOrder: hotel.Given(2)}))(t)
	_, err := h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 1), ExpectedVersion: &version, OutOfOrder: hotel.Given(3)})
	r := (*hotel.Refusal)(nil)
	if !errors.As(err, &r) || r.Code != "version_conflict" || r.Members["date"] != h.today.String() {
		t.Fatalf("told %v", err)
	}
	if c := h.stock(t, h.double, 1, 1)[0]; c.OutOfOrder != 1 {
		t.Errorf("the refused update was stored in part: %+v", c)
	}
	if rates := must(h.RateCells(context.Background(), hotel.CellQuery{PropertyID: h.property.ID, Span: h.span(0, 0).Span, RoomTypeIDs: []string{h.double.ID}, RatePlanIDs: []string{h.flex.ID}}))(t); rates[0].Version == 0 {
		t.Errorf("price without a version: %+v", rates[0])
	}
	if _, err := h.updateRules(hotel.RestrictionEntry{Dates: h.span(0, 0), ExpectedVersion: new(int64(1)), Closed: hotel.Given(true)}); refusedAs(err) != "version_conflict" {
		t.Errorf("a version of what was never written: %v", err)
	}
}

func TestUpdateRefusals(t *testing.T) {
	h := newHouse(t)
	euro := hotel.Given(hotel.Money{Minor: 1, Currency: "EUR"})
	late := h.span(0, 0)
	late.From, late.To = h.today-1, h.today
	many := make([]hotel.InventoryEntry, 1000)
	for i := range many {
		many[i] = hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(-40, 60), OutOfOrder: hotel.Given(1)}
	}
	three, two := hotel.Given(3), hotel.Given(2)
	for _, test := range []struct {
		name, code, item, pointer string
		do                        func() (hotel.AriUpdate, error)
	}{
		{"ends before it begins", "validation_failed", "date_order", "/entries/0/date_to", func() (hotel.AriUpdate, error) {
			return h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(2, 1)})
		}},
		{"in the past", "validation_failed", "date_in_past", "/entries/0/date_from", func() (hotel.AriUpdate, error) {
			return h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: late})
		}},
		{"beyond the horizon", "validation_failed", "date_horizon", "/entries/1/date_to", func() (hotel.AriUpdate, error) {
			return h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 60)}, hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 61)})
		}},
		{"too many cells", "body_too_large", "", "", func() (hotel.AriUpdate, error) { return h.updateStock(many...) }},
		{"a shared pool", "validation_failed", "pool_owned", "/entries/0/room_type_id", func() (hotel.AriUpdate, error) {
			return h.updateStock(hotel.InventoryEntry{RoomTypeID: h.twin.ID, Dates: h.span(0, 0), Total: two})
		}},
		{"a limit of a pool", "validation_failed", "pool_owned", "/entries/0/values", func() (hotel.AriUpdate, error) {
			return h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(0, 0), SellLimit: two})
		}},
		{"no room type", "validation_failed", "unknown_room_type", "/entries/0/room_type_id", func() (hotel.AriUpdate, error) {
			return h.updateStock(hotel.InventoryEntry{RoomTypeID: "x", Dates: h.span(0, 0), Total: two})
		}},
		{"no pool", "validation_failed", "unknown_pool", "/entries/0/pool_id", func() (hotel.AriUpdate, error) {
			return h.updateStock(hotel.InventoryEntry{PoolID: "x", Dates: h.span(0, 0), Total: two})
		}},
		{"no plan", "validation_failed", "unknown_rate_plan", "/entries/0/rate_plan_id", func() (hotel.AriUpdate, error) {
			return h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: "x", Dates: h.span(0, 0), Amount: euro})
		}},
		{"another currency", "validation_failed", "currency_mismatch", "/entries/0/values/amount", func() (hotel.AriUpdate, error) {
			return h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 0), Amount: hotel.Given(hotel.Money{Minor: 1, Currency: "USD"})})
		}},
		{"a price by occupancy", "validation_failed", "type", "/entries/0/values/occupancy_amounts/1", func() (hotel.AriUpdate, error) {
			return h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 0), Occupancies: map[int]hotel.Optional[hotel.Money]{1: euro}})
		}},
		{"a minimum above the maximum", "validation_failed", "restriction_contradiction", "/entries/0/values/min_stay_arrival", func() (hotel.AriUpdate, error) {
			return h.updateRules(hotel.RestrictionEntry{Dates: h.span(0, 0), MinStayArrival: three, MaxStayArrival: two})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := must(h.Sequence(context.Background()))(t)
			_, err := test.do()
			r := (*hotel.Refusal)(nil)
			if !errors.As(err, &r) || r.Code != test.code {
				t.Fatalf("told %v", err)
			}
			if test.item != "" && (len(r.Items) != 1 || r.Items[0].Code != test.item || r.Items[0].Pointer != test.pointer) {
				t.Errorf("items %+v", r.Items)
			}
			if got := must(h.Sequence(context.Background()))(t); got != before {
				t.Error("the refused update left an entry")
			}
		})
	}
	many[0].From, many[0].To = 0, 1<<31-1
	if _, err := h.updateStock(many[0]); refusedAs(err) == "" {
		t.Errorf("five million years: %v", err)
	}
}

func TestUpdateThroughThePool(t *testing.T) {
	h := newHouse(t)
	upd := must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(0, 0), OutOfInventory: hotel.Given(2)}))(t)
	for _, room := range []hotel.RoomType{h.double, h.twin} {
		if c := h.stock(t, room, 0, 0)[0]; c.Available != 3 {
			t.Errorf("%s: %+v", room.Code, c)
		}
	}
	if upd.CellsChanged != 1 {
		t.Errorf("update %+v", upd)
	}
}

// A large update is current at once for those who read the board; the house
// values that channels follow come in chunks.
func TestLargeUpdateIsDerivedInChunks(t *testing.T) {
	h := newHouse(t)
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 500)")
	h.property.HorizonDays = 500
	ctx := context.Background()
	upd := must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(0, 450), OutOfOrder: hotel.Given(1)}))(t)
	b := must(h.Board(ctx, h.property.ID))(t)
	if got := b.House(h.today + 400)[0].Available; got != 4 {
		t.Errorf("the board has %d", got)
	}
	if kinds := h.kinds(t, upd.Sequence-1); !slices.Equal(kinds, []Kind{StockChanged}) {
		t.Errorf("derived in the update itself: %v", kinds)
	}
	chunks := 0
	for must(h.DeriveDue(ctx))(t) {
		chunks++
		if chunks == 1 { // a crash between two
			h.reopen(t)
		}
	}
	if chunks != 7 { // of 66 nights: 2 pools, 3 room types and the fact each
		t.Errorf("451 nights in %d chunks", chunks)
	}
	span := soldParams(h.property.ID)
	span.First = int64(h.today)
	for _, r := range must(h.read.HouseStock(ctx, houseParams(span)))(t) {
		if r.RoomTypeID == h.double.ID && r.Night <= int64(h.today+450) && r.Available != 4 {
			t.Fatalf("house value %+v", r)
		}
	}
}

// A night is one cell, however many prices an entry gives it.
func TestPricesByOccupancyAreOneCell(t *testing.T) {
	h := newHouse(t)
	e := hotel.RateEntry{
		RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 99),
		Occupancies: map[int]hotel.Optional[hotel.Money]{1: h.euros(1), 2: h.euros(2)},
	}
	u := hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", DryRun: true}
	for range hotel.MaxUpdateCells / 100 {
		u.Entries = append(u.Entries, e)
	}
	if in := rateRequest(u); in.cells != hotel.MaxUpdateCells || in.values != 2*hotel.MaxUpdateCells {
		t.Errorf("%d cells of %d values", in.cells, in.values)
	}
	u.Entries = append(u.Entries, e)
	_, _, err := h.UpdateRates(t.Context(), tester, hotel.Once{}, u)
	if r, ok := errors.AsType[*hotel.Refusal](err); !ok || r.Code != "body_too_large" {
		t.Errorf("one more is answered %v", err)
	}
}
