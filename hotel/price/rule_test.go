package price_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/hotel/price"
)

func money(minor int64) *hotel.Money { return &hotel.Money{Minor: minor, Currency: "EUR"} }

func sound() hotel.PricingRule {
	return hotel.PricingRule{Name: "High season", Enabled: true, Priority: 10, Action: hotel.RuleAction{Kind: "percent", Value: "5"}}
}

func TestRuleCovers(t *testing.T) {
	tests := []struct {
		name       string
		scope      hotel.RuleScope
		room, plan string
		derived    bool
		want       bool
	}{
		{"no plan named: every plan that is not derived", hotel.RuleScope{}, "rt_a", "rp_a", false, true},
		{"no plan named: no derived plan", hotel.RuleScope{}, "rt_a", "rp_a", true, false},
		{"a derived plan that is named", hotel.RuleScope{RatePlanIDs: []string{"rp_a"}}, "rt_a", "rp_a", true, true},
		{"another plan is named", hotel.RuleScope{RatePlanIDs: []string{"rp_b"}}, "rt_a", "rp_a", false, false},
		{"the room type is named", hotel.RuleScope{RoomTypeIDs: []string{"rt_a"}}, "rt_a", "rp_a", false, true},
		{"another room type is named", hotel.RuleScope{RoomTypeIDs: []string{"rt_b"}}, "rt_a", "rp_a", false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := sound()
			r.Scope = test.scope
			rule, err := price.NewRule(&r)
			if err != nil {
				t.Fatal(err)
			}
			if got := rule.Covers(test.room, test.plan, test.derived); got != test.want {
				t.Errorf("covers = %t, want %t", got, test.want)
			}
		})
	}
}

func TestRuleOn(t *testing.T) {
	first, last := hotel.DateOf(2026, time.December, 4), hotel.DateOf(2026, time.December, 12) // a Friday, a Saturday
	r := sound()
	r.Scope = hotel.RuleScope{DateFrom: &first, DateTo: &last, Weekdays: []string{"fri", "sat"}}
	rule, err := price.NewRule(&r)
	if err != nil {
		t.Fatal(err)
	}
	var on []int
	for d := first - 7; d <= last+7; d++ {
		if rule.On(d) {
			on = append(on, int(d-first))
		}
	}
	if want := []int{0, 1, 7, 8}; !slices.Equal(on, want) {
		t.Errorf("days = %v, want %v: both ends count", on, want)
	}
}

func TestRuleHolds(t *testing.T) {
	figures := map[hotel.RuleMetric]price.Figure{
		hotel.OccupancyPct:     {Num: 200, Den: 3}, // two thirds
		hotel.RoomOccupancyPct: {Num: 0, Den: 0},
		hotel.RoomsLeft:        {Num: 3, Den: 1},
		hotel.Pickup7d:         {Num: -2, Den: 1},
	}
	tests := []struct {
		name   string
		metric hotel.RuleMetric
		op     string
		value  []string
		want   bool
	}{
		{"two thirds are more than 66.66", hotel.OccupancyPct, "gt", []string{"66.66"}, true},
		{"two thirds are less than 66.67", hotel.OccupancyPct, "lt", []string{"66.67"}, true},
		{"two thirds equal no decimal", hotel.OccupancyPct, "eq", []string{"66.6667"}, false},
		{"at most, equal", hotel.RoomsLeft, "lte", []string{"3"}, true},
		{"less, equal", hotel.RoomsLeft, "lt", []string{"3"}, false},
		{"at least, equal", hotel.RoomsLeft, "gte", []string{"3.0"}, true},
		{"between, its lower end", hotel.RoomsLeft, "between", []string{"3", "5"}, true},
		{"between, its upper end", hotel.RoomsLeft, "between", []string{"1", "3"}, true},
		{"between, outside", hotel.RoomsLeft, "between", []string{"4", "5"}, false},
		{"below nothing", hotel.Pickup7d, "lt", []string{"-1.5"}, true},
		{"no rooms are no occupancy", hotel.RoomOccupancyPct, "gte", []string{"0"}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := sound()
			r.Conditions = []hotel.RuleCondition{{Metric: test.metric, Op: test.op, Value: test.value}}
			rule, err := price.NewRule(&r)
			if err != nil {
				t.Fatal(err)
			}
			if got := rule.Holds(func(m hotel.RuleMetric) price.Figure { return figures[m] }); got != test.want {
				t.Errorf("holds = %t, want %t", got, test.want)
			}
			if !rule.Asks(test.metric) || rule.Asks(hotel.DaysToArrival) {
				t.Error("the rule does not know what it asks about")
			}
		})
	}
}

func TestRuleLimitsItsOwnEffect(t *testing.T) {
	tests := []struct {
		name           string
		kind, value    string
		floor, ceiling *hotel.Money
		before, want   string
	}{
		{"a raise stops at the ceiling", "percent", "20", nil, money(11000), "100.00", "110.00"},
		{"a price above the ceiling is not cut by a raise", "percent", "20", nil, money(11000), "300.00", "300.00"},
		{"a raise reaches the floor", "percent", "5", money(12000), nil, "100.00", "120.00"},
		{"a cut stops at the floor", "amount", "-30", money(8000), nil, "100.00", "80.00"},
		{"a price below the floor is not raised by a cut", "amount", "-30", money(8000), nil, "50.00", "50.00"},
		{"nothing changed, nothing limited", "percent", "0", money(20000), nil, "100.00", "100.00"},
		{"limits in another currency", "percent", "20", nil, &hotel.Money{Minor: 1, Currency: "JPY"}, "100.00", "120.00"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := sound()
			r.Action = hotel.RuleAction{Kind: test.kind, Value: test.value}
			r.Floor, r.Ceiling = test.floor, test.ceiling
			rule, err := price.NewRule(&r)
			if err != nil {
				t.Fatal(err)
			}
			if got := rule.Act(price.Base(eur(t, test.before))).Text(); got != test.want {
				t.Errorf("price = %s, want %s", got, test.want)
			}
		})
	}
}

