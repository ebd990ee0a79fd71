package console

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/testkit"
)

var seenIn = regexp.MustCompile(`name="seen" value="([0-9a-f]+)"`)

// altering is the form of a change, with further members.
func (s *site) altering(what, value string, from, to hotel.Date, more ...string) url.Values {
	form := url.Values{"room": {s.house.Rooms[0].ID}, "plan": {s.house.Plans[0].ID}, "from": {from.String()}, "to": {to.String()}, "what": {what}, "value": {value}}
	for i := 0; i < len(more); i += 2 {
		form.Add(more[i], more[i+1])
	}
	return form
}

// preview returns the form with what the preview of it has seen.
func (s *site) preview(t *testing.T, b *browser, form url.Values, parts ...string) url.Values {
	t.Helper()
	r := b.post(s.path("calendar/change"), form)
	seen := seenIn.FindStringSubmatch(r.body)
	if r.status != http.StatusOK || seen == nil {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	shows(t, r.body, parts...)
	form.Set("seen", seen[1])
	return form
}

// typed is what is typed for a night of the double, in minor units; 0: nothing.
func (s *site) typed(t *testing.T, night hotel.Date) int64 {
	t.Helper()
	cells, err := s.l.RateCells(t.Context(), hotel.CellQuery{PropertyID: s.house.Property.ID, Span: hotel.Span{From: night, To: night}, RoomTypeIDs: []string{s.house.Rooms[0].ID}, RatePlanIDs: []string{s.house.Plans[0].ID}})
	if err != nil {
		t.Fatal(err)
	}
	if cells[0].Base == nil {
		return 0
	}
	return cells[0].Base.Minor
}

// A change is shown before it is made, made as it was shown, and taken back but where
// somebody has changed it since.
func TestNightsAreChangedAndTakenBack(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "revenue")
	today := s.house.Property.Today(s.clock.Now()) // a Sunday
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 13}, 10000)
	form := s.preview(t, b, s.altering("price_percent", "12,5", today, today+13, "weekday", "5", "weekday", "6"), "€100.00", "€112.50", "double · flex", "Fri 27 Nov 2026 – Sat 28 Nov 2026")
	if got := s.typed(t, today+5); got != 10000 {
		t.Fatalf("a preview has stored %d", got)
	}
	made := b.post(s.path("calendar/apply"), form)
	if made.status != http.StatusOK || !strings.Contains(made.path, "/calendar/updates/ari_") || !strings.Contains(made.body, catalogue["en"]["done.altered"]) {
		t.Fatalf("%d at %s\n%s", made.status, made.path, made.body)
	}
	for ahead, want := range map[hotel.Date]int64{4: 10000, 5: 11250, 6: 11250, 7: 10000, 12: 11250} {
		if got := s.typed(t, today+ahead); got != want {
			t.Errorf("%d nights ahead: %d, want %d", ahead, got, want)
		}
	}
	if r := b.post(s.path("calendar/apply"), form); r.path != made.path || s.typed(t, today+5) != 11250 {
		t.Errorf("sent twice: %d, and the price is %d", r.status, s.typed(t, today+5))
	}
	s.house.Price(t, s.l, 0, hotel.Span{From: today + 6, To: today + 6}, 20000)
	update, _, _ := strings.Cut(made.path, "?")
	undo := s.undoing(t, b, update, "<dd>4<", "double · flex") // under the client's price, too, what was said here is taken back
	back := b.post(update+"/undo", undo)
	if back.status != http.StatusOK || !strings.Contains(back.body, catalogue["en"]["done.undone"]) {
		t.Fatalf("%d at %s\n%s", back.status, back.path, back.body)
	}
	for ahead, want := range map[hotel.Date]int64{5: 10000, 6: 20000, 12: 10000} {
		if got := s.typed(t, today+ahead); got != want {
			t.Errorf("undone, %d nights ahead: %d, want %d", ahead, got, want)
		}
	}
	if r := b.post(update+"/undo", undo); r.status != http.StatusConflict || strings.Contains(r.body, catalogue["en"]["done.undone"]) {
		t.Errorf("undone twice: %d at %s", r.status, r.path)
	}
	shows(t, b.get(update+"/undo").body, catalogue["en"]["undo.nothing"], "disabled")
}

