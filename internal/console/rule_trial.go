package console

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
)

// ruleTrial is what a change of the rules would do to prices.
type ruleTrial struct {
	Act     string // save, enable, disable, earlier, later or delete
	Rule    ruleLine
	New     bool
	Form    url.Values // to be sent again
	Order   []ruleLine // the rules as they would act, where the order changes
	Seen    string     // of the rules that the trial rests on
	Changed bool       // somebody has changed them since
	Effect

	priorities map[string]int // that become others, by rule
	revision   int64
	rule       hotel.PricingRule
}

// The acts on rules.
const (
	ruleSave, ruleEnable, ruleDisable, ruleEarlier, ruleLater, ruleDelete = "save", "enable", "disable", "earlier", "later", "delete"
)

var ruleActs = []string{ruleSave, ruleEnable, ruleDisable, ruleEarlier, ruleLater, ruleDelete}

// ruleStep is how far apart the priorities of rules are set, and mostPriority the last.
const ruleStep, mostPriority = 10, 1000

// tryRule shows what a change of the rules would do.
func (c *Console) tryRule(v *visit) error {
	t, err := v.ruleTrial()
	if err != nil {
		return v.showRuleForm(err)
	}
	return v.show("rule_trial", http.StatusOK, t)
}

// applyRule changes the rules as a trial has shown it, if they are still what they were.
func (c *Console) applyRule(v *visit) error {
	t, err := v.ruleTrial()
	if err != nil {
		return v.showRuleForm(err)
	}
	if t.Changed = t.Seen != v.r.PostFormValue("seen"); t.Changed {
		return v.show("rule_trial", http.StatusConflict, t)
	}
	if err := v.changeRules(&t); err != nil {
		return err
	}
	http.Redirect(v.w, v.r, v.path("rates/rules")+"?done=saved", http.StatusSeeOther)
	return nil
}

// showRuleForm shows the form of a rule again with what is wrong in it.
func (v *visit) showRuleForm(err error) error {
	m, ok := v.mistakesIn(err, v.called(ruleFields))
	if !ok || v.r.PostFormValue("act") != ruleSave {
		return err
	}
	f, err := v.ruleForm()
	if err != nil {
		return err
	}
	r, err := readForm(v.r)
	if err != nil {
		return err
	}
	f.form, f.ID, f.Name, f.mistakes = r.form, r.text("id"), r.text("name"), m
	f.rows(r.filled("if", "metric"))
	return v.show("rule_form", http.StatusUnprocessableEntity, f)
}

// ruleTrial works out what the form would do.
func (v *visit) ruleTrial() (t ruleTrial, err error) {
	if !v.may(auth.RatesWrite) {
		return t, hotel.Refuse("insufficient_scope", "your role may not change prices")
	}
	r, err := readForm(v.r)
	if err != nil {
		return t, err
	}
	if t.Act = r.text("act"); !slices.Contains(ruleActs, t.Act) {
		return t, hotel.Invalid("/act", "enum", "the form does not say what is to be done")
	}
	list, err := v.c.desk.PricingRules(v.r.Context(), v.caller, v.house.ID)
	if err != nil {
		return t, err
	}
	n, err := v.names()
	if err != nil {
		return t, err
	}
	seen := sha256.New()
	for _, rule := range list {
		fmt.Fprintln(seen, rule.ID, rule.Revision)
	}
	t.Seen, t.Form = fmt.Sprintf("%x", seen.Sum(nil)), url.Values{}
	for name, values := range r.Values {
		if !slices.Contains([]string{"seen", "sim_from", "sim_to", "product"}, name) {
			t.Form[name] = values
		}
	}
	after, err := v.ruled(&t, r, list)
	if err != nil {
		return t, err
	}
	t.Rule = v.ruleLine(t.rule, n)
	if len(t.priorities) > 0 {
		t.Order = v.ruleLines(after, n)
	}
	t.Effect, err = v.effect(r.Get, slices.Clone(after), n, list)
	return t, trialFault(err, slices.IndexFunc(after, func(o hotel.PricingRule) bool { return o.ID == t.rule.ID }))
}

// trialFault tells what is wrong with the rule on the form as of the form.
func trialFault(err error, at int) error {
	refused, ok := errors.AsType[*hotel.Refusal](err)
	if !ok {
		return err
	}
	mine := *refused
	mine.Items = slices.Clone(refused.Items)
	for i := range mine.Items {
		if rest, found := cutPointer(mine.Items[i].Pointer, at); found {
			mine.Items[i].Pointer = rest
		}
	}
	return &mine
}

