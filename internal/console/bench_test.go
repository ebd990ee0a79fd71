package console

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"ostler.example/hotel"
	"ostler.example/internal/auth"
	"ostler.example/internal/testkit/figures"
	"ostler.example/ledger"
)

// measured are the pages whose figures are told: all that are asked for without an id, and those
// of one night, plan, channel, booking, guest and decision. The first has next to nothing on it, and is what the others are
// compared with: that is left of a figure when the machine is another.
func (s *grown) measured(today hotel.Date) []struct {
	name string
	path func(n int) string
} {
	at := func(path string) func(int) string { return func(int) string { return s.path(path) } }
	pages := []struct {
		name string
		path func(n int) string
	}{
		{"more", at("more")},
		{"calendar", func(n int) string { return s.path(fmt.Sprintf("calendar?from=%s", today+hotel.Date(n*7%450))) }},
		{"a night", func(n int) string {
			return s.path(fmt.Sprintf("calendar/%s/%s?plan=%s", s.house.Rooms[n%len(s.house.Rooms)].ID, today+hotel.Date(n*7%390), s.house.Plans[0].ID))
		}},
		{"a rate plan", at("rates/plans/" + s.house.Plans[0].ID)},
	}
	for _, path := range []string{
		"today", "calendar/change", "calendar/updates", "rates", "rates/rules", "rates/rules/new", "rates/guards", "rates/protection", "conflicts", "channels", "channels/new",
		"channels/ch_0", "channels/ch_0/settings", "channels/ch_0/policies", "channels/ch_0/history", "reservations?show=newest", "reservations/new", "reports", "reports/revenue",
		"house", "house/notifications", "guests", "partners", "users",
		"reservations/" + s.booked.ID, "guests/" + s.booked.GuestID, "conflicts/" + s.asked,
	} {
		name, _, _ := strings.Cut(path, "?")
		for _, id := range []string{s.booked.ID, s.booked.GuestID, s.asked} {
			name = strings.ReplaceAll(name, id, "{id}")
		}
		pages = append(pages, struct {
			name string
			path func(n int) string
		}{strings.ReplaceAll(name, "ch_0", "{id}"), at(path)})
	}
	return pages
}

// BenchmarkFigures prints the rows of `make bench` about pages: a calendar of 500 days, 30
// room types and 5 channels, with 64 users who each ask for a page every five seconds.
func BenchmarkFigures(b *testing.B) {
	const types, channels, users, rounds = 30, 5, 64, 2
	s := grow(b, 500, types, channels)
	jobs := make([]*http.Client, users)
	for i := range jobs {
		jobs[i] = s.signedIn(b)
	}
	today := s.house.Property.Today(s.clock.Now())
	for b.Loop() {
		var least time.Duration
		for _, page := range s.measured(today) {
			took := s.crowd(b, jobs, rounds, page.path)
			half, most := figures.Quantile(took, .5), figures.Quantile(took, .99)
			least = cmp.Or(least, half)
			figures.Row("console: "+page.name, fmt.Sprintf("%s in the median, %s in 99 of 100; the median is %.1f times that of the barest page", figures.Millis(half), figures.Millis(most), float64(half)/float64(least)),
				figures.AtMost(100*time.Millisecond, most), fmt.Sprintf("%d users, a page every %s each, %d pages; 500 days, %d room types, %d channels; from the request to the last byte, on loopback", users, pace, len(took), types, channels))
		}
		var trips []time.Duration
		for i := range 20 {
			trips = append(trips, s.editTrip(b, jobs[0], today+hotel.Date(i)))
		}
		figures.Row("console: a price typed, previewed and applied", figures.Millis(figures.Quantile(trips, .5))+" in the median", "", "two requests, the second with the page that it leads to; the same house, one user")
	}
}

// everywhere is who looks at the pages: an owner of every house.
const everywhere = "everywhere"

// grown is a large house at rest: its channels have taken what they were told.
type grown struct {
	*site
	booked hotel.Reservation
	asked  string // the decision that waits, by its id
}

