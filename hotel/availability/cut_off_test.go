package availability_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
	"ostler.example/hotel/availability"
)

func TestPastCutOff(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	arrival := hotel.DateOf(2026, time.December, 24)
	local := func(day, hour, minute int) time.Time {
		return time.Date(2026, time.December, day, hour, minute, 0, 0, vienna)
	}
	noon, dayBefore := &hotel.CutOff{Time: "12:00"}, &hotel.CutOff{DaysBefore: 1, Time: "18:00"}
	tests := []struct {
		name    string
		now     time.Time
		cutOffs []*hotel.CutOff
		want    bool
	}{
		{"no cut-off", local(24, 23, 59), nil, false},
		{"none that is set", local(24, 23, 59), []*hotel.CutOff{nil, nil}, false},
		{"a minute before", local(24, 11, 59), []*hotel.CutOff{noon}, false},
		{"at that minute", local(24, 12, 0), []*hotel.CutOff{noon}, true},
		{"in another zone it is the property's noon", time.Date(2026, time.December, 24, 11, 0, 0, 0, time.UTC), []*hotel.CutOff{noon}, true},
		{"the day before, in time", local(23, 17, 59), []*hotel.CutOff{dayBefore}, false},
		{"the earliest counts", local(23, 18, 0), []*hotel.CutOff{noon, nil, dayBefore}, true},
		{"the earliest counts in any order", local(23, 18, 0), []*hotel.CutOff{dayBefore, noon}, true},
		{"a time of day that cannot be read is the start of the day", local(24, 0, 0), []*hotel.CutOff{{Time: "noon"}}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := availability.PastCutOff(arrival, vienna, test.now, test.cutOffs...); got != test.want {
				t.Errorf("past = %t, want %t", got, test.want)
			}
		})
	}
}

func TestCloseToArrivalAsTheChannelCarriesIt(t *testing.T) {
	exact := map[hotel.Field]hotel.Carriage{hotel.FieldClosedToArrival: {As: hotel.Exact}}
	before := availability.NightRules{Closed: hotel.Closed{Departure: true}, Lengths: hotel.LengthLimits{MinStayArrival: 2}}
	tests := []struct {
		name   string
		fields map[hotel.Field]hotel.Carriage
		want   hotel.Closed
	}{
		{"as closed to arrival", exact, hotel.Closed{Arrival: true, Departure: true}},
		{"as a closed night", nil, hotel.Closed{Closed: true, Departure: true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := before
			want.Closed = test.want
			if diff := cmp.Diff(want, availability.CloseToArrival(before, test.fields)); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
		})
	}
}

// A closed night forbids the very stays that are past their cut-off, whichever
// day the clocks change on.
func TestClosingPastNightsLosesNoStay(t *testing.T) {
	zones := []string{"Europe/Vienna", "Pacific/Kiritimati", "America/St_Johns", "Australia/Lord_Howe"}
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string, low, high int) int { return rapid.IntRange(low, high).Draw(t, name) }
		zone, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
		if err != nil {
			t.Fatal(err)
		}
		var cutOffs []*hotel.CutOff
		for range number("cut-offs", 1, 3) {
			cutOffs = append(cutOffs, &hotel.CutOff{
				DaysBefore: number("days", 0, 3), Time: fmt.Sprintf("%02d:%02d", number("hour", 0, 23), number("minute", 0, 59)),
			})
		}
		today := hotel.DateOf(2026, time.January, 1+number("day", 0, 364))
		now := today.At(number("now", 0, 23), 30, zone)
		first := today + hotel.Date(number("check-in", 0, 4))
		nights := hotel.Date(number("nights", 1, 4))
		closed := false
		for d := first; d < first+nights; d++ {
			closed = closed || availability.PastCutOff(d, zone, now, cutOffs...)
		}
		if past := availability.PastCutOff(first, zone, now, cutOffs...); closed != past {
			t.Fatalf("a stay from %s: past its cut-off %t, a closed night %t", first, past, closed)
		}
	})
}
