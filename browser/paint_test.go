package browser

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

var rounds = flag.Int("paint.rounds", 0, "how often pages are opened and a price is changed, to tell how long that takes; make paint asks for it")

// painted opens a page and returns when the browser first drew something of it, and when all of
// it had come, from the asking on.
func painted(t *testing.T, at string) (first, came float64) {
	t.Helper()
	do(t, chromedp.Navigate(at), chromedp.Poll[chromedp.Void](`performance.getEntriesByName("first-contentful-paint").length > 0`))
	got := ask(t, chromedp.Evaluate[[]float64](`[performance.getEntriesByName("first-contentful-paint")[0].startTime, performance.getEntriesByType("navigation")[0].responseEnd]`))
	return got[0], got[1]
}

// half and most are the median and the largest of some times.
func half(of []float64) float64 { slices.Sort(of); return of[len(of)/2] }
func most(of []float64) float64 { return slices.Max(of) }

// How long it takes until the calendar is seen, and until a price that was typed is stored, in
// the house that make paint serves.
func TestPaint(t *testing.T) {
	if *rounds == 0 {
		t.Skip("make paint runs it")
	}
	signIn(t)
	night := func(n int) string {
		return page(fmt.Sprint("calendar?from=", ask(t, chromedp.Evaluate[string](fmt.Sprintf(`new Date(Date.parse(document.querySelector("#from").value) + %d * 864e5).toISOString().slice(0, 10)`, n)))))
	}
	painted(t, page("calendar"))
	var bare, first, came, trips []float64
	for n := range *rounds {
		at := night(n % 7)
		one, _ := painted(t, page("more"))
		bare = append(bare, one)
		one, all := painted(t, at)
		first, came = append(first, one), append(came, all)
		do(t, chromedp.Evaluate[chromedp.Void](`(() => {
			const [from, to] = [10, 11].map(i => document.querySelector(".grid tbody").rows[1].cells[i]);
			from.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, pointerType: "mouse", button: 0}));
			to.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse", buttons: 1}));
			to.dispatchEvent(new PointerEvent("pointerup", {bubbles: true, pointerType: "mouse"}));
		})()`), chromedp.WaitVisible("form.alter"), chromedp.SetValue("input[name=value]", fmt.Sprint(200+n)))
		began := time.Now()
		do(t, chromedp.Click(".alter .primary"), chromedp.WaitVisible(".draft"), chromedp.Click(".acts .primary"), chromedp.WaitVisible("#progress"))
		trips = append(trips, time.Since(began).Seconds()*1000)
		do(t, chromedp.Navigate(page("calendar")), chromedp.WaitVisible("#from"))
	}
	t.Logf("first paint of the calendar: %.0f ms in the median, %.0f at most (%.1f times that of the barest page, %.0f); its last byte after %.0f", half(first), most(first), half(first)/half(bare), half(bare), half(came))
	t.Logf("a price of two nights, typed until the page of what was changed: %.0f ms in the median, %.0f at most", half(trips), most(trips))
}
