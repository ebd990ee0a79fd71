// Package browser looks at the console in headless Chromium: one browser and one demo
// for all tests, which make browser starts, as make test does.
package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// demo is demo.json of the running demo.
type demo struct {
	Console  string `json:"console_url"`
	User     string `json:"console_user"`
	Password string `json:"console_password"`
	Property string `json:"property_id"`
	Clients  map[string]struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	} `json:"clients"`
	Channels []struct {
		ID        string `json:"id"`
		Connector string `json:"connector"`
		Simulator string `json:"simulator_url"`
	} `json:"channels"`
}

var (
	running demo
	tab     context.Context
)

// patience is how long one thing that a test waits for may take: more than enough on a
// machine that has much else to do.
const patience = time.Minute

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	fail := func(err error) int { fmt.Fprintln(os.Stderr, err); return 1 }
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			return fail(fmt.Errorf("no chromium: %w", err))
		}
		fmt.Println("SKIP: the browser tests need chromium (apt-get install chromium)")
		return 0
	}
	raw, err := os.ReadFile(os.Getenv("OSTLER_DEMO"))
	if err != nil {
		return fail(fmt.Errorf("run it by make browser, which starts a demo: %w", err))
	}
	if err := json.Unmarshal(raw, &running); err != nil {
		return fail(err)
	}
	profile, err := os.MkdirTemp("", "ostler-browser-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(profile)
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.UserDataDir(profile), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("lang", "en"), chromedp.Flag("accept-lang", "en"),
	}
	started, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	var end context.CancelFunc
	tab, end = chromedp.NewContext(started)
	defer end()
	if err := chromedp.Do(tab, chromedp.Navigate(running.Console)); err != nil {
		return fail(err)
	}
	// A page without the focus hears nothing of where the keys have led.
	if _, err := chromedp.Call(tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		return fail(err)
	}
	if err := listen(); err != nil {
		return fail(err)
	}
	code := m.Run()
	left, err := missed()
	if err != nil {
		return fail(err)
	}
	if code == 0 && len(left) > 0 {
		return fail(fmt.Errorf("no test looks at the pages of %s", strings.Join(left, ", ")))
	}
	return code
}

// do has the browser do something.
func do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	answers(t)
	for i, step := range steps {
		ctx, cancel := context.WithTimeout(tab, patience)
		err := chromedp.Do(ctx, step)
		for replaced(err) {
			err = chromedp.Do(ctx, step)
		}
		cancel()
		if err != nil {
			t.Fatalf("step %d: %v\n%s", i+1, err, shown())
		}
	}
}

// replaced tells whether something could not be pressed because the page, kept up to date,
// had put another in its place since it was found. Nobody has pressed anything then: a
// person, who presses a place and not a thing, would have met the new one.
func replaced(err error) bool {
	var refused *cdproto.Error
	return errors.As(err, &refused) && refused.Code == -32000 && strings.Contains(strings.ToLower(refused.Message), "node")
}

