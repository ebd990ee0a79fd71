package board_test

import (
	"testing"

	"ostler.example/hotel"
	"ostler.example/hotel/board"
	"ostler.example/hotel/price"
)

// A rule with a memory acts where its switch is on, and an explanation says why
// that is not what its conditions say.
func TestRulesGoByTheirSwitches(t *testing.T) {
	rule := act("percent", "10")
	rule.Conditions = []hotel.RuleCondition{{Metric: hotel.DaysToArrival, Op: "lt", Value: []string{"5"}}} // not met: the night is ten days off
	rule.MaxChanges = 1
	always := rule
	always.Conditions = nil
	today := from - 10
	for _, c := range []struct {
		name string
		rule hotel.PricingRule
		s    price.Switch
		want string // the price, and what the explanation has of the rule
	}{
		{"it has not acted yet", rule, price.Switch{}, "100.10"},
		{"nor is it to act before its switch is turned", always, price.Switch{}, "100.10"},
		{"it would act, but for the limit", always, price.Switch{Day: today, Turns: 1}, "100.10 a does not act: limit of changes reached"},
		{"it acts", always, price.Switch{On: true}, "110.11 a 10 percent"},
		{"it would cease, but for the limit", rule, price.Switch{On: true, Day: today, Turns: 1}, "110.11 a 10 percent, limit of changes reached"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := ruled(t, func(_ int, n *board.Night) { *n = *n.Turn(board.SwitchKey{Rule: "a", Room: double}, c.s) }, c.rule)
			b.Business = today
			tr := &hotel.Trace{}
			h, _ := b.ExplainPrice(from, double, flexible, 0, tr)
			got := h.Text()
			for _, s := range tr.Steps {
				if s.Name == "rule" {
					got += " " + s.Acted.ID + " " + s.By
				}
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
