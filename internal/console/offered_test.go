package console

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ostler.example/internal/auth"
)

// changes are the scopes of which one is needed to use the forms under a path of the house.
var changes = []struct {
	under  string
	scopes auth.Scopes
}{
	{"calendar", auth.ScopesOf(auth.RatesWrite, auth.InventoryWrite)},
	{"channels", auth.ScopesOf(auth.ChannelsWrite)},
	{"conflicts", auth.ScopesOf(auth.ChannelsWrite, auth.InventoryWrite, auth.RatesWrite, auth.ReservationsWrite, auth.GuestsWrite, auth.PropertiesWrite)},
	{"guests", auth.ScopesOf(auth.GuestsWrite)},
	{"house/hours", auth.ScopesOf(auth.PropertiesWrite)},
	{"house/policies", auth.ScopesOf(auth.ChannelsWrite)},
	{"rates/guards", auth.ScopesOf(auth.ChannelsWrite)},
	{"rates/plans", auth.ScopesOf(auth.RatesWrite)},
	{"rates/protection", auth.ScopesOf(auth.PropertiesWrite, auth.InventoryWrite)},
	{"rates/rules", auth.ScopesOf(auth.RatesWrite)},
	{"reservations", auth.ScopesOf(auth.ReservationsWrite)},
}

var (
	formOnPage   = regexp.MustCompile(`(?s)<form([^>]*)>(.*?)</form>`)
	lockedFields = regexp.MustCompile(`(?s)<fieldset[^>]* disabled[^>]*>.*?</fieldset>`)
	fieldOnPage  = regexp.MustCompile(`<(?:button|input|select|textarea)([^>]*)>`)
)

// usable are the addresses of the forms of a page that somebody can use: they have a field
// or a button that is not locked.
func usable(page string) (actions []string) {
	for _, form := range formOnPage.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(form[1], `method="post"`) {
			continue
		}
		for _, field := range fieldOnPage.FindAllStringSubmatch(lockedFields.ReplaceAllString(form[2], ""), -1) {
			if attribute(field[1], "type") != "hidden" && !strings.Contains(field[1], " disabled") {
				actions = append(actions, attribute(form[1], "action"))
				break
			}
		}
	}
	return actions
}

// offersWhatItMay fails for every form of a page that can be used and that the role may not send.
func (s *site) offersWhatItMay(t *testing.T, r auth.Role, page, body string) {
	t.Helper()
	for _, action := range usable(body) {
		for _, c := range changes {
			if strings.HasPrefix(action, s.path(c.under)) && r.Scopes()&c.scopes == 0 {
				t.Errorf("%s is offered %s at %s", r, action, page)
			}
		}
	}
}

// What a role may not do is refused in words of a desk, also where it would change nothing.
func TestWhatARoleMayNotIsSaidInWords(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	b := s.as(t, "read_only")
	pool := s.pool(t)
	for path, form := range map[string]url.Values{
		"rates/guards/ch_1":                    {"revision": {"1"}, "floor": {"50"}, "too_high": {"hold"}},
		"rates/protection/" + pool.ID:          {"revision": {strconv.FormatInt(pool.Revision, 10)}, "way": {protectOpen}},
		"rates/protection/" + pool.ID + "/try": {"way": {protectOpen}},
		"channels/ch_1/sync":                   {"kind": {"ari_full"}},
		"rates/plans/" + s.house.Plans[0].ID:   {"name": {"Other"}, "revision": {"1"}},
		"house/hours":                          {"revision": {"1"}, "booking_horizon_days": {"10"}},
	} {
		r := b.post(s.path(path), form)
		if r.status != http.StatusForbidden || strings.Contains(r.body, ":write") || strings.Contains(r.body, catalogue["en"]["done.saved"]) {
			t.Errorf("%s: %d\n%s", path, r.status, r.body)
		}
	}
	shows(t, b.post(s.path("rates/guards/ch_1"), url.Values{"revision": {"1"}, "too_high": {"hold"}}).body, catalogue["en"]["problem.role"])
}
