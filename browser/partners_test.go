package browser

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
)

// partner calls the API as somebody who asked for access.
func partner(t *testing.T, claim, path, body string) map[string]any {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, running.Console+"v1/access-requests"+path, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if claim != "" {
		r.Header.Set("Authorization", "Bearer "+claim)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || answer.StatusCode >= 400 {
		t.Fatalf("%s: %d %v %v", path, answer.StatusCode, got, err)
	}
	return got
}

// A partner asks; the house approves it for the sandbox, does without its tests, and
// approves it for production. Its client is there, and gets a second secret, which is
// shown once.
func TestApproveAPartner(t *testing.T) {
	made := partner(t, "", "", `{"organisation": "Tours Ltd", "contact_name": "Ada", "contact_email": "ada@example.com", "kind": "technology_partner",
		"preset": "bi", "use_case": "The figures of each night, for those who own the house.", "property_ids": ["`+running.Property+`"]}`)
	id, claim := made["id"].(string), made["claim_token"].(string)
	at := page("partners/requests/" + id)
	do(t, chromedp.Navigate(page("partners")), chromedp.WaitVisible("#asking a.row"))
	look(t, "partners")
	do(t, chromedp.Click(`#asking a[href$="`+id+`"]`), chromedp.WaitVisible("#approve"))
	look(t, "partner-request")
	do(t, chromedp.Click("#approve .primary"), chromedp.WaitVisible("main > .done"))
	partner(t, claim, "/"+id+"/claim", "")
	waive := `#checks form button`
	for ask(t, chromedp.Evaluate[bool](`document.querySelector("`+waive+`") !== null`)) {
		do(t, chromedp.Navigate(at), chromedp.Click(waive), chromedp.WaitVisible("main > .done"))
	}
	partner(t, claim, "/"+id+"/submit-certification", "")
	do(t, chromedp.Navigate(at), chromedp.WaitVisible("#approve select[name=tier]"))
	look(t, "partner-approve")
	do(t, chromedp.Click("#approve .primary"), chromedp.WaitVisible("main > .done"))
	client := partner(t, claim, "/"+id+"/claim", "")["client_id"].(string)
	do(t, chromedp.Navigate(at), chromedp.Click(`a.row[href$="`+client+`"]`), chromedp.WaitVisible("#secrets form.fields"))
	look(t, "partner-client")
	do(t, chromedp.Click("#secrets form.fields .primary"), chromedp.WaitVisible("#secret"))
	look(t, "partner-secret")
	do(t, chromedp.Navigate(page("partners/clients/"+client)), chromedp.WaitVisible("#secrets"))
	if shown := ask(t, chromedp.Evaluate[bool](`document.querySelector("#secret") !== null`)); shown {
		t.Error("the secret is shown again")
	}
	if n := ask(t, chromedp.Evaluate[int](`document.querySelectorAll("#secrets li.row").length`)); n != 2 {
		t.Errorf("there are %d secrets", n)
	}
	do(t, chromedp.Navigate(page("partners/clients/"+client+"/edit")), chromedp.WaitVisible("form.alter"))
	look(t, "partner-client-form")
	do(t, chromedp.Navigate(page("partners/clients/new")), chromedp.WaitVisible("form.alter"))
	look(t, "partner-client-new")
}
