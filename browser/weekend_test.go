package browser

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// nightsAt lists the nights on which guests of a simulated channel see a price, of any of its
// products.
func nightsAt(t *testing.T, simulator, price string) (nights []string) {
	t.Helper()
	for _, c := range shownAt(t, simulator) {
		for _, p := range c.Prices {
			if p == price && !slices.Contains(nights, c.Date) {
				nights = append(nights, c.Date)
			}
		}
	}
	slices.Sort(nights)
	return nights
}

// The weekends of two weeks get another price: guests at a simulated channel see it on just
// these nights.
func TestWeekendsCostAnotherPrice(t *testing.T) {
	const price = "377.13" // that nothing else costs
	_, simulator := channel(t, "mock")
	first := time.Now().AddDate(0, 0, 40)
	var want []string
	for n := range 14 {
		if day := first.AddDate(0, 0, n); day.Weekday() == time.Friday || day.Weekday() == time.Saturday {
			want = append(want, day.Format(time.DateOnly))
		}
	}
	do(t, chromedp.Navigate(page("calendar")), chromedp.WaitVisible(".grid .rooms"))
	do(t, chromedp.Evaluate[chromedp.Void](`(() => {
		const [from, to] = [10, 11].map(i => document.querySelector(".grid tbody").rows[1].cells[i]);
		from.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, pointerType: "mouse", button: 0}));
		to.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse", buttons: 1}));
		to.dispatchEvent(new PointerEvent("pointerup", {bubbles: true, pointerType: "mouse"}));
	})()`), chromedp.WaitVisible("form.alter"))
	do(t, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
		const form = document.querySelector("form.alter");
		form.elements.from.value = %q;
		form.elements.to.value = %q;
		form.elements.value.value = "377.13";
		for (const day of form.querySelectorAll("input[name=weekday]")) day.checked = day.value === "5" || day.value === "6";
	})()`, first.Format(time.DateOnly), first.AddDate(0, 0, 13).Format(time.DateOnly))))
	do(t, chromedp.Click(".alter .primary"), chromedp.WaitVisible(".draft"))
	do(t, chromedp.Click(".acts .primary"), chromedp.WaitVisible("#progress"))
	var got []string
	for began := time.Now(); time.Since(began) < 30*time.Second; {
		if got = nightsAt(t, simulator, price); slices.Equal(got, want) {
			return
		}
		do(t, chromedp.Evaluate[chromedp.Void](`new Promise(done => requestAnimationFrame(done))`, chromedp.EvalAwaitPromise))
	}
	t.Errorf("guests see %s on %v, want it on %v", price, got, want)
}