func TestCheckRule(t *testing.T) {
	day := hotel.DateOf(2026, time.December, 4)
	before := day - 1
	tests := []struct {
		name  string
		spoil func(*hotel.PricingRule)
		want  string // pointer and code
	}{
		{"sound", func(*hotel.PricingRule) {}, ""},
		{"no name", func(r *hotel.PricingRule) { r.Name = "" }, "/name length"},
		{"priority 0", func(r *hotel.PricingRule) { r.Priority = 0 }, "/priority max"},
		{"ends before it begins", func(r *hotel.PricingRule) { r.Scope.DateFrom, r.Scope.DateTo = &day, &before }, "/scope/date_to date_order"},
		{"no such day", func(r *hotel.PricingRule) { r.Scope.Weekdays = []string{"mon", "fry"} }, "/scope/days_of_week/1 enum"},
		{"no such metric", func(r *hotel.PricingRule) {
			r.Conditions = []hotel.RuleCondition{{Metric: "weather", Op: "eq", Value: []string{"1"}}}
		}, "/conditions/0/metric enum"},
		{"no such comparison", func(r *hotel.PricingRule) {
			r.Conditions = []hotel.RuleCondition{{Metric: hotel.RoomsLeft, Op: "ne", Value: []string{"1"}}}
		}, "/conditions/0/op enum"},
		{"between one value", func(r *hotel.PricingRule) {
			r.Conditions = []hotel.RuleCondition{{Metric: hotel.RoomsLeft, Op: "between", Value: []string{"1"}}}
		}, "/conditions/0/value length"},
		{"between in reverse", func(r *hotel.PricingRule) {
			r.Conditions = []hotel.RuleCondition{{Metric: hotel.RoomsLeft, Op: "between", Value: []string{"2", "1"}}}
		}, "/conditions/0/value min"},
		{"no number", func(r *hotel.PricingRule) {
			r.Conditions = []hotel.RuleCondition{{Metric: hotel.RoomsLeft, Op: "lt", Value: []string{"few"}}}
		}, "/conditions/0/value format"},
		{"no such action", func(r *hotel.PricingRule) { r.Action.Kind = "double" }, "/action/kind enum"},
		{"no value", func(r *hotel.PricingRule) { r.Action.Value = "" }, "/action/value format"},
		{"less than nothing", func(r *hotel.PricingRule) { r.Action = hotel.RuleAction{Kind: "set", Value: "-1"} }, "/action/value min"},
		{"no such rounding", func(r *hotel.PricingRule) { r.Rounding = "up" }, "/rounding enum"},
		{"a floor of nothing", func(r *hotel.PricingRule) { r.Floor = money(0) }, "/floor min"},
		{"a ceiling below the floor", func(r *hotel.PricingRule) { r.Floor, r.Ceiling = money(2), money(1) }, "/ceiling min"},
		{"limits in two currencies", func(r *hotel.PricingRule) {
			r.Floor, r.Ceiling = money(2), &hotel.Money{Minor: 9, Currency: "JPY"}
		}, "/ceiling currency_mismatch"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := sound()
			test.spoil(&r)
			var got []string
			for _, f := range price.CheckRule(&r) {
				got = append(got, f.Pointer+" "+f.Code)
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("faults = %v, want %q", got, test.want)
			}
			if _, err := price.NewRule(&r); (err == nil) != (test.want == "") {
				t.Errorf("preparing it: %v", err)
			}
		})
	}
}

func TestLimitsOf(t *testing.T) {
	plan := hotel.RatePlan{PriceLimits: []hotel.PriceLimit{
		{DateFrom: 10, DateTo: 20, Floor: money(8000), Ceiling: money(30000)},
		{DateFrom: 15, DateTo: 25, Floor: money(9000), RoomTypeIDs: []string{"rt_a"}},
		{DateFrom: 20, DateTo: 20, Ceiling: money(20000)},
	}}
	tests := []struct {
		name  string
		room  string
		night hotel.Date
		want  price.Limits
	}{
		{"before any season", "rt_a", 9, price.Limits{}},
		{"the first day of a season", "rt_a", 10, price.Limits{Floor: 8000, Ceiling: 30000}},
		{"the higher floor of two", "rt_a", 15, price.Limits{Floor: 9000, Ceiling: 30000}},
		{"a room type that one does not name", "rt_b", 15, price.Limits{Floor: 8000, Ceiling: 30000}},
		{"the lower ceiling of two, on their last day", "rt_b", 20, price.Limits{Floor: 8000, Ceiling: 20000}},
		{"after all of them", "rt_b", 21, price.Limits{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := price.LimitsOf(&plan, test.room, test.night); got != test.want {
				t.Errorf("limits = %+v, want %+v", got, test.want)
			}
		})
	}
}
