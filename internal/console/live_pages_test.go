package console

import (
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
)

// unmoved are the pages that do not follow what happens, by why not.
var unmoved = map[string]string{
	"book":                "what somebody fills in about a booking that is not there yet",
	"change":              "what somebody fills in about nights",
	"channel_form":        "a form of its own",
	"channel_test":        "what a test has found answers a form",
	"draft":               "a preview answers a form, and expects what it has seen",
	"guest_forget":        "a question that is asked once",
	"guest_merge":         "a question that expects the revisions that it was asked with",
	"lobby":               "it is about no house",
	"mapping":             "to ask for it asks the channel",
	"more":                "nothing on it changes",
	"partner_client_form": "a form of its own",
	"plan":                "to ask for it works out every call of a channel",
	"plan_form":           "a form of its own",
	"problem":             "it is about a request",
	"protect":             "a preview answers a form",
	"report":              "it is of when it was asked for",
	"rule_form":           "a form of its own",
	"rule_trial":          "a preview answers a form, and expects what it has seen",
	"sessions":            "it is about no house",
	"sign_in":             "nobody is in",
	"undo":                "a preview, which expects what it has seen",
}

// Every page follows what happens, or there is a reason why not; what is put in its place
// is found by an id.
func TestPagesFollowWhatHappens(t *testing.T) {
	files, err := fs.Glob(pageFiles, "pages/*.html")
	if err != nil {
		t.Fatal(err)
	}
	pieces := map[string]string{}
	for _, file := range files {
		raw, err := pageFiles.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pieces[strings.TrimSuffix(path.Base(file), ".html")] = string(raw)
	}
	for name, text := range pieces {
		for _, tag := range regexp.MustCompile(`<[a-z]+ [^>]*data-fresh`).FindAllString(text, -1) {
			if !strings.Contains(tag, ` id="`) {
				t.Errorf("%s: %s has no id", name, tag)
			}
		}
		if name == "frame" || strings.HasSuffix(name, "pieces") {
			continue
		}
		follows := strings.Contains(text, "data-fresh") || strings.Contains(text, `"policy-form"`)
		if why := unmoved[name]; follows == (why != "") {
			t.Errorf("%s: follows what happens: %v, though %q", name, follows, why)
		}
	}
}

// A page that answers a form stays as it is: asked for again it would have what is stored,
// in place of what was typed and what is wrong with it.
func TestAnswersToFormsStay(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	b := s.as(t, "owner")
	at := s.path("channels/ch_1/policies")
	page := b.get(at).body
	shows(t, page, `data-live="`+s.path("live")+`"`)
	form := formOf(t, page, at)
	form.Set("blast_radius", "many")
	if r := b.post(at, form); r.status != http.StatusUnprocessableEntity || strings.Contains(r.body, "data-live") {
		t.Errorf("answered with %d, or it follows what happens", r.status)
	}
	if r := b.post(s.path("users"), url.Values{"name": {""}}); strings.Contains(r.body, "data-live") {
		t.Error("the list of users follows what happens where it answers a form")
	}
}
