package browser

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// faults are what has gone wrong in the pages by themselves: exceptions, what was written to
// the console as an error, what the content security policy has stopped, and what a page has
// asked for in vain. Nobody who looks at a page sees any of it.
var faults struct {
	sync.Mutex
	heard  []string
	tested string // who answers for what is heard now
}

// listen begins to hear faults, of whatever page there is.
func listen() error {
	if err := chromedp.Listen(tab, func(event any) {
		if fault := faultOf(event); fault != "" {
			faults.Lock()
			defer faults.Unlock()
			faults.heard = append(faults.heard, fault)
		}
	}); err != nil {
		return err
	}
	_, err := chromedp.Call(tab, network.Enable, network.EnableParams{})
	return err
}

// faultOf says what an event tells that is wrong; "" is nothing. The answer to a form, or to an
// address that was typed, is a page whatever its status: tests look at it. What a page breaks off
// because somebody leaves it is none.
func faultOf(event any) string {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		if d.Exception != nil && d.Exception.Description != "" {
			return fmt.Sprintf("%s: %s", d.Text, d.Exception.Description)
		}
		return d.Text
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			said := make([]string, len(e.Args))
			for i, a := range e.Args {
				said[i] = strings.TrimSpace(string(a.Value) + " " + a.Description)
			}
			return "console: " + strings.Join(said, " ")
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError && e.Entry.Source != log.EntrySourceNetwork {
			return fmt.Sprintf("%s: %s", e.Entry.Source, e.Entry.Text)
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 && e.Type != network.ResourceTypeDocument && !expected(e) {
			return fmt.Sprintf("%d for %s (%s)", e.Response.Status, e.Response.URL, e.Type)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled && e.ErrorText != "net::ERR_ABORTED" && e.Type != network.ResourceTypeDocument {
			return fmt.Sprintf("%s %s (%s)", e.ErrorText, e.BlockedReason, e.Type)
		}
	}
	return ""
}

// expected reports whether a request in the background is refused rightly.
func expected(e *network.EventResponseReceived) bool {
	at, err := url.Parse(e.Response.URL)
	return err == nil && unwatched[fmt.Sprint(e.Response.Status, " ", at.Path)]
}

// unwatched are the statuses and paths that are: none is known.
var unwatched = map[string]bool{}

// answers has a test answer for what goes wrong in the pages while it runs.
func answers(t *testing.T) {
	t.Helper()
	faults.Lock()
	defer faults.Unlock()
	if faults.tested == t.Name() {
		return
	}
	faults.tested = t.Name()
	t.Cleanup(func() {
		faults.Lock()
		defer faults.Unlock()
		for _, fault := range faults.heard {
			t.Errorf("in a page: %s", fault)
		}
		faults.heard = nil
	})
}

// A page that goes wrong by itself is noticed, in each of the ways.
func TestFaultsAreHeard(t *testing.T) {
	do(t, chromedp.Navigate(page("today")), chromedp.WaitVisible("#figures"))
	for name, script := range map[string]string{
		"an exception":       `setTimeout(() => { throw new Error("on purpose"); })`,
		"an error":           `console.error("on purpose")`,
		"a promise":          `Promise.reject(new Error("on purpose"))`,
		"a picture":          `new Image().src = "/static/nothing.svg"`,
		"a request":          `fetch("/static/nothing.js")`,
		"a script inline":    `document.head.append(Object.assign(document.createElement("script"), {textContent: "1"}))`,
		"a style inline":     `document.head.append(Object.assign(document.createElement("style"), {textContent: "b { color: red }"}))`,
		"a picture far away": `new Image().src = "https://example.org/a.png"`,
	} {
		do(t, chromedp.Evaluate[chromedp.Void](`(() => { `+script+`; })()`))
		if !waited(t) {
			t.Errorf("%s is not noticed", name)
		}
	}
}

// waited waits until a fault is heard, and forgets it.
func waited(t *testing.T) bool {
	t.Helper()
	for range 200 {
		faults.Lock()
		heard := len(faults.heard) > 0
		faults.heard = nil
		faults.Unlock()
		if heard {
			// What tells of the same fault in another way comes before the next picture is drawn.
			do(t, chromedp.Evaluate[chromedp.Void](`new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))`, chromedp.EvalAwaitPromise))
			faults.Lock()
			faults.heard = nil
			faults.Unlock()
			return true
		}
		do(t, chromedp.Evaluate[chromedp.Void](`new Promise(drawn => requestAnimationFrame(drawn))`, chromedp.EvalAwaitPromise))
	}
	return false
}
