package console

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ostler.example/hotel"
)

// The list has each plan below the one that it is derived from, who sells it, and what it
// costs tonight.
func TestRatePlansAreListedByFamily(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today}, 12950)
	s.house.Price(t, s.l, 2, hotel.Span{From: today, To: today}, 20000)
	page := s.as(t, "read_only").get(s.path("rates")).body
	shows(t, page, "€129.50 – €200.00", "−10%", "depth-1", "€116.55 – €180.00")
	if flex, saver := strings.Index(page, s.house.Plans[0].ID), strings.Index(page, s.house.Plans[1].ID); flex < 0 || saver < flex {
		t.Errorf("flex stands at %d, saver at %d", flex, saver)
	}
	if strings.Contains(page, "rates/plans/new") {
		t.Error("whoever may only read is led to a new plan")
	}
}

func TestFamilyOrderEndsWithWhatIsOver(t *testing.T) {
	plan := func(id, from string, status hotel.Status) hotel.RatePlan {
		p := hotel.RatePlan{Entity: hotel.Entity{ID: id}, Status: status}
		if from != "" {
			p.DerivedFrom = &hotel.Derivation{RatePlanID: from}
		}
		return p
	}
	got := ""
	for _, p := range familyOrder([]hotel.RatePlan{
		plan("c", "b", hotel.Active), plan("old", "", hotel.Archived), plan("a", "", hotel.Active), plan("b", "a", hotel.Active), plan("d", "a", hotel.Active), plan("orphan", "gone", hotel.Active),
	}) {
		got += p.ID + strconv.Itoa(p.Depth) + " "
	}
	if want := "a0 b1 c2 d1 orphan0 old0 "; got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
}

// formOf is a form of a page as a browser would send it, without its buttons.
func formOf(t *testing.T, page, action string) url.Values {
	t.Helper()
	_, rest, ok := strings.Cut(page, `action="`+action+`"`)
	if !ok {
		t.Fatalf("no form of %s in\n%s", action, page)
	}
	text, _, _ := strings.Cut(rest, "</form>")
	form := url.Values{}
	for _, field := range regexp.MustCompile(`<input([^>]*)>`).FindAllStringSubmatch(text, -1) {
		box := strings.Contains(field[1], `type="checkbox"`) || strings.Contains(field[1], `type="radio"`)
		if name := attribute(field[1], "name"); !box || strings.Contains(field[1], " checked") {
			form.Add(name, attribute(field[1], "value"))
		}
	}
	for _, field := range regexp.MustCompile(`(?s)<select name="([^"]*)"[^>]*>(.*?)</select>`).FindAllStringSubmatch(text, -1) {
		chosen := ""
		for i, o := range regexp.MustCompile(`<option value="([^"]*)"( selected)?`).FindAllStringSubmatch(field[2], -1) {
			if i == 0 || o[2] != "" {
				chosen = o[1]
			}
		}
		form.Add(field[1], chosen)
	}
	return form
}

func attribute(tag, name string) string {
	found := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(tag)
	if found == nil {
		return ""
	}
	return strings.NewReplacer("&#43;", "+", "&amp;", "&", "&#34;", `"`).Replace(found[1])
}

