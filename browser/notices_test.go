package browser

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// Somebody adds two recipients, is told what is wrong in a third, sets the sheet, and takes
// one of them back.
func TestNotifications(t *testing.T) {
	at := page("house/notifications")
	do(t, chromedp.Navigate(page("house")), chromedp.Click(`.head a[href$="/notifications"]`), chromedp.WaitVisible("#add"))
	add := func(name, field, address string) {
		do(t,
			chromedp.Navigate(at), chromedp.WaitVisible("#add"), chromedp.SendKeys("#add [name=name]", name), chromedp.SendKeys("#add [name="+field+"]", address),
			chromedp.Click(`#add [value=oversell]`), chromedp.Click(`#add [name=digest]`),
		)
	}
	add("Front desk", "email", "desk@hotel.example")
	press(t, "#add .primary")
	add("Pager", "url", "https://alerts.example/hook")
	press(t, "#add .primary")
	add("Nobody", "email", "nowhere")
	do(t, chromedp.Click("#add .primary"), chromedp.WaitVisible("#add .problem"))
	look(t, "notices")
	do(t, chromedp.Navigate(at), chromedp.WaitVisible(`[name="sheet.folder"]`), chromedp.SendKeys(`[name="sheet.folder"]`, "front-desk"))
	press(t, `form[action$="/times"] .primary`)
	do(t, chromedp.Click("#recipients section:nth-of-type(2) summary"), chromedp.WaitVisible("#recipients section:nth-of-type(2) .danger"))
	look(t, "notices-open")
	press(t, "#recipients section:nth-of-type(2) .danger")
	if got := ask(t, chromedp.Evaluate[int](`document.querySelectorAll("#recipients section").length`)); got != 1 {
		t.Errorf("%d are told, want one", got)
	}
}