// shown is what page there is, and what it says, for whoever looks why it is not another.
func shown() string {
	ctx, cancel := context.WithTimeout(tab, patience)
	defer cancel()
	says, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.querySelector("main").innerText.slice(0, 2000)`))
	if err != nil {
		return err.Error()
	}
	return says
}

// press presses a button, and waits until the page says that it is done: what the page says
// of an earlier button is no answer, and who leaves before it comes breaks the next page off.
func press(t *testing.T, button string) {
	t.Helper()
	do(t,
		chromedp.Evaluate[chromedp.Void](`document.querySelectorAll(".done").forEach(e => { e.remove(); })`),
		chromedp.Click(button), chromedp.WaitVisible(".done"),
	)
}

// ask has the browser do something, and returns what came of it.
func ask[T any](t *testing.T, a chromedp.Action[T]) T {
	t.Helper()
	answers(t)
	ctx, cancel := context.WithTimeout(tab, patience)
	defer cancel()
	got, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// call gives the browser a command of its protocol.
func call[P, R any](t *testing.T, c cdp.Command[P, R], params P) {
	t.Helper()
	answers(t)
	ctx, cancel := context.WithTimeout(tab, patience)
	defer cancel()
	if _, err := chromedp.Call(ctx, c, params); err != nil {
		t.Fatal(err)
	}
}

// text is what a part of the page says.
func text(t *testing.T, part string) string {
	t.Helper()
	return ask(t, chromedp.Evaluate[string](fmt.Sprintf(`document.querySelector(%q).textContent`, part)))
}

// reload opens a page again and again until it is as a script says: for what pages are not told of.
func reload(t *testing.T, at, until string) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; {
		do(t, chromedp.Navigate(at))
		if ask(t, chromedp.Evaluate[bool](until)) {
			return
		}
	}
	t.Fatalf("the page is never so that %s\n%s", until, shown())
}

func page(name string) string { return running.Console + "p/" + running.Property + "/" + name }

// sight is a screen that pages are looked at on.
type sight struct {
	width, height int64
	scheme        string
	rules         string // of axe-core, that the page is held against: all, or those that colours have to do with
}

// The rules that a page is held against.
const (
	allRules    = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	colourRules = `{type: "rule", values: ["color-contrast"]}`
)

// sights are a phone, a wide screen, a laptop by day and by night; farSights are those besides on which
// pages with a picture of their own are looked at.
var (
	sights    = []sight{{390, 844, "light", allRules}, {1920, 1080, "light", ""}, {1280, 900, "light", ""}, {1280, 900, "dark", colourRules}}
	farSights = []sight{{390, 844, "dark", ""}}
)

// look takes pictures of the page, and finds what is wider than the screen.
func look(t *testing.T, name string) {
	t.Helper()
	lookOn(t, name, sights)
}

// lookFar likewise, on more screens.
func lookFar(t *testing.T, name string) {
	t.Helper()
	lookOn(t, name, slices.Concat(farSights, sights))
}

// photograph takes a picture of the page. Chromium sometimes says of a page that it shows
// that none is attached, and takes the picture when it is asked again; a page that loaded
// itself meanwhile is another matter.
func photograph(t *testing.T, name string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(tab, patience)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err == nil {
		return picture
	}
	if how := ask(t, chromedp.Evaluate[string](`performance.getEntriesByType("navigation")[0].type`)); how != "navigate" {
		t.Fatalf("%s: %v; the page came about by %q\n%s", name, err, how, shown())
	}
	return ask(t, chromedp.FullScreenshot(100))
}

func lookOn(t *testing.T, name string, screens []sight) {
	t.Helper()
	visited[ask(t, chromedp.Evaluate[string](`location.pathname`))] = true
	folder := os.Getenv("OSTLER_SCREENSHOTS")
	for _, s := range screens {
		call(t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.width == 390})
		call(t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: s.scheme}}})
		if wide := ask(t, chromedp.Evaluate[float64](`document.documentElement.scrollWidth - innerWidth`)); wide > 0 {
			t.Errorf("%s: %v pixels wider than a screen of %d", name, wide, s.width)
		}
		if s.rules != "" {
			inspect(t, fmt.Sprintf("%s at %d, %s", name, s.width, s.scheme), s.rules)
		}
		if folder == "" {
			continue
		}
		if docs := os.Getenv("OSTLER_PICTURES"); docs != "" && s.width == 1280 && s.scheme == "light" && pictured(t, name) {
			if err := os.WriteFile(filepath.Join(docs, name+".jpg"), ask(t, chromedp.FullScreenshot(60)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		picture := photograph(t, name)
		file := filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", name, s.width, s.scheme))
		if err := os.WriteFile(file, picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	call(t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 900, DeviceScaleFactor: 1})
	call(t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	// It is laid out anew before anything on it is pressed: what has moved meanwhile is missed.
	ask(t, chromedp.Evaluate[bool](`new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`, chromedp.EvalAwaitPromise))
}

// pictured reports whether docs/console.md shows a picture of the page.
func pictured(t *testing.T, name string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "console.md"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(text), "(images/console/"+name+".jpg)")
}

// finding is what axe-core has against a page.
type finding struct {
	ID, Impact, Help string
	Nodes            []struct {
		Target []any
		HTML   string
	}
}

// repeated are rows that are like those before them. They are taken out while the page is
// inspected, which takes as long as it has elements.
const repeated = `[...document.querySelectorAll(".grid tbody:nth-of-type(n+3), .grid td:nth-of-type(n+9), .register tbody tr:nth-child(n+9), .told tbody tr:nth-child(n+9), .rows > li:nth-child(n+9)")]
	.map(e => { const mark = document.createComment(""); e.replaceWith(mark); return [mark, e]; })`

// inspect holds the page against rules of axe-core.
func inspect(t *testing.T, name, rules string) {
	t.Helper()
	if !ask(t, chromedp.Evaluate[bool](`"axe" in window`)) {
		script, err := os.ReadFile(filepath.Join("node_modules", "axe-core", "axe.min.js"))
		if err != nil {
			t.Fatal(err)
		}
		do(t, chromedp.Evaluate[chromedp.Void](string(script)))
	}
	found := ask(t, chromedp.Evaluate[[]finding](`(async () => {
		const taken = `+repeated+`;
		const r = await axe.run(document, {runOnly: `+rules+`, resultTypes: ["violations"]});
		taken.forEach(([mark, e]) => mark.replaceWith(e));
		return r.violations.map(v => ({ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.map(n => ({Target: n.target, HTML: n.html}))}));
	})()`, chromedp.EvalAwaitPromise))
	for _, f := range found {
		if f.Impact == "serious" || f.Impact == "critical" {
			for _, n := range f.Nodes {
				t.Errorf("%s: %s (%s): %v %s", name, f.Help, f.ID, n.Target, strings.TrimSpace(n.HTML))
			}
		}
	}
}

func TestSignIn(t *testing.T) {
	look(t, "sign-in")
	do(t,
		chromedp.SendKeys("#name", running.User), chromedp.SendKeys("#password", "something else"),
		chromedp.Click(".gate .primary"), chromedp.WaitVisible(".problem"),
	)
	signIn(t)
}

// signIn signs the demo's user in, on the page that asks who it is.
func signIn(t *testing.T) {
	t.Helper()
	do(t,
		chromedp.SetValue("#name", running.User), chromedp.SendKeys("#password", running.Password),
		chromedp.Click(".gate .primary"), chromedp.WaitVisible(`#figures, a.row[href$="/today"]`), // or all houses, where there are several
	)
}

