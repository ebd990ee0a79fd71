package console

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"go.uber.org/zap"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/desk"
	"ostler.example/internal/testkit"
	"ostler.example/ledger"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// wound is a clock that stands still until it is moved, which may be while pages read it.
type wound struct {
	mu  sync.Mutex
	now time.Time
}

func (c *wound) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *wound) Until(t time.Time) time.Duration { return t.Sub(c.Now()) }

func (c *wound) Steady() time.Time { return c.Now() }

func (c *wound) advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// engine is a sync engine at rest.
type engine struct {
	desk.Engine
	l *ledger.Ledger
}

func (engine) Link(string) hotel.Link { return hotel.Link{Open: true, Circuit: "closed"} }
func (engine) Renew(string)           {}
func (engine) Configure(string, []byte) (hotel.Configured, error) {
	return hotel.Configured{}, nil
}

// Abilities has every channel take no-shows, within two days.
func (engine) Abilities(context.Context, hotel.Channel) (hotel.Abilities, error) {
	return hotel.Abilities{Terms: hotel.Terms{Actions: []hotel.ActionTerms{{Kind: hotel.ActionNoShow, Within: 48 * time.Hour}}}}, nil
}

// site is a console with a house, and a user of every role.
type site struct {
	house testkit.House
	l     *ledger.Ledger
	clock *wound
	users *auth.Users
	auth  *auth.Authority
	desk  *desk.Desk
	url   string
}

const secret = "correct horse battery"

var by = hotel.By{Actor: hotel.Actor{Kind: hotel.ActorOperator, ID: "tester"}}

func newSite(t *testing.T) *site {
	t.Helper()
	return newSiteOf(t, testkit.HorizonDays)
}

// newSiteOf is a console with a house that is sold so many days ahead.
func newSiteOf(t testing.TB, days int) *site {
	t.Helper()
	s := &site{clock: &wound{now: time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)}}
	var err error
	s.l, err = ledger.Open(t.Context(), ledger.Options{Path: filepath.Join(t.TempDir(), "ledger.db"), Clock: s.clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.l.Close() })
	s.house = testkit.NewHouseIn(t, s.l, "Europe/Vienna", days)
	s.users = auth.NewUsers(auth.UsersOptions{Store: s.l, Clock: s.clock, Cost: auth.Cost{Passes: 1, Memory: 64}})
	for _, r := range auth.Roles {
		if _, err := s.users.Add(t.Context(), by, string(r), secret, map[string]auth.Role{s.house.Property.ID: r}); err != nil {
			t.Fatal(err)
		}
	}
	if s.auth, err = auth.New(t.Context(), auth.Options{Store: s.l, Clock: s.clock, Log: zap.NewNop()}); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	at := desk.New(desk.Options{Ledger: s.l, Engine: engine{l: s.l}, Clients: s.auth, Requests: s.auth, Post: post{}, Seal: auth.NewSeal([32]byte{1}), Clock: s.clock})
	s.desk = at
	document := func(ctx context.Context, c desk.Caller, id string) ([]byte, error) {
		e, err := at.Export(ctx, c, id)
		return []byte("all of " + e.DisplayName()), err
	}
	server := httptest.NewServer(New(Options{
		Desk: at, Document: document,
		Users: s.users, PublicURL: "http://ostler.example", Stopping: stop, Clock: s.clock, Log: zap.NewNop(),
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(stop) })
	s.url = server.URL
	return s
}

// browser is somebody's browser.
type browser struct {
	t *testing.T
	s *site
	http.Client
}

func (s *site) browser(t *testing.T) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, s: s}
	b.Jar, b.Transport = jar, &http.Transport{}
	t.Cleanup(b.CloseIdleConnections)
	return b
}

// as is the browser of somebody signed in.
func (s *site) as(t *testing.T, name string) *browser {
	t.Helper()
	b := s.browser(t)
	if r := b.post("/sign-in", url.Values{"name": {name}, "password": {secret}}); r.status != http.StatusOK {
		t.Fatalf("sign in as %s: %d\n%s", name, r.status, r.body)
	}
	return b
}

