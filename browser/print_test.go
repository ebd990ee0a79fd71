package browser

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Somebody prints who arrives, on A4: a table with its heads, under the list's name, without
// what can only be clicked, and beginning on the first sheet.
func TestPrintAList(t *testing.T) {
	do(t, chromedp.Navigate(page("reservations?show=newest")), chromedp.WaitVisible("#register tbody a"))
	call(t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 718, Height: 1047, DeviceScaleFactor: 1})
	call(t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	printed := ask(t, chromedp.Evaluate[string](`(() => {
		const seen = e => e !== null && e.offsetWidth > 1 && getComputedStyle(e).visibility !== "hidden";
		const list = document.querySelector("#register");
		return [
			getComputedStyle(list.querySelector("thead")).position === "static" ? "heads" : "no heads",
			[...document.querySelectorAll(".shelves, .side, .head .acts, main a.button, main button")].some(seen) ? "buttons" : "no buttons",
			seen(document.querySelector(".paper")) ? "named" : "nameless",
			getComputedStyle(list).breakInside === "auto" && list.getBoundingClientRect().top < 200 ? "at once" : "on the next sheet",
			list.querySelector("table").scrollWidth <= list.clientWidth ? "whole" : "cut",
		].join(", ");
	})()`))
	call(t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1280, Height: 900, DeviceScaleFactor: 1})
	call(t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	if want := "heads, no buttons, named, at once, whole"; printed != want {
		t.Errorf("on paper the list has %s, want %s", printed, want)
	}
}
