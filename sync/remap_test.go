package sync_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// planned is what the channel a would be told of another mapping.
func (b *bench) planned(m hotel.Remap) hotel.ChannelPlan {
	b.t.Helper()
	p, err := b.eng.Plan(b.t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanMapping, As: &m})
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

// Another mapping of a channel that is live goes the way of going live: what it would be
// told is seen first, the nights that show more rooms under their codes than now are
// named, and no other list passes. What is told then is what the plan says.
func TestMappingALiveChannelNamesEveryRaisedNight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		all := b.house.Mappings()
		code := func(m hotel.Mapping) bool { return m.RemoteRoom == b.house.RemoteRoom(suite) }
		some := slices.DeleteFunc(slices.Clone(all), code)
		b.channelOf("a", f.Settings(300), some)
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.live()
		b.pass(time.Minute)

		// The suites come to be sold there too.
		swap := hotel.Remap{StockPer: hotel.PerRoom, Mappings: slices.Clone(all)}
		double := slices.IndexFunc(all, func(m hotel.Mapping) bool { return m.RoomTypeID == b.house.Rooms[0].ID })
		plan := b.planned(swap)
		if plan.Kind != hotel.PlanMapping || len(plan.Calls) == 0 || len(plan.Raises) == 0 {
			t.Fatalf("planned is %+v", plan)
		}
		for _, r := range plan.Raises {
			if r.RemoteRoom != b.house.RemoteRoom(suite) || r.Shown != nil || r.Wanted == 0 {
				t.Errorf("raised is %+v", r)
			}
		}
		before := b.shown(f)
		refused := func(why, code string, m hotel.Remap) {
			t.Helper()
			if err := b.eng.Map(t.Context(), testkit.Tester, "a", m); codeOf(err) != code {
				t.Fatalf("%s: %v", why, err)
			}
		}
		refused("no plan", "validation_failed", swap)
		swap.PlanID, swap.AcceptedBy = plan.ID, "Ada"
		refused("nothing is accepted", "raises_need_confirmation", swap)
		swap.Accept = append(slices.Clone(plan.Raises), plan.Raises[0])
		refused("one more is accepted", "raises_need_confirmation", swap)
		swap.Accept = plan.Raises
		other := swap
		other.Mappings = slices.Delete(slices.Clone(all), double, double+1)
		refused("another mapping", "plan_outdated", other)
		swap.AcceptedBy = ""
		refused("nobody answers for it", "validation_failed", swap)
		b.pass(time.Minute)
		if diff := cmp.Diff(before, b.shown(f)); diff != "" {
			t.Errorf("refused, and yet it was told something:\n%s", diff)
		}
		if err := b.ldg.MapChannel(t.Context(), testkit.Tester, "a", swap); !errors.Is(err, ledger.ErrUnplanned) {
			t.Errorf("past the plan: %v", err)
		}

		swap.AcceptedBy = "Ada"
		if err := b.eng.Map(t.Context(), testkit.Tester, "a", swap); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Minute)
		if got := f.Book().OnSale(b.house.RemoteRoom(suite), b.first+3); got != testkit.Suites {
			t.Errorf("accepted, and it sells %d suites of %d", got, testkit.Suites)
		}
		if p := b.planned(swap); len(p.Calls) != 0 {
			t.Errorf("mapped, and it is still to be told %d calls", len(p.Calls))
		}
		swap.PlanID, swap.Accept = "", nil // what tells it nothing needs no plan
		if err := b.eng.Map(t.Context(), testkit.Tester, "a", swap); err != nil {
			t.Error(err)
		}
	})
}

// A code that stands for another room is raised from what it shows now, and one that is
// taken away is closed: nothing else is told.
func TestPlanOfAnotherMapping(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		all := b.house.Mappings()
		b.channel("a", f.Settings(300))
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.live()
		b.pass(time.Minute)
		doubles, suites := b.house.RemoteRoom(0), b.house.RemoteRoom(suite)
		swapped := slices.Clone(all)
		for i, m := range all {
			switch m.RemoteRoom {
			case doubles:
				swapped[i].RemoteRoom = suites
			case suites:
				swapped[i].RemoteRoom = doubles
			}
		}
		plan := b.planned(hotel.Remap{StockPer: hotel.PerRoom, Mappings: swapped})
		for _, r := range plan.Raises {
			if r.RemoteRoom != suites || r.Shown == nil || *r.Shown != testkit.Suites || r.Wanted != testkit.Doubles {
				t.Errorf("raised is %+v", r)
			}
		}
		if len(plan.Raises) == 0 {
			t.Error("nothing is raised")
		}

		gone := slices.DeleteFunc(slices.Clone(all), func(m hotel.Mapping) bool { return m.RemoteRoom == suites })
		plan = b.planned(hotel.Remap{StockPer: hotel.PerRoom, Mappings: gone})
		closes := 0
		for _, c := range plan.Calls {
			if closes += c.Closes; c.Opens != 0 {
				t.Errorf("a call opens %d", c.Opens)
			}
		}
		if len(plan.Raises) != 0 || closes == 0 || closes != cellsOf(plan) {
			t.Errorf("taken away, %d cells are told of which %d close, and raised are %v", cellsOf(plan), closes, raised(plan.Raises))
		}
		m := hotel.Remap{StockPer: hotel.PerRoom, Mappings: gone, Approval: hotel.Approval{PlanID: plan.ID}}
		if err := b.eng.Map(t.Context(), testkit.Tester, "a", m); err != nil {
			t.Fatal(err)
		}
		b.pass(time.Minute)
		if n := b.shown(f)[suites]; n != 0 {
			t.Errorf("taken away, and %d are on sale", n)
		}
	})
}
