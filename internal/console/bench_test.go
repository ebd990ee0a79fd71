package console

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/testkit/figures"
)

// BenchmarkFigures prints the rows of `make bench` about pages: a calendar of 500 days, 30
// room types and 5 channels, with 64 users who each ask for a page every five seconds.
func BenchmarkFigures(b *testing.B) {
	const types, channels, users, rounds = 30, 5, 64, 4
	s := newSiteOf(b, 500)
	s.grow(b, types, channels)
	jobs := make([]*http.Client, users)
	for i := range jobs {
		jobs[i] = s.signedIn(b)
	}
	today := s.house.Property.Today(s.clock.Now())
	for b.Loop() {
		for _, page := range []string{"calendar?from=%s", "today", "channels", "reservations?show=newest"} {
			took := s.crowd(b, jobs, rounds, func(n int) string {
				if !strings.Contains(page, "%s") {
					return s.path(page)
				}
				return s.path(fmt.Sprintf(page, today+hotel.Date(n*7%450)))
			})
			name, _, _ := strings.Cut(page, "?")
			figures.Row("console: "+name, fmt.Sprintf("%s in the median, %s in 99 of 100", figures.Millis(figures.Quantile(took, .5)), figures.Millis(figures.Quantile(took, .99))),
				figures.AtMost(100*time.Millisecond, figures.Quantile(took, .99)), fmt.Sprintf("%d users, a page every %s each; 500 days, %d room types, %d channels; from the request to the last byte, on loopback", users, pace, types, channels))
		}
		var trips []time.Duration
		for i := range 20 {
			trips = append(trips, s.editTrip(b, jobs[0], today+hotel.Date(i)))
		}
		figures.Row("console: a price typed, previewed and applied", figures.Millis(figures.Quantile(trips, .5))+" in the median", "", "two requests, the second with the page that it leads to; the same house, one user")
	}
}

// grow makes the house one of so many room types, priced on every night, and connects channels.
func (s *site) grow(b *testing.B, types, channels int) {
	b.Helper()
	ids := []string{}
	for len(s.house.Rooms) < types {
		n := len(s.house.Rooms) + 1
		r, _, err := s.l.CreateRoomType(b.Context(), by, hotel.Once{}, hotel.RoomType{
			PropertyID: s.house.Property.ID, Code: fmt.Sprint("type", n), Name: fmt.Sprint("Type ", n), TotalUnits: 10, BaseOccupancy: 2, MaxAdults: 4, MaxChildren: 2, MaxOccupancy: 4, Position: n, Status: hotel.Active,
		})
		if err != nil {
			b.Fatal(err)
		}
		s.house.Rooms = append(s.house.Rooms, r)
	}
	for _, r := range s.house.Rooms {
		ids = append(ids, r.ID)
	}
	for _, p := range s.house.Plans {
		if _, _, err := s.l.ChangeRatePlan(b.Context(), by, hotel.Once{}, p.ID, hotel.Change[hotel.RatePlan]{Apply: func(p *hotel.RatePlan) error {
			p.RoomTypeIDs = ids
			return nil
		}}); err != nil {
			b.Fatal(err)
		}
	}
	today := s.house.Property.Today(s.clock.Now())
	for i := range s.house.Rooms {
		s.house.Price(b, s.l, i, hotel.Span{From: today, To: today + 399}, 12000)
	}
	for i := range channels {
		s.house.Connect(b, s.l, hotel.Channel{Entity: hotel.Entity{ID: fmt.Sprint("ch_", i)}, Connector: "mock", Name: fmt.Sprint("Portal ", i), Settings: []byte("{}"), Account: fmt.Sprint(i)}, hotel.PerRoom)
		s.derive(b, fmt.Sprint("ch_", i))
	}
}

// signedIn is the browser of an owner who is signed in.
func (s *site) signedIn(b *testing.B) *http.Client {
	b.Helper()
	token, err := s.users.SignIn(b.Context(), string(auth.RoleOwner), secret, auth.Visitor{Address: "192.0.2.1"})
	if err != nil {
		b.Fatal(err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: 1}
	b.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: withCookie{transport, sessionCookie + "=" + token}}
}

// withCookie sends a cookie with every request.
type withCookie struct {
	next   http.RoundTripper
	cookie string
}

func (w withCookie) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Cookie", w.cookie)
	return w.next.RoundTrip(r)
}

// ask has somebody ask for a page, or send a form, and returns what came.
func (s *site) ask(b *testing.B, as *http.Client, path string, form url.Values) string {
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	r, err := http.NewRequestWithContext(b.Context(), method, s.url+path, body)
	if err != nil {
		b.Error(err)
		return ""
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := as.Do(r)
	if err != nil {
		b.Error(err)
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		b.Errorf("%s: %d %v", path, answer.StatusCode, err)
	}
	return string(text)
}

// pace is how often somebody who works with the console asks for a page.
const pace = 5 * time.Second

// crowd has everybody ask for so many pages, one after the other within each pace, and
// returns how long each answer took.
func (s *site) crowd(b *testing.B, jobs []*http.Client, rounds int, page func(n int) string) []time.Duration {
	b.Helper()
	var mu sync.Mutex
	var all []time.Duration
	var wait sync.WaitGroup
	s.ask(b, jobs[0], page(0), nil) // what is read once is not counted
	for i, as := range jobs {
		wait.Go(func() {
			tick := time.NewTimer(time.Duration(i) * pace / time.Duration(len(jobs)))
			defer tick.Stop()
			for n := range rounds {
				<-tick.C
				tick.Reset(pace)
				started := time.Now()
				s.ask(b, as, page(i+n*len(jobs)), nil)
				took := time.Since(started)
				mu.Lock()
				all = append(all, took)
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	return all
}

// editTrip types a price of a night, looks at the preview and applies it.
func (s *site) editTrip(b *testing.B, as *http.Client, night hotel.Date) time.Duration {
	b.Helper()
	started := time.Now()
	form := url.Values{"room": {s.house.Rooms[0].ID}, "plan": {s.house.Plans[0].ID}, "from": {night.String()}, "to": {night.String()}, "what": {"price_set"}, "value": {"155"}}
	seen := seenIn.FindStringSubmatch(s.ask(b, as, s.path("calendar/change"), form))
	if seen == nil {
		b.Fatal("no preview")
	}
	form.Set("seen", seen[1])
	s.ask(b, as, s.path("calendar/apply"), form)
	return time.Since(started)
}

// BenchmarkCalendar is one user's calendar in the same house: what a page costs the server.
func BenchmarkCalendar(b *testing.B) {
	s := newSiteOf(b, 500)
	s.grow(b, 30, 5)
	job := s.signedIn(b)
	today := s.house.Property.Today(s.clock.Now())
	n := 0
	for b.Loop() {
		n++
		s.ask(b, job, s.path(fmt.Sprintf("calendar?from=%s", today+hotel.Date(n*7%450))), nil)
	}
}
