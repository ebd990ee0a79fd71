package ical

import (
	"reflect"
	"testing"

	"ostler.example/connectors/ical/calendar"
	"ostler.example/hotel"
)

// What is known of the edge follows from where the last stretch begins, by day.
func TestEdgeIsWhatSlides(t *testing.T) {
	const on = 10 // of January, the day on which the stretch was first seen
	first := func(ahead, days int) edge { return edge{From: day(on + ahead), On: day(on), Days: days} }
	for name, c := range map[string]struct {
		was         edge
		today, from int // of January; from is 0: the calendar ends otherwise
		want        edge
	}{
		"a stretch is seen":                      {today: on, from: on + 90, want: first(90, 0)},
		"28 days ahead may be an edge":           {today: on, from: on + 28, want: first(28, 0)},
		"27 days ahead is of notice":             {today: on, from: on + 27},
		"it has come nearer than that":           {was: first(28, 28), today: on + 4, from: on + 31},
		"the calendar ends otherwise":            {was: first(90, 90), today: on + 4},
		"two days do not do":                     {was: first(90, 0), today: on + 2, from: on + 92, want: first(90, 0)},
		"three days do":                          {was: first(90, 0), today: on + 3, from: on + 93, want: first(90, 90)},
		"three days, and it has yet to slide":    {was: first(90, 0), today: on + 3, from: on + 92, want: first(90, 89)},
		"three days, and it has slid once more":  {was: first(90, 0), today: on + 3, from: on + 94, want: first(90, 91)},
		"two nights late is another":             {was: first(90, 0), today: on + 3, from: on + 95, want: edge{From: day(on + 95), On: day(on + 3)}},
		"two nights early is another":            {was: first(90, 0), today: on + 3, from: on + 91, want: edge{From: day(on + 91), On: day(on + 3)}},
		"known, it has yet to slide":             {was: first(90, 90), today: on + 5, from: on + 94, want: first(90, 89)},
		"known, it has slid, and the nearer one": {was: first(90, 89), today: on + 5, from: on + 95, want: first(90, 89)},
		"known, and one night further":           {was: first(90, 90), today: on + 5, from: on + 96, want: first(90, 90)},
		"known, and two nights nearer":           {was: first(90, 90), today: on + 5, from: on + 93, want: edge{From: day(on + 93), On: day(on + 5)}},
	} {
		t.Run(name, func(t *testing.T) {
			var from hotel.Date
			if c.from != 0 {
				from = day(c.from)
			}
			if got := c.was.next(from, day(c.today)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("the edge is %+v, want %+v", got, c.want)
			}
		})
	}
}

// Nights behind the edge are nobody's, but for those of an event that does not slide.
func TestEdgeFreesWhatSlides(t *testing.T) {
	block := func(from, to int) calendar.Event {
		return calendar.Event{Kind: calendar.Block, Stay: hotel.Stay{CheckIn: day(from), CheckOut: day(to)}}
	}
	known := edge{From: day(90), On: day(1), Days: 89}
	for name, c := range map[string]struct {
		was    edge
		shows  []calendar.Event
		free   []int // some that are
		taken  []int // some that are not
		within int
	}{
		"one event":                        {was: known, shows: []calendar.Event{block(93, 370)}, free: []int{93, 200, 369}},
		"one in between":                   {was: known, shows: []calendar.Event{block(93, 120), block(120, 130), block(130, 370)}, free: []int{93, 119, 130, 369}, taken: []int{120, 129}, within: 1},
		"one that lies over it":            {was: known, shows: []calendar.Event{block(93, 370), block(120, 130)}, free: []int{93, 119, 130}, taken: []int{120, 129}, within: 1},
		"one that did not slide begins it": {was: edge{From: day(90), On: day(1), Days: 89, Within: []hotel.Stay{block(93, 96).Stay}}, shows: []calendar.Event{block(93, 96), block(96, 370)}, free: []int{96}, taken: []int{93, 95}, within: 1},
		"the edge is not known yet":        {was: edge{From: day(92), On: day(3)}, shows: []calendar.Event{block(93, 120), block(120, 130), block(130, 370)}, taken: []int{93, 120, 369}, within: 1},
	} {
		t.Run(name, func(t *testing.T) {
			now, free := c.was.after(c.shows, c.shows, day(4))
			for _, n := range c.free {
				if !free[day(n)] {
					t.Errorf("night %d is held", n)
				}
			}
			for _, n := range c.taken {
				if free[day(n)] {
					t.Errorf("night %d is nobody's", n)
				}
			}
			if len(now.Within) != c.within {
				t.Errorf("it keeps %v within it, want %d", now.Within, c.within)
			}
		})
	}
}