func TestToday(t *testing.T) {
	do(t, chromedp.Navigate(page("today")), chromedp.WaitVisible("#figures"))
	lookFar(t, "today")
	do(t, chromedp.Navigate(page("more")), chromedp.WaitVisible("main a.row"))
	look(t, "more")
}

// channel is the first of a connector.
func channel(t *testing.T, connector string) (id, simulator string) {
	t.Helper()
	for _, c := range running.Channels {
		if c.Connector == connector {
			return c.ID, c.Simulator
		}
	}
	t.Fatalf("the demo has no channel of %s", connector)
	return "", ""
}

func TestChannels(t *testing.T) {
	id, _ := channel(t, "mock")
	do(t, chromedp.Navigate(page("channels")), chromedp.WaitVisible("#"+id))
	look(t, "channels")
	do(t, chromedp.Click("#"+id+" button[value=reservations]"), chromedp.WaitVisible(".done"))
}

// A channel refuses what it is told; somebody sees that by itself in the inbox, and has
// it told again.
func TestDecideARefusal(t *testing.T) {
	id, simulator := channel(t, "mock")
	answer, err := http.Post(simulator+"/_sim/fault", "application/json", strings.NewReader(`{"kind":"reject","count":1}`))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("the simulator answers %d", answer.StatusCode)
	}
	do(t, chromedp.Navigate(page("channels")), chromedp.Click("#"+id+" button[value=ari_full]"), chromedp.WaitVisible(".done"))
	do(t, chromedp.Navigate(page("conflicts")), chromedp.WaitVisible("#inbox a.row"))
	look(t, "conflicts")
	do(t, chromedp.Click("#inbox a.row"), chromedp.WaitVisible("#facts-h"))
	look(t, "conflict")
	do(t, chromedp.Click(".way .primary"), chromedp.WaitVisible(".done"))
}

