package console

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
)

// field is what a form of a page has in a hidden field.
func field(t *testing.T, page, name string) string {
	t.Helper()
	found := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no %s in\n%s", name, page)
	}
	return found[1]
}

// booked books a room for a guest at the desk, and returns where the booking is.
func (b *browser) booked(today hotel.Date, last string) string {
	b.t.Helper()
	s := b.s
	ask := url.Values{"check_in": {today.String()}, "check_out": {(today + 2).String()}, "adults": {"2"}}
	page := b.get(s.path("reservations/new?" + ask.Encode())).body
	ask.Set("offer", s.house.Rooms[0].ID+" "+s.house.Plans[0].ID+" 200.00")
	if !strings.Contains(page, ask.Get("offer")) || !strings.Contains(page, "€200.00") {
		b.t.Fatalf("not offered:\n%s", page)
	}
	ask.Set("key", field(b.t, page, "key"))
	ask.Set("last_name", last)
	ask.Set("notes", "a quiet room")
	var at string
	for range 2 { // a double click books once
		r := b.post(s.path("reservations/new"), ask)
		where, _, _ := strings.Cut(r.path, "?")
		if r.status != http.StatusOK || at != "" && at != where {
			b.t.Fatalf("booked at %s and %s: %d\n%s", at, where, r.status, r.body)
		}
		at = where
	}
	return at
}

// TestABookingOfTheDesk: a room is booked, found, changed, checked in and out, and what
// happened is told; who comes with an old page changes nothing.
func TestABookingOfTheDesk(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	at := b.booked(today, "Lovelace")

	list := b.get(s.path("reservations")).body
	if strings.Count(list, "Lovelace") != 1 || !strings.Contains(list, at) {
		t.Errorf("arriving are\n%s", list)
	}
	if found := b.get(s.path("reservations?search=love")).body; !strings.Contains(found, at) {
		t.Errorf("found are\n%s", found)
	}
	page := b.get(at).body
	old := field(t, page, "revision")
	form := url.Values{
		"revision": {old}, "check_in": {today.String()}, "check_out": {(today + 3).String()}, "adults": {"1"}, "room_type_id": {s.house.Rooms[0].ID},
		"rate_plan_id": {s.house.Plans[0].ID}, "room_number": {"12"}, "expected_arrival_time": {"18:00"}, "notes": {"a quiet room <b>"},
	}
	if r := b.post(at+"/change", form); r.status != http.StatusOK || !strings.Contains(r.body, catalogue["en"]["done.booking"]) {
		t.Fatalf("changed: %d\n%s", r.status, r.body)
	}
	if r := b.post(at+"/change", form); r.status != http.StatusConflict {
		t.Errorf("an old page changes the booking: %d", r.status)
	}
	if r := b.post(at+"/step/check-in", url.Values{"revision": {old}}); r.status != http.StatusConflict {
		t.Errorf("an old page takes a step: %d", r.status)
	}
	page = b.get(at).body
	for _, part := range []string{
		catalogue["en"]["trait.number"] + `: <ins>12</ins>`, catalogue["en"]["trait.adults"] + `: <del>2</del> → <ins>1</ins>`, `<ins>a quiet room &lt;b&gt;</ins>`, "/step/check-in",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("%q is not in\n%s", part, page)
		}
	}
	for _, early := range []string{"no-show", "check-out", "reinstate"} {
		if strings.Contains(page, "/step/"+early) {
			t.Errorf("on the day of arrival %s is offered, and would be refused", early)
		}
	}
	for _, step := range []string{"check-in", "undo-check-in", "check-in", "check-out"} {
		r := b.post(at+"/step/"+step, url.Values{"revision": {field(t, b.get(at).body, "revision")}})
		if r.status != http.StatusOK {
			t.Fatalf("%s: %d\n%s", step, r.status, r.body)
		}
	}
	if page = b.get(at).body; !strings.Contains(page, catalogue["en"]["status.checked_out"]) || strings.Contains(page, "/change") {
		t.Errorf("it is over:\n%s", page)
	}
}

