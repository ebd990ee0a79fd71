package hotel_test

import (
	"testing"
	"time"

	"ostler.example/hotel"
)

func TestMomentsOfADay(t *testing.T) {
	tests := []struct {
		name, zone string
		cutOffs    []hotel.CutOff
		from       string // UTC, excluded
		want       []string
	}{
		{"midnight and day roll", "Europe/Vienna", nil, "2026-11-20T23:00:00Z", []string{"2026-11-21T02:00:00Z", "2026-11-21T23:00:00Z"}},
		{
			"a cut-off every day, however many days before", "Europe/Vienna",
			[]hotel.CutOff{{Time: "18:00"}, {DaysBefore: 3, Time: "06:30"}},
			"2026-11-20T23:00:00Z",
			[]string{"2026-11-21T02:00:00Z", "2026-11-21T05:30:00Z", "2026-11-21T17:00:00Z", "2026-11-21T23:00:00Z"},
		},
		{"14 hours ahead", "Pacific/Kiritimati", nil, "2026-11-20T10:00:00Z", []string{"2026-11-20T13:00:00Z", "2026-11-21T10:00:00Z"}},
		{"12 hours behind", "Etc/GMT+12", nil, "2026-11-20T12:00:00Z", []string{"2026-11-20T15:00:00Z", "2026-11-21T12:00:00Z"}},
		{
			"a skipped hour moves forward", "Europe/Vienna",
			[]hotel.CutOff{{Time: "02:30"}},
			"2026-03-28T23:00:00Z",
			[]string{"2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z", "2026-03-29T22:00:00Z"},
		},
		{
			"a repeated hour comes once", "Europe/Vienna",
			[]hotel.CutOff{{Time: "02:30"}},
			"2026-10-24T22:00:00Z",
			[]string{"2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z", "2026-10-25T23:00:00Z"},
		},
		{
			"a day without a midnight begins an hour late", "America/Santiago", nil, "2026-09-05T04:00:00Z",
			[]string{"2026-09-05T07:00:00Z", "2026-09-06T04:00:00Z", "2026-09-06T06:00:00Z", "2026-09-07T03:00:00Z"},
		},
		{
			"the leap day has its own", "Europe/Vienna", nil, "2028-02-27T23:00:00Z",
			[]string{"2028-02-28T02:00:00Z", "2028-02-28T23:00:00Z", "2028-02-29T02:00:00Z", "2028-02-29T23:00:00Z"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := hotel.Property{TimeZone: test.zone, DayRoll: "03:00"}
			at, err := time.Parse(time.RFC3339, test.from)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range test.want {
				before := at
				at = p.NextMoment(at, test.cutOffs).UTC()
				if got := at.Format(time.RFC3339); got != want {
					t.Fatalf("after %s comes %s, want %s", before, got, want)
				}
			}
		})
	}
}

// Around every clock change of some years a midnight begins each calendar day,
// once.
func TestEveryDayBeginsOnce(t *testing.T) {
	for _, zone := range []string{"Europe/Vienna", "America/Santiago", "America/Havana", "Africa/Cairo", "Asia/Beirut", "Pacific/Kiritimati", "Etc/GMT+12", "Australia/Lord_Howe", "America/St_Johns", "America/Asuncion"} {
		p := hotel.Property{TimeZone: zone, DayRoll: "00:00"}
		at := time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
		day := p.Today(at)
		for range 30 * 366 {
			at = p.NextMoment(at, nil)
			if got := p.Today(at); got != day+1 {
				t.Fatalf("%s: the day after %s begins at %s, which is %s", zone, day, at.UTC(), got)
			}
			if p.Today(at.Add(-time.Second)) != day {
				t.Errorf("%s: %s has begun before %s", zone, day+1, at.UTC())
			}
			day++
		}
	}
}

// Between midnight and the day roll last night's guests are still taken in, and
// the farthest night is already sold.
func TestNightsAroundTheDayRoll(t *testing.T) {
	p := hotel.Property{TimeZone: "Europe/Vienna", DayRoll: "03:00", HorizonDays: 10}
	first := hotel.DateOf(2026, time.March, 1)
	for _, test := range []struct {
		at    string
		sells hotel.Span
		shows hotel.Span
	}{
		{"2026-03-01T22:59:59Z", hotel.Span{From: first, To: first + 10}, hotel.Span{From: first, To: first + 10}},
		{"2026-03-01T23:00:00Z", hotel.Span{From: first, To: first + 11}, hotel.Span{From: first + 1, To: first + 11}},
		{"2026-03-02T01:59:59Z", hotel.Span{From: first, To: first + 11}, hotel.Span{From: first + 1, To: first + 11}},
		{"2026-03-02T02:00:00Z", hotel.Span{From: first + 1, To: first + 11}, hotel.Span{From: first + 1, To: first + 11}},
	} {
		at, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Sells(at); got != test.sells {
			t.Errorf("at %s sells %v, want %v", test.at, got, test.sells)
		}
		if got := p.Shows(at); got != test.shows {
			t.Errorf("at %s shows %v, want %v", test.at, got, test.shows)
		}
	}
}