// Somebody calls: a room is looked for and booked, the booking opened, and cancelled.
func TestReservations(t *testing.T) {
	do(t, chromedp.Navigate(page("reservations")), chromedp.Click(".head .primary"), chromedp.WaitVisible("form.fields"))
	do(t, chromedp.Click("form.fields button"), chromedp.WaitVisible("input[name=offer]"))
	look(t, "book")
	do(t,
		chromedp.Click("input[name=offer]:enabled"), chromedp.SendKeys("input[name=last_name]", "Lovelace"), chromedp.SendKeys("input[name=first_name]", "Ada"),
		chromedp.Click("section.fields .primary"), chromedp.WaitVisible(".done"), chromedp.WaitVisible("#history"),
	)
	look(t, "reservation")
	do(t, chromedp.Navigate(page("reservations?show=newest")), chromedp.WaitVisible("#register tbody a"))
	lookFar(t, "reservations")
	do(t, chromedp.Click("#register tbody a"), chromedp.WaitVisible("#steps"))
	cancel := `#steps details:has(form[action$="/step/cancel"])`
	do(t, chromedp.Click(cancel+" summary"), chromedp.WaitVisible(cancel+" .danger"), chromedp.Click(cancel+" .danger"), chromedp.WaitVisible(".done"))
}

// The calendar shows the nights, moves, and leads to what each channel shows of one.
func TestCalendar(t *testing.T) {
	do(t, chromedp.Navigate(page("calendar")), chromedp.WaitVisible(".grid .rooms"))
	lookFar(t, "calendar")
	walk := ask(t, chromedp.Evaluate[string](`(() => {
		const stops = () => [...document.querySelectorAll(".grid td a")].filter((a) => a.tabIndex === 0);
		const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
		const at = () => [document.activeElement.closest("tr").rowIndex, document.activeElement.closest("td").cellIndex].join(".");
		const said = [stops().length];
		stops()[0].focus();
		for (const key of ["ArrowRight", "ArrowDown", "End", "Home"]) { press(key); said.push(at()); }
		said.push(stops().length, stops()[0] === document.activeElement);
		return said.join(" ");
	})()`))
	if want := "1 1.2 2.2 2.28 2.1 1 true"; walk != want {
		t.Errorf("by the keys the calendar goes %s, want %s", walk, want)
	}
	do(t, chromedp.Click(".move a:nth-of-type(4)"), chromedp.WaitVisible(".grid .rooms"))
	do(t, chromedp.Click(".grid tr:not(.rooms) td:nth-of-type(3) a"), chromedp.WaitVisible(".facts4"), chromedp.Click(".why summary"), chromedp.WaitVisible(".why[open] li"))
	do(t, chromedp.Click(".why:nth-of-type(2) summary"), chromedp.WaitVisible(".carried"))
	look(t, "night")
	do(t, chromedp.Evaluate[chromedp.Void](`document.querySelector("#as_of").value = new Date(Date.now() - 60000).toLocaleString("sv-SE", {timeZone: "Europe/Vienna"}).replace(" ", "T").slice(0, 16)`))
	do(t, chromedp.Click(".moment button"), chromedp.WaitVisible("main > .done"))
	look(t, "night-past")
}

// Somebody draws over two nights, sets their price, sees it, and takes it back.
func TestChangeNights(t *testing.T) {
	prices := func() string {
		do(t, chromedp.Navigate(page("calendar")), chromedp.WaitVisible(".grid .rooms"))
		return ask(t, chromedp.Evaluate[string](`[10, 11].map(i => document.querySelector(".grid tbody").rows[1].cells[i].querySelector("b").textContent).join(" ")`))
	}
	was := prices()
	do(t, chromedp.Evaluate[chromedp.Void](`(() => {
		const [from, to] = [10, 11].map(i => document.querySelector(".grid tbody").rows[1].cells[i]);
		from.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, pointerType: "mouse", button: 0}));
		to.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse", buttons: 1}));
		to.dispatchEvent(new PointerEvent("pointerup", {bubbles: true, pointerType: "mouse"}));
	})()`), chromedp.WaitVisible("form.alter"))
	look(t, "change")
	do(t, chromedp.SendKeys("input[name=value]", "333"), chromedp.Click(".alter .primary"), chromedp.WaitVisible(".draft"))
	look(t, "draft")
	do(t, chromedp.Click(".acts .primary"), chromedp.WaitVisible("#progress"))
	look(t, "update")
	update := ask(t, chromedp.Evaluate[string](`location.origin + location.pathname`))
	if got := prices(); got != "333 333" {
		t.Errorf("changed, the prices are %s", got)
	}
	do(t, chromedp.Navigate(update), chromedp.Click(`.acts a[href$="/undo"]`), chromedp.WaitVisible(`form input[name=seen]+.primary`))
	look(t, "undo")
	do(t, chromedp.Click(".acts .primary"), chromedp.WaitVisible(".done"))
	if got := prices(); got != was {
		t.Errorf("taken back, the prices are %s, were %s", got, was)
	}
	do(t, chromedp.Click(`a[href$="/calendar/updates"]`), chromedp.WaitVisible("#updates a.row"))
	look(t, "updates")
	do(t, chromedp.Click(`#updates a[href$="`+path.Base(update)+`"]`), chromedp.WaitVisible("#progress"))
}

