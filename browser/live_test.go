package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A guest books at a channel: a list that somebody has open shows it, and the page was never
// loaded again.
func TestAnOpenPageShowsABooking(t *testing.T) {
	_, simulator := channel(t, "mock")
	name := fmt.Sprint("Somerville ", time.Now().Unix()) // whoever booked in an earlier run is somebody else
	do(t, chromedp.Navigate(page("reservations?show=newest")), chromedp.WaitVisible("#register"))
	do(t, chromedp.Evaluate[chromedp.Void](`window.untouched = true`))
	soldThere(t, simulator, "A-SUI", "A-long", name, 90)
	do(t, chromedp.Poll[chromedp.Void](`document.querySelector("#register").textContent.includes("`+name+`")`))
	if !ask(t, chromedp.Evaluate[bool](`window.untouched === true`)) {
		t.Error("the page was loaded again")
	}
}

// Somebody fills in a form of the house while somebody else stores another: that is shown,
// and what was typed is there still.
func TestWhatIsTypedStays(t *testing.T) {
	store := func(value string) {
		t.Helper()
		if status := ask(t, chromedp.Evaluate[int](`(async () => {
			const form = document.querySelector("#drift-form");
			const typed = new URLSearchParams(new FormData(form));
			typed.set("price_mismatch", "`+value+`");
			return (await fetch(form.action, {method: "POST", body: typed})).status;
		})()`, chromedp.EvalAwaitPromise)); status != 200 {
			t.Fatalf("the other's form is answered with %d", status)
		}
	}
	do(t, chromedp.Navigate(page("house")), chromedp.WaitVisible("#hours-form"))
	do(t, chromedp.Evaluate[chromedp.Void](`document.querySelector("[name=release_time]").value = "20:15"`))
	store("7.5")
	do(t, chromedp.Poll[chromedp.Void](`document.querySelector("[name=price_mismatch]").value === "7.5"`))
	if typed := ask(t, chromedp.Evaluate[string](`document.querySelector("[name=release_time]").value`)); typed != "20:15" {
		t.Errorf("what was typed has become %q", typed)
	}
	store("")
	do(t, chromedp.Poll[chromedp.Void](`document.querySelector("[name=price_mismatch]").value === ""`))
}

// A decision that somebody has open is taken by somebody else: the page says so by itself.
func TestAnOpenDecisionIsTaken(t *testing.T) {
	id, simulator := channel(t, "mock")
	if !atSimulator(t, simulator, "fault", map[string]any{"kind": "reject", "count": 1}) {
		t.Fatal("the simulator makes no fault")
	}
	do(t, chromedp.Navigate(page("channels")), chromedp.Click("#"+id+" button[value=ari_full]"), chromedp.WaitVisible(".done"))
	do(t, chromedp.Navigate(page("conflicts")), chromedp.WaitVisible("#inbox a.row"), chromedp.Click("#inbox a.row"), chromedp.WaitVisible("#decide .way"))
	do(t, chromedp.Evaluate[chromedp.Void](`window.untouched = true`))
	do(t, chromedp.Evaluate[chromedp.Void](`(() => { const form = document.querySelector("#decide form:has(.primary)"); fetch(form.action, {method: "POST", body: new URLSearchParams(new FormData(form))}); })()`))
	do(t, chromedp.WaitVisible("#decided-h"))
	if !ask(t, chromedp.Evaluate[bool](`window.untouched === true`)) {
		t.Error("the page was loaded again")
	}
}