// undoing returns the form with which an update is undone, as its page shows it.
func (s *site) undoing(t *testing.T, b *browser, update string, parts ...string) url.Values {
	t.Helper()
	page := b.get(update + "/undo").body
	shows(t, page, parts...)
	seen := seenIn.FindStringSubmatch(page)
	if seen == nil {
		t.Fatal(page)
	}
	return url.Values{"seen": {seen[1]}}
}

// Rooms that have been sold since are told of before an update is undone, and what has
// happened since its page was shown has it shown again.
func TestUndoingShowsWhatItTakes(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	night := hotel.Span{From: today + 1, To: today + 1}
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 5}, 10000)
	s.house.Stock(t, s.l, 0, night, hotel.InventoryEntry{OutOfOrder: hotel.Given(testkit.Doubles)})
	made := b.post(s.path("calendar/apply"), s.preview(t, b, s.altering("out_of_order", "0", today+1, today+1)))
	update, _, _ := strings.Cut(made.path, "?")
	undo := s.undoing(t, b, update, "double", "<dd>1<")
	s.book(t, "Byron", 1)
	r := b.post(update+"/undo", undo)
	if r.status != http.StatusConflict {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	shows(t, r.body, catalogue["en"]["undo.changed"], catalogue["en"]["draft.oversold"])
	undo = s.undoing(t, b, update, catalogue["en"]["draft.oversold"])
	if r := b.post(update+"/undo", undo); r.status != http.StatusOK {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	closed := b.post(s.path("calendar/apply"), s.preview(t, b, s.altering("close", "", today+2, today+3))).path
	closed, _, _ = strings.Cut(closed, "?")
	s.undoing(t, b, closed, catalogue["en"]["draft.opening"]+"</dt><dd>2<")
}

// What somebody else has changed since the preview is not written over.
func TestNobodyWritesOverAnother(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	form := s.preview(t, b, s.altering("price_set", "150", today+1, today+3), "€150.00")
	s.house.Price(t, s.l, 0, hotel.Span{From: today + 2, To: today + 2}, 9900)
	r := b.post(s.path("calendar/apply"), form)
	if r.status != http.StatusConflict || s.typed(t, today+1) != 0 || s.typed(t, today+2) != 9900 {
		t.Fatalf("%d: %d and %d", r.status, s.typed(t, today+1), s.typed(t, today+2))
	}
	shows(t, r.body, catalogue["en"]["draft.changed"], "€99.00", "€150.00")
	form.Set("seen", seenIn.FindStringSubmatch(r.body)[1])
	if r := b.post(s.path("calendar/apply"), form); r.status != http.StatusOK || s.typed(t, today+2) != 15000 {
		t.Errorf("%d: %d", r.status, s.typed(t, today+2))
	}
}

// Rooms and restrictions change by the same form.
func TestRoomsAndRestrictionsAreChanged(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	for _, c := range []struct {
		what, value string
		parts       []string
	}{
		{"close", "", []string{"that close"}},
		{"open", "", []string{"that open, unless"}},
		{"close_arrival", "", nil},
		{"open_arrival", "", nil},
		{"close_departure", "", nil},
		{"open_departure", "", nil},
		{"close", "", nil},
		{"inherit_closed", "", []string{"that open, unless", "<b>–</b>"}},
		{"inherit_arrival", "", []string{"<b>–</b>"}},
		{"inherit_departure", "", []string{"<b>–</b>"}},
		{"min_stay", "3", nil},
		{"min_stay_through", "2", nil},
		{"max_stay", "14", nil},
		{"max_stay_through", "13", nil},
		{"min_advance", "5", nil},
		{"max_advance", "90", nil},
		{"out_of_order", "4", nil},
		{"sell_limit", "7", nil},
		{"sell_limit", "", nil},
	} {
		form := s.preview(t, b, s.altering(c.what, c.value, today+1, today+2), c.parts...)
		if r := b.post(s.path("calendar/apply"), form); r.status != http.StatusOK {
			t.Errorf("%s %s: %d\n%s", c.what, c.value, r.status, r.body)
		}
		again := b.post(s.path("calendar/change"), form).body
		shows(t, again, catalogue["en"]["draft.nothing"])
	}
	cells := row(t, b.get(s.path("calendar")).body, s.house.Rooms[0].ID)
	shows(t, cells[1], "<b>26</b>")
	plan := row(t, b.get(s.path("calendar")).body, s.house.Rooms[0].ID+"."+s.house.Plans[0].ID)
	shows(t, plan[1], "min 3", "min 2+", "max 14", "max 13+", "≥ 5 d", "≤ 90 d")
	for _, what := range []string{"min_stay", "min_stay_through", "max_stay", "max_stay_through", "min_advance", "max_advance"} {
		b.post(s.path("calendar/apply"), s.preview(t, b, s.altering(what, "", today+1, today+2), "<b>–</b>"))
	}
	if plan := row(t, b.get(s.path("calendar")).body, s.house.Rooms[0].ID+"."+s.house.Plans[0].ID); strings.Contains(plan[1], "min ") || strings.Contains(plan[1], "≥") {
		t.Errorf("taken back, the night is %s", plan[1])
	}
}

// What closes and opens is what the house makes of the nights, also of plans that follow: the
// taking back of an opening closes nothing but what the plan closes by default.
func TestNightsThatCloseAndOpenAreCounted(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	step := func(name, what, closing, opening string) {
		t.Helper()
		form := s.altering(what, "", today+1, today+2)
		page := b.post(s.path("calendar/change"), form).body
		for key, want := range map[string]string{"draft.closing": closing, "draft.opening": opening} {
			_, said, told := strings.Cut(page, catalogue["en"][key]+"</dt><dd>")
			if said, _, _ = strings.Cut(said, "<"); said != want || told != (want != "") {
				t.Errorf("%s: %s %q, want %q", name, key, said, want)
			}
		}
		if r := b.post(s.path("calendar/apply"), s.preview(t, b, form)); r.status != http.StatusOK {
			t.Fatalf("%s: %d", name, r.status)
		}
	}
	step("closed, with the plan that is derived from it", "close", "4", "")
	step("the closing is taken back", "inherit_closed", "", "4")
	step("closed again", "close", "4", "")
	step("opened", "open", "", "4")
	step("the opening is taken back", "inherit_closed", "", "")
	_, _, err := s.l.ChangeRatePlan(t.Context(), by, hotel.Once{}, s.house.Plans[0].ID, hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
		p.Restrictions.Closed = new(true)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	step("closed, as it is by default", "close", "", "")
	step("opened, though closed by default", "open", "", "4")
	step("the opening is taken back, and the default goes on", "inherit_closed", "4", "")
}

// A price that is taken back is that of the plan again, for any number of guests.
func TestPricesAreTakenBack(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 1}, 10000) // for one guest too
	form := s.preview(t, b, s.altering("price_set", "", today, today), "€100.00, for 1: €90.00", "<b>–</b>")
	if r := b.post(s.path("calendar/apply"), form); r.status != http.StatusOK {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	shows(t, b.post(s.path("calendar/change"), s.altering("price_set", "", today, today)).body, catalogue["en"]["draft.nothing"])
	if got := s.typed(t, today+1); got != 10000 {
		t.Errorf("the next night costs %d", got)
	}
}

// What cannot be done is said on the form, which stays as it was filled in.
func TestFormsOfChangesSayWhatIsWrong(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	for _, form := range []url.Values{
		s.altering("price_set", "a lot", today, today), s.altering("price_plus", "", today, today), s.altering("price_percent", "5", today, today), // no price to adjust
		s.altering("min_stay", "-1", today, today), s.altering("min_stay", "x", today, today), s.altering("nothing", "1", today, today),
		s.altering("price_set", "1", today+1, today), s.altering("price_plus", "1.000", today, today), s.altering("price_set", "1", today, today+500), s.altering("price_set", "1", today-3, today),
		s.altering("price_set", "1", today, today, "plan", "none", "room", "none", "weekday", "3"),
		s.altering("out_of_order", "99", today, today),
	} {
		if r := b.post(s.path("calendar/change"), form); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.body, `class="problem"`) {
			t.Errorf("%v: %d\n%s", form, r.status, r.body)
		}
	}
	for _, form := range []url.Values{{}, {"from": {"x"}}} {
		if r := b.post(s.path("calendar/change"), form); r.status != http.StatusUnprocessableEntity {
			t.Errorf("%v: %d", form, r.status)
		}
	}
}

