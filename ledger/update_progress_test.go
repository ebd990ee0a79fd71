package ledger

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/ledger/internal/ledgerdb"
)

// progressOf returns an update's status and that of its only channel.
func (h *house) progressOf(t tb, id string) (hotel.UpdateStatus, hotel.UpdateProgress) {
	t.Helper()
	upd := must(h.AriUpdate(context.Background(), id))(t)
	if len(upd.Channels) != 1 {
		t.Fatalf("progress at %d channels", len(upd.Channels))
	}
	return upd.Status, upd.Channels[0]
}

// completions counts the entries by which updates were told to be complete.
func (h *house) completions(t tb, id string) int {
	t.Helper()
	return h.number(t, "SELECT COUNT(*) FROM journal WHERE kind = 'ari_update.completed' AND subject = ?", id)
}

func TestUpdateIsCompletedOnce(t *testing.T) {
	for _, test := range []struct {
		name  string
		large bool
	}{{"small", false}, {"large", true}} {
		t.Run(test.name, func(t *testing.T) {
			h := newHouse(t)
			if test.large {
				h.longer(t)
			}
			ctx := context.Background()
			f := h.newFarSide(t, 5)
			f.goLive(t)
			f.catchUp(t)
			last := hotel.Date(1)
			if test.large {
				last = 249
			}
			upd := must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, last), Amount: h.euros(4000)}))(t)
			complete := func() {
				t.Helper()
				if err := h.CompleteUpdates(ctx); err != nil {
					t.Fatal(err)
				}
			}
			if upd.Status != hotel.UpdateSyncing || upd.Channels[0].Status != hotel.UpdatePending {
				t.Errorf("answered %+v", upd)
			}
			complete()
			h.deriveAll(t)
			complete()
			if s, p := h.progressOf(t, upd.ID); s != hotel.UpdateSyncing || p.Status != hotel.UpdatePending {
				t.Errorf("before the channel has looked: %s, %+v", s, p)
			}
			f.catchUp(t)
			h.clock.move(time.Minute)
			complete()
			done := h.clock.Now()
			h.reopen(t)
			h.clock.move(time.Minute)
			complete()
			s, p := h.progressOf(t, upd.ID)
			if diff := cmp.Diff(hotel.UpdateProgress{ChannelID: f.id, Status: hotel.UpdateDone, DoneAt: done}, p); s != hotel.UpdateCompleted || diff != "" {
				t.Errorf("in the end %s: %s", s, diff)
			}
			if now := must(h.AriUpdate(ctx, upd.ID))(t); upd.Revision != 1 || now.Revision != 2 || !now.UpdatedAt.Equal(done) || !now.CreatedAt.Equal(upd.UpdatedAt) {
				t.Errorf("from revision %d at %s to %d at %s", upd.Revision, upd.UpdatedAt, now.Revision, now.UpdatedAt)
			}
			if n := h.completions(t, upd.ID); n != 1 {
				t.Errorf("completed %d times", n)
			}
		})
	}
}

func TestUpdateThatIsRefusedIsPartial(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := context.Background()
	upd := must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 1), Amount: h.euros(4000)}))(t)
	for f.derive(t) {
	}
	cells := f.dirty(t)
	f.begin(t, cells)
	f.settle(t, 0, Settlement{State: DeliveryPartial, Rejected: map[hotel.Cell]string{cells[0].Cell: "too cheap"}, Error: "1 of 4 refused"})
	if _, p := h.progressOf(t, upd.ID); p.LastError == nil || *p.LastError != (hotel.UpdateFault{Code: "partial", Detail: "1 of 4 refused"}) {
		t.Errorf("right after the refusal %+v", p)
	}
	f.catchUp(t) // the night whose price was refused is closed
	if err := h.CompleteUpdates(ctx); err != nil {
		t.Fatal(err)
	}
	s, p := h.progressOf(t, upd.ID)
	want := hotel.UpdateProgress{ChannelID: f.id, Status: hotel.UpdateDone, DoneAt: h.clock.Now(), Rejected: 1, LastError: &hotel.UpdateFault{Code: "partial", Detail: "1 of 4 refused"}}
	if diff := cmp.Diff(want, p); s != hotel.UpdatePartial || diff != "" {
		t.Errorf("%s: %s", s, diff)
	}
	if n := h.completions(t, upd.ID); n != 1 {
		t.Errorf("completed %d times", n)
	}
}

