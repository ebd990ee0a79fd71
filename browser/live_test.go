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