// Whoever may not write stock or prices is not asked, and not heard.
func TestRolesThatChangeNights(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	made := s.as(t, "owner")
	update := made.post(s.path("calendar/apply"), s.preview(t, made, s.altering("price_set", "80", today, today))).path
	update, _, _ = strings.Cut(update, "?")
	for _, r := range auth.Roles {
		b := s.as(t, string(r))
		may := r.Scopes().Has(auth.RatesWrite)
		want := http.StatusForbidden
		if may {
			want = http.StatusOK
		}
		if got := b.get(s.path("calendar")).body; strings.Contains(got, "/calendar/change") != may {
			t.Errorf("%s is offered to change nights, or not", r)
		}
		if got := b.get(s.path("calendar/change?from=" + today.String())); got.status != want {
			t.Errorf("%s: the form %d", r, got.status)
		}
		if got := b.post(s.path("calendar/change"), s.altering("price_set", "90", today, today)); got.status != want {
			t.Errorf("%s: the preview %d", r, got.status)
		}
		if got := b.get(update); got.status != http.StatusOK || strings.Contains(got.body, "/undo") != may {
			t.Errorf("%s: the update %d", r, got.status)
		}
		if may {
			continue
		}
		for _, path := range []string{s.path("calendar/apply"), update + "/undo"} {
			if got := b.post(path, s.altering("price_set", "90", today, today)); got.status != want {
				t.Errorf("%s at %s: %d", r, path, got.status)
			}
		}
	}
	if got := s.typed(t, today); got != 8000 {
		t.Errorf("somebody has made it %d", got)
	}
	for _, a := range alterables {
		if !wordsIn("en").has("change." + a.Name) {
			t.Errorf("nobody can say %s", a.Name)
		}
	}
}

