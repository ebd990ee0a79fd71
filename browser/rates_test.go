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
	do(t, chromedp.Navigate(page("rates/plans/new")), chromedp.WaitVisible("form.alter"))
	look(t, "rate-plan-new")
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
		chromedp.Click(`.ruleset li.off a[href$="/edit"]`), chromedp.WaitVisible("form.alter"),
	)
	look(t, "rule-edit")
	do(t,
		chromedp.Navigate(page("rates/rules")), chromedp.WaitVisible(".ruleset li.off"),
		chromedp.Click(".ruleset li.off button[value=delete]"), chromedp.WaitVisible("form.acts .primary"), chromedp.Click("form.acts .primary"), chromedp.WaitVisible(".done"),
	)
	if left := ask(t, chromedp.Evaluate[int](`document.querySelectorAll(".ruleset li.off").length`)); left != 0 {
		t.Errorf("%d rules that are off are left", left)
	}
}

// Somebody keeps rooms of a pool for the house, sees what that costs, has it so, and opens
// the pool to all again.
func TestProtectAPool(t *testing.T) {
	do(t, chromedp.Navigate(page("rates/guards")), chromedp.WaitVisible("main section.card"))
	look(t, "guards")
	do(t, chromedp.Navigate(page("rates/protection")), chromedp.WaitVisible(".pool .ways"))
	look(t, "protection")
	for _, way := range []string{"keep", "open"} {
		do(t, chromedp.Click(`.pool input[value=`+way+`]`), chromedp.Click(".pool .primary"), chromedp.WaitVisible("form.acts .primary"))
		if way == "keep" {
			look(t, "protect")
		}
		do(t, chromedp.Click("form.acts .primary"), chromedp.WaitVisible(".done"))
		if now := ask(t, chromedp.Evaluate[string](`document.querySelector(".pool .way.now input").value`)); now != way {
			t.Errorf("chosen is %s, the pool is protected by %s", way, now)
		}
	}
}