// TestABookingIsCancelled, by whoever may, and found by its confirmation.
func TestABookingIsCancelled(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	at := b.booked(today, "Hopper")
	cancel := url.Values{"revision": {field(t, b.get(at).body, "revision")}, "note": {"called"}}
	for _, role := range []string{"revenue", "read_only"} {
		other := s.as(t, role)
		page := other.get(at)
		if page.status != http.StatusOK || strings.Contains(page.body, "Hopper") || strings.Contains(page.body, "quiet") || strings.Contains(page.body, "/step/") {
			t.Errorf("%s sees %d\n%s", role, page.status, page.body)
		}
		if r := other.post(at+"/step/cancel", cancel); r.status != http.StatusForbidden {
			t.Errorf("%s cancels: %d", role, r.status)
		}
		if r := other.get(s.path("reservations?search=Hopper")); strings.Contains(r.body, at) {
			t.Errorf("%s finds a guest by name", role)
		}
	}
	r := b.post(at+"/step/cancel", cancel)
	if r.status != http.StatusOK || !strings.Contains(r.body, catalogue["en"]["status.cancelled"]) {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	confirmation := regexp.MustCompile(`<p>([A-Z0-9]{10}) ·`).FindStringSubmatch(r.body)
	if confirmation == nil {
		t.Fatalf("no confirmation in\n%s", r.body)
	}
	if found := b.get(s.path("reservations?search=" + strings.ToLower(confirmation[1][:5]+"+"+confirmation[1][5:]))).body; !strings.Contains(found, at) {
		t.Errorf("found are\n%s", found)
	}
	for _, wrong := range []string{"/step/vanish", "/step/cancel?x=1"} {
		if r := b.post(at+wrong, url.Values{"revision": {"no number"}}); r.status == http.StatusOK {
			t.Errorf("%s is done", wrong)
		}
	}
}

// Children are asked for by their ages, which count where the house says so; those that a
// channel has not told stay unknown.
func TestChildrenHaveAges(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	stay := url.Values{"check_in": {today.String()}, "check_out": {(today + 1).String()}, "adults": {"1"}, "children": {" 9;"}}
	page := b.get(s.path("reservations/new?" + stay.Encode())).body
	shows(t, page, `name="children" value="9"`, `max="20"`)
	offer := regexp.MustCompile(`name="offer" value="([^"]+)">`).FindStringSubmatch(page)
	if offer == nil {
		t.Fatalf("nothing is offered\n%s", page)
	}
	stay.Set("offer", offer[1])
	stay.Set("last_name", "Noether")
	made := b.post(s.path("reservations/new"), stay)
	at, _, _ := strings.Cut(made.path, "?")
	shows(t, made.body, "1 child (9)", `name="children" value="9"`)
	of := func() hotel.Reservation {
		r, err := s.l.Reservation(t.Context(), at[strings.LastIndexByte(at, '/')+1:])
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	change := url.Values{
		"revision": {field(t, made.body, "revision")}, "check_in": {today.String()}, "check_out": {(today + 1).String()}, "adults": {"1"},
		"room_type_id": {s.house.Rooms[0].ID}, "rate_plan_id": {s.house.Plans[0].ID}, "children": {"?"},
	}
	b.post(at+"/change", change)
	if got := of().ChildrenAges; !slices.Equal(got, []int{-1}) {
		t.Errorf("they are %v", got)
	}
	shows(t, b.get(at).body, `name="children" value="?"`)
	for _, wrong := range []string{"18", "-1", "four", strings.Repeat("1,", 21)} {
		change.Set("children", wrong)
		change.Set("revision", field(t, b.get(at).body, "revision"))
		if r := b.post(at+"/change", change); r.status != http.StatusUnprocessableEntity {
			t.Errorf("%q is answered %d", wrong, r.status)
		}
	}
}

// A channel may book what no form takes: that nobody has touched it is no mistake.
func TestAPartyThatNoFormTakesIsLeftAsItIs(t *testing.T) {
	was := hotel.Reservation{Adults: 25, ChildrenAges: make([]int, 25)}
	form := url.Values{"adults": {"25"}, "children": {agesText(was.ChildrenAges)}}
	v := &visit{r: httptest.NewRequest(http.MethodPost, "/?"+form.Encode(), nil)}
	if adults, ages, err := v.party(was); err != nil || adults != 25 || len(ages) != 25 {
		t.Errorf("%d adults, children of %v, %v", adults, ages, err)
	}
	if _, _, err := v.party(hotel.Reservation{Adults: 2}); err == nil {
		t.Error("it is taken of somebody who books it here")
	}
}

// Several rooms are booked together or not at all, and cancelled together.
func TestRoomsAreBookedTogether(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	s.house.Price(t, s.l, 2, hotel.Span{From: today, To: today + 9}, 20000)
	b := s.as(t, "front_desk")
	of := func(room int, amount string) (offer, count string) {
		return s.house.Rooms[room].ID + " " + s.house.Plans[0].ID + " " + amount, countOf(s.house.Rooms[room].ID, s.house.Plans[0].ID)
	}
	double, doubles := of(0, "100.00")
	suite, suites := of(2, "200.00")
	form := url.Values{"check_in": {today.String()}, "check_out": {(today + 1).String()}, "adults": {"2"}}
	shows(t, b.get(s.path("reservations/new?"+form.Encode())).body, `name="`+doubles+`" value="1"`)
	form["offer"] = []string{double, suite}
	form.Set("last_name", "Noether")
	form.Set("notes", "a choir")
	form.Set("key", "form_1")
	booked := func() []hotel.Reservation {
		list, err := s.l.Reservations(t.Context(), hotel.ReservationFilter{PropertyIDs: []string{s.house.Property.ID}, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, count := range []string{"0", "x", "51", "50", "40"} {
		form.Set(doubles, count)
		if r := b.post(s.path("reservations/new"), form); r.status == http.StatusOK || len(booked()) > 0 {
			t.Errorf("%s rooms: %d, and %d are booked", count, r.status, len(booked()))
		}
	}
	form.Set(doubles, "2")
	form.Set(suites, "1")
	made := b.post(s.path("reservations/new"), form)
	if again := b.post(s.path("reservations/new"), form); again.path != made.path {
		t.Errorf("sent twice it is at %s and %s", made.path, again.path)
	}
	rooms := map[string]int{}
	for _, r := range booked() {
		rooms[r.RoomTypeID]++
		if r.GroupID == "" || r.Guest.LastName != "Noether" || r.Notes != "a choir" {
			t.Errorf("booked is %+v", r)
		}
	}
	if rooms[s.house.Rooms[0].ID] != 2 || rooms[s.house.Rooms[2].ID] != 1 {
		t.Fatalf("booked are %v", rooms)
	}
	at, _, _ := strings.Cut(made.path, "?")
	shows(t, made.body, "Cancel all 3 rooms", at+"/cancel-together")
	if page := s.as(t, "read_only").get(at).body; strings.Contains(page, "cancel-together") {
		t.Error("it is offered to whoever may not")
	}
	seen := func() string {
		_, after, _ := strings.Cut(b.get(at).body, `cancel-together"><input type="hidden" name="revision" value="`)
		revision, _, _ := strings.Cut(after, `"`)
		return revision
	}
	old, guest := seen(), booked()[0]
	b.post(s.path("reservations/")+guest.ID+"/step/check-in", url.Values{"revision": {"1"}})
	if checked := booked(); !slices.ContainsFunc(checked, func(r hotel.Reservation) bool { return r.Status == hotel.CheckedIn }) || seen() != "" {
		t.Errorf("with a guest in the house (%d rooms) all can be cancelled at once", len(checked))
	}
	b.post(s.path("reservations/")+guest.ID+"/step/undo-check-in", url.Values{"revision": {"2"}})
	if r := b.post(at+"/cancel-together", url.Values{"note": {"no choir"}, "revision": {old}}); r.status == http.StatusOK {
		t.Error("what nobody has seen is cancelled")
	}
	if r := b.post(at+"/cancel-together", url.Values{"note": {"no choir"}, "revision": {seen()}}); r.status != http.StatusOK || strings.Contains(r.body, "cancel-together") {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	for _, r := range booked() {
		if r.Status != hotel.Cancelled {
			t.Errorf("%s is %s", r.ID, r.Status)
		}
	}
	if r := b.post(b.booked(today+2, "Hopper")+"/cancel-together", nil); r.status != http.StatusNotFound {
		t.Errorf("a room alone: %d", r.status)
	}
}

// Every revision says what it changed, and the user who did it is named.
func TestRevisionsSayWhatChanged(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	at := b.booked(today, "Lovelace")
	money := func(minor int64) hotel.Money { return hotel.Money{Minor: minor, Currency: "EUR"} }
	for _, c := range []struct {
		change hotel.ReservationChange
		want   string
	}{
		{hotel.ReservationChange{Overrides: []hotel.NightAmount{{Date: today, Amount: money(9000)}, {Date: today + 1, Amount: money(11000)}}}, "Prices of the nights: <del>22 Nov – Mon 23 Nov 2026: €100.00</del> → <ins>Sun 22 Nov 2026: €90.00, Mon 23 Nov 2026: €110.00</ins>"},
		{hotel.ReservationChange{ChildrenAges: &[]int{}, Commission: hotel.Given(money(1500))}, "Commission: <ins>€15.00</ins>"},
		{hotel.ReservationChange{Guest: &hotel.GuestChange{Email: new("ada@example.com"), Phone: new("+4930123456")}}, "E-mail: <ins>ada@example.com</ins>"},
	} {
		if _, _, err := s.l.ChangeReservation(t.Context(), by, hotel.Once{}, at[strings.LastIndexByte(at, '/')+1:], c.change); err != nil {
			t.Fatal(err)
		}
		shows(t, b.get(at).body, c.want)
	}
	shows(t, b.get(at).body, "Telephone: <ins>&#43;4930123456</ins>", " · front_desk</small>")
	if page := s.as(t, "read_only").get(at).body; strings.Contains(page, "ada@example.com") {
		t.Error("whoever may not see guests sees the address")
	}
	v := &visit{c: &Console{clock: s.clock}, words: wordsIn("en"), house: s.house.Property, caller: desk.Caller{Who: auth.Who{Scopes: auth.RoleReadOnly.Scopes()}}}
	told := v.traits(hotel.Reservation{ChildrenAges: []int{4, -1}, HoldExpires: time.Date(2026, 11, 22, 17, 0, 0, 0, time.UTC)}, nil, nil)
	if told["children"] != "4, ?" || told["until"] != "22 Nov, 18:00" {
		t.Errorf("%v", told)
	}
	for _, name := range traitNames {
		if !v.words.has("trait." + name) {
			t.Errorf("nobody can say %s", name)
		}
	}
}

// TestABookingIsWhatWasShown: at another price, for nobody, or with a time that is none,
// nothing is booked or changed.
func TestABookingIsWhatWasShown(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	form := func(offer, adults string) url.Values {
		return url.Values{
			"key": {"form_1"}, "check_in": {today.String()}, "check_out": {(today + 1).String()}, "adults": {adults}, "last_name": {"Hopper"},
			"offer": {s.house.Rooms[0].ID + " " + s.house.Plans[0].ID + offer},
		}
	}
	for _, wrong := range []url.Values{form(" 99.00", "2"), form("", "2"), form(" 100.00", "-5"), form(" 100.00", "0"), form(" 100.00", "21")} {
		if r := b.post(s.path("reservations/new"), wrong); r.status != http.StatusUnprocessableEntity && r.status != http.StatusConflict {
			t.Errorf("%v is answered %d at %s", wrong, r.status, r.path)
		}
	}
	if r := b.post(s.path("reservations/new"), form(" 100.00", "2")); r.status != http.StatusOK {
		t.Errorf("mended, the same form is answered %d\n%s", r.status, r.body)
	}
	at := b.booked(today, "Lovelace")
	for name, said := range map[string]string{"adults": "-5", "expected_arrival_time": "late", "room_number": strings.Repeat("1", 21), "notes": strings.Repeat("x", 2001)} {
		change := url.Values{
			"revision": {field(t, b.get(at).body, "revision")}, "check_in": {today.String()}, "check_out": {(today + 2).String()}, "adults": {"2"},
			"room_type_id": {s.house.Rooms[0].ID}, "rate_plan_id": {s.house.Plans[0].ID},
		}
		change.Set(name, said)
		if r := b.post(at+"/change", change); r.status != http.StatusUnprocessableEntity {
			t.Errorf("%s of %q is answered %d", name, said, r.status)
		}
	}
}

// TestWhoeverIsShownIsWrittenDownOnce: a page that asks for itself again shows nobody
// anew for an hour.
func TestWhoeverIsShownIsWrittenDownOnce(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	b.booked(today, "Hopper")
	guests, err := s.l.Guests(t.Context(), hotel.GuestFilter{PropertyIDs: []string{s.house.Property.ID}, LastName: "Hopper", Limit: 1})
	if err != nil || len(guests) != 1 {
		t.Fatal(guests, err)
	}
	listed := func() (n int) {
		all, err := s.l.PersonalAccesses(t.Context(), guests[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range all {
			if a.Operation == "console.reservations" {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {30 * time.Second, 1}, {59 * time.Minute, 1}, {time.Hour, 2}} {
		s.clock.advance(c.after)
		b.get(s.path("reservations"))
		if n := listed(); n != c.want {
			t.Errorf("%s later it is written down %d times, want %d", c.after, n, c.want)
		}
	}
}

// TestListsHavePages: whatever is booked is on one page, and on no two.
func TestListsHavePages(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Stock(t, s.l, 0, hotel.Span{From: today, To: today + 9}, hotel.InventoryEntry{Total: hotel.Given(500)})
	const all = 2*pageOfBookings + 7
	for n := range all {
		if _, _, err := s.l.CreateReservation(t.Context(), by, hotel.Once{}, hotel.NewReservation{
			PropertyID: s.house.Property.ID, RoomTypeID: s.house.Rooms[0].ID, RatePlanID: s.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: today + hotel.Date(n%4), CheckOut: today + 5}, Adults: 1,
			Guest: hotel.Guest{LastName: fmt.Sprintf("Guest %d", n)}, Free: true,
		}); err != nil {
			t.Fatal(err)
		}
	}
	b := s.as(t, "front_desk")
	link := regexp.MustCompile(`<a href="` + s.path("reservations") + `/(res_[^"]+)"`)
	next := regexp.MustCompile(`<a href="[^"]*\?(after=[^"]+)"`)
	seen := map[string]bool{}
	for query, pages := "show=newest", 0; query != "" && pages < 5; pages++ {
		page := b.get(s.path("reservations?" + query)).body
		for _, id := range link.FindAllStringSubmatch(page, -1) {
			if seen[id[1]] {
				t.Errorf("%s is listed twice", id[1])
			}
			seen[id[1]] = true
		}
		query = ""
		if found := next.FindStringSubmatch(page); found != nil {
			query = strings.ReplaceAll(found[1], "&amp;", "&")
		}
	}
	if len(seen) != all {
		t.Errorf("%d of %d are listed", len(seen), all)
	}
}

// What is found is shown by the page, as lists are.
func TestSearchIsPaged(t *testing.T) {
	s := newSite(t)
	day := s.house.Property.Today(s.clock.Now()) + 1
	s.house.Price(t, s.l, 0, hotel.Span{From: day, To: day + 9}, 9000)
	for i := range pageOfBookings + 5 {
		in := day + hotel.Date(i%8)
		if _, _, err := s.l.CreateReservation(t.Context(), by, hotel.Once{}, hotel.NewReservation{
			PropertyID: s.house.Property.ID, RoomTypeID: s.house.Rooms[0].ID, RatePlanID: s.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: in, CheckOut: in + 1}, Adults: 1,
			Guest: hotel.Guest{FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.org"}, Status: hotel.Confirmed,
		}); err != nil {
			t.Fatal(err)
		}
	}
	b := s.as(t, "front_desk")
	first := b.get(s.path("reservations?search=lovelace")).body
	next := regexp.MustCompile(`class="more"><a href="([^"]+)"`).FindStringSubmatch(first)
	if n := strings.Count(first, "<tr>") - 1; n != pageOfBookings || next == nil {
		t.Fatalf("%d lines on the first page, the next is %v", n, next)
	}
	second := b.get(strings.ReplaceAll(next[1], "&amp;", "&")).body
	if n := strings.Count(second, "<tr>") - 1; n != 5 || strings.Contains(second, `class="more"`) {
		t.Errorf("%d lines on the last page", n)
	}
	for _, id := range regexp.MustCompile(`reservations/res_\w+`).FindAllString(second, -1) {
		if strings.Contains(first, id) {
			t.Errorf("%s is on both", id)
		}
	}
}

// Whoever chooses a language on what answers a form comes back to the page of the form.
func TestTheLanguageLeadsBack(t *testing.T) {
	s := newSite(t)
	r := s.book(t, "Byron", 3)
	b := s.as(t, "front_desk")
	for at, want := range map[string]string{
		s.path("reservations/" + r.ID + "/step/cancel"): s.path("reservations/" + r.ID),
		s.path("reservations/new"):                      s.path("reservations/new"),
		"/sessions/password":                            "/sessions",
	} {
		if got := b.post(at, url.Values{"revision": {"7"}, "check_in": {"x"}}).body; !strings.Contains(got, `name="back" value="`+want+`"`) {
			_, got, _ = strings.Cut(got, `name="back" value="`)
			got, _, _ = strings.Cut(got, `"`)
			t.Errorf("after %s it leads to %s, want %s", at, got, want)
		}
	}
}

// TestABookingThatIsRefusedIsNotLost: the form comes back as it was filled in, with what is wrong
// at the field that it is about.
func TestABookingThatIsRefusedIsNotLost(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	ask := url.Values{"check_in": {today.String()}, "check_out": {(today + 2).String()}, "adults": {"2"}}
	page := b.get(s.path("reservations/new?" + ask.Encode())).body
	offer := s.house.Rooms[0].ID + " " + s.house.Plans[0].ID
	ask.Set("key", field(t, page, "key"))
	ask.Set("offer", offer+" 200.00")
	ask.Set("last_name", "Meitner")
	ask.Set("email", "not an address")
	ask.Set("notes", "quiet room please")
	r := b.post(s.path("reservations/new"), ask)
	if r.status != http.StatusUnprocessableEntity {
		t.Fatalf("%d", r.status)
	}
	shows(t, r.body, `value="Meitner"`, ">quiet room please</textarea>", `value="`+offer+` 200.00" checked>`,
		`value="not an address" maxlength="200" autocomplete="off" aria-invalid="true" aria-describedby="wrong-email"`, `id="wrong-email"`, catalogue["en"]["guest.email"]+": ")
	if key := field(t, r.body, "key"); key == ask.Get("key") {
		t.Error("it would be refused again, whatever is free by then")
	}
	ask.Set("email", "")
	ask.Set("last_name", "")
	count := countOf(s.house.Rooms[0].ID, s.house.Plans[0].ID)
	ask.Set(count, "2")
	shows(t, b.post(s.path("reservations/new"), ask).body, `name="`+count+`" value="2"`, `required autocomplete="off" aria-invalid="true" aria-describedby="wrong-last_name"`, ">quiet room please</textarea>", "checked")
	ask.Set("last_name", "Meitner")
	made := b.post(s.path("reservations/new"), ask)
	if made.status != http.StatusOK || !strings.Contains(made.path, "done=booked") {
		t.Errorf("%d at %s", made.status, made.path)
	}

	late := b.get(s.path("reservations/new?check_in=" + (today + 2).String() + "&check_out=" + today.String() + "&adults=3"))
	if late.status != http.StatusUnprocessableEntity {
		t.Errorf("%d", late.status)
	}
	shows(t, late.body, `name="check_out" value="`+today.String()+`" required aria-invalid="true"`, `value="3"`)
}

// TestAChangeThatIsRefusedIsNotLost: so does the form to change a booking, also where somebody
// else was quicker; then it says what is there now, and is stored when it is sent once more.
func TestAChangeThatIsRefusedIsNotLost(t *testing.T) {
	s := newSite(t)
	today := hotel.DateIn(s.clock.Now(), time.UTC)
	s.house.Price(t, s.l, 0, hotel.Span{From: today, To: today + 9}, 10000)
	b := s.as(t, "front_desk")
	at := b.booked(today, "Lovelace")
	old := field(t, b.get(at).body, "revision")
	change := url.Values{
		"revision": {old}, "check_in": {today.String()}, "check_out": {(today + 2).String()}, "adults": {"2"}, "room_type_id": {s.house.Rooms[0].ID},
		"rate_plan_id": {s.house.Plans[0].ID}, "room_number": {"12"}, "notes": {"late, by train"},
	}
	for _, wrong := range []struct{ name, value, says string }{
		{"check_out", (today - 1).String(), catalogue["en"]["trait.check_out"]},
		{"adults", "9", catalogue["en"]["trait.adults"]},
		{"adults", "many", catalogue["en"]["trait.adults"]},
	} {
		form := maps.Clone(change)
		form.Set(wrong.name, wrong.value)
		r := b.post(at+"/change", form)
		if r.status != http.StatusUnprocessableEntity || strings.Contains(r.body, "room type rt_") {
			t.Errorf("%s %s: %d", wrong.name, wrong.value, r.status)
		}
		shows(t, r.body, `value="`+wrong.value+`" required aria-invalid="true" aria-describedby="wrong-`+wrong.name+`"`, wrong.says+": ", `name="room_number" value="12"`, ">late, by train</textarea>")
	}
	if r := b.post(at+"/change", change); r.status != http.StatusOK {
		t.Fatalf("%d", r.status)
	}
	change.Set("room_number", "14")
	change.Set("reprice", "true")
	r := b.post(at+"/change", change)
	if r.status != http.StatusConflict {
		t.Fatalf("%d", r.status)
	}
	if strings.Contains(r.body, catalogue["en"]["form.now_empty"]) {
		t.Error("what the form only asks for is told to be missing")
	}
	shows(t, r.body, catalogue["en"]["form.changed"], `name="reprice" value="true" checked`, `name="room_number" value="14"`, catalogue["en"]["trait.number"]+": now: 12", ">late, by train</textarea>")
	change.Set("revision", regexp.MustCompile(`/change"><input type="hidden" name="revision" value="(\d+)"`).FindStringSubmatch(r.body)[1])
	if r := b.post(at+"/change", change); r.status != http.StatusOK {
		t.Errorf("knowingly: %d", r.status)
	}
	page := b.get(at).body
	shows(t, page, `name="room_number" value="14"`)

	// Of one that is over nothing can be changed any more, which is said all the same.
	b.post(at+"/step/cancel", url.Values{"revision": {field(t, page, "revision")}})
	if r := b.post(at+"/change", change); r.status != http.StatusConflict || !strings.Contains(r.body, catalogue["en"]["form.changed"]) {
		t.Errorf("cancelled meanwhile: %d", r.status)
	}
}
