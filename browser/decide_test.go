package browser

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// atSimulator asks the simulator of a channel for something, and reports whether it did it.
func atSimulator(t *testing.T, simulator, path string, body any) bool {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(simulator+"/_sim/"+path, "application/json", strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode < 300
}

// soldThere puts a product on sale at a channel that was not told so, and sells it.
func soldThere(t *testing.T, simulator, room, rate, last string, days int) {
	t.Helper()
	night := func(n int) string { return time.Now().AddDate(0, 0, days+n).Format(time.DateOnly) }
	for range 20 { // what the channel is told meanwhile may close it again
		if atSimulator(t, simulator, "edit", map[string]any{"room": room, "rate": rate, "date_from": night(0), "date_to": night(1), "available": 3, "closed": false, "min_stay": 1, "price": "200.00"}) &&
			atSimulator(t, simulator, "book", map[string]any{"room": room, "rate": rate, "check_in": night(0), "check_out": night(1), "adults": 2, "last_name": last}) {
			return
		}
	}
	t.Fatalf("%s sells no %s", simulator, room)
}

// open waits for a decision of a kind, and opens it.
func open(t *testing.T, title string) {
	t.Helper()
	do(t, chromedp.Navigate(page("conflicts")), chromedp.WaitVisible("#inbox"))
	do(t, chromedp.Poll[chromedp.Void](`[...document.querySelectorAll("#inbox a.row")].some(a => a.textContent.includes("`+title+`"))`))
	do(t, chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#inbox a.row")].find(a => a.textContent.includes("`+title+`")).click()`), chromedp.WaitVisible("#ways"))
}

// A guest books what nobody has mapped: it is opened, and said what it is; the code is mapped
// again by its plan.
func TestResolveAnUnmappedBooking(t *testing.T) {
	id, simulator := channel(t, "mock")
	mapping := page("channels/" + id + "/mapping")
	ours := `[...document.querySelectorAll(".mapping tbody tr")].find(r => r.querySelector("small").textContent === "A-SUI / A-long").querySelector("select")`
	do(t, chromedp.Navigate(mapping), chromedp.WaitVisible(".mapping select"))
	was := ask(t, chromedp.Evaluate[string](ours+`.value`))
	do(t, chromedp.Evaluate[chromedp.Void](ours+`.value = ""`), chromedp.Click("button[value=save]"), chromedp.WaitVisible("input[name=plan]~section input[name=accepted_by]"))
	look(t, "mapping-live")
	do(t, chromedp.Click("button[value=save]"), chromedp.WaitVisible("main > .done")) // it sells, so that what it would be told is seen first
	soldThere(t, simulator, "A-SUI", "A-long", "Hopper", 120)
	open(t, "A booking of an unknown room")
	look(t, "conflict-unmapped")
	room, plan, _ := strings.Cut(was, ".")
	if held := ask(t, chromedp.Evaluate[string](`document.querySelector("select[name=room_type_id]").value`)); held != room {
		t.Errorf("the room that is held is %s, proposed is %s", room, held)
	}
	if proposed := ask(t, chromedp.Evaluate[string](`document.querySelector("select[name=rate_plan_id]").value`)); proposed != plan {
		t.Errorf("proposed is the plan %s, want %s, which its other rooms have under the code", proposed, plan)
	}
	if vain := ask(t, chromedp.Evaluate[bool](`document.querySelector("input[name=remember]") !== null`)); vain {
		t.Error("it is offered to map the codes of a channel that is live, which is refused")
	}
	do(t, chromedp.Click(".way:has(select[name=rate_plan_id]) .primary"), chromedp.WaitVisible("main > .done"))
	do(t, chromedp.Navigate(mapping), chromedp.WaitVisible(".mapping select"))
	do(t, chromedp.Evaluate[chromedp.Void](ours+`.value = "`+was+`"`), chromedp.Click("button[value=save]"), chromedp.WaitVisible("input[name=accepted_by]"))
	if raised := ask(t, chromedp.Evaluate[bool](`document.querySelector("input[name=accept]") !== null`)); raised {
		do(t, chromedp.Click("input[name=accept]"))
	}
	do(t, chromedp.Click("button[value=save]"), chromedp.WaitVisible("main > .done"))
	do(t, chromedp.Navigate(mapping), chromedp.WaitVisible(".mapping select"))
	if now := ask(t, chromedp.Evaluate[string](ours+`.value`)); now != was {
		t.Errorf("it is mapped to %q, want %q", now, was)
	}
}

// More is sold than there is: one guest moves to another type, one sleeps in another
// house, and one is left to whoever is on duty.
func TestDecideOversells(t *testing.T) {
	_, simulator := channel(t, "mock")
	for range 9 {
		soldThere(t, simulator, "A-SUI", "A-flex", "Turing", 130)
	}
	const title = "More sold than there is"
	left := func() int {
		return ask(t, chromedp.Evaluate[int](`[...document.querySelectorAll("#inbox a.row")].filter(a => a.textContent.includes("`+title+`")).length`))
	}
	for i, way := range []struct {
		option, button string
		fill           []chromedp.Action[chromedp.Void]
	}{
		{"move", ".choices button", nil},
		{"walk", ".primary", []chromedp.Action[chromedp.Void]{chromedp.SendKeys("input[name=external]", "The house next door"), chromedp.SendKeys("input[name=cost]", "180.00")}},
		{"accept", ".primary", nil},
	} {
		open(t, title)
		if i == 0 {
			look(t, "conflict-oversell")
		}
		do(t, way.fill...)
		// Where a mouse goes down is worked out before: a page that is laid out anew by then has nothing there.
		do(t, chromedp.Evaluate[chromedp.Void](`document.querySelector('.way:has(input[value="`+way.option+`"]) `+way.button+`').click()`), chromedp.WaitVisible("main > .done"))
		before := ask(t, chromedp.Evaluate[string](`location.pathname`))
		do(t, chromedp.Navigate(page("conflicts?status=resolved")), chromedp.WaitVisible("#inbox a.row"))
		if n := left(); n < i+1 {
			t.Errorf("%s: %d were decided, and one is at %s", way.option, n, before)
		}
	}
}
