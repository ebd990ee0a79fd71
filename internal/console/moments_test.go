package console

import (
	"testing"
	"time"

	"ostler.example/hotel"
)

// A day of another year says so: it would read as one of this. Which year is the present one
// is a matter of the house's clock.
func TestMomentsOfOtherYearsSayTheirYear(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	for _, c := range []struct{ language, now, at, want string }{
		{"en", "2026-11-29T11:53:00Z", "2026-11-29T11:53:00Z", "29 Nov, 12:53"},
		{"en", "2026-11-29T11:53:00Z", "2028-11-28T11:53:00Z", "28 Nov 2028, 12:53"},
		{"de", "2026-11-29T11:53:00Z", "2028-11-28T11:53:00Z", "28. Nov. 2028, 12:53"},
		{"it", "2026-11-29T11:53:00Z", "2025-03-01T08:00:00Z", "1 mar 2025, 09:00"},
		{"en", "2026-12-31T22:30:00Z", "2026-12-31T23:30:00Z", "1 Jan 2027, 00:30"}, // in Vienna
		{"en", "2026-12-31T23:30:00Z", "2026-12-31T23:30:00Z", "1 Jan, 00:30"},
	} {
		v := &visit{c: &Console{clock: &wound{now: at(c.now)}}, words: wordsIn(c.language), house: hotel.Property{TimeZone: "Europe/Vienna"}}
		if got := v.moment(at(c.at)); got != c.want {
			t.Errorf("%s, at %s, in %s: %q, want %q", c.at, c.now, c.language, got, c.want)
		}
	}
}

// From when to when has every year that is needed to tell which days are meant.
func TestSpansSayTheirYears(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	v := &visit{c: &Console{clock: &wound{now: now}}, words: wordsIn("en"), house: hotel.Property{TimeZone: "Europe/Vienna"}}
	day := hotel.DateOf
	for _, c := range []struct {
		from, to   hotel.Date
		near, full string
	}{
		{day(2026, 11, 20), day(2026, 12, 2), "20 Nov – 2 Dec", "20 Nov – Wed 2 Dec 2026"},
		{day(2026, 11, 20), day(2026, 11, 20), "20 Nov", "Fri 20 Nov 2026"},
		{day(2027, 11, 20), day(2027, 11, 20), "20 Nov 2027", "Sat 20 Nov 2027"},
		{day(2027, 6, 20), day(2027, 7, 2), "20 Jun – 2 Jul 2027", "20 Jun – Fri 2 Jul 2027"},
		{day(2027, 6, 20), day(2028, 4, 12), "20 Jun 2027 – 12 Apr 2028", "20 Jun 2027 – Wed 12 Apr 2028"},
		{day(2026, 12, 20), day(2027, 1, 3), "20 Dec 2026 – 3 Jan 2027", "20 Dec 2026 – Sun 3 Jan 2027"},
	} {
		s := hotel.Span{From: c.from, To: c.to}
		if near, full := v.nearSpan(s), v.words.span(s); near != c.near || full != c.full {
			t.Errorf("%s to %s: %q and %q, want %q and %q", c.from, c.to, near, full, c.near, c.full)
		}
	}
	if got, want := v.words.stay(hotel.Stay{CheckIn: day(2026, 12, 30), CheckOut: day(2027, 1, 2)}), "30 Dec 2026 – Sat 2 Jan 2027"; got != want {
		t.Errorf("a stay: %q, want %q", got, want)
	}
}
