package ledger

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/ledger/internal/ledgerdb"
)

// freshBoard reads the property from the tables as if nothing were in memory.
func (h *house) freshBoard(t tb) *board.Board {
	t.Helper()
	ctx := context.Background()
	var b *board.Board
	err := h.snapshot(ctx, func(q *ledgerdb.Queries) error {
		s, err := loadStructure(ctx, q, h.property.ID)
		if err != nil {
			return err
		}
		today := s.property.Today(h.clock.Now())
		nights, err := s.loadNights(ctx, must(h.facts(ctx, q, h.property.ID))(t), today-1, today+hotel.Date(s.property.HorizonDays))
		if err != nil {
			return err
		}
		b = s.board(h.clock.Now(), today-1, nights, 0)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sameBoard compares what two boards say of their nights.
func sameBoard(want, got *board.Board) string {
	if want.From != got.From || want.To() != got.To() {
		return fmt.Sprintf("nights %s to %s, want %s to %s", got.From, got.To(), want.From, want.To())
	}
	if reflect.DeepEqual(want.Nights, got.Nights) { // much faster, and nearly always true
		return ""
	}
	return cmp.Diff(want.Nights, got.Nights, cmp.AllowUnexported(board.Night{}), cmpopts.EquateEmpty())
}

// checkHouse compares the stored house values with what the board computes.
func (h *house) checkHouse(t tb) {
	t.Helper()
	ctx, b := context.Background(), h.freshBoard(t)
	span := ledgerdb.HousePricesParams{PropertyID: h.property.ID, First: int64(h.today), Last: int64(b.To())}
	type value struct {
		Night           hotel.Date
		Room, Plan      string
		Guests          int
		Net, Available  int64
		Minor           int64
		Exact, Rounding string
		Closures        int64
		Lengths         int64
	}
	var want, got []value
	for d := h.today; d <= b.To(); d++ {
		for i, house := range b.House(d) {
			want = append(want, value{Night: d, Room: b.RoomTypes[i].ID, Net: int64(house.Net), Available: int64(house.Available)})
			for j := range b.Plans {
				if !b.Offers(i, j) {
					continue
				}
				v := value{Night: d, Room: b.RoomTypes[i].ID, Plan: b.Plans[j].ID}
				base, priced := b.HousePrice(d, i, j, 0)
				for n := range b.RoomTypes[i].MaxOccupancy + 1 { // of 0 for the base; of others where it is another
					if p, ok := b.HousePrice(d, i, j, n); ok && (n == 0 || b.Plans[j].Pricing == hotel.PerOccupancy || !priced || p.Minor() != base.Minor() || p.Exact() != base.Exact()) {
						v.Guests, v.Minor, v.Exact, v.Rounding = n, p.Minor(), p.Exact(), string(p.Rounding)
						want = append(want, v)
					}
				}
				rules := b.HouseRules(d, i, j)
				want = append(want, value{
					Night: d, Room: b.RoomTypes[i].ID, Plan: b.Plans[j].ID, Rounding: "rules",
					Closures: hotel.Offer{Closed: rules.Closed}.Encode(hotel.Closures), Lengths: hotel.Offer{Lengths: rules.Lengths}.Encode(hotel.Lengths),
				})
			}
		}
	}
	for _, r := range must(h.read.HouseStock(ctx, ledgerdb.HouseStockParams(span)))(t) {
		got = append(got, value{Night: hotel.Date(r.Night), Room: r.RoomTypeID, Net: r.Net, Available: r.Available})
	}
	for _, r := range must(h.read.HousePrices(ctx, span))(t) {
		got = append(got, value{Night: hotel.Date(r.Night), Room: r.RoomTypeID, Plan: r.RatePlanID, Guests: int(r.Occupancy), Minor: r.Amount, Exact: r.Exact, Rounding: r.Rounding})
	}
	for _, r := range must(h.read.HouseRestrictions(ctx, ledgerdb.HouseRestrictionsParams(span)))(t) {
		got = append(got, value{Night: hotel.Date(r.Night), Room: r.RoomTypeID, Plan: r.RatePlanID, Rounding: "rules", Closures: r.Closures, Lengths: r.Lengths})
	}
	missing := map[value]int{}
	for _, v := range want {
		missing[v]++
	}
	for _, v := range got {
		missing[v]--
	}
	for v, n := range missing {
		if n != 0 {
			t.Fatalf("house value %+v is computed but not stored (1), or stored but not computed (-1): %d", v, n)
		}
	}
}

// drawPricingRule makes a pricing rule, or takes one away.
func (h *house) drawPricingRule(t *rapid.T) error {
	ctx := context.Background()
	if list := must(h.PricingRules(ctx, h.property.ID))(t); len(list) > 0 && rapid.Bool().Draw(t, "delete") {
		return h.DeletePricingRule(ctx, tester, list[0].ID, 0)
	}
	_, _, err := h.CreatePricingRule(ctx, tester, hotel.Once{}, hotel.PricingRule{
		PropertyID: h.property.ID, Name: "A rule", Enabled: true, Priority: rapid.IntRange(1, 3).Draw(t, "priority"),
		Conditions: []hotel.RuleCondition{{
			Metric: rapid.SampledFrom([]hotel.RuleMetric{hotel.RoomsLeft, hotel.RoomOccupancyPct, hotel.OccupancyPct, hotel.Pickup7d, hotel.DaysToArrival}).Draw(t, "metric"),
			Op:     rapid.SampledFrom([]string{"lte", "gt"}).Draw(t, "op"), Value: []string{rapid.SampledFrom([]string{"1", "2", "25", "50"}).Draw(t, "value")},
		}},
		RuleMemory: rapid.SampledFrom([]hotel.RuleMemory{{}, {HysteresisPct: "50"}, {MaxChanges: 1}, {HysteresisPct: "50", MaxChanges: 2}}).Draw(t, "memory"),
		Action:     rapid.SampledFrom([]hotel.RuleAction{{Kind: "percent", Value: "7.5"}, {Kind: "set", Value: "99"}, {Kind: "amount", Value: "-3"}}).Draw(t, "action"),
	})
	return err
}

// drawWrite does one random write, refused or not.
func (h *house) drawWrite(t *rapid.T, made *[]hotel.Reservation) {
	ctx := context.Background()
	in := h.today + hotel.Date(rapid.IntRange(0, 4).Draw(t, "from"))
	to := in + hotel.Date(rapid.IntRange(0, 3).Draw(t, "nights"))
	dates := hotel.Dates{Span: hotel.Span{From: in, To: to}}
	room := rapid.SampledFrom([]hotel.RoomType{h.double, h.twin, h.suite}).Draw(t, "room")
	plan := rapid.SampledFrom([]hotel.RatePlan{h.flex, h.saver}).Draw(t, "plan")
	number := rapid.Custom(func(t *rapid.T) hotel.Optional[int] {
		if rapid.Bool().Draw(t, "null") {
			return hotel.Optional[int]{Set: true, Null: true}
		}
		return hotel.Given(rapid.IntRange(1, 6).Draw(t, "number"))
	})
	var err error
	switch what := rapid.SampledFrom([]string{"stock", "house", "rates", "rules", "price rule", "book", "hold", "block", "cancel", "change", "receive"}).Draw(t, "write"); what {
	case "stock":
		e := hotel.InventoryEntry{RoomTypeID: room.ID, Dates: dates, SellLimit: number.Draw(t, "limit"), Closed: hotel.Given(rapid.Bool().Draw(t, "closed"))}
		if room.ID != h.twin.ID { // which draws on the double's pool
			e.Total, e.OutOfOrder, e.Overbooking = number.Draw(t, "total"), number.Draw(t, "out of order"), number.Draw(t, "overbooking")
		}
		_, _, err = h.UpdateInventory(ctx, tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{e}})
	case "house":
		kept := hotel.ChannelQuantities{"*": number.Draw(t, "kept"), "ch": number.Draw(t, "kept from one")}
		_, _, err = h.UpdateInventory(ctx, tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{
			{Dates: dates, HouseLimit: number.Draw(t, "house limit")}, {RoomTypeID: room.ID, Dates: dates, KeepBack: hotel.Given(kept)},
		}})
	case "hold":
		var r hotel.Reservation
		r, _, err = h.CreateReservation(ctx, tester, hotel.Once{}, hotel.NewReservation{
			PropertyID: h.property.ID, RoomTypeID: room.ID, RatePlanID: h.flex.ID, Stay: hotel.Stay{CheckIn: in, CheckOut: to + 1}, Adults: 1,
			Guest: hotel.Guest{LastName: "Guest"}, Status: hotel.Held, HoldExpires: h.clock.Now().Add(time.Hour),
		})
		if err == nil {
			*made = append(*made, r)
		}
	case "block":
		b := must2(h.CreateBlock(ctx, tester, hotel.Once{}, hotel.Block{
			PropertyID: h.property.ID, Name: "b", BlockStatus: hotel.Definite, Lines: []hotel.BlockLine{{RoomTypeID: room.ID, DateFrom: in, DateTo: to, Units: 1}},
		}))(t)
		var r hotel.Reservation
		if r, _, err = h.bookFrom(b.ID, room, in-h.today, to+1-h.today); err == nil {
			*made = append(*made, r)
		}
	case "rates":
		amount := hotel.Optional[hotel.Money]{Set: true, Null: true}
		if rapid.IntRange(0, 3).Draw(t, "gone") > 0 {
			amount = hotel.Given(hotel.Money{Minor: rapid.Int64Range(1, 99999).Draw(t, "amount"), Currency: "EUR"})
		}
		_, _, err = h.UpdateRates(ctx, tester, hotel.Once{}, hotel.RateUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.RateEntry{{
			RoomTypeID: room.ID, RatePlanID: plan.ID, Dates: dates, Amount: amount,
		}}})
	case "rules":
		e := hotel.RestrictionEntry{Dates: dates, ClosedToArrival: hotel.Given(rapid.Bool().Draw(t, "arrival")), MinStayThrough: number.Draw(t, "least")}
		if rapid.Bool().Draw(t, "of a room") {
			e.RoomTypeID = room.ID
		}
		if rapid.Bool().Draw(t, "of a plan") {
			e.RatePlanID = plan.ID
		}
		_, _, err = h.UpdateRestrictions(ctx, tester, hotel.Once{}, hotel.RestrictionUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.RestrictionEntry{e}})
	case "price rule":
		err = h.drawPricingRule(t)
	case "book":
		var r hotel.Reservation
		if r, _, err = h.book(room, in, to+1, hotel.Once{}); err == nil {
			*made = append(*made, r)
		}
	case "cancel", "change":
		if len(*made) == 0 {
			return
		}
		i := rapid.IntRange(0, len(*made)-1).Draw(t, "which")
		if id := (*made)[i].ID; what == "cancel" {
			_, _, err = h.CancelReservation(ctx, tester, hotel.Once{}, id, hotel.CancelRequest{})
		} else {
			out := to + 1
			_, _, err = h.ChangeReservation(ctx, tester, hotel.Once{}, id, hotel.ReservationChange{CheckIn: &in, CheckOut: &out, RoomTypeID: &room.ID})
		}
	case "receive":
		key := rapid.StringMatching("[a-c]").Draw(t, "key")
		r := oneRoom(h, key, rapid.SampledFrom([]string{"booked", "modified", "cancelled"}).Draw(t, "event"), hotel.ChannelRoom{
			Room: rapid.SampledFrom([]string{"D", "T", "X"}).Draw(t, "remote"), Rate: "F", Stay: hotel.Stay{CheckIn: in, CheckOut: to}, Adults: 2,
		})
		r.Key = fmt.Sprint(must(h.Sequence(ctx))(t))
		r.Order = hotel.OrderNone
		_, err = h.Receive(ctx, r)
	}
	if refusal := (*hotel.Refusal)(nil); err != nil && !errors.As(err, &refusal) {
		t.Fatal(err)
	}
}

func TestBoardFollowsEveryWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		h.newFarSide(t, 5)
		var made []hotel.Reservation
		for range rapid.IntRange(1, 12).Draw(t, "writes") {
			if rapid.Bool().Draw(t, "in memory") {
				must(h.Board(context.Background(), h.property.ID))(t)
			}
			h.drawWrite(t, &made)
			b := must(h.Board(context.Background(), h.property.ID))(t)
			if diff := sameBoard(h.freshBoard(t), b); diff != "" {
				t.Fatalf("the board is not what the tables say (-want +got):\n%s", diff)
			}
			if newest := must(h.Sequence(context.Background()))(t); b.Sequence > newest {
				t.Fatalf("the board is at %d, the journal at %d", b.Sequence, newest)
			}
		}
		h.deriveAll(t)
		h.checkHouse(t)
		h.checkSold(t)
		if bad := must(h.VerifyChain(context.Background(), h.property.ID))(t); bad != 0 {
			t.Fatalf("chain broken at %d", bad)
		}
	})
}

// TestBoardLoadsWhileOthersWrite drops the board again and again while rooms are
// sold, and expects every writer to see its own sale.
func TestBoardLoadsWhileOthersWrite(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 12 {
				d := h.today + hotel.Date(w*12+i)
				if _, _, err := h.book(h.suite, d, d+1, hotel.Once{}); err != nil {
					t.Error(err)
					return
				}
				b, err := h.Board(ctx, h.property.ID)
				if err != nil {
					t.Error(err)
					return
				}
				at, _ := b.Room(h.suite.ID)
				if got := b.House(d)[at].Free; got != 1 {
					t.Errorf("%d free on %s after a sale", got, d)
				}
			}
		})
	}
	done := make(chan struct{})
	var dropper sync.WaitGroup
	dropper.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				h.boards.drop()
				if _, err := h.Board(ctx, h.property.ID); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	writers.Wait()
	close(done)
	dropper.Wait()
	if diff := sameBoard(h.freshBoard(t), must(h.Board(ctx, h.property.ID))(t)); diff != "" {
		t.Errorf("the board is not what the tables say (-want +got):\n%s", diff)
	}
}