type reply struct {
	status int
	path   string // where it ended
	body   string
	header http.Header
}

func (b *browser) do(method, path string, form url.Values, header http.Header) reply {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.s.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	maps.Copy(r.Header, header)
	resp, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Request.URL.RequestURI(), string(body), resp.Header}
}

func (b *browser) get(path string) reply {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, nil)
}

func (b *browser) post(path string, form url.Values) reply {
	b.t.Helper()
	return b.do(http.MethodPost, path, form, nil)
}

func (s *site) path(page string) string { return "/p/" + s.house.Property.ID + "/" + page }

func TestWhoeverIsNotInIsAskedWhoItIs(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	r := b.get(s.path("today"))
	if want := "/sign-in?back=" + url.QueryEscape(s.path("today")); r.path != want || !strings.Contains(r.body, `name="password"`) {
		t.Fatalf("at %s, want %s", r.path, want)
	}
	r = b.post("/sign-in", url.Values{"name": {"owner"}, "password": {"not that one"}})
	if r.status != http.StatusUnauthorized || !strings.Contains(r.body, catalogue["en"]["sign_in.wrong"]) || strings.Contains(r.body, "not that one") {
		t.Errorf("%d %s", r.status, r.body)
	}
	if r = b.post("/sign-in", url.Values{"name": {"owner"}, "password": {secret}, "back": {s.path("today")}}); r.path != s.path("today") || r.status != http.StatusOK {
		t.Errorf("at %s: %d", r.path, r.status)
	}
	if r = b.post("/sign-out", nil); r.path != "/sign-in" {
		t.Errorf("signed out at %s", r.path)
	}
	if r = b.get(s.path("today")); !strings.HasPrefix(r.path, "/sign-in") {
		t.Errorf("signed out, and at %s", r.path)
	}
}

// TestAFormSentTooLateIsSaidToBeLost: whoever was signed out meanwhile comes back to the page
// of the form, and is told that nothing was stored.
func TestAFormSentTooLateIsSaidToBeLost(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	for from, to := range map[string]string{"house/hours": "house", "reservations/new": "reservations/new", "conflicts/cfl_1": "conflicts/cfl_1", "calendar/apply": "calendar"} {
		r := b.post(s.path(from), url.Values{"revision": {"1"}})
		if !strings.HasPrefix(r.path, "/sign-in?") || field(t, r.body, "back") != s.path(to) {
			t.Errorf("%s leads to %s", from, r.path)
		}
		shows(t, r.body, catalogue["en"]["sign_in.lost"])
	}
	if r := b.get(s.path("house")); strings.Contains(r.body, catalogue["en"]["sign_in.lost"]) {
		t.Error("whoever has sent nothing is told that it was lost")
	}
}