// Two people change the same night: whoever comes second is shown what it would do now, and
// nothing of the first is lost.
func TestTwoPeopleChangeANight(t *testing.T) {
	price := func() string {
		do(t, chromedp.Navigate(page("calendar")), chromedp.WaitVisible(".grid .rooms"))
		return ask(t, chromedp.Evaluate[string](`document.querySelector(".grid tbody").rows[1].cells[14].querySelector("b").textContent`))
	}
	price()
	do(t, chromedp.Evaluate[chromedp.Void](`(() => {
		const cell = document.querySelector(".grid tbody").rows[1].cells[14];
		const next = document.querySelector(".grid tbody").rows[1].cells[15];
		cell.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, pointerType: "mouse", button: 0}));
		next.dispatchEvent(new PointerEvent("pointerover", {bubbles: true, pointerType: "mouse", buttons: 1}));
		next.dispatchEvent(new PointerEvent("pointerup", {bubbles: true, pointerType: "mouse"}));
	})()`), chromedp.WaitVisible("form.alter"))
	do(t, chromedp.SendKeys("input[name=value]", "411"), chromedp.Click(".alter .primary"), chromedp.WaitVisible(".draft"))
	// Somebody else sees and applies another price meanwhile.
	other := ask(t, chromedp.Evaluate[string](`(async () => {
		const form = new URLSearchParams(new FormData(document.querySelector("main form")));
		form.set("value", "422");
		const seen = new DOMParser().parseFromString(await (await fetch(location.pathname, {method: "POST", body: form})).text(), "text/html");
		form.set("seen", seen.querySelector("input[name=seen]").value);
		const answer = await fetch(document.querySelector("main form").action, {method: "POST", body: form});
		return answer.status + " " + new URL(answer.url).pathname.split("/")[4];
	})()`, chromedp.EvalAwaitPromise))
	if other != "200 updates" {
		t.Fatalf("the other comes to %s", other)
	}
	do(t, chromedp.Click(".acts .primary"), chromedp.WaitVisible(`.problem[role=alert]`))
	if got := price(); got != "422" {
		t.Errorf("the night costs %s, want what the first has applied", got)
	}
}

// Somebody reads what the nights bring, opens the table under a chart, asks for other
// dates, and takes the figures along for a spreadsheet.
func TestReports(t *testing.T) {
	do(t, chromedp.Navigate(page("reports")), chromedp.WaitVisible(".heat"), chromedp.WaitVisible(".plot .curve"))
	lookFar(t, "report-occupancy")
	do(t, chromedp.Click(`.shelves a[href$="/revenue"]`), chromedp.WaitVisible("#f-adr"))
	do(t, chromedp.Click(".presets a:nth-of-type(4)"), chromedp.WaitVisible(`.presets a:nth-of-type(4)[aria-current]`))
	do(t, chromedp.Click(".plot summary"), chromedp.WaitVisible(".plot .told"))
	look(t, "report-revenue")
	lines := ask(t, chromedp.Evaluate[string](`fetch(document.querySelector("a[download]").href).then(r => r.text()).then(t => [t.trim().split("\r\n").length, t.split(",")[0]].join(" "))`, chromedp.EvalAwaitPromise))
	if lines != "91 day" { // a line for each day, under one with the names
		t.Errorf("the table begins and ends otherwise: %s", lines)
	}
	do(t, chromedp.Click(`.shelves a[href$="/channels"]`), chromedp.WaitVisible("#f-share_revenue_pct"))
	look(t, "report-channels")
}
