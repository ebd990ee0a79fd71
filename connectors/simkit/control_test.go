package simkit

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// far is a simulator whose protocol counts what reaches it.
type far struct {
	book   *Book
	faults *Faults
	url    string
	client *http.Client
	effect atomic.Int64
}

func newFar(t *testing.T) *far {
	t.Helper()
	f := &far{book: open(t, options("", yes)), faults: NewFaults(fixed{noon})}
	limits := NewLimits([]connectors.Bucket{{Operation: "few", N: 3, Per: time.Minute}}, func(r *http.Request) string {
		return strings.TrimPrefix(r.URL.Path, "/")
	}, fixed{noon})
	protocol := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		f.effect.Add(1)
		switch f.faults.OfUpdate() {
		case Reject:
			_, _ = io.WriteString(w, "rejected")
		case Partial:
			_, _ = io.WriteString(w, "partial")
		default:
			_, _ = io.WriteString(w, "done")
		}
	})
	server := httptest.NewServer(Kit{Book: f.book, Faults: f.faults, Limits: limits}.Handler(protocol))
	t.Cleanup(server.Close)
	f.url = server.URL
	f.client = &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return f
}

func (f *far) do(t *testing.T, method, path, body string) (int, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, f.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	return resp.StatusCode, strings.TrimSpace(string(answer)), err
}

func TestControl(t *testing.T) {
	f := newFar(t)
	entry := `"room":"DBL","rate":"BAR","check_in":"2027-03-10","check_out":"2027-03-12","adults":2`
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		answer                   string // "" is not looked at
	}{
		{"a booking", "POST", "/_sim/book", `{` + entry + `,"last_name":"Lovelace"}`, 201, `{"reference":"SIM-000001","status":"confirmed",` + entry + `,"revision":1}`},
		{"the second room", "POST", "/_sim/book", `{` + entry + `}`, 201, ""},
		{"a third of two rooms", "POST", "/_sim/book", `{` + entry + `}`, 409, `{"reason":"no room DBL is left on 2027-03-10: not on sale"}`},
		{"a change", "POST", "/_sim/modify", `{"reference":"SIM-000001","check_in":"2027-03-11"}`, 200, `{"reference":"SIM-000001","status":"confirmed",` + strings.Replace(entry, "03-10", "03-11", 1) + `,"revision":2}`},
		{"a cancellation", "POST", "/_sim/cancel", `{"reference":"SIM-000001"}`, 200, `{"reference":"SIM-000001","status":"cancelled",` + strings.Replace(entry, "03-10", "03-11", 1) + `,"revision":3}`},
		{"one more", "POST", "/_sim/cancel", `{"reference":"SIM-000001"}`, 409, ""},
		{"nobody's", "POST", "/_sim/cancel", `{"reference":"SIM-000042"}`, 404, ""},
		{"a date that does not exist", "POST", "/_sim/book", `{"check_in":"2027-02-30"}`, 400, ""},
		{"a word too many", "POST", "/_sim/book", `{"colour":"red"}`, 400, ""},
		{"a fault that nobody knows", "POST", "/_sim/fault", `{"kind":"earthquake"}`, 400, ""},
		{"a negative count", "POST", "/_sim/fault", `{"kind":"cut","count":-1}`, 400, ""},
		{"a route that does not exist", "GET", "/_sim/nothing", ``, 404, ""},
		{"the protocol", "POST", "/few", ``, 200, "done"},
	} {
		status, answer, err := f.do(t, c.method, c.path, c.body)
		if err != nil || status != c.status || c.answer != "" && answer != c.answer {
			t.Errorf("%s: %d %s %v, want %d %s", c.name, status, answer, err, c.status, c.answer)
		}
	}
	_, answer, err := f.do(t, "GET", "/_sim/state", "")
	if err != nil {
		t.Fatal(err)
	}
	var state State
	if err := json.Unmarshal([]byte(answer), &state); err != nil {
		t.Fatal(err)
	}
	if len(state.Cells) != 10 || len(state.Bookings) != 2 || state.Calls != 1 || state.Waiting != 4 {
		t.Errorf("the state has %d cells, %d bookings, %d calls and %d waiting", len(state.Cells), len(state.Bookings), state.Calls, state.Waiting)
	}
	want := Cell{Room: "DBL", Rate: "BAR", Date: first, Available: 1, Currency: "EUR", Prices: map[int]string{1: "80.00", 2: "100.00"}}
	if diff := cmp.Diff(want, state.Cells[0]); diff != "" {
		t.Errorf("the first cell: -want +got:\n%s", diff)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		kind   FaultKind
		status int // 0: no answer at all
		answer string
		effect int64
	}{
		{Cut, 0, "", 0},
		{LostAnswer, 0, "", 1},
		{TooManyRequests, 429, "too many requests", 0},
		{ServerError, 503, "out of order", 0},
		{BareLimit, 429, "too many requests", 0},
		{AbsurdLimit, 429, "too many requests", 0},
		{ErrorBody, 200, `{"error":"something went wrong"}`, 0},
		{WrongType, 200, "<html><body>Back soon.</body></html>", 0},
		{Redirect, 302, "", 0},
		{EmptyBody, 200, "", 1},
		{Truncated, 200, "do", 1},
		{HugeBody, 200, "", 1},
		{Reject, 200, "rejected", 1},
		{Partial, 200, "partial", 1},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			f := newFar(t)
			if status, _, err := f.do(t, "POST", "/_sim/fault", `{"kind":"`+string(c.kind)+`","count":2}`); err != nil || status != 200 {
				t.Fatalf("planting it: %d %v", status, err)
			}
			for range 2 {
				status, answer, err := f.do(t, "POST", "/call", "{}")
				if status != c.status || answer != c.answer || (err != nil) != (c.status == 0) {
					t.Errorf("a failing call: %d %q %v, want %d %q", status, answer, err, c.status, c.answer)
				}
			}
			if f.effect.Load() != 2*c.effect {
				t.Errorf("two failing calls have %d effects, want %d", f.effect.Load(), 2*c.effect)
			}
			if status, answer, err := f.do(t, "POST", "/call", "{}"); err != nil || status != 200 || answer != "done" {
				t.Errorf("the call after them: %d %q %v", status, answer, err)
			}
		})
	}
}

