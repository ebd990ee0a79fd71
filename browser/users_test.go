package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// The owner adds somebody, who gets a link, and disables the user again. The page with the
// own password is looked at.
func TestUsers(t *testing.T) {
	name := fmt.Sprint("ada", time.Now().Unix(), "@example.org")
	do(t, chromedp.Navigate(page("users")), chromedp.WaitVisible("#add"), chromedp.SendKeys("#add input[name=name]", name),
		chromedp.SetValue(`#add select[name="role.*"]`, "front_desk"), chromedp.Click("#add .primary"), chromedp.WaitVisible("#link"))
	look(t, "users")
	mine := `section[aria-label="` + name + `"]`
	do(t, chromedp.Click(mine+" summary"), chromedp.WaitVisible(mine+" details[open] .primary"))
	look(t, "users-roles")
	do(t, chromedp.Click(mine+" .danger"), chromedp.WaitVisible("main > .done"), chromedp.WaitVisible(mine+" .tag.bad"))
	do(t, chromedp.Navigate(running.Console+"sessions"), chromedp.WaitVisible("#password"))
	look(t, "sessions")
}
