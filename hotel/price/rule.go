package price

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"ostler.example/hotel"
)

// Rule is a pricing rule that is ready to act.
type Rule struct {
	ID       string
	By       string // in words, for an explanation: "5 percent", "set 120"
	Priority int
	Stop     bool

	scope      hotel.RuleScope
	weekdays   [7]bool
	conditions []condition
	kind       string
	value      decimal.Decimal
	rounding   hotel.Rounding
	floor      *hotel.Money
	ceiling    *hotel.Money
	hysteresis decimal.Decimal // per cent of a condition's value
	maxTurns   int             // on one business date; 0: no limit
}

// Figure is the value of a metric on a night as a fraction. Below 1 the
// denominator makes it no figure at all, and no condition on it holds.
type Figure struct{ Num, Den int64 }

// NewRule prepares a rule. It is an error when [CheckRule] finds a fault in what
// decides about prices.
func NewRule(r *hotel.PricingRule) (Rule, error) {
	if faults := CheckRule(r); len(faults) > 0 {
		return Rule{}, fmt.Errorf("pricing rule %s: %s %s", r.ID, faults[0].Pointer, faults[0].Detail)
	}
	out := Rule{
		ID: r.ID, Priority: r.Priority, Stop: r.Stop, scope: r.Scope, kind: r.Action.Kind,
		value: decimal.RequireFromString(r.Action.Value), rounding: r.Rounding, floor: r.Floor, ceiling: r.Ceiling,
	}
	out.By = r.Action.Value + " " + r.Action.Kind
	if r.Action.Kind == hotel.SetPrice {
		out.By = "set " + r.Action.Value
	}
	for _, day := range r.Scope.Weekdays {
		out.weekdays[slices.Index(weekdays, day)] = true
	}
	out.maxTurns = r.MaxChanges
	if r.HysteresisPct != "" {
		out.hysteresis = decimal.RequireFromString(r.HysteresisPct)
	}
	for i := range r.Conditions {
		out.conditions = append(out.conditions, newCondition(&r.Conditions[i]))
	}
	return out, nil
}

// Covers reports whether the rule is about the product. A rule that names no plan
// is about every plan that is not derived.
func (r *Rule) Covers(room, plan string, derived bool) bool {
	if !r.Names(room) {
		return false
	}
	if len(r.scope.RatePlanIDs) == 0 {
		return !derived
	}
	return slices.Contains(r.scope.RatePlanIDs, plan)
}

// Names reports whether the rule is about the room type, whatever the plan.
func (r *Rule) Names(room string) bool {
	return len(r.scope.RoomTypeIDs) == 0 || slices.Contains(r.scope.RoomTypeIDs, room)
}

// On reports whether the rule is about the night.
func (r *Rule) On(night hotel.Date) bool {
	if from := r.scope.DateFrom; from != nil && night < *from {
		return false
	}
	if to := r.scope.DateTo; to != nil && night > *to {
		return false
	}
	return len(r.scope.Weekdays) == 0 || r.weekdays[night.Weekday()]
}

// Holds reports whether every condition of the rule is met. figure is asked for
// what the conditions are about, in their order, until one is not met.
func (r *Rule) Holds(figure func(hotel.RuleMetric) Figure) bool {
	for i := range r.conditions {
		c := &r.conditions[i]
		if !c.met(figure(c.metric), decimal.Zero) {
			return false
		}
	}
	return true
}

// Asks reports whether a condition of the rule is about one of the metrics.
func (r *Rule) Asks(metrics ...hotel.RuleMetric) bool {
	return slices.ContainsFunc(r.conditions, func(c condition) bool { return slices.Contains(metrics, c.metric) })
}

// Act changes a price. An amount and a set price are in major units of the
// price's currency. A set price is that of the base occupancy; prices of other
// guests keep their distance from it. The rule's rounding replaces the price's
// unless it is empty.
func (r *Rule) Act(h House) House {
	before := h
	switch r.kind {
	case hotel.SetPrice:
		h.base = r.value.Shift(int32(h.Currency.Exponent()))
		h.Amount = before.Amount.Add(h.base).Sub(before.base)
	default:
		h.Amount = adjust(h.Amount, hotel.AdjustmentKind(r.kind), r.value, h.Currency)
		h.base = adjust(h.base, hotel.AdjustmentKind(r.kind), r.value, h.Currency)
	}
	h.Amount = r.limit(before.Amount, h.Amount, h.Currency)
	h.base = r.limit(before.base, h.base, h.Currency)
	if r.rounding != "" {
		h.Rounding = r.rounding
	}
	return h
}

// limit keeps the rule's effect within its own limits. They never turn a raise
// into a cut nor a cut into a raise: a price that was beyond them before stays
// where it was. Limits in another currency than the price's limit nothing.
func (r *Rule) limit(before, after decimal.Decimal, c hotel.Currency) decimal.Decimal {
	var l Limits
	if r.floor != nil && r.floor.Currency == c {
		l.Floor = r.floor.Minor
	}
	if r.ceiling != nil && r.ceiling.Currency == c {
		l.Ceiling = r.ceiling.Minor
	}
	limited := l.clamp(after)
	switch after.Cmp(before) {
	case 1:
		return decimal.Max(before, limited)
	case -1:
		return decimal.Min(before, limited)
	}
	return after
}
