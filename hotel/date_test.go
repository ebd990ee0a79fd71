package hotel_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ostler.example/hotel"
)

func TestParseDate(t *testing.T) {
	tests := []struct {
		text string
		ok   bool
	}{
		{"2026-12-01", true},
		{"2028-02-29", true},
		{"1969-12-31", true},
		{"2026-02-29", false},
		{"2026-13-01", false},
		{"2026-00-10", false},
		{"2026-1-1", false},
		{"20261201", false},
		{"2026-12-01T00:00:00Z", false},
		{" 2026-12-01", false},
		{"", false},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			d, err := hotel.ParseDate(test.text)
			if (err == nil) != test.ok {
				t.Fatalf("parse = %v, %v", d, err)
			}
			if test.ok && d.String() != test.text {
				t.Errorf("came back as %s", d)
			}
		})
	}
}

func TestDatesFollowTheCalendar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := hotel.Date(rapid.Int32Range(-40_000, 80_000).Draw(t, "date"))
		y, m, day := d.Time().Date()
		if got := hotel.DateOf(y, m, day); got != d {
			t.Fatalf("date of %d-%d-%d = %s, want %s", y, m, day, got, d)
		}
		if got := hotel.DateOf(y, m, day+1); got != d+1 {
			t.Fatalf("the day after %s = %s, want %s", d, got, d+1)
		}
		if (d + 1).Weekday() != (d.Weekday()+1)%7 {
			t.Fatalf("the day after %s is a %s", d.Weekday(), (d + 1).Weekday())
		}
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var back hotel.Date
		if err := json.Unmarshal(b, &back); err != nil || back != d {
			t.Fatalf("%s came back as %s, %v", b, back, err)
		}
	})
}

func TestDateRefusesOtherJSON(t *testing.T) {
	d := hotel.DateOf(2026, time.December, 1)
	if err := json.Unmarshal([]byte(`"tomorrow"`), &d); err == nil {
		t.Error("tomorrow was taken for a date")
	}
	if d != hotel.DateOf(2026, time.December, 1) {
		t.Errorf("a refused text left %s", d)
	}
}

func TestDateInZones(t *testing.T) {
	tests := []struct {
		name string
		zone string
		at   string
		want string
	}{
		{"already tomorrow in Kiritimati", "Pacific/Kiritimati", "2026-11-20T10:00:00Z", "2026-11-21"},
		{"still yesterday in Midway", "Pacific/Midway", "2026-11-20T10:59:59Z", "2026-11-19"},
		{"midnight belongs to the new day", "Europe/Berlin", "2026-06-30T22:00:00Z", "2026-07-01"},
		{"just before midnight", "Europe/Berlin", "2026-06-30T21:59:59Z", "2026-06-30"},
		{"the first minute of a date", "America/St_Johns", "2000-10-29T02:30:30Z", "2000-10-29"},
		{"set back over midnight, it is still that date", "America/St_Johns", "2000-10-29T02:31:00Z", "2000-10-29"},
		{"midnight again", "America/St_Johns", "2000-10-29T03:30:00Z", "2000-10-29"},
		{"set back to midnight, it is the old date still", "America/Asuncion", "2023-03-26T03:00:00Z", "2023-03-25"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			at, err := time.Parse(time.RFC3339, test.at)
			if err != nil {
				t.Fatal(err)
			}
			if got := hotel.DateIn(at, zone(t, test.zone)); got.String() != test.want {
				t.Errorf("date = %s, want %s", got, test.want)
			}
		})
	}
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

func TestDateAt(t *testing.T) {
	tests := []struct {
		name         string
		date         hotel.Date
		hour, minute int
		zone, want   string
	}{
		{"an afternoon", hotel.DateOf(2026, time.December, 1), 15, 30, "Europe/Berlin", "2026-12-01T14:30:00Z"},
		{"a time skipped in spring moves forward", hotel.DateOf(2026, time.March, 29), 2, 30, "Europe/Berlin", "2026-03-29T01:30:00Z"},
		{"a time skipped west of Greenwich moves forward too", hotel.DateOf(2026, time.March, 8), 2, 30, "America/New_York", "2026-03-08T07:30:00Z"},
		{"a midnight that does not exist", hotel.DateOf(2026, time.September, 6), 0, 0, "America/Santiago", "2026-09-06T04:00:00Z"},
		{"a time that comes twice is the first", hotel.DateOf(2026, time.October, 25), 2, 30, "Europe/Berlin", "2026-10-25T00:30:00Z"},
		{"a midnight that comes twice is the first", hotel.DateOf(2000, time.October, 29), 0, 0, "America/St_Johns", "2000-10-29T02:30:00Z"},
		{"half an hour's change", hotel.DateOf(2026, time.April, 5), 1, 45, "Australia/Lord_Howe", "2026-04-04T14:45:00Z"},
		{"after the clocks went back", hotel.DateOf(2026, time.October, 25), 3, 0, "Europe/Berlin", "2026-10-25T02:00:00Z"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.date.At(test.hour, test.minute, zone(t, test.zone)).UTC().Format(time.RFC3339)
			if got != test.want {
				t.Errorf("at = %s, want %s", got, test.want)
			}
		})
	}
}

func TestStay(t *testing.T) {
	d := hotel.DateOf(2028, time.February, 28)
	tests := []struct {
		name   string
		stay   hotel.Stay
		nights []hotel.Date
	}{
		{"over the leap day", hotel.Stay{CheckIn: d, CheckOut: d + 2}, []hotel.Date{d, d + 1}},
		{"empty", hotel.Stay{CheckIn: d, CheckOut: d}, nil},
		{"reversed", hotel.Stay{CheckIn: d, CheckOut: d - 2}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var nights []hotel.Date
			for n := d - 5; n <= d+5; n++ {
				if test.stay.Contains(n) {
					nights = append(nights, n)
				}
			}
			if diff := cmp.Diff(test.nights, nights); diff != "" {
				t.Errorf("nights (-want +got):\n%s", diff)
			}
			if got := test.stay.Nights(); got != len(test.nights) {
				t.Errorf("number of nights = %d, want %d", got, len(test.nights))
			}
		})
	}
}

func TestSpan(t *testing.T) {
	d := hotel.DateOf(2026, time.December, 31)
	tests := []struct {
		name string
		span hotel.Span
		days int
	}{
		{"one day", hotel.Span{From: d, To: d}, 1},
		{"over the new year", hotel.Span{From: d, To: d + 1}, 2},
		{"reversed", hotel.Span{From: d, To: d - 1}, 0},
		{"far reversed", hotel.Span{From: d, To: d - 9}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			days := 0
			for n := d - 10; n <= d+10; n++ {
				if test.span.Contains(n) {
					days++
				}
			}
			if days != test.days || test.span.Days() != test.days {
				t.Errorf("holds %d days and says %d, want %d", days, test.span.Days(), test.days)
			}
		})
	}
}
