package ical

import (
	"strings"
	"testing"
	"time"
)

// visit has the site read the first listing's calendar.
func (h *house) visit() { h.visits("GET", "/"+testKey+"/double-1.ics") }

// What the site has read of us and shows as its own is nobody's stay; everything else
// is somebody's, also on nights that are taken already.
func TestEchoes(t *testing.T) {
	const closed = "CLOSED - Not available"
	for name, c := range map[string]struct {
		set  func(*Config)
		do   func(t *testing.T, h *house)
		want string
	}{
		"what it has read comes back as a block": {
			do: func(_ *testing.T, h *house) { h.visit(); h.bodies["/d1"] = ics("x 5-7 Airbnb (Not available)") },
		},
		"what it has read comes back as it writes everything": {
			do:   func(_ *testing.T, h *house) { h.visit(); h.bodies["/d1"] = ics("x 5-7 "+closed, "y 12-13 Team outing") },
			want: "y booked double 01-12..01-13",
		},
		"it has read nothing": {
			do:   func(_ *testing.T, h *house) { h.bodies["/d1"] = ics("x 5-7 " + closed) },
			want: "x booked double 01-05..01-07",
		},
		"it has not read that": {
			do: func(t *testing.T, h *house) {
				h.visit()
				h.tells(t, day(9), day(10), 0)
				h.bodies["/d1"] = ics("x 9-11 " + closed)
			},
			want: "x booked double 01-09..01-11",
		},
		"other nights than it has read": {
			set:  func(c *Config) { c.Unclear = AsBlock },
			do:   func(_ *testing.T, h *house) { h.visit(); h.bodies["/d1"] = ics("x 4-8 "+closed, "y 5-6 Blocked") },
			want: "x booked double 01-04..01-08 Blocked at pretend",
		},
		"a guest of the site's on nights that it has read": {
			do: func(_ *testing.T, h *house) {
				h.visit()
				h.bodies["/d1"] = ics("x 5-7 Reserved", "y 5-7 Busy@HMAAAA1111")
			},
			want: "x booked double 01-05..01-07, HMAAAA1111 booked double 01-05..01-07",
		},
		"a stay that was known before it read": {
			do: func(t *testing.T, h *house) {
				h.bodies["/d1"] = ics("x 5-7 " + closed)
				if _, err := h.polls(t); err != nil {
					t.Fatal(err)
				}
				h.visit()
				h.bodies["/d1"] = ics("z 5-7 "+closed, "echo 5-7 "+closed) // and UIDs are given anew
			},
		},
		"freed, read, and still shown for a while": {
			do: func(t *testing.T, h *house) {
				h.visit()
				h.tells(t, day(5), day(6), 2)
				h.clock.now = h.clock.now.Add(time.Minute)
				h.visit()
				h.bodies["/d1"] = ics("x 5-7 " + closed)
			},
		},
		"freed, read, and shown later": {
			do: func(t *testing.T, h *house) {
				h.visit()
				h.tells(t, day(5), day(6), 2)
				h.clock.now = h.clock.now.Add(time.Minute)
				h.visit()
				h.bodies["/d1"] = ics("x 5-7 " + closed)
				if said, err := h.polls(t); err != nil || len(said) > 0 {
					t.Fatalf("told %v and %v", said, err)
				}
				h.clock.now = h.clock.now.Add(lag)
			},
			want: "x booked double 01-05..01-07",
		},
		"what it has read, without the nights that are over": {
			do: func(_ *testing.T, h *house) {
				h.visit()
				h.clock.now = day(6).Time().Add(9 * time.Hour)
				h.bodies["/d1"] = ics("x 6-7 " + closed)
			},
		},
		"what it has read, as far as it shows nights": {
			do: func(t *testing.T, h *house) {
				h.tells(t, day(200), day(700), 0)
				h.visit()
				h.bodies["/d1"] = ics("x 200-400 "+closed, "y 200-300 "+closed)
			},
			want: "y booked double 07-19..10-27",
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := settings()
			if c.set != nil {
				c.set(&cfg)
			}
			h := newHouse(t, "ch_1", cfg)
			h.bodies["/d1"], h.bodies["/d2"] = ics(), ics()
			h.tells(t, day(1), day(1)+horizon, 2)
			h.tells(t, day(5), day(6), 0)
			c.do(t, h)
			said, err := h.polls(t)
			if got := strings.Join(said, ", "); err != nil || got != c.want {
				t.Errorf("told %q and %v, want %q", got, err, c.want)
			}
		})
	}
}

// What another channel of the same installation has published, and a third site passes on
// under its UID, is an echo as well; what another installation publishes is not.
func TestEchoesThroughAThirdSite(t *testing.T) {
	named := func(channel, installation string) *house {
		h := newHouse(t, channel, settings())
		h.installation = installation
		h.open(t, channel, h.cfg, h.shelf)
		return h
	}
	a := named("ch_a", "led_1")
	a.tells(t, day(5), day(6), 0)
	text := a.visits("GET", "/"+testKey+"/double-1.ics").body
	for installation, want := range map[string]bool{"led_1": false, "led_2": true} {
		h := named("ch_b", installation)
		h.bodies["/d1"], h.bodies["/d2"] = text, ics()
		if said, err := h.polls(t); err != nil || (len(said) > 0) != want {
			t.Errorf("at %s told %v and %v", installation, said, err)
		}
	}
}

// What comes back does not stay when what it came from has gone, though the site tells
// nothing apart.
func TestEchoesEnd(t *testing.T) {
	h := newHouse(t, "ch_1", settings())
	h.bodies["/d1"], h.bodies["/d2"] = ics(), ics()
	h.tells(t, day(1), day(20), 2)
	h.tells(t, day(5), day(6), 1) // somebody has the second
	h.visits("GET", "/"+testKey+"/double-2.ics")
	h.bodies["/d2"] = ics("x 5-7 Busy")
	if said, err := h.polls(t); err != nil || len(said) > 0 {
		t.Errorf("told %v and %v", said, err)
	}
	people := h.visits("GET", "/"+testKey+"/").body
	if !strings.Contains(people, "what it shows from 2027-01-05 to 2027-01-07 it has from us") {
		t.Errorf("people are told %s", people)
	}
	h.tells(t, day(5), day(6), 2)
	if text := h.visits("GET", "/"+testKey+"/double-2.ics").body; strings.Contains(text, "20270105") {
		t.Errorf("nobody has it, and it is published as taken:\n%s", text)
	}
	h.bodies["/d2"] = ics()
	if said, err := h.polls(t); err != nil || len(said) > 0 {
		t.Errorf("told %v and %v", said, err)
	}
}