func cutPointer(pointer string, rule int) (string, bool) {
	in := fmt.Sprintf("/rules/%d", rule)
	if len(pointer) > len(in) && pointer[:len(in)] == in {
		return pointer[len(in):], true
	}
	return pointer, false
}

// ruled is the list of rules as the form would leave it.
func (v *visit) ruled(t *ruleTrial, r *reader, list []hotel.PricingRule) ([]hotel.PricingRule, error) {
	id, after := r.text("id"), slices.Clone(list)
	i := slices.IndexFunc(after, func(o hotel.PricingRule) bool { return o.ID == id })
	t.New = id == "" && t.Act == ruleSave
	if i < 0 && !t.New {
		return nil, hotel.Refuse("not_found", "there is no such rule in this house")
	}
	if t.New {
		i = len(after)
		after = append(after, hotel.PricingRule{PropertyID: v.house.ID})
	} else {
		t.revision = r.revision()
	}
	switch t.Act {
	case ruleSave:
		r.rule(&after[i], v.house.Currency)
	case ruleEnable, ruleDisable:
		after[i].Enabled = t.Act == ruleEnable
	case ruleEarlier, ruleLater:
		by := 1
		if t.Act == ruleEarlier {
			by = -1
		}
		if i+by < 0 || i+by >= len(after) {
			return nil, hotel.Invalid("/act", "range", "no rule acts %s it", map[int]hotel.Phrase{-1: hotel.Say("before"), 1: hotel.Say("after")}[by])
		}
		t.priorities = reordered(after, i, by)
		for k := range after {
			if p, moved := t.priorities[after[k].ID]; moved {
				after[k].Priority = p
			}
		}
	}
	if err := r.refusal(); err != nil {
		return nil, err
	}
	t.rule = after[i]
	if t.Act == ruleDelete {
		after = slices.Delete(after, i, i+1)
	}
	slices.SortStableFunc(after, func(a, b hotel.PricingRule) int { return cmp.Compare(a.Priority, b.Priority) })
	return after, nil
}

// reordered are the priorities that take the rule at i one place on, or back. Where there
// is a number between its new neighbours it is enough to give it that; else all are
// numbered anew.
func reordered(list []hotel.PricingRule, i, by int) map[string]int {
	order := slices.Clone(list)
	order[i], order[i+by] = order[i+by], order[i]
	i += by
	low, high := 0, mostPriority+1
	if i > 0 {
		low = order[i-1].Priority
	}
	if i < len(order)-1 {
		high = order[i+1].Priority
	}
	if i == len(order)-1 && low+ruleStep <= mostPriority {
		return map[string]int{order[i].ID: low + ruleStep}
	}
	if high-low > 1 {
		return map[string]int{order[i].ID: (low + high) / 2}
	}
	step := max(1, min(ruleStep, mostPriority/len(order)))
	anew := map[string]int{}
	for k, r := range order {
		if p := min((k+1)*step, mostPriority); p != r.Priority {
			anew[r.ID] = p
		}
	}
	return anew
}

// changeRules stores what a trial has shown.
func (v *visit) changeRules(t *ruleTrial) error {
	ctx := v.r.Context()
	set := func(id string, revision int64, to func(*hotel.PricingRule)) error {
		_, _, err := v.c.desk.ChangePricingRule(ctx, v.caller, id, hotel.Change[hotel.PricingRule]{IfRevision: revision, Apply: func(r *hotel.PricingRule) error {
			to(r)
			return nil
		}})
		return err
	}
	switch t.Act {
	case ruleDelete:
		return v.c.desk.DeletePricingRule(ctx, v.caller, t.rule.ID, t.revision)
	case ruleEarlier, ruleLater:
		for _, r := range t.Order {
			if p, moved := t.priorities[r.ID]; moved {
				if err := set(r.ID, r.Revision, func(r *hotel.PricingRule) { r.Priority = p }); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if t.New {
		_, _, err := v.c.desk.CreatePricingRule(ctx, v.caller, t.rule)
		return err
	}
	to := t.rule
	return set(to.ID, t.revision, func(r *hotel.PricingRule) {
		entity := r.Entity
		*r = to
		r.Entity = entity
	})
}
