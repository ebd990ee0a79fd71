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