// Nights with gaps, and with several versions, are named as they are.
func TestEntriesNameTheNightsThatWereChosen(t *testing.T) {
	cell := func(plan string, night hotel.Date, version int64) altered {
		return altered{room: "r", plan: plan, night: night, version: version}
	}
	runs := runsOf([]altered{cell("a", 1, 0), cell("a", 2, 7), cell("a", 4, 0), cell("a", 5, 0), cell("b", 4, 0)})
	var got [][]hotel.Date
	for _, r := range runs {
		got = append(got, r.dates.Nights())
	}
	want := [][]hotel.Date{{1, 4, 5}, {2}, {4}}
	if !slices.EqualFunc(got, want, slices.Equal) || runs[1].version != 7 || runs[2].plan != "b" {
		t.Errorf("%v, want %v", got, want)
	}
}

// Prices that nobody has typed are left out when others are adjusted: those of plans that
// are derived follow by themselves.
func TestDerivedPricesFollow(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "revenue")
	today := s.house.Property.Today(s.clock.Now())
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 1}, 10000)
	form := s.preview(t, b, s.altering("price_percent", "10", today, today+2, "plan", s.house.Plans[1].ID), catalogue["en"]["draft.untyped"]+"</dt><dd>4<", "€110.00")
	if r := b.post(s.path("calendar/apply"), form); r.status != http.StatusOK || s.typed(t, today) != 11000 || s.typed(t, today+2) != 0 {
		t.Errorf("%d: %d and %d\n%s", r.status, s.typed(t, today), s.typed(t, today+2), r.body)
	}
}