// TestAHouseOutOfUseIsStillToBeLookedUp: whoever signs in is led to the only house in use, and
// from its pages to the list of all.
func TestAHouseOutOfUseIsStillToBeLookedUp(t *testing.T) {
	s := newSite(t)
	old, _, err := s.l.CreateProperty(t.Context(), by, hotel.Once{}, hotel.Property{Name: "The old house", TimeZone: "Europe/Vienna", Currency: "EUR", Country: "AT"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.l.ArchiveProperty(t.Context(), by, hotel.Once{}, old.ID, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := s.users.Add(t.Context(), by, "both", secret, map[string]auth.Role{s.house.Property.ID: auth.RoleOwner, old.ID: auth.RoleOwner}); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "both")
	r := b.get("/")
	if r.path != s.path("today") || !strings.Contains(r.body, `class="brand" href="/?all"`) {
		t.Errorf("led to %s, and on to no list:\n%s", r.path, r.body)
	}
	if r := b.get("/?all"); r.path != "/?all" || !strings.Contains(r.body, old.Name) || !strings.Contains(r.body, s.house.Property.Name) {
		t.Errorf("%s lists:\n%s", r.path, r.body)
	}
	if r := s.as(t, "owner").get("/?all"); r.path != s.path("today") {
		t.Errorf("whoever has one house is shown a list of one, at %s", r.path)
	}
}

func TestNobodyIsLedElsewhere(t *testing.T) {
	s := newSite(t)
	for _, back := range []string{
		"https://evil.example/", "//evil.example", `/\evil.example`, "javascript:alert(1)", "/a\r\nb", "/\t/evil.example", "/\x00/evil.example", "/\x7f/evil.example",
		"/\u0085/evil.example", "/%zz", "/../\t/evil.example", "/a/..//evil.example", "/.//evil.example", "\t//evil.example", "today",
	} {
		b := s.browser(t)
		if r := b.post("/sign-in", url.Values{"name": {"owner"}, "password": {secret}, "back": {back}}); r.path != s.path("today") {
			t.Errorf("%q leads to %s", back, r.path)
		}
	}
}

func TestLinkIsUsedByHandOnce(t *testing.T) {
	s := newSite(t)
	token, err := s.users.Link(t.Context(), "owner")
	if err != nil {
		t.Fatal(err)
	}
	b := s.browser(t)
	for range 2 { // looking does not use it up
		if r := b.get("/sign-in/link?token=" + token); r.status != http.StatusOK || !strings.Contains(r.body, token) {
			t.Fatalf("%d", r.status)
		}
	}
	if r := b.post("/sign-in/link", url.Values{"token": {token}}); r.path != s.path("today") {
		t.Errorf("at %s", r.path)
	}
	if r := s.browser(t).post("/sign-in/link", url.Values{"token": {token}}); r.status != http.StatusUnauthorized {
		t.Errorf("used twice: %d", r.status)
	}
}

func TestOtherSitesAskForNothing(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	r := b.do(http.MethodPost, "/sign-out", nil, http.Header{"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://evil.example"}})
	if r.status != http.StatusForbidden {
		t.Errorf("%d", r.status)
	}
	if r := b.get(s.path("today")); r.path != s.path("today") {
		t.Errorf("signed out by another site: at %s", r.path)
	}
}

// What pages may do in a browser is bounded; no page has script or style of its own,
// which the policy would not run.
func TestPagesAreBounded(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "owner")
	for _, path := range []string{"/sign-in", "/sessions", "/nothing", s.path("today"), "/static/console.js"} {
		r := b.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		} {
			if got := r.header.Get(name); got != want {
				t.Errorf("%s: %s is %q", path, name, got)
			}
		}
		if strings.HasSuffix(path, ".js") {
			continue
		}
		for _, own := range []string{" style=", "<style", "<script>", " onclick=", "javascript:", "http://", "https://"} {
			if strings.Contains(r.body, own) {
				t.Errorf("%s has %q", path, own)
			}
		}
		if got := r.header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s may be kept: %q", path, got)
		}
	}
}

