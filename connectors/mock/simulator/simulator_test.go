package simulator

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var night = hotel.DateIn(hotel.SystemClock{}.Now(), hotel.SystemClock{}.Now().Location()) + 5

// open opens a simulator whose double room is on sale for ten nights.
func openTest(t *testing.T, o connectors.SimulatorOptions) *Simulator {
	t.Helper()
	o.Hotel, o.Secret = "H1", "s3cret"
	o.Products = []connectors.RemoteProduct{{Room: "DBL", RoomName: "Double", Rate: "BAR", RateName: "Best price"}}
	for n := night; n < night+10; n++ {
		o.Opening = append(
			o.Opening,
			connectors.Change{Key: connectors.Key{Room: "DBL", Group: hotel.Availability, Night: n}, Offer: hotel.Offer{Available: 40}},
			connectors.Change{
				Key:   connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Price, Occupancy: 2, Night: n},
				Offer: hotel.Offer{Amount: hotel.Money{Minor: 18900, Currency: "EUR"}},
			},
		)
	}
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func closeTest(t *testing.T, s *Simulator) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func sell(t *testing.T, s *Simulator) simkit.Booking {
	t.Helper()
	b, err := s.Book().Sell(simkit.Request{Room: "DBL", Rate: "BAR", CheckIn: night, CheckOut: night + 2, Adults: 2, LastName: "Hopper"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ask calls the protocol.
func ask(t *testing.T, s *Simulator, method, path, body string, header ...string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer s3cret")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func TestOpenRefuses(t *testing.T) {
	for name, o := range map[string]connectors.SimulatorOptions{
		"an unknown preset": {Preset: "pigeon", Hotel: "H1", Secret: "s"},
		"no hotel":          {Secret: "s"},
		"sellers of a hub":  {Preset: hub, Hotel: "H1", Secret: "s", Sellers: 2},
		"no secret":         {Hotel: "H1"},
	} {
		if _, err := Open(o); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	registered, ok := connectors.LookupSimulator("mock")
	if !ok {
		t.Fatal("it is not registered")
	}
	for _, preset := range registered.Presets {
		s, err := registered.New(connectors.SimulatorOptions{Preset: preset, Hotel: "H1", Secret: "s"})
		if err != nil {
			t.Fatal(err)
		}
		want := `{"hotel":"H1","preset":"` + preset + `","secret":"s","url":"http://x"}`
		if preset == relay {
			want = `{"hotel":"H1","keeps_sum":true,"preset":"relay","secret":"s","url":"http://x"}`
		}
		if got := string(s.Settings("http://x")); got != want {
			t.Errorf("the settings are %s, want %s", got, want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A hub takes several things at once and days of the week, and refuses an update whole.
func TestHubTakesAnUpdateWhole(t *testing.T) {
	s := openTest(t, connectors.SimulatorOptions{Preset: hub})
	defer closeTest(t, s)
	head := `{"room":"DBL","rate":"BAR","from":"2030-01-01","to":"2030-01-15",` // a Tuesday
	status, answer := ask(t, s, "POST", "/hotels/H1/rates", `{"updates":[`+
		head+`"days":["tu","we"],"lengths":{"min_stay_arrival":2},"prices":[{"guests":2,"amount":"189.00","currency":"EUR"}]},`+
		head+`"days":["fr"],"lengths":{"min_stay_arrival":3},"prices":[{"guests":2,"amount":"free","currency":"EUR"}]}]}`)
	if status != 200 || strings.Count(answer, `"days":["fr"]`) != 1 {
		t.Fatalf("%d %s, want 200 and the refusal of a price of the Fridays", status, answer)
	}
	first := hotel.DateOf(2030, 1, 1)
	for night, want := range map[hotel.Date]int{first: 2, first + 1: 2, first + 2: 0, first + 3: 0, first + 8: 2, first + 14: 2} {
		shown, _ := s.Book().Shown(connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Lengths, Night: night})
		price, _ := s.Book().Shown(connectors.Key{Room: "DBL", Rate: "BAR", Group: hotel.Price, Occupancy: 2, Night: night})
		if shown.Lengths.MinStayArrival != want || price.Amount.IsZero() == (want > 0) {
			t.Errorf("%s shows %d nights and %v, want %d", night, shown.Lengths.MinStayArrival, price.Amount, want)
		}
	}
	if status, answer := ask(t, s, "POST", "/hotels/H1/rates", `{"updates":[`+head+`"days":["mond"],"closures":{}}]}`); status != 400 {
		t.Errorf("a day that there is not: %d %s, want 400", status, answer)
	}
}

func TestUpdateRefuses(t *testing.T) {
	s := openTest(t, connectors.SimulatorOptions{Preset: pull})
	defer closeTest(t, s)
	on := `"room":"DBL","from":"2030-01-01","to":"2030-01-02"`
	for _, c := range []struct {
		name, path, body string
		status           int
		answer           string
	}{
		{"not JSON", "availability", `{`, 400, "cannot be read"},
		{"a word too many", "availability", `{"updates":[],"colour":"red"}`, 400, "cannot be read"},
		{"no updates", "availability", `{"updates":[]}`, 400, "1 to 200"},
		{"too many", "availability", `{"updates":[` + strings.Repeat(`{`+on+`,"available":1},`, 200) + `{` + on + `,"available":1}]}`, 400, "1 to 200"},
		{"two things at once", "rates", `{"updates":[{` + on + `,"rate":"BAR","closures":{},"lengths":{}}]}`, 400, "exactly one"},
		{"days of the week", "rates", `{"updates":[{` + on + `,"rate":"BAR","days":["tu"],"closures":{}}]}`, 400, "exactly one"},
		{"a price among the counts", "availability", `{"updates":[{` + on + `,"rate":"BAR","prices":[{"amount":"1.00","currency":"EUR"}]}]}`, 400, "exactly one"},
		{"nights the wrong way round", "availability", `{"updates":[{"room":"DBL","from":"2030-01-02","to":"2030-01-01","available":1}]}`, 400, "exactly one"},
		{"nights without end", "availability", `{"updates":[{"room":"DBL","from":"2030-01-02","to":"2930-01-01","available":1}]}`, 400, "exactly one"},
		{"a room that does not exist", "availability", `{"updates":[{"room":"NO","from":"2030-01-01","to":"2030-01-01","available":1}]}`, 200, "unknown room"},
		{"a rate that does not exist", "rates", `{"updates":[{` + on + `,"rate":"NO","closures":{}}]}`, 200, "unknown rate"},
		{"a rate's own count", "availability", `{"updates":[{` + on + `,"rate":"BAR","available":1}]}`, 200, "counts are of rooms"},
		{"fewer than none", "availability", `{"updates":[{` + on + `,"available":-1}]}`, 200, "0 to 999"},
		{"a price of words", "rates", `{"updates":[{` + on + `,"rate":"BAR","prices":[{"amount":"cheap","currency":"EUR"}]}]}`, 200, "cannot be read"},
		{"another hotel", "../H2/availability", `{}`, 404, "no such hotel"},
	} {
		path := "/hotels/H1/" + c.path
		if rest, other := strings.CutPrefix(c.path, "../"); other {
			path = "/hotels/" + rest
		}
		if status, answer := ask(t, s, "POST", path, c.body); status != c.status || !strings.Contains(answer, c.answer) {
			t.Errorf("%s: %d %s, want %d and %q", c.name, status, answer, c.status, c.answer)
		}
	}
	if status, _ := ask(t, s, "GET", "/hotels/H1/products", "", "Authorization", "Bearer guess"); status != 401 {
		t.Errorf("a stranger is answered %d", status)
	}
}

func TestPushWantsVersions(t *testing.T) {
	s := openTest(t, connectors.SimulatorOptions{})
	defer closeTest(t, s)
	send := func(id, version, count string) int {
		body := `{"updates":[{"room":"DBL","from":"` + night.String() + `","to":"` + night.String() + `","available":` + count + `}]}`
		status, _ := ask(t, s, "POST", "/hotels/H1/availability", body, "Idempotency-Key", id, "Call-Version", version)
		return status
	}
	for _, c := range []struct {
		name, id, version, count string
		status, shown            int
	}{
		{"no version", "a", "", "1", 400, 40},
		{"no key", "", "5", "1", 400, 40},
		{"a call", "a", "5", "1", 200, 1},
		{"its repeat", "a", "5", "2", 200, 1},
		{"one that was overtaken", "b", "4", "3", 409, 1},
		{"the next", "c", "6", "4", 200, 4},
	} {
		status := send(c.id, c.version, c.count)
		shown, _ := s.Book().Shown(connectors.Key{Room: "DBL", Group: hotel.Availability, Night: night})
		if status != c.status || shown.Available != c.shown {
			t.Errorf("%s: %d, shows %d; want %d, %d", c.name, status, shown.Available, c.status, c.shown)
		}
	}
}

func TestKeepsItsPublishedLimit(t *testing.T) {
	s := openTest(t, connectors.SimulatorOptions{Preset: pull})
	defer closeTest(t, s)
	refused := 0
	for range callsPerMinute + 5 {
		if status, _ := ask(t, s, "POST", "/hotels/H1/rates", `{}`); status == 429 {
			refused++
		}
		if status, _ := ask(t, s, "GET", "/hotels/H1/feed", ``); status != 200 {
			t.Fatalf("the feed, which has no limit, answers %d", status)
		}
	}
	if refused != 5 {
		t.Errorf("%d calls are refused, want 5", refused)
	}
}

func TestFeedPages(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, connectors.SimulatorOptions{Preset: hub, Dir: dir})
	for range 13 {
		sell(t, s)
	}
	get := func(after string) pageReply {
		t.Helper()
		var p pageReply
		status, answer := ask(t, s, "GET", "/hotels/H1/feed?after="+after, "")
		if err := json.Unmarshal([]byte(answer), &p); err != nil || status != 200 {
			t.Fatalf("%d %s", status, answer)
		}
		return p
	}
	one := get("")
	if len(one.Messages) != 10 || !one.More || one.Next != "10" || one.Messages[0].ID != "m1" {
		t.Errorf("the first page has %d messages, more %t, next %s", len(one.Messages), one.More, one.Next)
	}
	two := get(one.Next)
	if len(two.Messages) != 3 || two.More || two.Next != "13" {
		t.Errorf("the second page has %d messages, more %t, next %s", len(two.Messages), two.More, two.Next)
	}
	if status, _ := ask(t, s, "POST", "/hotels/H1/feed/acknowledge", `{"messages":["m1","m2","m99","x"]}`); status != 200 {
		t.Errorf("acknowledging is answered %d", status)
	}
	closeTest(t, s)
	s = openTest(t, connectors.SimulatorOptions{Preset: hub, Dir: dir})
	defer closeTest(t, s)
	if again := get(""); again.Messages[0].ID != "m3" || again.Messages[0].Reference != "HUB-000003" {
		t.Errorf("after a restart the feed begins with %s", again.Messages[0].ID)
	}
}

// TestPushesUntilAnswered: a message outlives refusals and the process.
func TestPushesUntilAnswered(t *testing.T) {
	got := make(chan bookingMessage, 10)
	refuse := make(chan bool, 10)
	refuse <- true
	refuse <- true
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m bookingMessage
		if err := json.Unmarshal(body, &m); err != nil || len(r.Header.Get("Mock-Signature")) != 64 {
			t.Errorf("pushed is %s, %v", body, err)
		}
		select {
		case <-refuse:
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
		}
		got <- m
	}))
	defer server.Close()
	dir := t.TempDir()
	run := func(messages int) (refs []string) {
		s := openTest(t, connectors.SimulatorOptions{Dir: dir, InboundURL: func() string { return server.URL }})
		defer closeTest(t, s)
		if len(s.Book().Bookings()) == 0 {
			sell(t, s)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		for range messages {
			refs = append(refs, (<-got).Reference)
		}
		stop()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
		return refs
	}
	for _, messages := range []int{1, 2} { // refused; refused, then taken
		for _, ref := range run(messages) {
			if ref != "PUSH-000001" {
				t.Errorf("pushed is %s", ref)
			}
		}
	}
}

func TestMessage(t *testing.T) {
	s := openTest(t, connectors.SimulatorOptions{})
	defer closeTest(t, s)
	m := s.tell("m1", "booked", sell(t, s))
	want := bookedRooms{Room: "DBL", Rate: "BAR", CheckIn: night, CheckOut: night + 2, Adults: 2, Amounts: []string{"189.00", "189.00"}}
	if diff := cmp.Diff([]bookedRooms{want}, m.Rooms); diff != "" || m.Total != "378.00" || m.Currency != "EUR" || m.Guest.LastName != "Hopper" {
		t.Errorf("the message is %+v:\n%s", m, diff)
	}
}

// FuzzUpdate sends anything at all: it is never answered with a fault of the
// simulator's own.
func FuzzUpdate(f *testing.F) {
	f.Add([]byte(`{"updates":[{"room":"DBL","from":"2030-01-01","to":"2030-01-02","available":1}]}`))
	f.Add([]byte(`{"updates":[{"room":"DBL","rate":"BAR","from":"2030-01-01","to":"2030-01-02","prices":[{"guests":2,"amount":"1.00","currency":"EUR"}]}]}`))
	f.Add([]byte(`{"updates":[{"from":"0000-01-01","to":"9999-12-31","lengths":{}}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		s, err := Open(connectors.SimulatorOptions{Preset: pull, Hotel: "H1", Secret: "s"})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		for _, path := range []string{"availability", "rates"} {
			r := httptest.NewRequest(http.MethodPost, "/hotels/H1/"+path, bytes.NewReader(body))
			r.Header.Set("Authorization", "Bearer s")
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != 200 && w.Code != 400 {
				t.Errorf("%q is answered %d", body, w.Code)
			}
		}
	})
}