func TestFaultOfTimeoutHangs(t *testing.T) {
	f := newFar(t)
	if err := f.faults.Plant(Fault{Kind: Timeout}); err != nil {
		t.Fatal(err)
	}
	f.client.Timeout = 50 * time.Millisecond
	if _, _, err := f.do(t, "POST", "/call", "{}"); err == nil || f.effect.Load() != 0 {
		t.Errorf("a hanging call ends with %v after %d effects", err, f.effect.Load())
	}
	if err := f.faults.Plant(Fault{Kind: Timeout}); err != nil {
		t.Fatal(err)
	}
	f.client.Timeout = 0
	go f.faults.Close()
	if _, _, err := f.do(t, "POST", "/call", "{}"); err == nil {
		t.Errorf("a closed simulator lets a hanging call succeed")
	}
}

func TestFaultsEndByTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFaults(hotel.SystemClock{})
		if err := f.Plant(Fault{Kind: ServerError, Seconds: 10}); err != nil {
			t.Fatal(err)
		}
		every := func(FaultKind) bool { return true }
		for range 5 {
			if _, fails := f.take(every); !fails {
				t.Errorf("a fault of ten seconds ends early")
			}
			time.Sleep(2 * time.Second)
		}
		if _, fails := f.take(every); fails {
			t.Errorf("a fault of ten seconds does not end")
		}
	})
}

func TestLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLimits([]connectors.Bucket{{Operation: "few", N: 3, Per: time.Minute}}, nil, hotel.SystemClock{})
		passes := func(want int) {
			t.Helper()
			got := 0
			for range 5 {
				if l.wait("few") == 0 {
					got++
				}
				if l.wait("other") != 0 {
					t.Errorf("a call that no bucket counts is refused")
				}
			}
			if got != want {
				t.Errorf("%d of 5 calls pass, want %d", got, want)
			}
		}
		passes(3)
		time.Sleep(30 * time.Second)
		passes(0)
		if wait := l.wait("few"); wait != 28*time.Second {
			t.Errorf("the next call may come in %s, want 28s", wait)
		}
		time.Sleep(28 * time.Second)
		passes(3)
		if l.Refused() != 5+1+2+2 {
			t.Errorf("%d calls were refused", l.Refused())
		}
	})
}

// TestGuestsBuyOnlyWhatIsOnSale lets guests act for half a day: they sell the
// house without ever overselling it, and do every kind of thing.
func TestGuestsBuyOnlyWhatIsOnSale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := hotel.DateIn(time.Now(), time.UTC)
		o := options("", yes)
		o.Clock, o.Opening = hotel.SystemClock{}, onSale(from, 60, 2)
		b := open(t, o)
		done := make(chan error, 1)
		ctx, stop := context.WithCancel(t.Context())
		go func() { done <- Guests{Book: b, Pace: 2 * time.Minute, Seed: 7, Log: zap.NewNop()}.Run(ctx) }()
		time.Sleep(12 * time.Hour)
		stop()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		sold := map[hotel.Date]int{}
		kinds := map[connectors.EventKind]int{}
		for _, booking := range b.Bookings() {
			for night := booking.CheckIn; booking.Status == Confirmed && night < booking.CheckOut; night++ {
				sold[night]++
			}
		}
		for _, e := range b.Events(0, 10000) {
			kinds[e.Kind]++
			if e.Booking.CheckOut > from+60 {
				t.Errorf("a night is sold that was never opened")
			}
		}
		for night := from; night < from+60; night++ {
			shown, _ := b.Shown(change(hotel.Availability, 0, night, hotel.Offer{}).Key)
			if shown.Available < 0 || shown.Available+sold[night] != 2 {
				t.Errorf("on %s %d rooms are sold and %d shown, of 2", night, sold[night], shown.Available)
			}
		}
		if kinds[connectors.Booked] < 50 || kinds[connectors.Modified] < 5 || kinds[connectors.Cancelled] < 5 {
			t.Errorf("the guests did %v", kinds)
		}
	})
}

func TestGuestsStandStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, options("", yes))
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- Guests{Book: b, Log: zap.NewNop()}.Run(ctx) }()
		time.Sleep(time.Hour)
		stop()
		if err := <-done; err != nil || len(b.Bookings()) != 0 {
			t.Errorf("%d bookings, %v", len(b.Bookings()), err)
		}
	})
}
