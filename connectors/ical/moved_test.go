package ical

import (
	"strings"
	"testing"
)

// A line of the settings that is taken out, moved or given another room takes its stays
// with it, and no other's.
func TestStaysGoWithTheirCalendar(t *testing.T) {
	const d1, d2, d3 = "https://site.example/d1?s=hush", "https://site.example/d2?s=hush", "https://site.example/d3?s=hush"
	for name, c := range map[string]struct{ calendars, says, want string }{
		"the first is taken out":     {"double " + d2, "b 9-12 Reserved", "b modified double 01-09..01-12"},
		"the second is taken out":    {"double " + d1, "b 9-12 Reserved", ""},
		"both change places":         {"double " + d2 + "\ndouble " + d1, "b 9-12 Reserved", "b modified double 01-09..01-12"},
		"one is added before":        {"double " + d3 + "\ndouble " + d1 + "\ndouble " + d2, "b 9-12 Reserved", "b modified double 01-09..01-12"},
		"the second is another room": {"double " + d1 + "\nhut " + d2, "b 9-11 Reserved", "b modified hut 01-09..01-11"},
		"the first is read no more":  {"double -\ndouble " + d2, "b 9-12 Reserved", "b modified double 01-09..01-12"},
		"an address is given anew":   {"double " + d1 + "\ndouble " + d2 + "&t=2", "b 9-12 Reserved", "b modified double 01-09..01-12"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := settings()
			cfg.Calendars = "double " + d1 + "\ndouble " + d2
			h := newHouse(t, "ch_1", cfg)
			h.bodies["/d1"], h.bodies["/d2"], h.bodies["/d3"] = ics("a 5-8 Reserved"), ics("b 9-11 Reserved"), ics()
			if said, err := h.polls(t); err != nil || len(said) != 2 {
				t.Fatalf("told %v and %v", said, err)
			}
			cfg.Calendars = c.calendars
			h.open(t, "ch_1", cfg, h.shelf)
			h.bodies["/d2"] = ics(c.says)
			var all []string
			for range 3 {
				said, err := h.polls(t)
				if err != nil {
					t.Error(err)
				}
				all = append(all, said...)
			}
			if got := strings.Join(all, ", "); got != c.want {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}

// A calendar that was taken out knows its stays when it comes back, and another that
// has had its place meanwhile touches none of them.
func TestStaysWaitForTheirCalendar(t *testing.T) {
	const first, second, other = "double https://site.example/d1\n", "double https://site.example/d2\n", "double https://site.example/d3\n"
	cfg := settings()
	cfg.Calendars = first + second
	h := newHouse(t, "ch_1", cfg)
	h.bodies["/d1"], h.bodies["/d2"], h.bodies["/d3"] = ics("a 5-8 Reserved"), ics("b 9-11 Reserved"), ics("c 9-11 Reserved")
	for _, step := range []struct{ calendars, says, want string }{
		{first + second, "b 9-11 Reserved", "a booked double 01-05..01-08, b booked double 01-09..01-11"},
		{first, "b 9-11 Reserved", ""},
		{first + other, "b 9-11 Reserved", "c booked double 01-09..01-11"},
		{first + second + other, "b 9-12 Reserved", "b modified double 01-09..01-12"},
	} {
		cfg.Calendars, h.bodies["/d2"] = step.calendars, ics(step.says)
		h.open(t, "ch_1", cfg, h.shelf)
		said, err := h.polls(t)
		if got := strings.Join(said, ", "); err != nil || got != step.want {
			t.Errorf("told %q and %v, want %q", got, err, step.want)
		}
	}
}
