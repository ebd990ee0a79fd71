package sync_test

import (
	"crypto/sha256"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
)

// A plan has the calls that are made, and is applied only while it does.
func TestPlansAreTheCallsThatAreMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		defer b.stop()
		f := b.far("a")
		b.channel("a", f.Settings(300))
		if err := b.eng.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		planned := func(q hotel.PlanQuery) hotel.ChannelPlan {
			t.Helper()
			p, err := b.eng.Plan(t.Context(), "a", q)
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		apply := func(once hotel.Once, id string) (hotel.SyncRun, bool, error) {
			return b.eng.Apply(t.Context(), testkit.Tester, once, "a", id)
		}
		if p := planned(hotel.PlanQuery{}); p.Kind != hotel.PlanLive {
			t.Errorf("the plan of a channel that is not live is a %s", p.Kind)
		}
		if _, _, err := apply(hotel.Once{}, "pln_1_full_00"); codeOf(err) != "channel_not_active" {
			t.Errorf("applied before it is live: %v", err)
		}
		b.live()
		b.pass(time.Minute)
		if p := planned(hotel.PlanQuery{}); p.Kind != hotel.PlanDelta || len(p.Calls) != 0 {
			t.Errorf("in sync, %s has %d calls", p.Kind, len(p.Calls))
		}

		some := hotel.Span{From: b.first + 3, To: b.first + 4}
		b.house.Price(t, b.ldg, 0, some, 12300)
		b.house.Price(t, b.ldg, 0, hotel.Span{From: b.first + 9, To: b.first + 9}, 12300)
		time.Sleep(100 * time.Millisecond) // it is collected for half a second
		synctest.Wait()
		delta, part := planned(hotel.PlanQuery{}), planned(hotel.PlanQuery{Kind: hotel.PlanDelta, Nights: some})
		if cells := cellsOf(delta); cells == 0 || cells*2 != cellsOf(part)*3 {
			t.Errorf("the delta has %d cells, of two nights of three %d", cells, cellsOf(part))
		}
		if c := delta.Calls[0]; c.Sum != sha256.Sum256(c.Body) || c.Closes+c.Opens != 0 {
			t.Errorf("call %+v", c)
		}
		once := hotel.Once{Client: "c", Method: "POST", Path: "/apply", Key: "k"}
		run, _, err := apply(once, delta.ID)
		if err != nil || run.Kind != hotel.SyncDelta {
			t.Fatalf("%+v, %v", run, err)
		}
		b.pass(20 * time.Second)
		if run, err := b.ldg.SyncRun(t.Context(), run.ID); err != nil || run.Status != hotel.SyncCompleted || run.Calls != len(delta.Calls) || run.Cells.Acknowledged != cellsOf(delta) {
			t.Errorf("the run was %+v, %v; planned were %d calls", run, err, len(delta.Calls))
		}
		if again, replayed, err := apply(once, delta.ID); err != nil || !replayed || again.ID != run.ID {
			t.Errorf("repeated: %+v %v, %v", again, replayed, err)
		}
		if _, _, err := apply(hotel.Once{}, delta.ID); codeOf(err) != "plan_outdated" {
			t.Errorf("applied twice: %v", err)
		}
		if _, _, err := apply(hotel.Once{}, "no plan"); codeOf(err) != "plan_outdated" {
			t.Errorf("no plan at all: %v", err)
		}

		full := planned(hotel.PlanQuery{Kind: hotel.PlanFull, Nights: some})
		if len(full.Raises) != 0 || cellsOf(full) == 0 {
			t.Errorf("the full plan raises %+v", full.Raises)
		}
		if run, _, err = apply(hotel.Once{}, full.ID); err != nil || run.Kind != hotel.SyncFull {
			t.Fatalf("%+v, %v", run, err)
		}
		b.pass(20 * time.Second)
		if run, err = b.ldg.SyncRun(t.Context(), run.ID); err != nil || run.Status != hotel.SyncCompleted || run.Calls != len(full.Calls) || run.Cells.Acknowledged != cellsOf(full) {
			t.Errorf("the full run was %+v, %v; planned were %d calls with %d cells", run, err, len(full.Calls), cellsOf(full))
		}

		if _, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanDelta, Nights: hotel.Span{From: b.first, To: b.first + 400}}); codeOf(err) != "validation_failed" {
			t.Errorf("too many nights: %v", err)
		}
		if _, err := b.eng.Plan(t.Context(), "a", hotel.PlanQuery{Kind: hotel.PlanLive, Nights: some}); codeOf(err) != "validation_failed" {
			t.Errorf("some nights to go live: %v", err)
		}
		if _, _, err := b.ldg.ShadowChannel(t.Context(), testkit.Tester, hotel.Once{}, "a", 0); err != nil {
			t.Fatal(err)
		}
		if _, _, err := apply(hotel.Once{}, full.ID); codeOf(err) != "channel_in_shadow" {
			t.Errorf("applied in shadow: %v", err)
		}
		b.pass(time.Second)
	})
}

func cellsOf(p hotel.ChannelPlan) int {
	n := 0
	for _, c := range p.Calls {
		n += c.Cells
	}
	return n
}