// A price that a guard keeps back holds up no update; that it is held is told.
func TestUpdateThatIsHeldIsPartial(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	ctx := context.Background()
	upd := must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 1), Amount: h.euros(4000)}))(t)
	for f.derive(t) {
	}
	cells := f.dirty(t)
	if _, err := h.Hold(ctx, f.id, 0, []HeldPrice{{SentCell: cells[0], Reason: "below_floor", By: "floor 50.00"}}); err != nil {
		t.Fatal(err)
	}
	f.catchUp(t)
	if err := h.CompleteUpdates(ctx); err != nil {
		t.Fatal(err)
	}
	want := hotel.UpdateProgress{ChannelID: f.id, Status: hotel.UpdateDone, DoneAt: h.clock.Now(), Held: 1}
	for range 2 { // as it was found, and as it was noted
		if s, p := h.progressOf(t, upd.ID); s != hotel.UpdatePartial || p != want {
			t.Errorf("%s: %+v, want %+v", s, p, want)
		}
	}
}

func TestUpdateSkipsChannelsThatSellNothingOfIt(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	suite := must(h.updateRates(hotel.RateEntry{RoomTypeID: h.suite.ID, RatePlanID: h.flex.ID, Dates: h.span(0, 0), Amount: h.euros(1)}))(t)
	pool := must(h.updateStock(hotel.InventoryEntry{PoolID: h.double.Consumes[0].AnyOf[0], Dates: h.span(0, 0), OutOfOrder: hotel.Given(1)}))(t)
	base := must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, Dates: h.span(0, 0), Amount: h.euros(1)}))(t)
	limit := must(h.updateStock(hotel.InventoryEntry{Dates: h.span(0, 0), HouseLimit: hotel.Given(1)}))(t)
	var got []hotel.UpdateStep
	for _, u := range []hotel.AriUpdate{suite, pool, base, limit} {
		got = append(got, u.Channels[0].Status)
	}
	if !slices.Equal(got, []hotel.UpdateStep{hotel.UpdateSkipped, hotel.UpdatePending, hotel.UpdatePending, hotel.UpdatePending}) {
		t.Errorf("steps %v", got)
	}
	if err := h.CompleteUpdates(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s, _ := h.progressOf(t, suite.ID); s != hotel.UpdateCompleted {
		t.Errorf("skipped everywhere, and %s", s)
	}
	if s, _ := h.progressOf(t, pool.ID); s != hotel.UpdateSyncing {
		t.Errorf("pending, and %s", s)
	}
}

func TestListAriUpdates(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	var ids []string
	for i := range 4 {
		h.clock.move(time.Hour)
		var upd hotel.AriUpdate
		if i%2 == 0 {
			upd = must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.suite.ID, Dates: h.span(0, 0), OutOfOrder: hotel.Given(i)}))(t)
		} else {
			upd = must(h.setPrice(h.suite, h.flex, h.today, h.today, int64(i)))(t)
		}
		ids = append(ids, upd.ID)
	}
	for _, test := range []struct {
		name string
		f    hotel.AriUpdateFilter
		want []string
	}{
		{"all, but those of the founding", hotel.AriUpdateFilter{CreatedSince: opening.Add(time.Minute), Limit: 9}, ids},
		{"a page", hotel.AriUpdateFilter{CreatedSince: opening.Add(time.Minute), Limit: 2}, ids[:2]},
		{"the next page", hotel.AriUpdateFilter{AfterID: ids[1], Limit: 9}, ids[2:]},
		{"a kind", hotel.AriUpdateFilter{Kinds: []string{"rates"}, CreatedSince: opening.Add(time.Minute), Limit: 9}, []string{ids[1], ids[3]}},
		{"either kind", hotel.AriUpdateFilter{Kinds: []string{"rates", "inventory"}, CreatedSince: opening.Add(time.Minute), Limit: 9}, ids},
		{"the last hours", hotel.AriUpdateFilter{CreatedSince: opening.Add(3 * time.Hour), Limit: 9}, ids[2:]},
		{"under way", hotel.AriUpdateFilter{Statuses: []hotel.UpdateStatus{hotel.UpdateSyncing}, Limit: 9}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.f.PropertyID = h.property.ID
			var got []string
			for _, u := range must(h.AriUpdates(ctx, test.f))(t) {
				got = append(got, u.ID)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// The newest stand first, with who asked for them; of one that changed nothing the journal
// tells nobody.
func TestLatestAriUpdates(t *testing.T) {
	h, ctx := newHouse(t), context.Background()
	var ids []string
	for _, minor := range []int64{1, 2, 2, 3} {
		ids = append(ids, must(h.setPrice(h.suite, h.flex, h.today, h.today, minor))(t).ID)
	}
	first := must(h.LatestAriUpdates(ctx, h.property.ID, "", 3))(t)
	for i, want := range []struct {
		id string
		by hotel.Actor
	}{{ids[3], tester.Actor}, {ids[2], hotel.Actor{}}, {ids[1], tester.Actor}} {
		if got := first[i]; got.ID != want.id || got.By != want.by {
			t.Errorf("%d is %s by %+v, want %s by %+v", i, got.ID, got.By, want.id, want.by)
		}
	}
	if rest := must(h.LatestAriUpdates(ctx, h.property.ID, ids[1], 1))(t); len(rest) != 1 || rest[0].ID != ids[0] {
		t.Errorf("before the second there is %+v", rest)
	}
}

// What many updates under way cost at each look follows from what has moved since
// the last one.
func TestUpdatesThatRestAreLeftAlone(t *testing.T) {
	h := newHouse(t)
	ctx := context.Background()
	f := h.newFarSide(t, 5)
	f.goLive(t)
	f.catchUp(t)
	for i := range hotel.Date(30) {
		must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(i, i), Amount: h.euros(4000)}))(t)
	}
	look := func() {
		if err := h.CompleteUpdates(ctx); err != nil {
			t.Error(err)
		}
	}
	first := testing.AllocsPerRun(1, func() {
		h.completing = completing{}
		look()
	})
	if n := testing.AllocsPerRun(1, look); n > 0 {
		t.Errorf("looking again allocates %v times although nothing was stored", n)
	}
	// What is stored but moves no channel costs one look at each channel.
	moved := testing.AllocsPerRun(1, func() {
		h.exec(t, "UPDATE channel SET updated_at = updated_at")
		look()
	})
	if moved > first/5 {
		t.Errorf("looking again allocates %v times, %v at first", moved, first)
	}
	f.catchUp(t)
	look()
	if open := must(h.AriUpdates(ctx, hotel.AriUpdateFilter{PropertyID: h.property.ID, Statuses: []hotel.UpdateStatus{hotel.UpdateSyncing}, Limit: 10}))(t); len(open) > 0 {
		t.Errorf("%d updates are under way although the channel has confirmed all", len(open))
	}
}

