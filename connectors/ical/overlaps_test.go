package ical

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"ostler.example/hotel"
)

// TestStaysThatOverlap: both are taken in, once, and somebody is asked about them until they
// overlap no more; what was reported is not reported again, through a restart. A stay that
// begins when the other ends, one of the other unit and a block are none of it.
func TestStaysThatOverlap(t *testing.T) {
	h := newHouse(t, "ch_1", settings())
	var reports []string
	failing := errors.New("the disk is full")
	h.tell = func(_ context.Context, r hotel.ChannelReport) error {
		if failing != nil {
			return failing
		}
		reports = append(reports, strings.ReplaceAll(fmt.Sprintf("%s %s over: %t %s", r.Code, r.Of, r.Over, r.Reason), "2027-01-", ""))
		return nil
	}
	h.bodies["/d1"] = ics("a 5-8 Reserved", "b 7-9 Reserved", "c 9-10 Reserved", "d 5-9 Not available")
	h.bodies["/d2"] = ics("e 5-8 Reserved")
	if _, err := h.polls(t); !errors.Is(err, failing) {
		t.Errorf("nobody can be told: %v", err)
	}
	failing = nil
	if said, err := h.polls(t); err != nil || len(said) != 0 {
		t.Errorf("%q, %v", said, err)
	}
	want := []string{"overlapping_stays double-1, 07..08 over: false a (05..08), b (07..09)"}
	if !slices.Equal(reports, want) {
		t.Errorf("reported is %q, want %q", reports, want)
	}
	tell := h.tell
	h.open(t, "ch_1", settings(), h.shelf)
	h.tell = tell
	if _, err := h.polls(t); err != nil || len(reports) != 1 {
		t.Errorf("it is reported again: %q, %v", reports, err)
	}
	h.bodies["/d1"] = ics("a 5-7 Reserved", "b 7-9 Reserved", "c 9-10 Reserved")
	if said, err := h.polls(t); err != nil || len(said) != 1 {
		t.Errorf("%q, %v", said, err)
	}
	if want = append(want, "overlapping_stays double-1, 07..08 over: true "); !slices.Equal(reports, want) {
		t.Errorf("reported is %q, want %q", reports, want)
	}
	var many []string
	for i := range 3 * mostOverlaps {
		many = append(many, fmt.Sprintf("m%d 12-%d Reserved", i, 14+i%15))
	}
	h.bodies["/d1"] = ics(many...)
	for range 2 { // what has lost so much is believed when it says so twice
		_, _ = h.polls(t)
	}
	if n := len(reports); n < 3 || n > 2+mostOverlaps {
		t.Errorf("%d reports of very many", n)
	}
}

// TestTentativeStays are stays, and say what they are while the site does.
func TestTentativeStays(t *testing.T) {
	h := newHouse(t, "ch_1", settings())
	firm := ics("a 5-8 Reserved", "b 10-12 Not available")
	for _, c := range []struct {
		name, body string
		want       []bool // of the messages that are new
	}{
		{"tentative", strings.ReplaceAll(firm, "SUMMARY", "STATUS:TENTATIVE\r\nSUMMARY"), []bool{true, false}}, // a block is nobody's
		{"as it was", strings.ReplaceAll(firm, "SUMMARY", "STATUS:TENTATIVE\r\nSUMMARY"), nil},
		{"firm", firm, []bool{false}},
	} {
		h.bodies["/d1"], h.bodies["/d2"] = c.body, ics()
		h.clock.now = h.clock.now.Add(time.Hour)
		var k taken
		next, err := h.Poll(t.Context(), h.cursor, &k)
		if err != nil {
			t.Fatal(err)
		}
		h.cursor = next
		var got []bool
		for _, m := range k.messages {
			got = append(got, m.Booking.Tentative)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