func TestCookies(t *testing.T) {
	s := newSite(t)
	for _, c := range []struct {
		public, name string
		secure       bool
	}{{"http://127.0.0.1:8080", "ostler_session", false}, {"https://h.example", "__Host-ostler_session", true}} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, c.public+"/sign-in", strings.NewReader(url.Values{"name": {"owner"}, "password": {secret}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		New(Options{Desk: desk.New(desk.Options{Ledger: s.l, Clock: s.clock}), Users: s.users, PublicURL: c.public, Clock: s.clock, Log: zap.NewNop()}).ServeHTTP(w, r)
		cookies := w.Result().Cookies()
		if len(cookies) != 1 {
			t.Fatalf("%s: %d %v", c.public, w.Code, cookies)
		}
		if k := cookies[0]; k.Name != c.name || k.Secure != c.secure || !k.HttpOnly || k.SameSite != http.SameSiteLaxMode || k.Path != "/" || k.Domain != "" {
			t.Errorf("%s: %+v", c.public, k)
		}
	}
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	s := newSite(t)
	b, other := s.as(t, "owner"), s.as(t, "owner")
	page := b.get("/sessions").body
	_, rest, ok := strings.Cut(page, `name="id" value="`)
	if !ok || strings.Count(page, "/sessions/end") != 1 {
		t.Fatalf("no other session to end:\n%s", page)
	}
	id, _, _ := strings.Cut(rest, `"`)
	if r := s.as(t, "revenue").post("/sessions/end", url.Values{"id": {id}}); r.status != http.StatusOK {
		t.Errorf("%d", r.status)
	}
	if r := other.get(s.path("today")); r.path != s.path("today") {
		t.Error("somebody else ended the session")
	}
	b.post("/sessions/end", url.Values{"id": {id}})
	if r := other.get(s.path("today")); !strings.HasPrefix(r.path, "/sign-in") {
		t.Errorf("ended, and at %s", r.path)
	}
}

// A house in which a user has no role reads as one that there is not.
func TestHousesOfOthersAreNotThere(t *testing.T) {
	s := newSite(t)
	if _, _, err := s.l.CreateProperty(t.Context(), by, hotel.Once{}, hotel.Property{
		Entity: hotel.Entity{ID: "h2"}, Name: "Other", TimeZone: "Europe/Berlin", Currency: "EUR", Country: "DE",
		CheckIn: "15:00", CheckOut: "11:00", DayRoll: "03:00", HorizonDays: 10, Status: hotel.Active,
	}); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "owner")
	other, none := b.get("/p/h2/today"), b.get("/p/h9/today")
	if other.status != http.StatusNotFound || strings.ReplaceAll(other.body, "h2", "h9") != none.body {
		t.Errorf("%d\n%s\n%s", other.status, other.body, none.body)
	}
}

// The names of guests are for those alone who may read them, and it is written down to
// whom they were shown.
func TestTodayShowsGuestsToThoseWhoMaySeeThem(t *testing.T) {
	s := newSite(t)
	s.book(t, "Lovelace", 0)
	for _, r := range auth.Roles {
		page := s.as(t, string(r)).get(s.path("today"))
		if got, want := strings.Contains(page.body, "Lovelace"), r.Scopes().Has(auth.GuestsRead); page.status != http.StatusOK || got != want {
			t.Errorf("%s: %d, sees the name: %v", r, page.status, got)
		}
	}
}