// agreeOnLag holds whether the channel is told all up to an entry against its lag, about the
// place where that ends.
func (f *farSide) agreeOnLag(t *rapid.T) {
	t.Helper()
	err := f.h.snapshot(context.Background(), func(q *ledgerdb.Queries) error {
		row, err := q.GetChannel(context.Background(), f.id)
		if err != nil {
			return err
		}
		lag := must(f.h.lagOf(context.Background(), q, row))(t)
		for through := max(1, lag.synced-1); through <= lag.derived+1; through++ {
			if told := must(f.h.toldThrough(context.Background(), q, row, through))(t); told != (through <= lag.synced) {
				t.Fatalf("told all up to %d: %t, but the lag is %+v", through, told, lag)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Whether a channel is told all up to an entry is what its lag says, whatever it is told in
// what order.
func TestToldThroughIsTheLag(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHouse(t)
		f := h.newFarSide(t, 0)
		f.goLive(t)
		f.catchUp(t)
		night := func(t *rapid.T) hotel.Date { return hotel.Date(rapid.IntRange(0, 5).Draw(t, "night")) }
		t.Repeat(map[string]func(*rapid.T){
			"rooms": func(t *rapid.T) { h.limit(t, h.today+night(t), rapid.IntRange(0, 5).Draw(t, "rooms")) },
			"price": func(t *rapid.T) {
				at := night(t)
				must(h.updateRates(hotel.RateEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(at, at), Amount: h.euros(int64(4000 + rapid.IntRange(0, 3).Draw(t, "price")))}))(t)
			},
			"closing": func(t *rapid.T) {
				at := night(t)
				must(h.updateRules(hotel.RestrictionEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(at, at), Closed: hotel.Given(rapid.Bool().Draw(t, "closed"))}))(t)
			},
			"length": func(t *rapid.T) {
				at := night(t)
				must(h.updateRules(hotel.RestrictionEntry{RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Dates: h.span(at, at), MinStayArrival: hotel.Given(rapid.IntRange(1, 4).Draw(t, "nights"))}))(t)
			},
			"derive": func(t *rapid.T) {
				h.deriveAll(t)
				for f.derive(t) {
				}
			},
			"tell": func(t *rapid.T) {
				cells := f.dirty(t)
				if len(cells) == 0 {
					t.Skip("nothing to tell")
				}
				f.begin(t, cells[rapid.IntRange(0, len(cells)-1).Draw(t, "first"):])
				f.settle(t, len(f.calls)-1, Settlement{State: rapid.SampledFrom([]DeliveryState{DeliveryApplied, DeliveryUnknown, DeliveryNotSent}).Draw(t, "outcome")})
			},
			"": f.agreeOnLag,
		})
	})
}
