package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A guest was noted twice: the two are made one. Then the guest asks what is known, and to
// be forgotten.
func TestGuests(t *testing.T) {
	name := fmt.Sprint("Hopper ", time.Now().Unix()) // whoever was noted by an earlier run is somebody else
	for _, email := range []string{"grace@example.com", "hopper@example.com"} {
		do(t,
			chromedp.Navigate(page("reservations/new?check_in="+ask(t, chromedp.Evaluate[string](`new Date(Date.now() + 30 * 864e5).toISOString().slice(0, 10)`))+"&check_out="+ask(t, chromedp.Evaluate[string](`new Date(Date.now() + 31 * 864e5).toISOString().slice(0, 10)`))+"&adults=1")),
			chromedp.WaitVisible("input[name=offer]"), chromedp.Click("input[name=offer]:enabled"), chromedp.SendKeys("input[name=last_name]", name), chromedp.SendKeys("input[name=first_name]", "Grace"), chromedp.SendKeys("input[name=email]", email),
			chromedp.Click("section.fields .primary"), chromedp.WaitVisible(".done"), chromedp.WaitVisible("#history"),
		)
		cancel := `#steps details:has(form[action$="/step/cancel"])`
		do(t, chromedp.Click(cancel+" summary"), chromedp.WaitVisible(cancel+" .danger"), chromedp.Click(cancel+" .danger"), chromedp.WaitVisible(`#steps form[action$="/step/reinstate"]`))
	}
	do(t, chromedp.Navigate(page("guests")), chromedp.WaitVisible("#people"), chromedp.SendKeys("#search", name), chromedp.Click(".search button"), chromedp.WaitVisible(`#people:not([data-fresh]) a.row`))
	look(t, "guests")
	do(t, chromedp.Click("#people a.row"), chromedp.WaitVisible("#alike"))
	look(t, "guest")
	do(t,
		chromedp.SetValue("select[name=consent]", "true"), chromedp.SendKeys("input[name=consent_source]", "check-in form"),
		chromedp.SendKeys(`input[name="loyalty.0.program"]`, "stars"), chromedp.SendKeys(`input[name="loyalty.0.number"]`, "ST-1"), chromedp.Click("#change .primary"), chromedp.WaitVisible(".done"),
	)
	if noted := ask(t, chromedp.Evaluate[string](`document.querySelector("#profile").textContent`)); !strings.Contains(noted, "ST-1") || !strings.Contains(noted, "check-in form") {
		t.Errorf("the guest's page says %q", noted)
	}
	look(t, "guest-known")
	do(t, chromedp.Click("#alike .button"), chromedp.WaitVisible(".merged"))
	look(t, "guest-merge")
	do(t, chromedp.Click(".acts .primary"), chromedp.WaitVisible(".done"))
	if two := ask(t, chromedp.Evaluate[int](`document.querySelectorAll("#stays a.row").length`)); two != 2 {
		t.Errorf("merged, there are %d bookings", two)
	}
	file := ask(t, chromedp.Evaluate[string](`fetch(document.querySelector("a[download]").href).then(r => r.json()).then(d => [d.guest.last_name, d.reservations.length].join(" "))`, chromedp.EvalAwaitPromise))
	if file != name+" 2" {
		t.Errorf("the file has %s", file)
	}
	do(t, chromedp.Click(".head .danger"), chromedp.WaitVisible("form.forget"))
	look(t, "guest-forget")
	do(t, chromedp.SendKeys("input[name=word]", "Grace "+name), chromedp.Click("form.forget .danger"), chromedp.WaitVisible(".done"))
	if left := ask(t, chromedp.Evaluate[bool](`document.body.textContent.includes("Hopper")`)); left {
		t.Error("forgotten, the guest is named")
	}
}
