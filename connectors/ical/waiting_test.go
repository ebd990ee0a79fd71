package ical

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ostler.example/connectors"
)

// What was seen before anything was taken, and cannot be read any more, holds up no
// booking: it is told without its words where they cannot come, and waits alone
// where they can.
func TestNothingWaitsBehindWhatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		change func(h *house, cfg *Config)
		want   string
		fails  bool
	}{
		"a stay that is over": {
			change: func(h *house, _ *Config) { h.bodies["/d1"], h.clock.now = ics(), day(6).Time() },
			want:   "a booked double 01-02..01-05, b booked double 01-09..01-12 Bob",
		},
		"a listing without an address": {
			change: func(_ *house, cfg *Config) {
				cfg.Calendars = "double -\ndouble https://site.example/d2\nsuite -\n"
			},
			want: "a booked double 01-02..01-05, b booked double 01-09..01-12 Bob",
		},
		"a listing that is in the settings no more": {
			change: func(h *house, cfg *Config) {
				h.bodies["/d1"], cfg.Calendars = h.bodies["/d2"], "suite -\nhut https://site.example/d1\n"
			},
			want: "a booked double 01-02..01-05, b booked hut 01-09..01-12 Bob",
		},
		"a listing that fails": {
			change: func(h *house, _ *Config) { h.bodies["/d1"] = "<html>" },
			want:   "b booked double 01-09..01-12 Bob",
			fails:  true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := settings()
			h := newHouse(t, "ch_1", cfg)
			h.bodies["/d1"], h.bodies["/d2"] = ics("a 2-5 Reserved - Ann"), ics()
			if _, err := h.polls(t); err != nil {
				t.Fatal(err)
			}
			h.cursor, h.known = "", map[string]bool{} // nothing was taken
			h.bodies["/d2"] = ics("b 9-12 Reserved - Bob")
			c.change(h, &cfg)
			h.open(t, "ch_1", cfg, h.shelf)
			said, err := h.polls(t)
			if got := strings.Join(said, ", "); got != c.want || (err != nil) != c.fails {
				t.Errorf("told %s and %v, want %s", got, err, c.want)
			}
			if c.fails != (h.cursor == "") {
				t.Errorf("the cursor is %q", h.cursor)
			}
		})
	}
}

// A calendar that never answers takes the time of one reading, and from then on
// holds up no other.
func TestACalendarThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, "ch_1", settings())
		h.bodies["/d2"] = ics("b 9-12 Reserved")
		h.call.Client.Transport = route(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/d1" {
				<-r.Context().Done()
				return nil, r.Context().Err()
			}
			return h.RoundTrip(r)
		})
		var told []string
		for range 2 {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			var k taken
			if _, err := h.Poll(ctx, "", &k); err == nil || !strings.Contains(err.Error(), "double-1: no answer in time") || ctx.Err() != nil {
				t.Errorf("the error is %v", err)
			}
			cancel()
			for _, m := range k.messages {
				told = append(told, m.Booking.Rooms[0].Stay.CheckIn.String())
			}
		}
		if strings.Join(told, " ") != "2027-01-09" {
			t.Errorf("told %v, want the other calendar's booking", told)
		}
	})
}

// A site may take as long as the settings say: that long a pull is given, and the rest
// of its time is for what was read.
func TestASlowSiteIsReadInTheTimeOfTheSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, "ch_1", settings())
		h.call.Client.Transport = route(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(time.Duration(h.cfg.Timeout) - time.Second):
				h.bodies[r.URL.Path] = ics("a 5-8 Reserved")
				return h.RoundTrip(r)
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), capabilities(h.cfg, connectors.Discovered{}).PullTime)
		defer cancel()
		var k taken
		if _, err := h.Poll(ctx, "", &k); err != nil || len(k.messages) != 1 {
			t.Errorf("told %d messages and %v, want those of the first calendar", len(k.messages), err)
		}
	})
}

// Calendars that take more time than one reading has are read in turn, and none of
// them fails.
func TestManySlowCalendars(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := settings()
		cfg.Calendars, cfg.Every = "", 0 // all are due at any time
		for n := range 50 {
			cfg.Calendars += fmt.Sprintf("double https://site.example/%d\n", n)
		}
		h := newHouse(t, "ch_1", cfg)
		asked := map[string]bool{}
		h.call.Client.Transport = route(func(r *http.Request) (*http.Response, error) {
			select {
			case <-time.After(260 * time.Millisecond):
				asked[r.URL.Path], h.bodies[r.URL.Path] = true, ics()
				return h.RoundTrip(r)
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		})
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			var k taken
			if _, err := h.Poll(ctx, "", &k); err != nil {
				t.Error(err)
			}
			cancel()
		}
		if len(asked) != 50 {
			t.Errorf("%d of 50 calendars were read", len(asked))
		}
	})
}

// Whoever waits while calendars are read gives up when its time is over.
func TestNobodyWaitsForAReadingForEver(t *testing.T) {
	h := newHouse(t, "ch_1", settings())
	h.reading <- struct{}{} // somebody reads, and does not end
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := h.Poll(ctx, "", &taken{}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	<-h.reading
}