func TestBoardOfANewDay(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	first := must(h.Board(ctx, h.property.ID))(t)
	h.clock.move(13 * time.Hour)
	if again := must(h.Board(ctx, h.property.ID))(t); again != first {
		t.Error("the board was made anew within the day")
	}
	h.clock.move(2 * time.Hour)
	next := must(h.Board(ctx, h.property.ID))(t)
	if next.From != first.From+1 || next.To() != first.To()+1 {
		t.Errorf("nights %s to %s on the new day, %s to %s before", next.From, next.To(), first.From, first.To())
	}
	if _, err := h.Board(ctx, "nowhere"); !errors.Is(err, ErrNotFound) {
		t.Errorf("board of no property: %v", err)
	}
}

func TestBoardSeesNewRooms(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	must(h.Board(ctx, h.property.ID))(t)
	loft := must2(h.CreateRoomType(ctx, tester, hotel.Once{}, hotel.RoomType{
		PropertyID: h.property.ID, Code: "loft", Name: "Loft", TotalUnits: 1, BaseOccupancy: 2, MaxAdults: 2, MaxOccupancy: 2, Position: 9, Status: hotel.Active,
	}))(t)
	b := must(h.Board(ctx, h.property.ID))(t)
	if _, ok := b.Room(loft.ID); !ok {
		t.Error("the board does not know the new room type")
	}
	h.deriveAll(t)
	h.checkHouse(t)
}

func TestIdleBoardIsDropped(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	other := h.property
	other.ID = "other"
	must2(h.CreateProperty(ctx, tester, hotel.Once{}, other))(t)
	must(h.Board(ctx, h.property.ID))(t)
	h.clock.move(boardIdle + time.Minute)
	must(h.Board(ctx, other.ID))(t)
	h.boards.mu.Lock()
	defer h.boards.mu.Unlock()
	if h.boards.shown[h.property.ID] != nil || h.boards.shown[other.ID] == nil {
		t.Errorf("boards kept: %v", len(h.boards.shown))
	}
}