// What the form of a plan is sent with as it stands leaves the plan as it is, and what
// the form does not ask for stays in any case.
func TestRatePlanIsEditedAsItStands(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "revenue")
	seven := 7
	_, _, err := s.l.ChangeRatePlan(t.Context(), by, hotel.Once{}, s.house.Plans[1].ID, hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
		until := hotel.CutOff{DaysBefore: 2, Time: "18:00"}
		p.Cancellation = &hotel.CancellationPolicy{
			Kind:  "custom",
			Steps: []hotel.CancellationStep{{Until: &until, Penalty: hotel.Penalty{Kind: hotel.NoPenalty}}, {Penalty: hotel.Penalty{Kind: hotel.PercentPenalty, Value: "80"}}},
			Seasons: []hotel.CancellationSeason{{
				DateFrom: hotel.DateOf(2026, 12, 24), DateTo: hotel.DateOf(2027, 1, 2), Steps: []hotel.CancellationStep{{Penalty: hotel.Penalty{Kind: hotel.FirstNight}}},
			}},
		}
		p.NoShow = &hotel.NoShowPolicy{Penalty: hotel.Penalty{Kind: hotel.AmountPenalty, Value: "50.00"}}
		p.Included = []hotel.Included{{Code: "breakfast", Per: hotel.IncludedPerPerson, Amount: map[string]hotel.Money{"": {Minor: 1200, Currency: "EUR"}}}}
		p.MinAdvance, p.CutOff = &seven, &hotel.CutOff{DaysBefore: 1, Time: "12:00"}
		p.PriceLimits = []hotel.PriceLimit{{
			RoomTypeIDs: []string{s.house.Rooms[0].ID}, DateFrom: hotel.DateOf(2026, 12, 1), DateTo: hotel.DateOf(2026, 12, 31), Floor: &hotel.Money{Minor: 9000, Currency: "EUR"},
		}}
		p.Restrictions = hotel.Restriction{MinStayArrival: &seven, ClosedToArrival: &yes}
		inherit := []hotel.Inheritance{hotel.InheritClosed}
		p.Inherit = &inherit
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := s.path("rates/plans/" + s.house.Plans[1].ID)
	shows(t, b.get(path).body, "until 2 days before arrival at 18:00: free of charge", "after that: 80% of the stay", "the first night", "breakfast, person: €12.00", "at least €90.00",
		"At least 7 nights", "Closed to arrival", "Booked at least 7 days before", "Booked until 1 day before arrival at 12:00", `aria-current="page">saver</b>`, "closings</p>", "€50.00")
	was, err := s.l.RatePlan(t.Context(), s.house.Plans[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	form := formOf(t, b.get(path+"/edit").body, path)
	if r := b.post(path, form); r.status != http.StatusOK || !strings.Contains(r.body, catalogue["en"]["done.saved"]) {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	is, err := s.l.RatePlan(t.Context(), s.house.Plans[1].ID)
	if err != nil {
		t.Fatal(err)
	}
	a, z := planValues(wordsIn("en"), was), planValues(wordsIn("en"), is)
	a.Del("revision")
	z.Del("revision")
	if got, want := z.Encode(), a.Encode(); got != want {
		t.Errorf("saved as it stood, the plan is\n%s, was\n%s", got, want)
	}
	if len(is.Included) != 1 || is.Cancellation == nil || len(is.Cancellation.Seasons) != 1 || is.Inherit == nil || len(*is.Inherit) != 1 {
		t.Errorf("what the form does not ask for is lost: %+v", is)
	}
}

// A plan is changed as the form says, made anew and ended; who saves an older form is
// told so, and what is wrong is said with all that was typed.
func TestRatePlanIsMadeChangedAndEnded(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "revenue")
	form := formOf(t, b.get(s.path("rates/plans/new")).body, s.path("rates/plans/new"))
	form.Set("name", "Advance")
	form.Set("room", s.house.Rooms[0].ID)
	form.Set("parent", s.house.Plans[0].ID)
	form.Set("value", "−12,5")
	if r := b.post(s.path("rates/plans/new"), form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "Code: is missing") || !strings.Contains(r.body, `value="Advance"`) {
		t.Fatalf("without a code: %d\n%s", r.status, r.body)
	}
	form.Set("code", "adv")
	made := b.post(s.path("rates/plans/new"), form)
	if made.status != http.StatusOK {
		t.Fatalf("%d\n%s", made.status, made.body)
	}
	shows(t, made.body, "−12.5%")
	path, _, _ := strings.Cut(made.path, "?")
	change := formOf(t, b.get(path+"/edit").body, path)
	change.Set("kind", "amount")
	change.Set("value", "5")
	change.Set("limit.0.from", "2026-12-01")
	if r := b.post(path, change); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "a first and a last night") {
		t.Errorf("half a limit: %d", r.status)
	}
	change.Del("limit.0.from")
	shows(t, b.post(path, change).body, "&#43;€5.00")
	change.Set("name", "Far ahead")
	old := b.post(path, change)
	if old.status != http.StatusConflict {
		t.Errorf("an older form: %d", old.status)
	}
	shows(t, old.body, catalogue["en"]["form.changed"], `value="Far ahead"`, "now: Advance")
	knowingly := formOf(t, old.body, path)
	shows(t, b.post(path, knowingly).body, "Far ahead", catalogue["en"]["done.saved"])
	if r := s.as(t, "front_desk").post(path, change); r.status != http.StatusForbidden {
		t.Errorf("changed by the front desk: %d", r.status)
	}
	end := formOf(t, b.get(path).body, path+"/archive")
	shows(t, b.post(path+"/archive", end).body, catalogue["en"]["plan.archived"], catalogue["en"]["done.archived"])
	if r := b.get(s.path("rates/plans/none")); r.status != http.StatusNotFound {
		t.Errorf("no such plan: %d", r.status)
	}
}

// ruling is the form of a rule that adds ten per cent on weekends.
func (s *site) ruling(name string) url.Values {
	return url.Values{"act": {"save"}, "name": {name}, "priority": {"10"}, "enabled": {"true"}, "day": {"fri", "sat"}, "if.0.metric": {"days_to_arrival"}, "if.0.op": {"between"}, "if.0.value": {"1"}, "if.0.to": {"20,5"}, "action": {"percent"}, "value": {"10"}}
}

// try sends a form of rules, and returns it with what the trial of it has seen.
func (s *site) try(t *testing.T, b *browser, form url.Values, parts ...string) url.Values {
	t.Helper()
	r := b.post(s.path("rates/rules/try"), form)
	seen := seenIn.FindStringSubmatch(r.body)
	if r.status != http.StatusOK || seen == nil {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	shows(t, r.body, parts...)
	form = again(form)
	form.Set("seen", seen[1])
	return form
}

func again(form url.Values) url.Values {
	other := url.Values{}
	for name, values := range form {
		other[name] = slices.Clone(values)
	}
	return other
}

// A rule is shown at work before it is stored, made as it was shown, and not when
// somebody has changed the rules since.
func TestRuleIsTriedAndMade(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "revenue")
	today := s.house.Property.Today(s.clock.Now()) // a Sunday
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 13}, 10000)
	form := s.try(t, b, s.ruling("Weekend"), "days before arrival from 1 to 20.5", "&#43;10%", "€110.00", "Fri 27 Nov 2026", "double · saver", "€99.00", "<svg class=\"lines\"", ">8<")
	if list, err := s.l.PricingRules(t.Context(), s.house.Property.ID); err != nil || len(list) != 0 {
		t.Fatalf("a trial has stored %v, %v", list, err)
	}
	r := b.post(s.path("rates/rules/apply"), form)
	if r.status != http.StatusOK || !strings.Contains(r.path, "rates/rules?done=saved") {
		t.Fatalf("%d at %s\n%s", r.status, r.path, r.body)
	}
	shows(t, r.body, "Weekend", "Fri, Sat", "€110.00")
	if r := b.post(s.path("rates/rules/apply"), form); r.status != http.StatusConflict {
		t.Errorf("sent twice: %d", r.status)
	}
	list, err := s.l.PricingRules(t.Context(), s.house.Property.ID)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	edit := formOf(t, b.get(s.path("rates/rules/"+list[0].ID+"/edit")).body, s.path("rates/rules/try"))
	if got, want := edit.Get("if.0.to")+edit.Get("value")+strings.Join(edit["day"], ","), "20.510fri,sat"; got != want {
		t.Errorf("the form is filled in with %s, want %s", got, want)
	}
	edit.Set("value", "x")
	if r := b.post(s.path("rates/rules/try"), edit); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, "Value: adjustment value") {
		t.Errorf("no number: %d\n%s", r.status, r.body)
	}
	if r := s.as(t, "read_only").post(s.path("rates/rules/try"), s.ruling("Mine")); r.status != http.StatusForbidden {
		t.Errorf("tried by whoever may only read: %d", r.status)
	}
}

