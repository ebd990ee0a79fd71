package price

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

var roundings = []hotel.Rounding{
	"", hotel.RoundNone, hotel.RoundNearest1, hotel.RoundNearest5, hotel.RoundEnd9, hotel.RoundEnd99,
}

var metrics = []hotel.RuleMetric{
	hotel.OccupancyPct, hotel.RoomOccupancyPct, hotel.RoomsLeft, hotel.DaysToArrival, hotel.Pickup7d,
}

// CheckRule returns every fault of a rule, by JSON pointer into it. Whether the
// plans and room types that it names exist is for others to say.
func CheckRule(r *hotel.PricingRule) []hotel.RefusedItem {
	var f faults
	if n := len([]rune(r.Name)); n < 1 || n > 200 {
		f.add("/name", "length", "give the rule a name of 1 to 200 characters")
	}
	if r.Priority < 1 || r.Priority > 1000 {
		f.add("/priority", "max", "a priority is 1 to 1000; low runs first")
	}
	f.scope(&r.Scope)
	if len(r.Conditions) > maxConditions {
		f.add("/conditions", "max", "a rule has at most %d conditions", maxConditions)
	}
	for i := range r.Conditions {
		f.condition(fmt.Sprintf("/conditions/%d", i), &r.Conditions[i])
	}
	f.memory(&r.RuleMemory)
	f.action(&r.Action)
	if !slices.Contains(roundings, r.Rounding) {
		f.add("/rounding", "enum", "expected none, nearest_1, nearest_5, end_9 or end_99")
	}
	f.limits(r.Floor, r.Ceiling)
	return f
}

const maxConditions = 10

// faults collects what is wrong.
type faults []hotel.RefusedItem

func (f *faults) add(pointer, code, format string, args ...any) {
	*f = append(*f, hotel.Wrong(pointer, code, format, args...))
}

func (f *faults) scope(s *hotel.RuleScope) {
	if s.DateFrom != nil && s.DateTo != nil && *s.DateTo < *s.DateFrom {
		f.add("/scope/date_to", "date_order", "must not be before date_from (%s)", s.DateFrom)
	}
	for i, day := range s.Weekdays {
		if !slices.Contains(weekdays, day) {
			f.add(fmt.Sprintf("/scope/days_of_week/%d", i), "enum", "expected mon, tue, wed, thu, fri, sat or sun")
		}
	}
}

func (f *faults) condition(at string, c *hotel.RuleCondition) {
	if !slices.Contains(metrics, c.Metric) {
		f.add(at+"/metric", "enum", "expected one of %v", metrics)
	}
	want := 1
	if c.Op == "between" {
		want = 2
	}
	switch {
	case !slices.Contains(comparisons, c.Op):
		f.add(at+"/op", "enum", "expected one of %v", comparisons)
		return
	case len(c.Value) != want:
		f.add(at+"/value", "length", "%s compares with %d values, not with %d", c.Op, want, len(c.Value))
		return
	}
	for _, v := range c.Value {
		if !valueForm.MatchString(v) {
			f.add(at+"/value", "format", "expected decimal numbers such as 80 or 7.5")
			return
		}
	}
	if want == 2 && decimal.RequireFromString(c.Value[1]).LessThan(decimal.RequireFromString(c.Value[0])) {
		f.add(at+"/value", "min", "the second value must not be below the first")
	}
}

func (f *faults) memory(m *hotel.RuleMemory) {
	if m.HysteresisPct != "" {
		if pct, err := decimal.NewFromString(m.HysteresisPct); err != nil || !valueForm.MatchString(m.HysteresisPct) {
			f.add("/hysteresis_pct", "format", "expected a number such as 5 or 2.5")
		} else if pct.IsNegative() || pct.GreaterThan(decimal.NewFromInt(100)) || decimals(pct) > 2 {
			f.add("/hysteresis_pct", "max", "a hysteresis is 0 to 100 per cent of a condition's value, with at most two decimals")
		}
	}
	if m.MaxChanges < 0 || m.MaxChanges > maxTurns {
		f.add("/max_changes_per_day", "max", "a limit of changes is 1 to %d; null is no limit", maxTurns)
	}
}

// maxTurns is the highest limit of changes that a rule can have.
const maxTurns = 1000

func (f *faults) action(a *hotel.RuleAction) {
	switch {
	case !slices.Contains([]string{string(hotel.Percent), string(hotel.Amount), hotel.SetPrice}, a.Kind):
		f.add("/action/kind", "enum", "expected percent, amount or set")
	case a.Kind == hotel.SetPrice:
		if !valueForm.MatchString(a.Value) {
			f.add("/action/value", "format", "expected a decimal number such as 120")
		} else if decimal.RequireFromString(a.Value).IsNegative() {
			f.add("/action/value", "min", "a price cannot be below 0")
		}
	default:
		if err := Check(hotel.AdjustmentKind(a.Kind), a.Value); err != nil {
			f.add("/action/value", "format", "%s", err)
		}
	}
}

func (f *faults) limits(floor, ceiling *hotel.Money) {
	for _, l := range []struct {
		at string
		m  *hotel.Money
	}{{"/floor", floor}, {"/ceiling", ceiling}} {
		if l.m != nil && l.m.Minor <= 0 {
			f.add(l.at, "min", "a limit is above 0; null is no limit")
		}
	}
	switch {
	case floor == nil || ceiling == nil:
	case floor.Currency != ceiling.Currency:
		f.add("/ceiling", "currency_mismatch", "must be in %s, as the floor is", floor.Currency)
	case ceiling.Minor < floor.Minor:
		f.add("/ceiling", "min", "must not be below the floor (%s)", floor)
	}
}
