package ical

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// step is what the site's calendars say at a time, and what is made of it. An error
// is looked for by its words.
type step struct {
	says  string
	other string // the second listing's; "": an empty calendar
	day   int    // of January; 0: the day before goes on
	want  string // messages, with a comma between them
	err   string
}

func TestPollTellsWhatHasChanged(t *testing.T) {
	for name, c := range map[string]struct {
		set   func(*Config)
		steps []step
	}{
		"booked, and nothing again": {steps: []step{
			{says: ics("a 5-8 Reserved - Ann"), want: "a booked double 01-05..01-08 Ann"},
			{says: ics("a 5-8 Reserved - Ann")},
		}},
		"other dates under one UID": {steps: []step{
			{says: ics("a 5-8 Reserved"), want: "a booked double 01-05..01-08"},
			{says: ics("a 6-9 Reserved"), want: "a modified double 01-06..01-09"},
		}},
		"gone, and there again": {steps: []step{
			{says: ics("a 5-8 Reserved", "b 8-9 Reserved"), want: "a booked double 01-05..01-08, b booked double 01-08..01-09"},
			{says: ics("b 8-9 Reserved"), want: "a cancelled double 01-05..01-08"},
			{says: ics("a 5-8 Reserved", "b 8-9 Reserved"), want: "a modified double 01-05..01-08"},
		}},
		"the site's number holds whatever the UID and the dates": {steps: []step{
			{says: ics("a 5-8 Reserved@HMAAAA1111"), want: "HMAAAA1111 booked double 01-05..01-08"},
			{says: ics("z 5-9 Reserved@HMAAAA1111"), want: "HMAAAA1111 modified double 01-05..01-09"},
		}},
		"another guest on the same nights": {steps: []step{
			{says: ics("a 5-8 Reserved@HMAAAA1111"), want: "HMAAAA1111 booked double 01-05..01-08"},
			{says: ics("a 5-8 Reserved@HMBBBB2222"), want: "HMAAAA1111 cancelled double 01-05..01-08, HMBBBB2222 booked double 01-05..01-08"},
		}},
		"moved to the other listing": {steps: []step{
			{says: ics("a 5-8 Reserved@HMAAAA1111"), want: "HMAAAA1111 booked double 01-05..01-08"},
			{says: ics("b 9-10 Reserved"), other: ics("a 5-8 Reserved@HMAAAA1111"), want: "b booked double 01-09..01-10, HMAAAA1111 modified double 01-05..01-08"},
		}},
		"UIDs given anew": {steps: []step{
			{says: ics("a 5-8 Reserved", "b 8-9 Reserved"), want: "a booked double 01-05..01-08, b booked double 01-08..01-09"},
			{says: ics("c 5-8 Reserved", "d 8-9 Reserved")},
			{says: ics("e 5-8 Reserved", "f 8-10 Reserved"), want: "b cancelled double 01-08..01-09, f booked double 01-08..01-10"},
		}},
		"a freed night is sold again while the first guest moves": {steps: []step{
			{says: ics("a 5-8 Reserved"), want: "a booked double 01-05..01-08"},
			{says: ics("a 12-14 Reserved", "b 5-8 Reserved"), want: "b booked double 01-05..01-08, a modified double 01-12..01-14"},
		}},
		"one UID on two stays": {steps: []step{
			{says: ics("a 5-8 Reserved", "a 10-12 Reserved"), want: "a booked double 01-05..01-08, a/2027-01-10 booked double 01-10..01-12"},
			{says: ics("a 10-12 Reserved"), want: "a cancelled double 01-05..01-08"},
		}},
		"one UID for the next stay while the one before is not forgotten": {steps: []step{
			{says: ics("a 2-4 Reserved"), want: "a booked double 01-02..01-04"},
			{says: ics("a 8-9 Reserved"), day: 5, want: "a/2027-01-08 booked double 01-08..01-09"},
		}},
		"one UID for the next stay when it is forgotten": {steps: []step{
			{says: ics("a 2-4 Reserved"), want: "a booked double 01-02..01-04"},
			{says: ics(), day: 35},
			{says: ics("a 40-42 Reserved"), day: 36, want: "a/2027-02-09 booked double 02-09..02-11"},
		}},
		"an event that cannot be read stays as it was": {steps: []step{
			{says: ics("a 5-8 Reserved", "b 8-9 Reserved@HMAAAA1111", "c 9-10 Reserved", "d 20-21 Reserved"), want: "a booked double 01-05..01-08, HMAAAA1111 booked double 01-08..01-09, c booked double 01-09..01-10, d booked double 01-20..01-21"},
			{says: strings.NewReplacer("DTEND;VALUE=DATE:20270108", "DTEND;VALUE=DATE", "20270108", "2027018", "UID:b", "UID:z").Replace(ics("a 5-8 Reserved", "b 8-9 Reserved@HMAAAA1111", "d 20-21 Reserved")), want: `c cancelled double 01-09..01-10, unread: an event in the calendar of double-1 cannot be read: its DTEND cannot be read, unread: an event in the calendar of double-1 cannot be read: "2027018" is no date`},
			{says: ics("b 8-9 Reserved@HMAAAA1111", "d 20-21 Reserved"), want: "a cancelled double 01-05..01-08"},
		}},
		"a time of check-in is added to its date": {steps: []step{
			{says: ics("a 5-8 Reserved"), want: "a booked double 01-05..01-08"},
			{says: strings.Replace(ics("a 5-8 Reserved"), "DTSTART;VALUE=DATE:20270105", "DTSTART:20270105T140000Z", 1)},
		}},
		"an event that cannot be read stands for none of those without UIDs but its own": {steps: []step{
			{says: strings.ReplaceAll(ics("a 5-8 Reserved", "b 8-9 Reserved", "d 20-21 Reserved"), "UID:", "X-ID:"), want: "double-1/2027-01-05 booked double 01-05..01-08, double-1/2027-01-08 booked double 01-08..01-09, double-1/2027-01-20 booked double 01-20..01-21"},
			{says: strings.NewReplacer("UID:", "X-ID:", "DTEND;VALUE=DATE:20270108", "DTEND:soon").Replace(ics("a 5-8 Reserved", "d 20-21 Reserved")), want: "double-1/2027-01-08 cancelled double 01-08..01-09, unread: an event in the calendar of double-1 cannot be read: \"soon\" is no date"},
		}},
		"a calendar of blocks alone is believed the second time": {set: func(c *Config) { c.Blocks = Held }, steps: []step{
			{says: ics("a 5-8 Reserved", "x 1-3 Blocked"), want: "a booked double 01-05..01-08, x booked double 01-01..01-03 Blocked at pretend"},
			{says: ics("x 1-3 Blocked"), err: "1 of 2 stays are not in it any more"},
			{says: ics("x 1-3 Blocked"), want: "a cancelled double 01-05..01-08"},
		}},
		"most of a calendar gone that gives UIDs anew is believed the second time": {steps: []step{
			{says: ics("a 5-6 Reserved", "b 6-7 Reserved", "c 7-8 Reserved", "d 8-9 Reserved"), want: "a booked double 01-05..01-06, b booked double 01-06..01-07, c booked double 01-07..01-08, d booked double 01-08..01-09"},
			{says: ics("e 8-9 Reserved"), err: "3 of 4 stays are not in it any more"},
			{says: ics("f 8-9 Reserved"), want: "a cancelled double 01-05..01-06, b cancelled double 01-06..01-07, c cancelled double 01-07..01-08"},
		}},
		"two on the same nights are two": {steps: []step{
			{says: ics("a 5-8 Reserved", "b 6-7 Reserved"), want: "a booked double 01-05..01-08, b booked double 01-06..01-07"},
		}},
		"what is over vanishes unsaid": {steps: []step{
			{says: ics("a 2-4 Reserved", "b 8-9 Reserved"), want: "a booked double 01-02..01-04, b booked double 01-08..01-09"},
			{says: ics("b 8-9 Reserved"), day: 4},
		}},
		"who is in the house and vanishes has gone": {steps: []step{
			{says: ics("a 2-4 Reserved", "b 8-9 Reserved"), want: "a booked double 01-02..01-04, b booked double 01-08..01-09"},
			{says: ics("b 8-9 Reserved"), day: 3, want: "a cancelled double 01-02..01-04"},
		}},
		"an empty calendar is believed the second time": {steps: []step{
			{says: ics("a 5-8 Reserved"), want: "a booked double 01-05..01-08"},
			{says: ics(), err: "1 of 1 stays are not in it any more"},
			{says: ics(), want: "a cancelled double 01-05..01-08"},
		}},
		"an empty calendar for once is not": {steps: []step{
			{says: ics("a 5-8 Reserved"), want: "a booked double 01-05..01-08"},
			{says: ics(), err: "1 of 1 stays are not in it any more"},
			{says: ics("a 5-8 Reserved")},
			{says: ics(), err: "1 of 1 stays are not in it any more"},
		}},
		"most of a calendar gone is doubted, what is new in it is not": {steps: []step{
			{says: ics("a 5-6 Reserved", "b 6-7 Reserved", "c 7-8 Reserved", "d 8-9 Reserved"), want: "a booked double 01-05..01-06, b booked double 01-06..01-07, c booked double 01-07..01-08, d booked double 01-08..01-09"},
			{says: ics("d 8-9 Reserved", "e 20-22 Reserved"), want: "e booked double 01-20..01-22", err: "3 of 4 stays are not in it any more"},
			{says: ics("d 8-9 Reserved", "e 20-22 Reserved"), want: "a cancelled double 01-05..01-06, b cancelled double 01-06..01-07, c cancelled double 01-07..01-08"},
		}},
		"a page, a cut body and nothing change nothing": {steps: []step{
			{says: ics("a 5-8 Reserved"), want: "a booked double 01-05..01-08"},
			{says: "<html>Log in</html>", err: "it is no calendar"},
			{says: strings.TrimSuffix(ics("a 5-8 Reserved"), "END:VCALENDAR\r\n"), day: 2, err: "it breaks off before its end"},
			{says: " ", day: 3, err: "there is nothing in it"},
			{says: ics("a 5-8 Reserved"), day: 4},
		}},
		"blocks hold their nights unless the settings say otherwise": {steps: []step{
			{says: ics("x 1-3 Blocked By Guesty", "a 5-8 Reserved"), want: "a booked double 01-05..01-08, x booked double 01-01..01-03 Blocked at pretend"},
		}},
		"blocks are the site's affair": {set: func(c *Config) { c.Blocks = Ignored }, steps: []step{
			{says: ics("x 1-3 Airbnb (Not available)", "a 5-8 Reserved"), want: "a booked double 01-05..01-08"},
			{says: ics("y 2-4 Airbnb (Not available)", "a 5-8 Reserved"), day: 2},
		}},
		"blocks that are held replace each other": {set: func(c *Config) { c.Blocks = Held }, steps: []step{
			{says: ics("x 1-3 Airbnb (Not available)", "x2 3-4 Blocked"), want: "x booked double 01-01..01-04 Blocked at pretend"},
			{says: ics("y 2-4 Airbnb (Not available)"), day: 2, want: "x modified double 01-02..01-04 Blocked at pretend"},
			{says: ics("y 2-4 Airbnb (Not available)", "z 20-21 Blocked"), want: "z booked double 01-20..01-21 Blocked at pretend"},
			{says: ics("z 20-21 Blocked"), want: "x cancelled double 01-02..01-04"},
		}},
		"a block under a reservation holds no second room": {set: func(c *Config) { c.Blocks = Held }, steps: []step{
			{says: ics("x 5-10 Blocked", "a 6-8 Reserved"), want: "a booked double 01-06..01-08, x booked double 01-05..01-06 Blocked at pretend, x/2027-01-08 booked double 01-08..01-10 Blocked at pretend"},
		}},
		"nights that another Ostler does not sell yet are nobody's": {steps: []step{
			{says: strings.Replace(ics("a 5-8 Reserved", "x 60-900 Not available"), "SUMMARY:Not", "X-OSTLER-UNSOLD:TRUE\r\nSUMMARY:Not", 1), want: "a booked double 01-05..01-08"},
		}},
		"a block at the end that slides is no block": {steps: []step{
			{says: ics("a 5-8 Reserved", "x 90-366 Airbnb (Not available)"), want: "a booked double 01-05..01-08, x booked double 03-31..2028-01-01 Blocked at pretend"},
			{says: ics("a 5-8 Reserved", "x2 91-367 Airbnb (Not available)"), day: 2, want: "x modified double 04-01..2028-01-02 Blocked at pretend"},
			{says: ics("a 5-8 Reserved", "x3 92-368 Airbnb (Not available)"), day: 3, want: "x modified double 04-02..2028-01-03 Blocked at pretend"},
			{says: ics("a 5-8 Reserved", "b 80-81 Blocked", "x4 93-369 Airbnb (Not available)"), day: 4, want: "x cancelled double 04-02..2028-01-03, b booked double 03-21..03-22 Blocked at pretend"},
			{says: ics("a 5-8 Reserved", "b 80-81 Blocked", "x4 93-369 Airbnb (Not available)", "c 92-93 Reserved"), want: "c booked double 04-02..04-03"},
			{says: ics("a 5-8 Reserved", "b 80-81 Blocked", "x5 94-370 Airbnb (Not available)", "c 92-93 Reserved"), day: 5},
			{says: ics("a 5-8 Reserved", "x5 70-371 Airbnb (Not available)"), day: 6, want: "c cancelled double 04-02..04-03, b modified double 03-11..2028-01-06 Blocked at pretend"}, // somebody has blocked more
		}},
		"a block of its own behind the edge is somebody's, also when the edge comes to it": {steps: []step{
			{says: ics("x 90-366 Airbnb (Not available)"), want: "x booked double 03-31..2028-01-01 Blocked at pretend"},
			{says: ics("x 91-367 Airbnb (Not available)"), day: 2, want: "x modified double 04-01..2028-01-02 Blocked at pretend"},
			{says: ics("x 92-368 Airbnb (Not available)"), day: 3, want: "x modified double 04-02..2028-01-03 Blocked at pretend"},
			{says: ics("x 93-95 Airbnb (Not available)", "o 95-98 Blocked", "y 98-369 Airbnb (Not available)"), day: 4, want: "x modified double 04-05..04-08 Blocked at pretend"},
			{says: ics("x 94-95 Airbnb (Not available)", "o 95-98 Blocked", "y 98-370 Airbnb (Not available)"), day: 5},
			{says: ics("o 95-98 Blocked", "y 98-371 Airbnb (Not available)"), day: 6},
			{says: ics("o 95-98 Blocked", "y 98-372 Airbnb (Not available)"), day: 7},
		}},
		"a block at the end that stays is somebody's": {steps: []step{
			{says: ics("x 90-366 Airbnb (Not available)"), want: "x booked double 03-31..2028-01-01 Blocked at pretend"},
			{says: ics("x 90-367 Airbnb (Not available)"), day: 3, want: "x modified double 03-31..2028-01-02 Blocked at pretend"},
			{says: ics("x 90-369 Airbnb (Not available)"), day: 5, want: "x modified double 03-31..2028-01-04 Blocked at pretend"},
			{says: ics("x 89-370 Airbnb (Not available)"), day: 9, want: "x modified double 03-30..2028-01-05 Blocked at pretend"},
		}},
		"a block that slides close by is of notice": {steps: []step{
			{says: ics("x 1-3 Airbnb (Not available)"), want: "x booked double 01-01..01-03 Blocked at pretend"},
			{says: ics("y 6-8 Airbnb (Not available)"), day: 6, want: "y booked double 01-06..01-08 Blocked at pretend"},
		}},
		"a site that tells nothing apart: reservations": {steps: []step{
			{says: ics("a 5-8 CLOSED - Not available"), want: "a booked double 01-05..01-08"},
		}},
		"a site that tells nothing apart: blocks": {set: func(c *Config) { c.Unclear = AsBlock }, steps: []step{
			{says: ics("a 5-8 CLOSED - Not available"), want: "a booked double 01-05..01-08 Blocked at pretend"},
		}},
		"what may be a stay is held though blocks are not": {set: func(c *Config) { c.Unclear, c.Blocks = AsBlock, Ignored }, steps: []step{
			{says: ics("a 5-8 CLOSED - Not available", "x 10-12 Airbnb (Not available)"), want: "a booked double 01-05..01-08 Blocked at pretend"},
		}},
		"a let of more than a year is held, whatever the settings say": {set: func(c *Config) { c.Blocks = Ignored }, steps: []step{
			{says: ics("a 5-500 John for long", "x 510-999 Blocked"), want: "a booked double 01-05..2028-05-14 Blocked at pretend"},
		}},
		"our own UIDs come back": {steps: []step{
			{says: ics("double-1-1@ch_1.ostler 5-8 Reserved", "a 9-10 Reserved"), want: "a booked double 01-09..01-10"},
		}},
		"without UIDs the nights are the name": {steps: []step{
			{says: strings.ReplaceAll(ics("a 5-8 Reserved", "b 9-10 Reserved"), "UID:", "X-ID:"), want: "double-1/2027-01-05 booked double 01-05..01-08, double-1/2027-01-09 booked double 01-09..01-10"},
			{says: strings.ReplaceAll(ics("a 5-8 Reserved", "b 9-10 Reserved"), "UID:", "X-ID:")},
			{says: strings.ReplaceAll(ics("b 9-10 Reserved"), "UID:", "X-ID:"), want: "double-1/2027-01-05 cancelled double 01-05..01-08"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := settings()
			if c.set != nil {
				c.set(&cfg)
			}
			h := newHouse(t, "CH_1", cfg)
			for i, s := range c.steps {
				if s.other == "" {
					s.other = ics()
				}
				h.bodies["/d1"], h.bodies["/d2"] = s.says, s.other
				if s.day > 0 {
					h.clock.now = time.Date(2027, 1, s.day, 9, 0, 0, 0, time.UTC)
				}
				said, err := h.polls(t)
				if diff := cmp.Diff(s.want, strings.Join(said, ", ")); diff != "" {
					t.Errorf("step %d tells (-want +got):\n%s", i+1, diff)
				}
				if s.err == "" && err != nil || s.err != "" && (err == nil || !strings.Contains(err.Error(), s.err)) {
					t.Errorf("the error of step %d is %v, want %q", i+1, err, s.err)
				}
				h.open(t, "CH_1", cfg, h.shelf) // whatever is known is on the shelf
			}
		})
	}
}

// What the sink refused comes again, also when the site says that nothing has
// changed, and by a program that was started anew.
func TestPollTellsAgainWhatWasRefused(t *testing.T) {
	h := newHouse(t, "ch_1", settings())
	h.tags = true
	h.bodies["/d1"], h.bodies["/d2"] = ics("a 5-8 Reserved", "b 8-9 Reserved - Bob"), ics()
	if said, _ := h.polls(t); len(said) != 2 {
		t.Fatalf("the first reading tells %v", said)
	}
	h.cursor, h.known = "0", map[string]bool{}
	h.open(t, "ch_1", settings(), h.shelf)
	if said, err := h.polls(t); err != nil || strings.Join(said, ", ") != "a booked double 01-05..01-08, b booked double 01-08..01-09 Bob" {
		t.Errorf("the second reading tells %v and %v", said, err)
	}
	if said, err := h.polls(t); err != nil || len(said) > 0 {
		t.Errorf("the third reading tells %v and %v", said, err)
	}
}

// What cannot be read is told again until it is kept, also after a restart and to a site
// that would answer that nothing has changed, and under the same name when the calendar is
// only written anew.
func TestUnreadIsTold(t *testing.T) {
	h := one(t)
	h.tags = true
	broken := strings.Replace(ics("a 5-8 Reserved"), "DTEND;VALUE=DATE:20270108", "DTSTAMP:20270101T000000Z\r\nDTEND:soon", 1)
	told := func() string {
		h.clock.now = h.clock.now.Add(20 * time.Minute)
		var k taken
		if _, err := h.Poll(t.Context(), "", &k); err != nil || len(k.messages) != 1 || k.messages[0].Ref != "a" || k.messages[0].Problem == "" || !strings.Contains(string(k.messages[0].Raw), "UID:a") {
			t.Fatalf("told %+v (%v), want one message about a that cannot be read", k.messages, err)
		}
		return k.messages[0].Key
	}
	h.bodies["/secret/d1"] = broken
	first := told()
	if again := told(); again != first {
		t.Errorf("told again as %s, was %s", again, first)
	}
	h.bodies["/secret/d1"] = strings.Replace(broken, "20270101T000000Z", "20270101T002000Z", 1)
	if again := told(); again != first {
		t.Errorf("written anew it is %s, was %s", again, first)
	}
}
