package browser

import (
	"bufio"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// simulate runs a pretend channel of its own, and returns where it listens.
func simulate(t *testing.T, preset string) string {
	t.Helper()
	program := exec.Command(filepath.Join("..", "bin", "ostler"), "simulate", "mock", "--preset", preset, "--listen", "127.0.0.1:0")
	said, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`http://\S+?;`).FindString(line)
	if at == "" {
		t.Fatalf("the simulator says %q", line)
	}
	return at[:len(at)-1]
}

// onSale is how many of the channel's nights guests could book.
func onSale(t *testing.T, simulator string) (nights int) {
	t.Helper()
	for _, c := range shownAt(t, simulator) {
		if c.Available > 0 && !c.Closed {
			nights++
		}
	}
	return nights
}

// pauseAndResume pauses the channel whose page is shown: it is closed, which is what the page
// says, and put on sale again by a plan.
func pauseAndResume(t *testing.T, simulator string) {
	t.Helper()
	at := ask(t, chromedp.Evaluate[string](`location.origin + location.pathname`))
	until := func(open bool) {
		t.Helper()
		for began := time.Now(); (onSale(t, simulator) > 0) != open; {
			if time.Since(began) > patience {
				t.Fatalf("%d nights are on sale", onSale(t, simulator))
			}
		}
	}
	until(true)
	pause := `#acts details:has(form[action$="/pause"])`
	do(t, chromedp.Click(pause+" summary"), chromedp.WaitVisible(pause+" .danger"))
	if says := text(t, pause); !strings.Contains(says, "close") {
		t.Errorf("what a pause does is told as %q", says)
	}
	press(t, pause+" .danger")
	until(false)
	do(t, chromedp.Navigate(at), chromedp.WaitVisible(`#acts .primary[href$="/plan"]`))
	look(t, "channel-paused")
	do(t, chromedp.Navigate(at+"/settings"), chromedp.WaitVisible("form.alter"))
	look(t, "channel-settings")
	do(t, chromedp.Navigate(at), chromedp.WaitVisible(`#acts .primary[href$="/plan"]`))
	do(t, chromedp.Click(`#acts .primary[href$="/plan"]`), chromedp.WaitVisible("form.card .primary"), chromedp.Click("form.card .primary"), chromedp.WaitVisible("#state .busy, #state .fresh"))
	until(true)
}

// Somebody connects a channel: settings, test, mapping by name, shadow, the plan with the
// nights that it raises, and live. Then it is paused and put on sale again, looked at, and taken
// away.
func TestConnectAChannel(t *testing.T) {
	url := simulate(t, "pull")
	do(t, chromedp.Navigate(page("channels")), chromedp.Click(".head .primary"), chromedp.WaitVisible(".picks a"))
	look(t, "channel-new")
	do(t, chromedp.Navigate(page("channels/new?connector=mock")), chromedp.WaitVisible(`input[name="setting.url"]`))
	look(t, "channel-form")
	do(t,
		chromedp.SendKeys("input[name=name]", "Golf"), chromedp.SendKeys(`input[name="setting.url"]`, url), chromedp.SendKeys(`input[name="setting.hotel"]`, "hotel_123"),
		chromedp.SendKeys(`input[name="setting.preset"]`, "pull"), chromedp.SendKeys(`input[name="setting.secret"]`, "a pretend secret"), chromedp.Click("form.alter .primary"), chromedp.WaitVisible(".setup .next"),
	)
	look(t, "channel-setup")
	do(t, chromedp.Click(".setup .next button"), chromedp.WaitVisible(`.acts .primary[href$="/mapping"]`))
	look(t, "channel-test")
	do(t, chromedp.Click(`.acts .primary[href$="/mapping"]`), chromedp.WaitVisible(".mapping select"))
	look(t, "mapping")
	do(t, chromedp.Click("button[value=try]"), chromedp.WaitVisible("button[value=sell]"), chromedp.Click("button[value=sell]"), chromedp.WaitNotPresent("button[value=sell]"))
	do(t, chromedp.Click("button[value=save]"), chromedp.WaitVisible(".done"), chromedp.Click(".setup .next button"), chromedp.WaitVisible("#state .tag.info"))
	if !ask(t, chromedp.Evaluate[bool](`(async () => {
		for (let i = 0; i < 60; i++) {
			if ((await (await fetch(location)).text()).includes('class="was-read"')) return true;
			await new Promise((r) => setTimeout(r, 250));
		}
		return false;
	})()`, chromedp.EvalAwaitPromise)) {
		t.Fatal("what the channel shows was not read")
	}
	do(t, chromedp.Click(`.setup .next a[href$="/plan"]`), chromedp.WaitVisible("input[name=accept]"))
	look(t, "channel-plan")
	do(t, chromedp.Click("input[name=accept]"), chromedp.Click("form.card .primary"), chromedp.WaitVisible("#state .busy, #state .fresh"))
	look(t, "channel")
	pauseAndResume(t, url)
	do(t, chromedp.Click(`.head a[href$="/history"]`), chromedp.WaitVisible(".call"), chromedp.Click(".call summary"), chromedp.WaitVisible(".call[open] .facts"))
	look(t, "channel-history")
	do(t, chromedp.Click(".head .acts a"), chromedp.WaitVisible("#state"))
	do(t, chromedp.Click(`.channel details:last-of-type summary`), chromedp.Click(`.channel details:last-of-type input[name=force]`), chromedp.Click(`.channel details:last-of-type .danger`), chromedp.WaitVisible("#state .over"))
}