// grow makes a house of so many nights and room types, priced on every night that the bench
// looks at, and connects channels, of which one has sold a room that nobody here knows.
func grow(b *testing.B, nights, types, channels int) *grown {
	b.Helper()
	s := &grown{site: newSiteOf(b, nights)}
	if _, err := s.users.Add(b.Context(), by, everywhere, secret, map[string]auth.Role{auth.AllProperties: auth.RoleOwner}); err != nil {
		b.Fatal(err)
	}
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
		s.tell(b, fmt.Sprint("ch_", i))
	}
	s.sell(b, today)
	for i := range channels { // the few nights of which another room is sold now
		s.derive(b, fmt.Sprint("ch_", i))
		s.tell(b, fmt.Sprint("ch_", i))
	}
	return s
}

// tell has a channel take everything that it is to be told.
func (s *grown) tell(b *testing.B, id string) {
	b.Helper()
	for {
		dirty, err := s.l.Dirty(b.Context(), id, s.house.Property.Today(s.clock.Now()), 5000)
		if err != nil {
			b.Fatal(err)
		}
		if len(dirty) == 0 {
			return
		}
		d := ledger.NewDelivery{ChannelID: id, Kind: ledger.Push, Operation: "set", SentAt: s.clock.Now()}
		for _, c := range dirty {
			d.Cells = append(d.Cells, ledger.SentCell{Cell: c.Cell, Value: c.Want})
		}
		begun, err := s.l.Begin(b.Context(), d)
		if err == nil {
			err = s.l.Settle(b.Context(), ledger.Settlement{DeliveryID: begun.ID, State: ledger.DeliveryApplied, HTTPStatus: 200})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// sell sells a room to somebody who calls, and one that nobody here knows to a guest of a
// channel.
func (s *grown) sell(b *testing.B, today hotel.Date) {
	b.Helper()
	var err error
	s.booked, _, err = s.l.CreateReservation(b.Context(), by, hotel.Once{}, hotel.NewReservation{
		PropertyID: s.house.Property.ID, RoomTypeID: s.house.Rooms[0].ID, RatePlanID: s.house.Plans[0].ID, Stay: hotel.Stay{CheckIn: today + 3, CheckOut: today + 6}, Adults: 2,
		Guest: hotel.Guest{LastName: "Lovelace", FirstName: "Ada"}, Status: hotel.Confirmed,
	})
	if err == nil {
		_, err = s.l.Receive(b.Context(), ledger.Receipt{
			ChannelID: "ch_0", Key: "1", Ref: "R1", Event: "booked", Order: hotel.OrderNone,
			Booking: hotel.ChannelBooking{Guest: &hotel.Guest{LastName: "Byron"}, Rooms: []hotel.ChannelRoom{{Room: "attic", Rate: "x", Stay: hotel.Stay{CheckIn: today + 3, CheckOut: today + 4}, Adults: 1}}},
		})
	}
	list, more := s.l.Conflicts(b.Context(), hotel.ConflictFilter{PropertyID: s.house.Property.ID, Statuses: []hotel.ConflictStatus{hotel.ConflictOpen}, Limit: 2})
	if err != nil || more != nil || len(list) == 0 {
		b.Fatalf("%d decisions wait: %v %v", len(list), err, more)
	}
	s.asked = list[0].ID
}

// signedIn is the browser of somebody who is signed in.
func (s *site) signedIn(b *testing.B) *http.Client {
	b.Helper()
	token, err := s.users.SignIn(b.Context(), everywhere, secret, auth.Visitor{Address: "192.0.2.1"})
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

var serve = flag.String("console.serve", "", "a file; the house of BenchmarkFigures is served until the input ends, and the file says where")

// BenchmarkServed serves the house for a browser: `make paint` opens its calendar there.
func BenchmarkServed(b *testing.B) {
	if *serve == "" {
		b.Skip("make paint runs it")
	}
	s := grow(b, 500, 30, 5)
	where, err := json.Marshal(map[string]string{"console_url": s.url + "/", "console_user": everywhere, "console_password": secret, "property_id": s.house.Property.ID})
	if err == nil {
		err = os.WriteFile(*serve+".part", where, 0o600)
	}
	if err == nil {
		err = os.Rename(*serve+".part", *serve) // whoever waits for it finds it whole
	}
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// BenchmarkCalendar is one user's calendar in the same house: what a page costs the server.
func BenchmarkCalendar(b *testing.B) {
	s := grow(b, 500, 30, 5)
	job := s.signedIn(b)
	today := s.house.Property.Today(s.clock.Now())
	n := 0
	for b.Loop() {
		n++
		s.ask(b, job, s.path(fmt.Sprintf("calendar?from=%s", today+hotel.Date(n*7%450))), nil)
	}
}
