package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Somebody looks at the rate plans, changes one, makes a rule, sees what it does to the
// prices, has it act, and takes it away again.
func TestRates(t *testing.T) {
	do(t, chromedp.Navigate(page("rates")), chromedp.WaitVisible("#plans tbody a"))
	look(t, "rates")
	do(t, chromedp.Click("#plans tbody tr:nth-child(2) a"), chromedp.WaitVisible(".chain"))
	look(t, "rate-plan")
	do(t, chromedp.Click(".head .primary"), chromedp.WaitVisible("form.alter"))
	look(t, "rate-plan-form")
	do(t, chromedp.Click("form.alter .primary"), chromedp.WaitVisible(".done"))
}

// Somebody makes a rule, sees what it does to the prices before it does, lets it act, and
// takes it away again.
func TestPricingRule(t *testing.T) {
	do(t, chromedp.Navigate(page("rates/rules/new")), chromedp.WaitVisible("form.alter"))
	look(t, "rule-form")
	do(t,
		chromedp.SendKeys("input[name=name]", "Busy weeks"), chromedp.Click(`input[name=day][value=fri]`), chromedp.Click(`input[name=day][value=sat]`),
		chromedp.SetValue(`select[name="if.0.metric"]`, "days_to_arrival"), chromedp.SendKeys(`input[name="if.0.value"]`, "3"),
		chromedp.SendKeys("input[name=value]", "12"), chromedp.Click("form.alter > .acts .primary"), chromedp.WaitVisible("svg.lines"),
	)
	look(t, "rule-trial")
	do(t, chromedp.Click("form.acts .primary"), chromedp.WaitVisible(".done"), chromedp.WaitVisible(".ruleset li"))
	look(t, "rules")
	do(t,
		chromedp.Click(".ruleset li:last-child button[value=disable]"), chromedp.WaitVisible("svg.lines"), chromedp.Click("form.acts .primary"), chromedp.WaitVisible(".ruleset li.off"),
		chromedp.Click(".ruleset li.off button[value=delete]"), chromedp.WaitVisible("form.acts .primary"), chromedp.Click("form.acts .primary"), chromedp.WaitVisible(".done"),
	)
	if left := ask(t, chromedp.Evaluate[int](`document.querySelectorAll(".ruleset li.off").length`)); left != 0 {
		t.Errorf("%d rules that are off are left", left)
	}
}
