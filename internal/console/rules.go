package console

import (
	"net/http"
	"slices"
	"strings"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ruleLine is a pricing rule in words.
type ruleLine struct {
	hotel.PricingRule
	Where string   // which prices it may change
	When  []string // its conditions, all of which must hold
	Then  string   // what it does
	First bool     // none acts before it
	Last  bool
}

// ruleList is every pricing rule of a house in the order in which they act.
type ruleList struct {
	Lines []ruleLine
	May   bool
	Effect
}

// names are what things of the house are called, by id.
type names struct{ rooms, plans map[string]string }

// names reads what room types and rate plans are called.
func (v *visit) names() (n names, err error) {
	n.plans = map[string]string{}
	if n.rooms, err = v.rooms(); err != nil {
		return n, err
	}
	plans, err := v.c.desk.RatePlans(v.r.Context(), v.caller, v.house.ID)
	for _, p := range plans {
		n.plans[p.ID] = p.Name
	}
	return n, err
}

// rules lists the pricing rules, and what they make of the prices together.
func (c *Console) rules(v *visit) error {
	list, err := c.desk.PricingRules(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return err
	}
	n, err := v.names()
	if err != nil {
		return err
	}
	l := ruleList{Lines: v.ruleLines(list, n), May: v.may(auth.RatesWrite)}
	if l.Effect, err = v.effect(v.r.URL.Query().Get, nil, n, list); err != nil {
		return err
	}
	return v.show("rules", http.StatusOK, l)
}

func (v *visit) ruleLines(list []hotel.PricingRule, n names) []ruleLine {
	lines := make([]ruleLine, len(list))
	for i, r := range list {
		lines[i] = v.ruleLine(r, n)
		lines[i].First, lines[i].Last = i == 0, i == len(list)-1
	}
	return lines
}

// ruleLine puts a rule in words.
func (v *visit) ruleLine(r hotel.PricingRule, n names) ruleLine {
	l := ruleLine{PricingRule: r, Where: v.ruleScope(r.Scope, n)}
	for _, c := range r.Conditions {
		l.When = append(l.When, v.ruleCondition(c))
	}
	l.Then = v.adjusted(r.Action.Kind, r.Action.Value, v.house.Currency)
	if r.Action.Kind == hotel.SetPrice {
		l.Then = v.words.T("rules.set_to", l.Then)
	}
	if r.Rounding != "" && r.Rounding != hotel.RoundNone {
		l.Then += ", " + v.words.T("rounding."+string(r.Rounding))
	}
	if r.Floor != nil {
		l.Then += ", " + v.words.T("plan.floor", v.words.money(*r.Floor))
	}
	if r.Ceiling != nil {
		l.Then += ", " + v.words.T("plan.ceiling", v.words.money(*r.Ceiling))
	}
	return l
}

// ruleScope is which prices a rule may change, in words.
func (v *visit) ruleScope(s hotel.RuleScope, n names) string {
	parts := []string{v.words.T("rules.every_plan")}
	if len(s.RatePlanIDs) > 0 {
		parts[0] = named(s.RatePlanIDs, n.plans)
	}
	if len(s.RoomTypeIDs) > 0 {
		parts = append(parts, named(s.RoomTypeIDs, n.rooms))
	}
	switch {
	case s.DateFrom != nil && s.DateTo != nil:
		parts = append(parts, v.words.date(*s.DateFrom)+" – "+v.words.date(*s.DateTo))
	case s.DateFrom != nil:
		parts = append(parts, v.words.T("rules.since", v.words.date(*s.DateFrom)))
	case s.DateTo != nil:
		parts = append(parts, v.words.T("rules.until", v.words.date(*s.DateTo)))
	}
	var days []string
	for i := range ruleDays {
		if slices.Contains(s.Weekdays, ruleDays[i]) {
			days = append(days, v.words.weekday(monday+hotel.Date(i)))
		}
	}
	if len(days) > 0 {
		parts = append(parts, strings.Join(days, ", "))
	}
	return strings.Join(parts, " · ")
}

// named are names in the place of ids.
func named(ids []string, by map[string]string) string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = by[id]
	}
	return strings.Join(list, ", ")
}

// ruleDays are the days of the week as rules have them, from Monday on.
var ruleDays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// ruleCondition is a condition in words: "occupancy of the house at least 80 %".
func (v *visit) ruleCondition(c hotel.RuleCondition) string {
	var values []any
	for _, value := range c.Value {
		values = append(values, v.words.T("unit."+string(c.Metric), v.words.decimal(value)))
	}
	return v.words.T("metric."+string(c.Metric)) + " " + v.words.T("op."+c.Op, values...)
}