// Where several lines are wrong, each is named.
func TestFaultsOfLinesAreNamed(t *testing.T) {
	s := newSite(t)
	today := s.house.Property.Today(s.clock.Now())
	r := s.as(t, "owner").post(s.path("calendar/change"), s.altering("out_of_order", "99", today, today+1, "room", s.house.Rooms[1].ID))
	if r.status != http.StatusUnprocessableEntity {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	for _, room := range s.house.Rooms[:2] {
		shows(t, r.body, "<li>"+room.Name+", Sun 22 Nov 2026 – Mon 23 Nov 2026: ")
	}
}

// Nights that were changed one by one, and are too many for one update, are told so.
func TestTooManyVersions(t *testing.T) {
	var d draft
	for n := range hotel.Date(hotel.MaxUpdateEntries + 1) {
		d.cells = append(d.cells, altered{room: "r", plan: "p", night: n, version: int64(n)})
	}
	if err := d.bounded(); err == nil || strings.Contains(err.Error(), "entries") {
		t.Errorf("%v", err)
	}
	d.cells = d.cells[1:]
	if err := d.bounded(); err != nil {
		t.Error(err)
	}
}

// What was drawn over changes, and no other rate plan of the room types.
func TestLinesThatWereDrawnOver(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	double, suite, flex, saver := s.house.Rooms[0], s.house.Rooms[2], s.house.Plans[0], s.house.Plans[1]
	lines := url.Values{"line": {lineOf(double.ID, saver.ID), suite.ID, lineOf(suite.ID, flex.ID), "none", lineOf("none", flex.ID)}}
	shows(t, b.get(s.path("calendar/change?"+lines.Encode())).body, double.Name+" · "+saver.Name+"</label>", suite.Name+"</label>", suite.Name+" · "+flex.Name+"</label>")
	form := s.altering("close", "", today, today)
	form["line"] = lines["line"]
	form = s.preview(t, b, form, "<dd>2<", double.Name+" · "+saver.Name, suite.Name+" · "+flex.Name)
	if r := b.post(s.path("calendar/apply"), form); r.status != http.StatusOK {
		t.Fatalf("%d\n%s", r.status, r.body)
	}
	page := b.get(s.path("calendar")).body
	for line, want := range map[string]bool{
		lineOf(double.ID, flex.ID): false, lineOf(double.ID, saver.ID): true, lineOf(suite.ID, flex.ID): true, // the saver of the suite follows its flex
	} {
		if got := strings.Contains(row(t, page, line)[0], "closed"); got != want {
			t.Errorf("%s closed: %t, want %t", line, got, want)
		}
	}
	form = s.altering("out_of_order", "1", today, today)
	form["line"] = lines["line"]
	s.preview(t, b, form, "<dd>1<", suite.Name)
}

// Before nights are changed it is shown what each channel would be told, in how many calls
// and within what time, to whoever may see channels.
func TestPreviewTellsOfChannels(t *testing.T) {
	s := newSite(t)
	for _, id := range []string{"ch_1", "ch_shut"} {
		s.house.Connect(t, s.l, hotel.Channel{Entity: hotel.Entity{ID: id}, Connector: "mock", Name: "Portal " + id, Settings: []byte("{}"), Account: id}, hotel.PerRoom)
	}
	today := s.house.Property.Today(s.clock.Now())
	b := s.as(t, "revenue")
	r := b.post(s.path("calendar/change"), s.altering("price_set", "150", today, today+1, "room", s.house.Rooms[0].ID, "plan", s.house.Plans[0].ID))
	shows(t, r.body, "Portal ch_1", `data-label="Calls">3<`, `data-label="Values">15<`, `data-label="Told within">3 min<`, `tag warn">3<`, `data-label="Nights that open">2<`,
		catalogue["en"]["draft.unknown"], "nobody answers &lt;i&gt;", "1 value that the channel cannot be told")
	r = b.post(s.path("calendar/change"), s.altering("close", "", today, today+1, "room", s.house.Rooms[0].ID, "plan", s.house.Plans[0].ID))
	shows(t, r.body, "Portal ch_1")
	r = b.post(s.path("calendar/change"), s.altering("out_of_order", "1", today, today+1, "room", s.house.Rooms[0].ID))
	shows(t, r.body, "Portal ch_1")
	if _, _, err := s.l.ShadowChannel(t.Context(), by, hotel.Once{}, "ch_1", 0); err != nil {
		t.Fatal(err)
	}
	if r = b.post(s.path("calendar/change"), s.altering("out_of_order", "1", today, today+1, "room", s.house.Rooms[0].ID)); strings.Contains(r.body, "Portal ch_1") {
		t.Error("a channel in shadow is told something")
	}
}

// Whoever presses twice is told what the first press has done.
func TestPressingTwiceIsNoConflict(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	today := s.house.Property.Today(s.clock.Now())
	page := b.post(s.path("calendar/change"), s.altering("price_set", "150", today+1, today+3)).body
	form := formOf(t, page, s.path("calendar/apply"))
	first := b.post(s.path("calendar/apply"), form)
	if first.status != http.StatusOK || s.typed(t, today+1) != 15000 {
		t.Fatalf("%d: %d", first.status, s.typed(t, today+1))
	}
	s.house.Price(t, s.l, 0, hotel.Span{From: today + 2, To: today + 2}, 9900)
	if again := b.post(s.path("calendar/apply"), form); again.status != http.StatusOK || again.path != first.path || s.typed(t, today+2) != 9900 {
		t.Errorf("%d at %s, want %s: %d", again.status, again.path, first.path, s.typed(t, today+2))
	}
}
