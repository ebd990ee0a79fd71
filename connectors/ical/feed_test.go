package ical

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// day is a night in January of 2027.
func day(n int) hotel.Date { return hotel.DateOf(2027, 1, n) }

// lists writes the events of a listing that end before the window does: UID,
// sequence and days.
func lists(f feed, name string) string {
	var all []string
	for _, b := range f.Listings[name].Busy {
		if b.Stay.CheckIn < day(31) {
			all = append(all, fmt.Sprintf("%d.%d:%d-%d", b.UID, b.Sequence, b.Stay.CheckIn-day(0), b.Stay.CheckOut-day(0)))
		}
	}
	return strings.Join(all, " ")
}

func TestPublishedNights(t *testing.T) {
	own := func(kind calendar.Kind, nights ...int) map[hotel.Date]calendar.Kind {
		out := map[hotel.Date]calendar.Kind{}
		for _, n := range nights {
			out[day(n)] = kind
		}
		return out
	}
	free := told{"double", day(1), day(1) + horizon + 366*3, 2}
	type at struct {
		told []told
		own  map[string]map[hotel.Date]calendar.Kind
		day  int    // of January; 0: the first
		want string // of the first listing, and behind a bar of the second
	}
	for name, steps := range map[string][]at{
		"everything on sale":        {{told: []told{free}, want: " | "}},
		"what nobody told is taken": {{told: []told{{"double", day(1), day(9), 2}, {"double", day(12), day(99), 2}}, want: "1.0:10-12 | 1.0:10-12"}},
		"sold out": {
			{told: []told{free, {"double", day(5), day(7), 0}}, want: "1.0:5-8 | 1.0:5-8"},
			{told: []told{{"double", day(6), day(6), 2}}, want: "1.1:5-6 3.0:7-8 | 1.1:5-6 3.0:7-8"},
			{told: []told{{"double", day(6), day(6), 0}}, want: "1.2:5-8 | 1.2:5-8"},
			{told: []told{{"double", day(5), day(7), 2}}, want: " | "},
			{told: []told{{"double", day(5), day(7), 0}}, want: "4.0:5-8 | 4.0:5-8"},
		},
		"one left: the first is on sale":                                    {{told: []told{free, {"double", day(5), day(7), 1}}, want: " | 1.0:5-8"}},
		"one left, and the first is sold at the site":                       {{told: []told{free, {"double", day(5), day(7), 1}}, own: map[string]map[hotel.Date]calendar.Kind{"double-1": own(calendar.Reservation, 5, 6, 7)}, want: " | "}},
		"one left, and the second is sold at the site":                      {{told: []told{free, {"double", day(5), day(7), 1}}, own: map[string]map[hotel.Date]calendar.Kind{"double-2": own(calendar.Reservation, 5, 6, 7)}, want: " | "}},
		"none left, and the second is sold at the site: the first is taken": {{told: []told{free, {"double", day(5), day(7), 0}}, own: map[string]map[hotel.Date]calendar.Kind{"double-2": own(calendar.Reservation, 5, 6, 7)}, want: "1.0:5-8 | "}},
		"taken before the site sold it stays taken": {
			{told: []told{free, {"double", day(5), day(7), 0}}, want: "1.0:5-8 | 1.0:5-8"},
			{own: map[string]map[hotel.Date]calendar.Kind{"double-1": own(calendar.Reservation, 6)}, want: "1.0:5-8 | 1.0:5-8"},
			{own: map[string]map[hotel.Date]calendar.Kind{"double-1": own(calendar.Reservation, 6)}, told: []told{{"double", day(6), day(6), 1}}, want: "1.1:5-6 3.0:7-8 | 1.1:5-6 3.0:7-8"},
		},
		"taken before somebody blocked it there may be what is blocked": {
			{told: []told{free, {"double", day(5), day(7), 0}}, want: "1.0:5-8 | 1.0:5-8"},
			{own: map[string]map[hotel.Date]calendar.Kind{"double-1": own(calendar.Block, 5, 6, 7)}, want: " | 1.0:5-8"},
		},
		"what is over stays as it was": {
			{told: []told{free, {"double", day(5), day(7), 0}}, want: "1.0:5-8 | 1.0:5-8"},
			{day: 7, told: []told{{"double", day(5), day(9), 2}}, want: "1.1:5-7 | 1.1:5-7"},
			{day: 9, want: " | "},
		},
	} {
		t.Run(name, func(t *testing.T) {
			listings, err := listingsOf(settings().Calendars)
			if err != nil {
				t.Fatal(err)
			}
			var f feed
			for i, s := range steps {
				today := day(max(s.day, 1))
				f.take(s.told, today)
				f.publish(listings, s.own, nil, today.Time().Add(time.Duration(i)*time.Minute), today)
				if got := lists(f, "double-1") + " | " + lists(f, "double-2"); got != s.want {
					t.Errorf("step %d publishes %q, want %q", i+1, got, s.want)
				}
			}
			if f.Listings["suite-1"] != nil {
				t.Errorf("a room that was told nothing is published")
			}
		})
	}
}

