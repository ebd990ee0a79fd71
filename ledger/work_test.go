package ledger

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
)

// exec runs a statement as an item of its own, for what no method does.
func (h *house) exec(t tb, sql string) {
	t.Helper()
	err := h.write(context.Background(), urgent, tester, func(t *tx) error {
		t.rebuilt(h.property.ID)
		return t.b.w.exec(sql)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWorkStopsInsideALongEntry(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	h.exec(t, "UPDATE property SET body = json_set(body, '$.booking_horizon_days', 499)")
	h.property.HorizonDays = 499
	must(h.setPrice(h.double, h.flex, h.today, h.today+499, 9000))(t)
	all := hotel.Dates{Span: hotel.Span{From: h.today, To: h.today + 499}}
	must2(h.UpdateInventory(ctx, tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{
		{RoomTypeID: h.double.ID, Dates: all, OutOfOrder: hotel.Given(1)},
	}}))(t)
	h.deriveAll(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)

	steps, position := 0, Places{}
	for {
		w := must(h.Work(ctx, f.id, Reach{}, Turn{}))(t)
		if w.Empty() {
			break
		}
		covers := len(w.Stock) + len(w.Prices)
		for _, r := range w.Rules {
			covers += len(r.Lines) * len(r.House[0])
		}
		if w.From == position || covers > DeriveAtMost {
			t.Fatalf("step %d from %+v covers %d cells", steps, w.From, covers)
		}
		if err := h.Desire(ctx, f.id, w, wantedOf(w)); err != nil {
			t.Fatal(err)
		}
		if err := h.Desire(ctx, f.id, w, nil); err == nil {
			t.Fatal("the same work was stored a second time")
		}
		position = w.From
		steps++
	}
	if steps < 3 {
		t.Errorf("500 nights of 5 lines took %d steps", steps)
	}
	f.catchUp(t)
	f.check(t)
}

func TestWorkLosesNoEntryThatFindsNoRoom(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	err := h.MapChannel(context.Background(), tester, f.id, hotel.Remap{StockPer: hotel.PerRoom, Mappings: []hotel.Mapping{{
		RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, RemoteRoom: "D", RemoteRate: "F2",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	f.counters, f.mappings, err = h.Lines(context.Background(), f.id)
	if err != nil {
		t.Fatal(err)
	}
	f.goLive(t)
	f.catchUp(t)
	// Each night costs 2 cells for flex, which is mapped twice, and 1 for saver:
	// 999 cells, and then an entry of which not one night fits.
	price, nights := int64(5000), 333
	for nights > 0 {
		n := min(nights, 60)
		must(h.setPrice(h.double, h.flex, h.today, h.today+hotel.Date(n-1), price))(t)
		price++
		nights -= n
	}
	must(h.setPrice(h.double, h.flex, h.today+60, h.today+60, price))(t)
	f.catchUp(t)
	f.check(t)
}

func TestUpdateIsDoneWhenTheChannelHasConfirmed(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := context.Background()
	done := func(u hotel.AriUpdate) bool {
		t.Helper()
		p := must(h.AriUpdate(ctx, u.ID))(t).Channels
		if len(p) != 1 {
			t.Fatalf("progress at %d channels", len(p))
		}
		return p[0].Status == hotel.UpdateDone
	}
	first := must(h.setPrice(h.double, h.flex, h.today, h.today, 4000))(t)
	second := must(h.setPrice(h.double, h.flex, h.today+1, h.today+1, 4000))(t)
	if done(first) || done(second) {
		t.Error("done before anything was derived")
	}
	for f.derive(t) {
	}
	cells := map[hotel.Date][]SentCell{}
	for _, c := range f.dirty(t) {
		cells[c.Cell.Night] = append(cells[c.Cell.Night], c)
	}
	f.begin(t, cells[h.today+1])
	f.settle(t, 0, Settlement{State: DeliveryApplied})
	if done(first) || done(second) {
		t.Error("done while the first night is not confirmed")
	}
	// Another value does not make the first one confirmed.
	must(h.setPrice(h.double, h.flex, h.today, h.today, 4100))(t)
	for f.derive(t) {
	}
	if done(first) || done(second) {
		t.Error("done because another change waits")
	}
	f.catchUp(t)
	if !done(first) || !done(second) {
		t.Errorf("not done although all is confirmed: %+v", f.state(t))
	}
	nothing := must(h.setPrice(h.double, h.flex, h.today, h.today, 4100))(t)
	if nothing.CellsChanged != 0 || nothing.Status != hotel.UpdateCompleted {
		t.Errorf("an update that changes nothing is not done: %+v", nothing)
	}
	// What moves no house value leaves nothing to confirm.
	limit := must2(h.UpdateInventory(ctx, tester, hotel.Once{}, hotel.InventoryUpdate{PropertyID: h.property.ID, Source: "api", Entries: []hotel.InventoryEntry{{
		RoomTypeID: h.double.ID, Dates: hotel.Dates{Span: hotel.Span{From: h.today, To: h.today}}, SellLimit: hotel.Given(99),
	}}}))(t)
	if limit.CellsChanged != 1 || !done(limit) {
		t.Errorf("an update that moves no house value is not done: %+v", limit)
	}
}

func TestRefusedCellWaitsForAnotherValue(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	set := func(minor int64) []SentCell {
		t.Helper()
		must(h.setPrice(h.twin, h.flex, h.today, h.today, minor))(t)
		for f.derive(t) {
		}
		return f.dirty(t)
	}
	first := set(4000)
	f.begin(t, first)
	f.settle(t, 0, Settlement{State: DeliveryRejected, Excerpt: "price too low"})
	f.catchUp(t) // the night is closed meanwhile
	if got := f.dirty(t); len(got) > 0 {
		t.Errorf("a refused value is to be sent again: %v", got)
	}
	if s := f.state(t); s.Rejected != 1 || s.Lag != 0 {
		t.Errorf("rejected %d, lag %d", s.Rejected, s.Lag)
	}
	if got := set(4000); len(got) > 0 {
		t.Errorf("a refused value is to be sent again: %v", got)
	}
	second := set(4100)
	want := []SentCell{{Cell: first[0].Cell, Value: 4100}}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Errorf("dirty after another value (-want +got):\n%s", diff)
	}
	if err := h.Refuse(context.Background(), f.id, 0, first, map[hotel.Cell]string{first[0].Cell: "old"}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, f.dirty(t)); diff != "" {
		t.Errorf("parking an old value changed the cell (-want +got):\n%s", diff)
	}
	if err := h.Refuse(context.Background(), f.id, 0, second, map[hotel.Cell]string{first[0].Cell: "cannot"}); err != nil {
		t.Fatal(err)
	}
	if got := f.dirty(t); len(got) > 0 {
		t.Errorf("a parked value is to be sent: %v", got)
	}
	if err := h.Settle(context.Background(), Settlement{DeliveryID: "dlv_none", State: DeliveryApplied}); err == nil {
		t.Error("a call that does not exist was settled")
	}
}

// A worker whose channel has changed since must not park what the change has set
// free: nobody would set it free again.
func TestAFormerWorkerParksNothing(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := t.Context()
	must(h.setPrice(h.twin, h.flex, h.today, h.today, 4000))(t)
	for f.derive(t) {
	}
	cells := f.dirty(t)
	seen := must(h.Channel(ctx, f.id))(t).Revision
	must2(h.ChangeChannel(ctx, tester, hotel.Once{}, f.id, 0, func(c *hotel.Channel) error {
		c.Pricing.Guard.MaxChangePct = "90"
		return nil
	}))(t)
	if _, err := h.Hold(ctx, f.id, seen, []HeldPrice{{SentCell: cells[0], Reason: "below_floor", By: "floor 50.00"}}); !errors.Is(err, ErrOutrun) {
		t.Errorf("holding what a former guard found: %v", err)
	}
	if err := h.Refuse(ctx, f.id, seen, cells, map[hotel.Cell]string{cells[0].Cell: "cannot"}); !errors.Is(err, ErrOutrun) {
		t.Errorf("parking what former terms cannot express: %v", err)
	}
	for f.derive(t) {
	}
	if diff := cmp.Diff(cells, f.dirty(t)); diff != "" {
		t.Errorf("to be sent (-before +after):\n%s", diff)
	}
}

func TestSettledCallStaysAsItIs(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	must(h.setPrice(h.twin, h.flex, h.today, h.today, 4000))(t)
	f.derive(t)
	cells := f.dirty(t)
	f.begin(t, cells)
	late := f.calls[0].id
	f.settle(t, 0, Settlement{State: DeliveryUnknown})
	f.begin(t, cells)
	if err := h.Settle(context.Background(), Settlement{DeliveryID: late, State: DeliveryApplied}); err != nil {
		t.Fatal(err)
	}
	if g := f.groups(t)[cells[0].Cell]; g.state != inFlight {
		t.Errorf("a late answer to a closed call moved the cell to state %d while another call carries it", g.state)
	}
}

// A booking long enough to be derived in chunks must not block what comes
// behind it, and its channel is told nothing older meanwhile.
func TestLongBookingIsDerivedInChunks(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	f.sell(f.counters[0], h.today)
	f.mail[0].Booking.Rooms[0].Stay.CheckOut = h.today + 400 // three room types: more than one chunk
	f.hear(t, 0)
	for f.derive(t) {
	}
	for _, c := range f.dirty(t) {
		if c.Cell.Group == hotel.Availability && c.Cell.Line == f.counters[0].Line {
			t.Fatalf("%v is to be sent before the sale is derived", c)
		}
	}
	if s := f.state(t); s.SyncedThrough == must(h.Sequence(context.Background()))(t) {
		t.Error("in step although house values are due")
	}
	h.deriveAll(t)
	for d := h.today; d <= h.today+60; d++ { // the far side lowered the nights that it knows
		f.shown[hotel.Cell{Line: f.counters[0].Line, Group: hotel.Availability, Night: d}] = 4
	}
	f.catchUp(t)
	f.check(t)
}

// What a channel has to work out after a change of its settings does not keep it
// from what was sold meanwhile.
func TestASaleOvertakesWhatSettingsChange(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	must2(h.ChangeChannel(ctx, tester, hotel.Once{}, f.id, 0, func(c *hotel.Channel) error {
		c.Pricing.Basis = hotel.TaxExcluded
		return nil
	}))(t)
	before := f.state(t)
	f.sell(f.counters[1], h.today+3)
	f.hear(t, 0)
	w := must(h.Work(ctx, f.id, Reach{}, Turn{}))(t)
	if !w.Urgent || len(w.Prices)+len(w.Rules) > 0 {
		t.Fatalf("the first step has %d prices and %d groups of restrictions, urgent: %t", len(w.Prices), len(w.Rules), w.Urgent)
	}
	for _, s := range w.Stock {
		if s.Night != h.today+3 {
			t.Errorf("the first step has stock of %s", s.Night)
		}
	}
	if err := h.Desire(ctx, f.id, w, wantedOf(w)); err != nil {
		t.Fatal(err)
	}
	// The channel's own count may be told again: the sale is in it.
	told := false
	for _, c := range f.dirty(t) {
		told = told || c.Cell.Line == f.counters[1].Line && c.Cell.Group == hotel.Availability && c.Value == 4
	}
	if !told {
		t.Error("the count is not to be told although the sale is in it")
	}
	if s := f.state(t); s.DerivedThrough != before.DerivedThrough || !s.Deriving {
		t.Errorf("derived through %d, want still %d; more is to be worked out: %t", s.DerivedThrough, before.DerivedThrough, s.Deriving)
	}
	f.catchUp(t)
	if s := f.state(t); s.DerivedThrough != must(h.Sequence(ctx))(t) || s.Deriving {
		t.Errorf("derived through %d in the end; more is to be worked out: %t", s.DerivedThrough, s.Deriving)
	}
}

// TestBasePriceForMoreGuestsIsWorkedOutAnew: what a plan includes for each guest is in the
// price that a channel is told with its tax, so that how many guests the price is for tells,
// though the house's own price stays as it is.
func TestBasePriceForMoreGuestsIsWorkedOutAnew(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	must(h.changeRoom(h.double.ID, func(r *hotel.RoomType) { r.BaseOccupancy = 1 }))(t)
	lines := map[int64]int{}
	for _, p := range must(h.Work(t.Context(), f.id, Reach{}, Turn{}))(t).Prices {
		lines[p.Line]++
	}
	for _, m := range f.mappings {
		want := 0
		if m.RoomTypeID == h.double.ID {
			want = h.property.HorizonDays
		}
		if got := lines[m.Line]; got < want || want == 0 && got > 0 {
			t.Errorf("prices of %d nights of room %s, rate %s are worked out, want %d", got, m.RemoteRoom, m.RemoteRate, want)
		}
	}
	f.catchUp(t)
	f.check(t)
}
