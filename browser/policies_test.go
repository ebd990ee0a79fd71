package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Somebody says what one channel does when nobody decides, and about its silence, and
// takes it back.
func TestChannelPolicies(t *testing.T) {
	id, _ := channel(t, "mock")
	at := page("channels/" + id + "/policies")
	do(t, chromedp.Navigate(at), chromedp.WaitVisible("form.policies"))
	look(t, "policies")
	do(t,
		chromedp.Click("#deadlines-h"), chromedp.WaitVisible(`select[name="deadline.drift"]`),
		chromedp.SetValue(`select[name="drift.amount"]`, "ask"), chromedp.SendKeys(`input[name="deadline.drift.after"]`, "4"), chromedp.SetValue(`select[name="deadline.drift"]`, "ours"),
		chromedp.SetValue(`input[name="stale.after"]`, "0"), chromedp.Click("form.policies .primary"), chromedp.WaitVisible(".problem[role=alert]"),
	)
	look(t, "policies-refused")
	do(t, chromedp.SetValue(`input[name="stale.after"]`, "15"))
	press(t, "form.policies .primary")
	do(t, chromedp.Navigate(at), chromedp.WaitVisible("form.policies"))
	typed := ask(t, chromedp.Evaluate[string](`["drift.amount", "deadline.drift", "deadline.drift.after", "deadline.drift.unit", "stale.after", "stale.free"].map(n => document.querySelector("[name='" + n + "']").value).join(" ")`))
	if want := "ask ours 4 h 15 2"; typed != want {
		t.Errorf("the form has %s, want %s", typed, want)
	}
	do(t, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("form.policies select, form.policies .answer input").forEach(e => { if (!e.name.endsWith(".unit")) e.value = ""; })`))
	press(t, "form.policies .primary")
}

// The owner says how the house decides and until when it sells; somebody else's channel is
// said to decide as the house.
func TestHouse(t *testing.T) {
	do(t, chromedp.Navigate(page("house")), chromedp.WaitVisible("#hours-h"))
	look(t, "house")
	do(t, chromedp.SetValue(`input[name="release_time"]`, "19:30"))
	press(t, `form[action$="/house/hours"] .primary`)
	do(t, chromedp.SetValue(`select[name="drift.amount"]`, "ask"), chromedp.SetValue(`select[name="rate_rank"]`, "pms,api,channel"))
	press(t, `form[action$="/house/policies"] .primary`)
	typed := ask(t, chromedp.Evaluate[string](`["release_time", "drift.amount", "rate_rank"].map(n => document.querySelector("[name='" + n + "']").value).join(" ")`))
	if want := "19:30 ask pms,api,channel"; typed != want {
		t.Errorf("the forms have %s, want %s", typed, want)
	}
	do(t, chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("[name='drift.amount'], [name=rate_rank]").forEach(e => { e.value = ""; })`))
	press(t, `form[action$="/house/policies"] .primary`)
}