// The nights that nobody told are events of their own, which say that they are not sold yet,
// whatever is taken before them; and they move on with the days under one UID. It is said of no
// night on which a room is taken, and of none while nobody can tell.
func TestPublishedSaysWhatIsNotSoldYet(t *testing.T) {
	stretches := func(p *published) string {
		var all []string
		for _, b := range p.Busy {
			end := fmt.Sprint(int(b.Stay.CheckOut - day(0)))
			if b.Stay.CheckOut > day(365) {
				end = "end"
			}
			all = append(all, fmt.Sprintf("%d:%d-%s %t", b.UID, b.Stay.CheckIn-day(0), end, b.Unsold))
		}
		return strings.Join(all, ", ")
	}
	type rooms = map[hotel.Date]int
	for name, c := range map[string]struct {
		calendars string
		taken     rooms // from the second day on
		nobody    bool  // nobody can tell
		own       map[hotel.Date]calendar.Kind
		want      [2]string // of the first listing, by day
		second    string    // of the second listing, on the second day
	}{
		"nothing is taken":   {calendars: "double -", want: [2]string{"1:41-42 false, 2:42-end true", "1:41-43 false, 2:43-end true"}},
		"nobody can tell":    {calendars: "double -", nobody: true, want: [2]string{"1:41-end false", "1:41-end false"}},
		"a stay is far away": {calendars: "double -", taken: rooms{day(50): 1, day(51): 1}, want: [2]string{"1:41-42 false, 2:42-end true", "1:41-43 false, 2:43-50 true, 3:50-52 false, 4:52-end true"}},
		"a stay is next":     {calendars: "double -", taken: rooms{day(43): 1}, want: [2]string{"1:41-42 false, 2:42-end true", "1:41-44 false, 2:44-end true"}},
		"one of two is taken": {
			calendars: "double -\ndouble -", taken: rooms{day(50): 1},
			want:   [2]string{"1:41-42 false, 2:42-end true", "1:41-43 false, 2:43-end true"},
			second: "1:41-43 false, 2:43-50 true, 3:50-51 false, 4:51-end true",
		},
		"one is taken, which the site has sold": {
			calendars: "double -\ndouble -", taken: rooms{day(50): 1}, own: map[hotel.Date]calendar.Kind{day(50): calendar.Block},
			want:   [2]string{"1:41-42 false, 2:42-50 true, 3:51-end true", "1:41-43 false, 2:43-50 true, 3:51-end true"},
			second: "1:41-43 false, 2:43-end true",
		},
	} {
		t.Run(name, func(t *testing.T) {
			listings, err := listingsOf(c.calendars)
			if err != nil {
				t.Fatal(err)
			}
			var f feed
			for i, today := range []hotel.Date{day(1), day(2)} {
				var known roomsTaken
				switch {
				case c.nobody:
				case i == 0:
					known = roomsTaken{}
				default:
					known = roomsTaken{"double": c.taken}
				}
				f.take([]told{{"double", today, today + 40, len(listings)}, {"double", day(41), today + 40, 0}}, today)
				f.publish(listings, map[string]map[hotel.Date]calendar.Kind{"double-1": c.own}, known, today.Time(), today)
				p := f.Listings["double-1"]
				if got := stretches(p); got != c.want[i] {
					t.Errorf("on day %d it publishes %q, want %q", i+1, got, c.want[i])
				}
				text := string(p.write("double", "double-1", "ch_1.ostler", today))
				read, err := calendar.Read(t.Context(), []byte(text), calendar.Reading{Zone: time.UTC, From: today, To: today + horizon})
				if err != nil || !slices.EqualFunc(read.Events, p.Busy, func(e calendar.Event, b busy) bool { return e.Unsold == b.Unsold && e.Stay.CheckIn == b.Stay.CheckIn }) {
					t.Errorf("on day %d %v is read as %v, %v: %s", i+1, p.Busy, read.Events, err, text)
				}
				if joined := (hotel.Stay{CheckIn: day(41), CheckOut: windowEnd(today)}); c.own == nil && !slices.Contains(p.stays(), joined) {
					t.Errorf("a site that makes one of all shows no echo of %v", p.stays())
				}
			}
			if c.second != "" && stretches(f.Listings["double-2"]) != c.second {
				t.Errorf("of the second listing it publishes %q, want %q", stretches(f.Listings["double-2"]), c.second)
			}
		})
	}
}

// What is published changes its date with every change and with nothing else.
func TestPublishedChanges(t *testing.T) {
	listings, _ := listingsOf("double -")
	var f feed
	now := day(1).Time()
	var seen []time.Time
	for _, available := range []int{0, 0, 1, 0, 0} {
		f.take([]told{{"double", day(1), day(20), available}}, day(1))
		f.publish(listings, nil, nil, now, day(1))
		seen = append(seen, f.Listings["double-1"].Changed)
	}
	second := time.Second
	want := []time.Time{now, now, now.Add(second), now.Add(2 * second), now.Add(2 * second)}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("changed (-want +got):\n%s", diff)
	}
	if !slices.IsSortedFunc(f.Told, func(a, b told) int { return int(a.From - b.From) }) || len(f.Told) != 1 {
		t.Errorf("what is told is kept as %v", f.Told)
	}
}