// book makes a booking of one night, so many days from today on.
func (s *site) book(t *testing.T, name string, ahead int) hotel.Reservation {
	t.Helper()
	day := s.house.Property.Today(s.clock.Now()) + hotel.Date(ahead)
	s.house.Price(t, s.l, 0, hotel.Span{From: day, To: day + 1}, 9000)
	r, _, err := s.l.CreateReservation(t.Context(), by, hotel.Once{}, hotel.NewReservation{
		PropertyID: s.house.Property.ID, RoomTypeID: s.house.Rooms[0].ID, RatePlanID: s.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: day, CheckOut: day + 1}, Adults: 1,
		Guest: hotel.Guest{FirstName: "Ada", LastName: name}, Status: hotel.Confirmed,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A page that follows what happens is told of it, and no longer than its user is in.
func TestPagesAreToldWhatHappens(t *testing.T) {
	s := newSite(t)
	b := s.as(t, "front_desk")
	s.clock.advance(time.Second) // what made the house is over
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+s.path("live"), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := b.Do(r) //nolint:bodyclose // it is closed below
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("%d %s", resp.StatusCode, got)
	}
	lines := make(chan string, 64)
	go func() {
		defer close(lines)
		rest := ""
		buffer := make([]byte, 1024)
		for {
			n, err := resp.Body.Read(buffer)
			rest += string(buffer[:n])
			for {
				line, after, ok := strings.Cut(rest, "\n")
				if !ok {
					break
				}
				lines <- line
				rest = after
			}
			if err != nil {
				return
			}
		}
	}()
	await := func(want string) {
		t.Helper()
		for line := range lines {
			if line == want {
				return
			}
		}
		t.Fatalf("the stream ended before %q", want)
	}
	await(": still here")
	s.clock.advance(time.Second)
	s.book(t, "Lovelace", 0)
	await("event: changed")
	if err := s.users.Remove(t.Context(), by, "front_desk"); err != nil {
		t.Fatal(err)
	}
	s.book(t, "Byron", 1)
	for range lines { // it ends
	}
}

func TestEveryLanguageSaysEverything(t *testing.T) {
	for _, l := range languages {
		for key, text := range catalogue["en"] {
			other, ok := catalogue[l][key]
			if !ok || other == "" {
				t.Errorf("%s has no %s", l, key)
			}
			for i := range 4 {
				place := fmt.Sprintf("{%d}", i)
				if strings.Contains(text, place) != strings.Contains(other, place) {
					t.Errorf("%s: %s has other places than in English", l, key)
				}
			}
		}
		if len(catalogue[l]) != len(catalogue["en"]) {
			t.Errorf("%s has %d texts, English %d", l, len(catalogue[l]), len(catalogue["en"]))
		}
	}
	for _, k := range hotel.ConflictKinds() {
		if !wordsIn("en").has("conflict." + string(k)) {
			t.Errorf("nobody can say %s", k)
		}
	}
	for _, state := range channelStates {
		if !wordsIn("en").has("channel.state." + state) {
			t.Errorf("nobody can say %s", state)
		}
	}
}

// Every key that a page names is in the catalogue.
func TestPagesNameKeysThatThereAre(t *testing.T) {
	files, err := pageFiles.ReadDir("pages")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		text, err := pageFiles.ReadFile("pages/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), `.T "`)[1:] {
			key, _, _ := strings.Cut(part, `"`)
			if found++; !wordsIn("en").has(key) {
				t.Errorf("%s: %s", f.Name(), key)
			}
		}
		for _, part := range strings.Split(string(text), `.Count "`)[1:] {
			key, _, _ := strings.Cut(part, `"`)
			if found++; !wordsIn("en").has(key+".one") || !wordsIn("en").has(key+".other") {
				t.Errorf("%s: %s", f.Name(), key)
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d keys were looked for", found)
	}
}

func TestWordsOfEachLanguage(t *testing.T) {
	day := hotel.DateOf(2026, 3, 1)
	for _, c := range []struct{ language, date, money, yen, loss string }{
		{"en", "Sun 1 Mar 2026", "€1,234.50", "¥1,200", "−€1.00"},
		{"de", "So, 1. März 2026", "1.234,50 €", "1.200 ¥", "−1,00 €"},
		{"it", "dom 1 mar 2026", "1.234,50 €", "1.200 ¥", "−1,00 €"}, // as x/text has it
	} {
		w := wordsIn(c.language)
		got := []string{w.date(day), w.money(hotel.Money{Minor: 123450, Currency: "EUR"}), w.money(hotel.Money{Minor: 1200, Currency: "JPY"}), w.money(hotel.Money{Minor: -100, Currency: "EUR"})}
		for i, want := range []string{c.date, c.money, c.yen, c.loss} {
			if got[i] != want {
				t.Errorf("%s: %q, want %q", c.language, got[i], want)
			}
		}
	}
}

func TestLanguageIsTheBrowsersUnlessChosen(t *testing.T) {
	s := newSite(t)
	b := s.browser(t)
	for asked, want := range map[string]string{"": "en", "de-AT,de;q=0.9,en;q=0.5": "de", "fr, it;q=0.8": "it", "fr": "en"} {
		if r := b.do(http.MethodGet, "/sign-in", nil, http.Header{"Accept-Language": {asked}}); r.header.Get("Content-Language") != want {
			t.Errorf("%q: %s", asked, r.header.Get("Content-Language"))
		}
	}
	b.post("/language", url.Values{"language": {"it"}, "back": {"/sign-in"}})
	if r := b.do(http.MethodGet, "/sign-in", nil, http.Header{"Accept-Language": {"de"}}); r.header.Get("Content-Language") != "it" {
		t.Errorf("chosen, and %s", r.header.Get("Content-Language"))
	}
	if r := b.post("/language", url.Values{"language": {"xx"}}); r.status != http.StatusUnprocessableEntity {
		t.Errorf("%d", r.status)
	}
}
