package console

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// A channel that is paused says what that means, and is put on sale again from its page by
// the plan of what it would be told.
func TestAPausedChannelIsPutOnSaleAgain(t *testing.T) {
	s := newSite(t)
	s.sells(t)
	b := s.as(t, "owner")
	w := wordsIn("en")
	at := s.path("channels/ch_1")
	resume := `href="` + at + `/plan">` + w.T("channel.resume")
	if strings.Contains(b.get(at).body, resume) {
		t.Error("a channel that sells is to be put on sale")
	}
	b.post(at+"/pause", url.Values{"freeze": {"true"}})
	shows(t, b.get(at).body, w.T("health.state.frozen"), w.T("channel.frozen_words"), w.T("channel.resume_words"), resume, w.T("channel.close"))
	b.post(at+"/pause", formOf(t, b.get(at).body, at+"/pause"))
	page := b.get(at).body
	shows(t, page, w.T("health.state.paused"), w.T("channel.paused_words"), resume)
	if strings.Contains(page, w.T("channel.close")) || strings.Contains(page, w.T("channels.freeze")) {
		t.Error("a channel that is closed is to be paused")
	}
	shows(t, b.get(s.path("channels")).body, resume)
	if seen := s.as(t, "read_only").get(at); seen.status != http.StatusOK || strings.Contains(seen.body, resume) {
		t.Errorf("whoever may only read sees %d, or is to put it on sale", seen.status)
	}
	plan := b.get(at + "/plan").body
	shows(t, plan, ">"+w.T("channel.resume")+"</button>", "3 nights")
	form := formOf(t, plan, at+"/plan")
	form.Set("unchecked", "bookings")
	form.Set("accept", "true")
	form.Set("accepted_by", "Ada")
	shows(t, b.post(at+"/plan", form).body, w.T("done.live"))
	if got, want := <-asked, "ch_1 live by pln_1 for Ada bookings"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
