package ical

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/transport"
	"ostler.example/hotel"
)

// one is a channel with a single calendar.
func one(t *testing.T) *house {
	t.Helper()
	c := settings()
	c.Calendars = "double https://site.example/secret/d1?s=hush"
	return newHouse(t, "ch_1", c)
}

func TestReadingIsPolite(t *testing.T) {
	h := one(t)
	h.tags, h.header = true, http.Header{"Last-Modified": {"Fri, 01 Jan 2027 00:00:00 GMT"}}
	h.bodies["/secret/d1"] = ics("a 5-8 Reserved")
	poll := func(after time.Duration) error {
		h.clock.now = h.clock.now.Add(after - 20*time.Minute)
		_, err := h.polls(t)
		return err
	}
	asks := func(what string, after time.Duration, want int) {
		t.Helper()
		before := len(h.asked)
		err := poll(after)
		if n := len(h.asked) - before; n != want {
			t.Errorf("%s: asked %d times, want %d; %v", what, n, want, err)
		}
	}
	asks("the first time", 20*time.Minute, 1)
	asks("soon after", time.Minute, 0)
	asks("when it is due", 17*time.Minute, 1)
	last := h.asked[len(h.asked)-1]
	if last.Header.Get("If-None-Match") == "" || last.Header.Get("If-Modified-Since") == "" || last.Header.Get("User-Agent") == "" {
		t.Errorf("asked with %v", last.Header)
	}
	h.status = http.StatusServiceUnavailable
	asks("when it fails", 20*time.Minute, 1)
	asks("before twice the time", 25*time.Minute, 0)
	asks("after twice the time", 10*time.Minute, 1)
	asks("before four times the time", 50*time.Minute, 0)
	h.status, h.header = http.StatusTooManyRequests, http.Header{"Retry-After": {"3500"}}
	asks("after four times the time", 15*time.Minute, 1)
	h.status = 0
	asks("after eight times the time", 2*time.Hour+time.Minute, 1)
	asks("when it is well again", 20*time.Minute, 1)
}

// Calendars that are read together once are so no more soon after: each reading is sooner or
// later than the settings say, by up to a tenth.
func TestReadingsAreSpread(t *testing.T) {
	h := one(t)
	every := time.Duration(h.cfg.Every)
	soon, late := every, every
	for i := range 500 {
		wait := h.pause(listing{room: "double", number: 1 + i%5}, h.clock.now.Add(time.Duration(i)*every))
		soon, late = min(soon, wait), max(late, wait)
	}
	if tenth := every / 10; soon < every-tenth || soon > every-tenth*9/10 || late > every+tenth || late < every+tenth*9/10 {
		t.Errorf("of every %s it is read after %s to %s", every, soon, late)
	}
}

// A calendar that cannot be read is told of each time, and holds up nothing else: no
// wait is asked of the account, and nothing is counted against it unless the site was
// asked.
func TestReadingThatFails(t *testing.T) {
	h := one(t)
	for name, c := range map[string]struct {
		status int
		header http.Header
		words  string
	}{
		"gone":     {status: http.StatusNotFound, words: "the site answered 404 Not Found"},
		"refused":  {status: http.StatusForbidden, words: "the site refuses the address"},
		"too much": {status: http.StatusTooManyRequests, header: http.Header{"Retry-After": {"60"}}, words: "read too often"},
		"a loop":   {status: http.StatusFound, header: http.Header{"Location": {"/secret/d1?s=hush"}}, words: "sent elsewhere too often"},
		"inside":   {status: http.StatusFound, header: http.Header{"Location": {"http://10.0.0.1/hush"}}, words: "not safe to follow"},
		"bare":     {status: http.StatusFound, header: http.Header{"Location": {"https://intranet/hush"}}, words: "not safe to follow"},
	} {
		h.status, h.header = c.status, c.header
		h.clock.now = h.clock.now.Add(8 * time.Hour)
		_, err := h.polls(t)
		e := connectors.AsError(err)
		if err == nil || e.Kind != connectors.Temporary || e.RetryAfter != 0 || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: the error is %v of kind %s with a wait of %s, want %q", name, err, e.Kind, e.RetryAfter, c.words)
		}
		h.clock.now = h.clock.now.Add(-19 * time.Minute)
		_, again := h.polls(t)
		if e := connectors.AsError(again); again == nil || e.Kind != connectors.Invalid || e.Effect != connectors.NotSent || !strings.Contains(again.Error(), c.words) {
			t.Errorf("%s: before it is tried again the error is %v of kind %s", name, again, e.Kind)
		}
		for _, err := range []error{err, again} {
			for cause := err; cause != nil; cause = errors.Unwrap(cause) {
				if strings.Contains(cause.Error(), "hush") || strings.Contains(cause.Error(), "/secret") {
					t.Errorf("%s: the error tells the address: %v", name, cause)
				}
			}
		}
	}
}

