package price

import (
	"testing"

	"ostler.example/hotel"
)

func TestSwitches(t *testing.T) {
	const day = hotel.Date(20_000)
	cond := func(m hotel.RuleMetric, op string, v ...string) []hotel.RuleCondition {
		return []hotel.RuleCondition{{Metric: m, Op: op, Value: v}}
	}
	above := cond(hotel.OccupancyPct, "gte", "80")
	on := Switch{On: true}
	for _, c := range []struct {
		name       string
		memory     hotel.RuleMemory
		conditions []hotel.RuleCondition
		figure     int64
		from, want Switch
		hold       Hold
	}{
		{"it begins where the condition is met", hotel.RuleMemory{HysteresisPct: "5"}, above, 80, Switch{}, on, Follows},
		{"the hysteresis does not let it begin early", hotel.RuleMemory{HysteresisPct: "5"}, above, 79, Switch{}, Switch{}, Follows},
		{"it stays down to the hysteresis", hotel.RuleMemory{HysteresisPct: "5"}, above, 76, on, on, ByHysteresis},
		{"and ceases below it", hotel.RuleMemory{HysteresisPct: "5"}, above, 75, on, Switch{}, Follows},
		{"of a figure from above it is above", hotel.RuleMemory{HysteresisPct: "50"}, cond(hotel.RoomsLeft, "lt", "4"), 5, on, on, ByHysteresis},
		{"where the value itself is outside, so is its end", hotel.RuleMemory{HysteresisPct: "50"}, cond(hotel.RoomsLeft, "lt", "4"), 6, on, Switch{}, Follows},
		{"of equality it is on both sides", hotel.RuleMemory{HysteresisPct: "50"}, cond(hotel.RoomsLeft, "eq", "4"), 6, on, on, ByHysteresis},
		{"of a span it is of either end", hotel.RuleMemory{HysteresisPct: "50"}, cond(hotel.RoomsLeft, "between", "2", "4"), 1, on, on, ByHysteresis},
		{"of a negative value it is of its size", hotel.RuleMemory{HysteresisPct: "50"}, cond(hotel.Pickup7d, "lte", "-2"), -1, on, on, ByHysteresis},
		{"of none it is none", hotel.RuleMemory{HysteresisPct: "50"}, cond(hotel.Pickup7d, "lte", "0"), 1, on, Switch{}, Follows},
		{"days never come back", hotel.RuleMemory{HysteresisPct: "50"}, cond(hotel.DaysToArrival, "gte", "4"), 3, on, Switch{}, Follows},
		{"the first change of a day", hotel.RuleMemory{MaxChanges: 1}, above, 80, Switch{}, Switch{true, day, 1}, Follows},
		{"no second where one is the limit", hotel.RuleMemory{MaxChanges: 1}, above, 79, Switch{true, day, 1}, Switch{true, day, 1}, ByLimit},
		{"nor a beginning", hotel.RuleMemory{MaxChanges: 2}, above, 80, Switch{false, day, 2}, Switch{false, day, 2}, ByLimit},
		{"a second where two are", hotel.RuleMemory{MaxChanges: 2}, above, 79, Switch{true, day, 1}, Switch{false, day, 2}, Follows},
		{"a new day counts anew", hotel.RuleMemory{MaxChanges: 1}, above, 79, Switch{true, day - 1, 1}, Switch{false, day, 1}, Follows},
		{"a clock that was set back does not", hotel.RuleMemory{MaxChanges: 1}, above, 79, Switch{true, day + 1, 1}, Switch{true, day + 1, 1}, ByLimit},
		{"the hysteresis goes before the limit", hotel.RuleMemory{HysteresisPct: "5", MaxChanges: 1}, above, 79, Switch{true, day, 1}, Switch{true, day, 1}, ByHysteresis},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := NewRule(&hotel.PricingRule{
				Name: "A rule", Priority: 1, Conditions: c.conditions, RuleMemory: c.memory, Action: hotel.RuleAction{Kind: "percent", Value: "10"},
			})
			if err != nil || !r.Remembers() {
				t.Fatalf("remembers %v, %v", r.Remembers(), err)
			}
			figure := func(hotel.RuleMetric) Figure { return Figure{c.figure, 1} }
			got, hold := r.Turn(c.from, day, figure)
			if got != c.want || hold != c.hold {
				t.Errorf("%+v %q, want %+v %q", got, hold, c.want, c.hold)
			}
			if again, _ := r.Turn(got, day, figure); again != got {
				t.Errorf("turned again to %+v", again)
			}
		})
	}
}
