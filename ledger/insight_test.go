package ledger

import (
	"context"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestInsightCountsWhatATotalHasInIt: what a channel has sold of the total that it is told
// is counted, now and before; a channel that is told what is left has none.
func TestInsightCountsWhatATotalHasInIt(t *testing.T) {
	f, night := totals(t)
	ctx, before := context.Background(), must(f.h.Sequence(context.Background()))(t)
	f.sell(f.counters[0], night)
	f.catchUp(t)
	ask := func(at hotel.Date, asOf int64) *int {
		t.Helper()
		return must(f.h.Insight(ctx, hotel.ExplainQuery{
			ChannelID: f.id, RoomTypeID: f.h.double.ID, RatePlanID: f.h.flex.ID, Night: at, AsOf: hotel.AsOf{Sequence: asOf},
		}, Reach{}))(t).Total
	}
	for _, c := range []struct {
		name string
		got  *int
		want int
	}{{"now", ask(night, 0), 2}, {"before", ask(night, before), 1}, {"another night", ask(night+1, 0), 0}} {
		if c.got == nil || *c.got != c.want {
			t.Errorf("%s: %v, want %d", c.name, c.got, c.want)
		}
	}
	if err := f.h.KeepTerms(ctx, f.id, hotel.Terms{StockPer: hotel.PerRoom}); err != nil {
		t.Fatal(err)
	}
	if n := ask(night, 0); n != nil {
		t.Errorf("told what is left: %d", *n)
	}
}

// TestInsightNamesConflictsOfThen: the conflicts about a night are those that were open at
// the moment that is asked for.
func TestInsightNamesConflictsOfThen(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	f.goLive(t)
	f.catchUp(t)
	night := h.today + 3
	refused := hotel.Conflict{
		PropertyID: h.property.ID, ChannelID: f.id, Kind: hotel.ConflictRejected, Topic: "t", Severity: hotel.Warning, Facts: []byte(`{}`),
		Subject: hotel.ConflictSubject{Type: "cell", RoomTypeID: h.double.ID, Date: night},
	}
	ctx := context.Background()
	change := func(of func(*tx) error) time.Time {
		t.Helper()
		h.clock.move(time.Minute)
		if err := h.write(ctx, urgent, tester, of); err != nil {
			t.Fatal(err)
		}
		h.clock.move(time.Minute)
		return h.clock.Now()
	}
	before := h.clock.Now()
	open := change(func(t *tx) error { return t.raise(refused) })
	settled := change(func(t *tx) error {
		all, err := readAll[hotel.Conflict](t.q.OpenConflictsOf(t.ctx, h.property.ID))
		if err != nil {
			return err
		}
		return t.over(&all[0])
	})
	for _, c := range []struct {
		name string
		at   time.Time
		want int
	}{{"before", before, 0}, {"open", open, 1}, {"settled", settled, 0}, {"now", time.Time{}, 0}} {
		in := must(h.Insight(ctx, hotel.ExplainQuery{ChannelID: f.id, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Night: night, AsOf: hotel.AsOf{At: c.at}}, Reach{}))(t)
		if len(in.Conflicts) != c.want {
			t.Errorf("%s: %v, want %d", c.name, in.Conflicts, c.want)
		}
	}
}

// TestInsightNamesWhatThePriceOfANumberRestsOn: a derived plan may have a price of its own
// for a number of guests, and none for the others, which follow from its parent's.
func TestInsightNamesWhatThePriceOfANumberRestsOn(t *testing.T) {
	h := newHouse(t)
	must(h.changePlan(h.saver.ID, func(p *hotel.RatePlan) { p.Pricing = hotel.PerOccupancy }))(t)
	f := h.newFarSide(t, 0)
	type base struct {
		text        string
		after, upTo int64 // the entries among which the one is that said it
	}
	typed := func(plan hotel.RatePlan, text string, e hotel.RateEntry) base {
		t.Helper()
		before := must(h.Sequence(context.Background()))(t)
		e.RoomTypeID, e.RatePlanID, e.Dates = h.double.ID, plan.ID, h.span(3, 3)
		return base{text, before, must(h.updateRates(e))(t).Sequence}
	}
	euros := func(minor int64) hotel.Optional[hotel.Money] {
		return hotel.Given(hotel.Money{Minor: minor, Currency: "EUR"})
	}
	parents := typed(h.flex, "110.00", hotel.RateEntry{Amount: euros(11000)})
	own := typed(h.saver, "70.00", hotel.RateEntry{Occupancies: map[int]hotel.Optional[hotel.Money]{1: euros(7000)}})
	in := must(h.Insight(context.Background(), hotel.ExplainQuery{ChannelID: f.id, RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, Night: h.today + 3}, Reach{}))(t)
	for guests, want := range map[int]base{0: parents, 1: own} {
		if len(in.Prices[guests]) == 0 {
			t.Fatalf("for %d guests there is no price: %+v", guests, in.Prices)
		}
		if s := in.Prices[guests][0]; s.Name != "rate_base" || s.Text != want.text || s.Sequence <= want.after || s.Sequence > want.upTo {
			t.Errorf("for %d guests the base is %+v, want %+v", guests, s, want)
		}
	}
}

// TestInsightNamesWhatTheStockRestsOn: where nobody has typed a number for the night, it is
// the pool's, and the entry is the newest one that said how many that has.
func TestInsightNamesWhatTheStockRestsOn(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	ctx := context.Background()
	pool := h.double.Consumes[0].AnyOf[0]
	seen := func(at int64) hotel.Step {
		t.Helper()
		in := must(h.Insight(ctx, hotel.ExplainQuery{ChannelID: f.id, RoomTypeID: h.double.ID, RatePlanID: h.flex.ID, Night: h.today + 3, AsOf: hotel.AsOf{Sequence: at}}, Reach{}))(t)
		if len(in.Stock) == 0 || in.Stock[0].Name != "stock" {
			t.Fatalf("steps %+v", in.Stock)
		}
		return in.Stock[0]
	}
	made, before := seen(0), must(h.Sequence(ctx))(t)
	if made.Sequence == 0 || made.Sequence > before {
		t.Errorf("of a pool as it was made: %+v", made)
	}
	must2(h.ChangePool(ctx, tester, hotel.Once{}, pool, hotel.Change[hotel.Pool]{Apply: func(p *hotel.Pool) error { p.TotalUnits++; return nil }}))(t)
	if now := seen(0); now.Sequence <= before {
		t.Errorf("of a pool that was changed: %+v, the entries before end with %d", now, before)
	}
	if was := seen(before); was.Sequence != made.Sequence {
		t.Errorf("of the pool as it was before: %+v, want the entry %d", was, made.Sequence)
	}
	typed := must(h.updateStock(hotel.InventoryEntry{RoomTypeID: h.double.ID, Dates: h.span(3, 3), Total: hotel.Given(2)}))(t)
	if now := seen(0); now.Sequence > typed.Sequence || now.Sequence <= seen(before).Sequence {
		t.Errorf("of a number that was typed: %+v, typed by %d", now, typed.Sequence)
	}
}

// TestInsightOfWhatIsGone: a plan that is archived since, at a channel that is disconnected
// since, is told of as it was.
func TestInsightOfWhatIsGone(t *testing.T) {
	h := newHouse(t)
	f := h.newFarSide(t, 0)
	ctx := context.Background()
	of := hotel.ExplainQuery{ChannelID: f.id, RoomTypeID: h.double.ID, RatePlanID: h.saver.ID, Night: h.today + 3}
	of.AsOf.Sequence = must(h.Sequence(ctx))(t)
	must2(h.DisconnectChannel(ctx, tester, hotel.Once{}, f.id, 0, true))(t)
	must2(h.ArchiveRatePlan(ctx, tester, hotel.Once{}, h.saver.ID, 0))(t)
	in := must(h.Insight(ctx, of, Reach{}))(t)
	if in.Channel.Status == hotel.Disconnected || in.Mapping.RatePlanID != h.saver.ID || in.Mapping.Retired {
		t.Errorf("it was %s, and mapped as %+v", in.Channel.Status, in.Mapping)
	}
	of.AsOf.Sequence = must(h.Sequence(ctx))(t)
	if in, err := h.Insight(ctx, of, Reach{}); err == nil && in.Channel.Status != hotel.Disconnected {
		t.Errorf("afterwards it is %s", in.Channel.Status)
	}
}
