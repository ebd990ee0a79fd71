package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// A partner's receiver is out of order: somebody sends it a test and sees what it answers. It
// is mended, what it missed is sent again, by itself and with all that failed, and it is
// switched off.
func TestAWebhook(t *testing.T) {
	var mended atomic.Bool
	var events atomic.Int32
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !mended.Load() {
			http.Error(w, "out of order until noon", http.StatusServiceUnavailable)
			return
		}
		events.Add(1)
	}))
	t.Cleanup(receiver.Close)
	id := ours(t, http.MethodPost, "webhook-endpoints", `{"url": "`+receiver.URL+`/hooks", "event_types": ["reservation.*"]}`)["id"].(string)
	taken(t, fmt.Sprint("Wollstonecraft ", time.Now().Unix()), "confirmed", 60, 61)
	at := page("partners/webhooks/" + id)
	do(t, chromedp.Navigate(page("partners/clients/"+running.Clients["production"].ID)), chromedp.Click(`a.row[href$="`+id+`"]`), chromedp.WaitVisible("#hook"))
	press(t, "#acts button[value=test]")
	if says := text(t, "#attempts"); !strings.Contains(says, "HTTP 503") || !strings.Contains(says, "out of order until noon") {
		t.Errorf("the test's answer is %q", says)
	}
	reload(t, at, `[...document.querySelectorAll("#deliveries a.row")].some(a => a.textContent.includes("reservation.") && a.textContent.includes("1 try"))`)
	look(t, "partner-webhook")
	do(t, chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#deliveries a.row")].find(a => a.textContent.includes("reservation.")).click()`), chromedp.WaitVisible("#attempts"))
	look(t, "partner-delivery")
	mended.Store(true)
	delivery := ask(t, chromedp.Evaluate[string](`location.origin + location.pathname`))
	press(t, "#delivery .primary")
	reload(t, delivery, `document.querySelector("#attempts").textContent.includes("HTTP 200")`)
	again := events.Load()
	do(t, chromedp.Navigate(at), chromedp.Click("#acts details:first-of-type summary"), chromedp.Click("#acts [name=only_failed]"))
	press(t, "#acts button[value=replay]")
	reload(t, at, `document.querySelectorAll("#deliveries a.row").length > 0`)
	for began := time.Now(); events.Load() <= again; {
		if time.Since(began) > patience {
			t.Fatal("nothing is told again")
		}
		do(t, chromedp.Evaluate[chromedp.Void](`new Promise(done => requestAnimationFrame(done))`, chromedp.EvalAwaitPromise))
	}
	do(t, chromedp.Navigate(at), chromedp.Click("#acts details:last-of-type summary"), chromedp.WaitVisible("#acts button[value=disable]"))
	press(t, "#acts button[value=disable]")
	if says := text(t, "#hook"); !strings.Contains(says, "not called") {
		t.Errorf("switched off, the endpoint says %q", says)
	}
}
