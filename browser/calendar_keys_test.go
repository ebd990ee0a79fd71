package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Somebody who has no mouse chooses nights with the shift key and the arrows, hears which,
// lets go of them, chooses others, and is asked what is to change of these.
func TestChooseNightsByKeys(t *testing.T) {
	do(t, chromedp.Navigate(page("calendar")), chromedp.WaitVisible(".grid .rooms"))
	pressed := ask(t, chromedp.Evaluate[string](`(() => {
		const cell = (row, at) => document.querySelector(".grid tbody").rows[row].cells[at];
		const key = (key, shiftKey) => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true, cancelable: true}));
		const chosen = () => [document.querySelectorAll(".grid .chosen").length, document.querySelector("#chosen").textContent ? "told" : "silent"].join(" ");
		const said = [];
		cell(1, 3).querySelector("a").focus();
		for (const way of ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"]) { key(way, true); said.push(chosen()); }
		key("Escape", false); said.push(chosen());
		key("ArrowRight", true); said.push(chosen());
		key("ArrowUp", false); said.push(chosen());
		key("ArrowRight", true); document.querySelector("#from").focus(); said.push(chosen());
		return said.join(", ");
	})()`))
	if want := "2 told, 3 told, 6 told, 4 told, 0 silent, 2 told, 0 silent, 0 silent"; pressed != want {
		t.Errorf("by the keys are chosen %s, want %s", pressed, want)
	}
	heard := ask(t, chromedp.Evaluate[string](`(() => {
		const table = document.querySelector(".grid");
		const name = (head) => [...head.childNodes].map((part) => part.textContent.trim()).filter(Boolean).join(" ");
		table.tBodies[0].rows[1].cells[5].querySelector("a").focus();
		document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", shiftKey: true, bubbles: true, cancelable: true}));
		const text = document.querySelector("#chosen").textContent;
		return [5, 6].map(i => name(table.rows[0].cells[i])).concat(name(table.tBodies[0].rows[1].cells[0])).filter(part => !text.includes(part)).join("|") + "=" + text;
	})()`))
	if missing, text, _ := strings.Cut(heard, "="); missing != "" || !strings.HasPrefix(text, "Nights chosen: 2, ") {
		t.Errorf("%q says not %q", text, missing)
	}
	look(t, "calendar-chosen")
	do(t, chromedp.Evaluate[chromedp.Void](`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true, cancelable: true}))`), chromedp.WaitVisible("form.alter"))
	asked := ask(t, chromedp.Evaluate[string](`(() => { const q = new URL(location.href).searchParams; return [(new Date(q.get("to")) - new Date(q.get("from"))) / 864e5, q.getAll("line").length].join(" "); })()`))
	if asked != "1 1" {
		t.Errorf("what is to change is asked of %s, want two nights of one line", asked)
	}
}
