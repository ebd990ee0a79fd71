package console

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// filledIn are the fields of a form that somebody fills in.
func filledIn(t *testing.T, page, action string) (names []string) {
	t.Helper()
	_, rest, ok := strings.Cut(page, `action="`+action+`"`)
	if !ok {
		t.Fatalf("no form of %s in\n%s", action, page)
	}
	text, _, _ := strings.Cut(rest, "</form>")
	for _, field := range regexp.MustCompile(`<(?:input|select|textarea)([^>]*)>`).FindAllStringSubmatch(text, -1) {
		if kind := attribute(field[1], "type"); kind != "hidden" && kind != "checkbox" {
			names = append(names, attribute(field[1], "name"))
		}
	}
	return names
}

// Whatever is wrong with a field of a form is told under the name that the form gives it, in
// the language of the page, and never under that of a member of the API.
func TestFormsNameWhatIsWrong(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	owner, chief := s.as(t, "owner"), s.everywhere(t, "owner")
	for _, b := range []*browser{owner, chief} {
		b.post("/language", url.Values{"language": {"de"}, "back": {"/"}})
	}
	v := &visit{words: wordsIn("de")}
	plan := "rates/plans/" + s.house.Plans[1].ID
	for _, c := range []struct {
		b                   *browser
		page, action        string
		labels              labels // nil: the questions of a page, which label themselves
		wrong, value, label string
	}{
		{owner, "rates/guards", "rates/guards/ch_1", v.called(guardFields), "floor", "abc", "plan.floor_is"},
		{owner, "rates/guards", "rates/guards/ch_1", v.called(guardFields), "max_change", "x", "guards.max_change"},
		{owner, "house", "house/hours", nil, "booking_horizon_days", "many", "house.booking_horizon_days"},
		{owner, "house", "house/hours", nil, "booking_horizon_days", "100000", "house.booking_horizon_days"},
		{owner, "house", "house/policies", nil, "deadline.oversell.after", "x", "conflict.oversell"},
		{owner, "house", "house/policies", nil, "stale.after", "100000", "policy.stale.after"},
		{owner, "channels/ch_1/policies", "channels/ch_1/policies", nil, "price_mismatch", "x", "policy.price_mismatch"},
		{owner, plan + "/edit", plan, v.called(planFields), "min_stay_arrival", "x", "field.min_stay_arrival"},
		{owner, plan + "/edit", plan, v.called(planFields), "limit.0.floor", "x", "plan.floor_is"},
		{owner, plan + "/edit", plan, v.called(planFields), "value", "x", "plan.value"},
		{owner, "rates/rules/new", "rates/rules/try", v.called(ruleFields), "priority", "x", "rules.priority"},
		{owner, "rates/rules/new", "rates/rules/try", v.called(ruleFields), "floor", "x", "rules.floor"},
		{owner, "channels/ch_1/settings", "channels/ch_1/settings", v.channelLabels(), "weight", "x", "channel.weight"},
		{owner, "channels/ch_1/settings", "channels/ch_1/settings", v.channelLabels(), "commission", "x", "channel.commission"},
		{owner, "calendar/change", "calendar/change", v.called(changeFields), "value", "x", "change.value"},
		{chief, "partners/clients/new", "partners/clients/new", v.called(partnerFields), "hourly_limit", "x", "partner.hourly_limit"},
		{chief, "partners/clients/new", "partners/clients/new", v.called(partnerFields), "ip_allowlist", "x", "partner.from"},
		{chief, "users", "users", v.called(userFields), "name", "A B", "users.name"},
	} {
		page, action := c.b.get(s.path(c.page)).body, s.path(c.action)
		if c.labels != nil {
			for _, name := range filledIn(t, page, action) {
				if c.labels.label("/"+name) == "" {
					t.Errorf("%s: %s has no label", c.page, name)
				}
			}
		}
		form := formOf(t, page, action)
		form.Set(c.wrong, c.value)
		if c.page == "calendar/change" {
			form.Set("room", s.house.Rooms[0].ID)
			form.Set("plan", s.house.Plans[0].ID)
			form.Set("what", "price_set")
		}
		r := c.b.post(action, form)
		if want := v.words.T(c.label) + ": "; r.status != http.StatusUnprocessableEntity || !strings.Contains(html.UnescapeString(r.body), want) {
			t.Errorf("%s, %s %q: %d, and no %q in\n%s", c.page, c.wrong, c.value, r.status, want, r.body)
		}
		if found := regexp.MustCompile(`(?s)<[^>]*role="alert".*?</(?:div|p)>`).FindString(r.body); strings.Contains(found, "/"+strings.ReplaceAll(c.wrong, ".", "/")) || strings.Contains(found, "/"+c.wrong) {
			t.Errorf("%s: a pointer is shown: %s", c.page, found)
		}
	}
}

// What a member of a body is called is found wherever the body has it; a place in a list, and
// what the form has no name for, say nothing.
func TestLabelsAreFoundOnTheWay(t *testing.T) {
	t.Parallel()
	v := &visit{words: wordsIn("en")}
	for pointer, want := range map[string]string{
		"/pricing/guard/max_change_pct":          catalogue["en"]["guards.max_change"],
		"/floor/amount":                          catalogue["en"]["plan.floor_is"],
		"/elsewhere":                             "",
		"":                                       "",
		"/cancellation_policy/steps/1/penalty/x": "",
	} {
		if got := v.called(guardFields).label(pointer); got != want {
			t.Errorf("%q is %q, want %q", pointer, got, want)
		}
	}
	if got, want := v.called(planFields).label("/cancellation_policy/steps/1/penalty/value"), catalogue["en"]["plan.value"]; got != want {
		t.Errorf("the value of a step is %q, want %q", got, want)
	}
	for _, of := range []map[string]string{bookFields, decisionFields, changeFields, guardFields, planFields, ruleFields, channelFields, mappingFields, partnerFields, userFields} {
		for name, key := range of {
			if !v.words.has(key) {
				t.Errorf("%s: no %s", name, key)
			}
		}
	}
	p := policyForm{Groups: []policyGroup{{Rows: []policyRow{{Name: "deadline.oversell", Of: "Oversold"}, {Name: "stale.after", Of: "Silence"}}}}}
	for pointer, want := range map[string]string{
		"/on_deadline/oversell/after": "Oversold", "/policies/staleness/after_minutes": "Silence", "/deadline.oversell.after": "Oversold",
	} {
		if got := labels(p.labels).label(pointer); got != want {
			t.Errorf("%q is %q, want %q", pointer, got, want)
		}
	}
	if m := v.mistakesOf(&hotel.Refusal{Detail: "wrong", Items: []hotel.RefusedItem{{Pointer: "/floor", Detail: "is none"}, {Pointer: "/x", Detail: "neither"}}}, v.called(guardFields)); m.Problem != "wrong" || m.Faults[0].Said != "Lowest price: is none" || m.Faults[1].Said != "neither" {
		t.Errorf("%+v", m)
	}
}