// Rules are switched off, put in another order, and taken away, each time with what that
// does to prices shown before.
func TestRulesAreOrderedSwitchedAndDeleted(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 5}, 10000)
	rule := func(name, kind, value string) hotel.PricingRule {
		r, _, err := s.l.CreatePricingRule(t.Context(), by, hotel.Once{}, hotel.PricingRule{
			PropertyID: s.house.Property.ID, Name: name, Enabled: true, Priority: 10, Action: hotel.RuleAction{Kind: kind, Value: value},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	rule("set", hotel.SetPrice, "200")
	rule("half", "percent", "-50")
	act := func(name, act string, parts ...string) {
		t.Helper()
		list, err := s.l.PricingRules(t.Context(), s.house.Property.ID)
		if err != nil {
			t.Fatal(err)
		}
		r := list[slices.IndexFunc(list, func(r hotel.PricingRule) bool { return r.Name == name })]
		form := s.try(t, b, url.Values{"act": {act}, "id": {r.ID}, "revision": {strconv.FormatInt(r.Revision, 10)}}, parts...)
		if r := b.post(s.path("rates/rules/apply"), form); r.status != http.StatusOK {
			t.Fatalf("%s: %d\n%s", act, r.status, r.body)
		}
	}
	order := func() (got string) {
		list, err := s.l.PricingRules(t.Context(), s.house.Property.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			got += r.Name + " "
		}
		return got
	}
	was := order()
	first, second, _ := strings.Cut(strings.TrimSpace(was), " ")
	act(second, "earlier", "rule-order")
	if got, want := order(), second+" "+first+" "; got != want {
		t.Errorf("the order is %s, want %s", got, want)
	}
	act("half", "disable", "€200.00")
	shows(t, b.get(s.path("rates/rules")).body, `class="card off"`)
	act("set", "delete", "€100.00")
	if got := order(); got != "half " {
		t.Errorf("left is %s", got)
	}
}

// Whatever place a rule is taken to, it is between its new neighbours, and no more is
// written than has to be.
func TestRulesAreReordered(t *testing.T) {
	rules := func(of ...int) (list []hotel.PricingRule) {
		for i, p := range of {
			list = append(list, hotel.PricingRule{Entity: hotel.Entity{ID: strconv.Itoa(i)}, Priority: p})
		}
		return list
	}
	for _, c := range []struct {
		name   string
		list   []hotel.PricingRule
		i, by  int
		writes int
	}{
		{"room between", rules(10, 20, 30), 2, -1, 1},
		{"to the front", rules(10, 20), 1, -1, 1},
		{"to the end", rules(10, 20), 0, 1, 1},
		{"no room", rules(10, 11, 12), 2, -1, 2},
		{"all alike", rules(5, 5, 5), 0, 1, 3},
		{"at the ends", rules(1, 1000), 0, 1, 2},
	} {
		to := reordered(c.list, c.i, c.by)
		if len(to) != c.writes {
			t.Errorf("%s: %d are written, want %d: %v", c.name, len(to), c.writes, to)
		}
		order := slices.Clone(c.list)
		order[c.i], order[c.i+c.by] = order[c.i+c.by], order[c.i]
		last := 0
		for _, r := range order {
			p, moved := to[r.ID]
			if !moved {
				p = r.Priority
			}
			if p <= last || p > mostPriority {
				t.Errorf("%s: %d does not come after %d", c.name, p, last)
			}
			last = p
		}
	}
}
