package hotel_test

import (
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"

	"ostler.example/hotel"
)

// What is read as a date is written as it was, and is the day that package time
// knows under that name.
func FuzzParseDate(f *testing.F) {
	for _, s := range []string{"2026-12-01", "2028-02-29", "2027-02-29", "0001-01-01", "9999-12-31", "2026-1-1", "26-12-01", "", "2026-12-01T00:00:00Z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := hotel.ParseDate(s)
		want, wrong := time.Parse(time.DateOnly, s)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("parse %q = %v, package time says %v", s, err, wrong)
		}
		if err != nil {
			return
		}
		if d.String() != s || !d.Time().Equal(want) {
			t.Fatalf("parse %q = %s, %s", s, d, d.Time())
		}
		var again hotel.Date
		if text, err := d.MarshalText(); err != nil || again.UnmarshalText(text) != nil || again != d {
			t.Fatalf("%s through text = %s, %v", d, again, err)
		}
	})
}

// An amount that is read is never another amount when it is written and read
// again, and no amount is read that its currency cannot hold.
func FuzzMoney(f *testing.F) {
	for _, s := range []string{"189.00", "-0.05", "0", "999999999999.9999", "1e3", ".5", "٣", "18900", "189.125", "-0"} {
		for _, c := range []string{"EUR", "JPY", "KWD", "XXX", "eur"} {
			f.Add(s, c)
		}
	}
	f.Fuzz(func(t *testing.T, amount, currency string) {
		if !utf8.ValidString(currency) {
			return // no JSON text holds it
		}
		m, err := hotel.ParseMoney(amount, hotel.Currency(currency))
		body, _ := json.Marshal(map[string]string{"amount": amount, "currency": currency})
		var fromJSON hotel.Money
		if wrong := json.Unmarshal(body, &fromJSON); wrong == nil && err != nil {
			t.Fatalf("%q %q is refused (%v) and read from JSON as %s", amount, currency, err, fromJSON)
		}
		if err != nil {
			return
		}
		again, err := hotel.ParseMoney(m.Amount(), m.Currency)
		if err != nil || again != m {
			t.Fatalf("%q %q = %s, again %s (%v)", amount, currency, m, again, err)
		}
		if fromJSON != m {
			t.Fatalf("%q %q = %s, from JSON %s", amount, currency, m, fromJSON)
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back hotel.Money
		if err := json.Unmarshal(text, &back); err != nil || back != m {
			t.Fatalf("%s = %s, %v", text, back, err)
		}
	})
}