// What is known of a calendar says nothing of another address, of other settings or
// of other echoes: then it is read whole, and at once where it is another.
func TestReadingIsOfAnAddressAndSettings(t *testing.T) {
	for name, change := range map[string]func(h *house, c *Config){
		"another address": func(_ *house, c *Config) { c.Calendars += "?x" },
		"what is unclear": func(_ *house, c *Config) { c.Unclear = AsBlock },
		"what a block is": func(_ *house, c *Config) { c.Blocks = Ignored },
		"another zone":    func(_ *house, c *Config) { c.TimeZone = "Europe/Paris" },
		"other nights were shown": func(h *house, _ *Config) {
			h.clock.now = h.clock.now.Add(time.Hour)
			h.tells(t, day(5), day(6), 0)
			h.visit()
		},
		"nothing": func(h *house, _ *Config) { h.clock.now = h.clock.now.Add(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			c := settings()
			c.Calendars, c.Blocks = "double https://site.example/d1", Held
			h := newHouse(t, "ch_1", c)
			h.tags, h.bodies["/d1"] = true, ics()
			h.tells(t, day(1), day(20), 1)
			h.visits("GET", "/"+testKey+"/double-1.ics")
			if _, err := h.polls(t); err != nil {
				t.Fatal(err)
			}
			h.clock.now = h.clock.now.Add(-19 * time.Minute) // when nothing is due
			change(h, &c)
			h.open(t, "ch_1", c, h.shelf)
			if _, err := h.polls(t); err != nil || len(h.asked) != 2 {
				t.Fatalf("asked %d times, %v", len(h.asked), err)
			}
			if asked := h.asked[1].Header.Get("If-None-Match"); (asked == "") != (name != "nothing") {
				t.Errorf("asked for what is not %q", asked)
			}
		})
	}
}

// A calendar that is not believed is read again when its time has come, also where
// its words are wanted.
func TestReadingTwiceTakesTime(t *testing.T) {
	h := one(t)
	h.bodies["/secret/d1"] = ics("a 5-8 Reserved")
	if _, err := h.polls(t); err != nil {
		t.Fatal(err)
	}
	h.bodies["/secret/d1"] = ics()
	h.cursor = ""
	h.open(t, "ch_1", h.cfg, h.shelf)
	_, _ = h.polls(t)
	h.clock.now = h.clock.now.Add(-19 * time.Minute)
	if said, err := h.polls(t); err == nil || len(said) > 0 || len(h.asked) != 2 {
		t.Errorf("asked %d times, told %v and %v", len(h.asked), said, err)
	}
}

// A reading that came to nothing leaves no tag, by which the next would be as before.
func TestReadingThatIsNotUsed(t *testing.T) {
	h := one(t)
	h.tags, h.bodies["/secret/d1"] = true, ics("a 5-8 Reserved")
	shelf := h.shelf.(*memory)
	shelf.kept[visitName+"double-1"] = []byte("broken")
	if _, err := h.polls(t); err == nil {
		t.Errorf("nothing is said of a shelf that cannot be read")
	}
	delete(shelf.kept, visitName+"double-1")
	if said, err := h.polls(t); err != nil || len(said) != 1 {
		t.Errorf("told %v and %v", said, err)
	}
}

// A site may send us on to where its calendar lies now.
func TestReadingFollows(t *testing.T) {
	h := one(t)
	h.bodies["/moved/d1"] = ics("a 5-8 Reserved")
	moves := http.Header{"Location": {"https://files.example/moved/d1"}}
	h.call.Client.Transport = route(func(r *http.Request) (*http.Response, error) {
		h.status, h.header = 0, nil
		if strings.HasPrefix(r.URL.Path, "/secret/") {
			h.status, h.header = http.StatusMovedPermanently, moves
		}
		return h.RoundTrip(r)
	})
	if said, err := h.polls(t); err != nil || len(said) != 1 {
		t.Errorf("told %v and %v", said, err)
	}
}

// route is a way to the site.
type route func(*http.Request) (*http.Response, error)

// RoundTrip implements [http.RoundTripper].
func (r route) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }

// A calendar inside the house is read only where the operator says so, whatever channels
// are made.
func TestHouseIsNotRead(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, ics()) }))
	defer server.Close()
	for _, allowed := range [][]string{nil, {"127.0.0.0/8"}} {
		c := settings()
		c.Calendars, c.AllowCIDRs = "double "+server.URL+"/c.ics\n", allowed
		opened, err := open(t.Context(), c, connectors.Env{
			Client: transport.New(transport.Options{}), Log: zap.NewNop(), Clock: hotel.SystemClock{}, Shelf: &memory{kept: map[string][]byte{}},
		})
		if err != nil {
			t.Fatal(err)
		}
		_, err = opened.(*conn).Poll(t.Context(), "", &taken{})
		if refused := err != nil && strings.Contains(err.Error(), "connectors.ical.allow_cidrs"); refused == (allowed != nil) {
			t.Errorf("with %v allowed: %v", allowed, err)
		}
	}
	driver, _ := connectors.Lookup("ical")
	if _, err := driver.Configure(nil, []byte(`{"allow_cidrs":["0.0.0.0/0"]}`)); err == nil || !strings.Contains(err.Error(), "allow_cidrs") {
		t.Errorf("a channel allows itself the house: %v", err)
	}
	if _, err := driver.Configure(map[string]any{"allow_cidrs": []string{"house"}}, nil); err == nil || !strings.Contains(err.Error(), "expected a network") {
		t.Errorf("a network that is none: %v", err)
	}
}
