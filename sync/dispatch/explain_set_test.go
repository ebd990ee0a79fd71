package dispatch

import (
	"context"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

// Each step of a price names the newest entry that said how it acts: of the plan, of the
// rule, of the channel. As of an entry before, it names the one that held then.
func TestStepsOfAPriceNameWhoSetThem(t *testing.T) {
	run(t, nil, func(b *bench) {
		ctx := context.Background()
		b.rest()
		set := func() int64 {
			t.Helper()
			end, err := b.ldg.Sequence(ctx)
			if err != nil {
				t.Fatal(err)
			}
			return end
		}
		newest := func(after int64, kind ledger.Kind) int64 {
			t.Helper()
			entries, err := b.ldg.Entries(ctx, after, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if e.Kind == kind {
					return e.Sequence
				}
			}
			t.Fatalf("there is no %s behind %d", kind, after)
			return 0
		}
		steps := func(plan int, asOf int64) map[string][]int64 {
			t.Helper()
			x, err := New(b.worker.Options).Explain(ctx, hotel.ExplainQuery{
				ChannelID: channel, RoomTypeID: b.house.Rooms[2].ID, RatePlanID: b.house.Plans[plan].ID, Night: b.today + 4, AsOf: hotel.AsOf{Sequence: asOf},
			})
			if err != nil {
				t.Fatal(err)
			}
			said := map[string][]int64{}
			for _, n := range x.Numbers {
				if n.Field != hotel.FieldAmount || n.Occupancy != b.house.Rooms[2].BaseOccupancy {
					continue
				}
				said = map[string][]int64{}
				for _, s := range n.Steps {
					said[s.Name] = append(said[s.Name], s.Sequence)
				}
			}
			return said
		}
		first := set()
		before := steps(1, 0)
		b.changePlan(func(p *hotel.RatePlan) { p.Name = "Flexible" })
		plan := newest(first, ledger.RatePlanUpdated)
		_, _, err := b.ldg.CreatePricingRule(ctx, testkit.Tester, hotel.Once{}, hotel.PricingRule{
			PropertyID: b.house.Property.ID, Name: "Late", Priority: 9, Enabled: true, Scope: hotel.RuleScope{RatePlanIDs: []string{b.house.Plans[0].ID}},
			Action: hotel.RuleAction{Kind: string(hotel.Percent), Value: "5"},
		})
		if err != nil {
			t.Fatal(err)
		}
		rule := newest(plan, ledger.PricingRuleCreated)
		b.change(func(c *hotel.Channel) { c.Markup = &hotel.Markup{Kind: hotel.Percent, Value: "10"} })
		marked := newest(rule, ledger.ChannelUpdated)
		b.rest()
		now := steps(1, 0)
		if got := now["rule"]; len(got) != 1 || got[0] != rule {
			t.Errorf("the rule of entry %d is that of %v", rule, got)
		}
		for _, name := range []string{"markup", "tax_basis", "currency"} {
			if got := now[name]; len(got) != 1 || got[0] != marked {
				t.Errorf("%s of entry %d is that of %v", name, marked, got)
			}
		}
		// The parent's limits come first; those of the derived plan, twice, are as before.
		if got := now["floor_ceiling"]; len(got) != 3 || got[0] != plan || got[1] == 0 || got[1] >= first || got[2] != got[1] {
			t.Errorf("the plan of entry %d: limits of %v", plan, got)
		}
		for _, name := range []string{"derivation", "rounding"} {
			if got := now[name]; len(got) != 1 || got[0] != now["floor_ceiling"][1] {
				t.Errorf("%s is that of %v", name, got)
			}
		}
		if then := steps(1, first); then["markup"][0] != before["markup"][0] || then["floor_ceiling"][0] != before["floor_ceiling"][0] || then["markup"][0] == marked {
			t.Errorf("as of entry %d: %v, then it was %v", first, then, before)
		}
	})
}
