package console

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ruleForm is the form of a pricing rule.
type ruleForm struct {
	form
	ID, Name string // "": a new one
	Rooms    []hotel.RoomType
	Plans    []hotel.RatePlan
	Weekdays [7]hotel.Date
	Rows     []int // of conditions
	mistakes
}

var ruleChoices = map[string][]string{
	"metric":   {string(hotel.OccupancyPct), string(hotel.RoomOccupancyPct), string(hotel.RoomsLeft), string(hotel.DaysToArrival), string(hotel.Pickup7d)},
	"op":       {"gte", "gt", "lte", "lt", "eq", "between"},
	"action":   {string(hotel.Percent), string(hotel.Amount), hotel.SetPrice},
	"rounding": roundings,
}

// Choices are the words that a field of the form takes.
func (ruleForm) Choices(field string) []string { return ruleChoices[field] }

// At is the name of a field of a condition.
func (ruleForm) At(row int, field string) string { return at("if", row, field) }

// RuleDay is a day of the week as rules have it.
func (ruleForm) RuleDay(i int) string { return ruleDays[i] }

// rule is the pricing rule that the address names, in this house.
func (v *visit) rule() (hotel.PricingRule, error) {
	r, err := v.c.desk.PricingRule(v.r.Context(), v.caller, v.r.PathValue("id"))
	if err == nil && r.PropertyID != v.house.ID {
		err = hotel.Refuse("not_found", "there is no such rule in this house")
	}
	return r, err
}

// newRule asks for a rule. It acts after all others unless somebody says otherwise.
func (c *Console) newRule(v *visit) error {
	f, err := v.ruleForm()
	if err != nil {
		return err
	}
	list, err := c.desk.PricingRules(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return err
	}
	last := 0
	for _, r := range list {
		last = max(last, r.Priority)
	}
	f.form = form{url.Values{"priority": {strconv.Itoa(min(last+ruleStep, mostPriority))}, "enabled": {"true"}}}
	f.rows(0)
	return v.show("rule_form", http.StatusOK, f)
}

// editRule asks what is to change of one.
func (c *Console) editRule(v *visit) error {
	r, err := v.rule()
	if err != nil {
		return err
	}
	f, err := v.ruleForm()
	if err != nil {
		return err
	}
	f.ID, f.Name, f.form = r.ID, r.Name, ruleValues(v.words, r)
	f.rows(len(r.Conditions))
	return v.show("rule_form", http.StatusOK, f)
}

// ruleForm is an empty form, with all that there is to choose.
func (v *visit) ruleForm() (f ruleForm, err error) {
	if !v.may(auth.RatesWrite) {
		return f, hotel.Refuse("insufficient_scope", "your role may not change prices")
	}
	for i := range f.Weekdays {
		f.Weekdays[i] = monday + hotel.Date(i)
	}
	f.Rooms, f.Plans, err = v.sold()
	return f, err
}

// mostConditions is how many a rule has at most.
const mostConditions = 10

// rows makes so many rows for conditions, and some to spare.
func (f *ruleForm) rows(filled int) {
	for i := range min(filled+spareRows, mostConditions) {
		f.Rows = append(f.Rows, i)
	}
}

// ruleValues is the form as it is filled in for a rule.
func ruleValues(w *words, r hotel.PricingRule) form {
	f := form{url.Values{}}
	f.Set("id", r.ID)
	f.Set("revision", strconv.FormatInt(r.Revision, 10))
	f.Set("name", r.Name)
	f.Set("priority", strconv.Itoa(r.Priority))
	f.tick("enabled", r.Enabled)
	f.tick("stop", r.Stop)
	f.Values["plan"], f.Values["room"], f.Values["day"] = r.Scope.RatePlanIDs, r.Scope.RoomTypeIDs, r.Scope.Weekdays
	for name, d := range map[string]*hotel.Date{"from": r.Scope.DateFrom, "to": r.Scope.DateTo} {
		if d != nil {
			f.Set(name, d.String())
		}
	}
	for i, c := range r.Conditions {
		f.Set(at("if", i, "metric"), string(c.Metric))
		f.Set(at("if", i, "op"), c.Op)
		for k, value := range c.Value {
			f.setDecimal(w, at("if", i, []string{"value", "to"}[min(k, 1)]), value)
		}
	}
	f.setDecimal(w, "hysteresis", r.HysteresisPct)
	if r.MaxChanges > 0 {
		f.setNumber("changes", &r.MaxChanges)
	}
	f.Set("action", r.Action.Kind)
	f.setDecimal(w, "value", r.Action.Value)
	f.set("rounding", string(r.Rounding))
	f.setMoney(w, "floor", r.Floor)
	f.setMoney(w, "ceiling", r.Ceiling)
	return f
}

// rule lays what the form says over a rule.
func (r *reader) rule(p *hotel.PricingRule, c hotel.Currency) {
	p.Name, p.Enabled, p.Stop = r.text("name"), r.Get("enabled") != "", r.Get("stop") != ""
	if n := r.number("priority"); n != nil {
		p.Priority = *n
	}
	p.Scope = hotel.RuleScope{RatePlanIDs: r.Values["plan"], RoomTypeIDs: r.Values["room"], DateFrom: r.date("from"), DateTo: r.date("to")}
	for _, day := range ruleDays {
		if slices.Contains(r.Values["day"], day) {
			p.Scope.Weekdays = append(p.Scope.Weekdays, day)
		}
	}
	p.Conditions = nil
	for i := range mostConditions {
		metric := r.text(at("if", i, "metric"))
		if metric == "" {
			continue
		}
		cond := hotel.RuleCondition{Metric: hotel.RuleMetric(metric), Op: r.text(at("if", i, "op")), Value: []string{r.decimal(at("if", i, "value"))}}
		if cond.Op == "between" {
			cond.Value = append(cond.Value, r.decimal(at("if", i, "to")))
		}
		p.Conditions = append(p.Conditions, cond)
	}
	p.HysteresisPct, p.MaxChanges = r.decimal("hysteresis"), count(r.number("changes"))
	p.Action = hotel.RuleAction{Kind: r.text("action"), Value: r.decimal("value")}
	p.Rounding = hotel.Rounding(r.text("rounding"))
	p.Floor, p.Ceiling = r.money("floor", c), r.money("ceiling", c)
}
