package console

import (
	"net/url"
	"strings"
	"testing"

	"ostler.example/hotel"
)

func TestNumbersAreReadAsTheLanguageWritesThem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ typed, en, comma string }{ // comma: German and Italian
		{"129.50", "129.50", "129.50"},
		{"129,50", "129.50", "129.50"},
		{"1.5", "1.5", "1.5"},
		{"0.125", "0.125", "0.125"},
		{"0,125", "0.125", "0.125"},
		{"1.234", "1.234", "1234"},
		{"1,234", "1234", "1.234"},
		{"1.234,50", "1.234.50", "1234.50"}, // which is no number in English
		{"1,234.50", "1234.50", "1.234.50"},
		{"1.234.567", "1.234.567", "1234567"},
		{"1,234,567.5", "1234567.5", "1.234.567.5"},
		{"1.23.456", "1.23.456", "1.23.456"},
		{"1234.567", "1234.567", "1234.567"},
		{"1'234.50", "1234.50", "1234.50"},
		{"1’234,50", "1234.50", "1234.50"},
		{"1'23", "1'23", "1'23"},
		{"1 234,50", "1234.50", "1234.50"},
		{"1\u202f234,50", "1234.50", "1234.50"},
		{"−1.234,5", "-1.234.5", "-1234.5"},
		{"+10", "10", "10"},
		{"abc", "abc", "abc"},
		{"", "", ""},
	} {
		for l, want := range map[string]string{"en": c.en, "de": c.comma, "it": c.comma} {
			if got := wordsIn(l).plain(c.typed); got != want {
				t.Errorf("%s: %q is read as %q, want %q", l, c.typed, got, want)
			}
		}
	}
}

// What the console fills in, it reads back as the same.
func TestNumbersFilledInAreReadBack(t *testing.T) {
	t.Parallel()
	for _, l := range languages {
		w := wordsIn(l)
		for _, number := range []string{"1234.50", "129.50", "0.125", "1.234", "-10", "40.5"} {
			f := form{url.Values{}}
			f.setDecimal(w, "n", number)
			if got := w.plain(f.Get("n")); got != number || strings.Contains(f.Get("n"), ".") != (l == "en" && strings.Contains(number, ".")) {
				t.Errorf("%s: %s is filled in as %q and read back as %q", l, number, f.Get("n"), got)
			}
		}
	}
}

// A guard is shown and taken in the language, and what is refused is told with its form.
func TestAmountsOfAGuardInGerman(t *testing.T) {
	s := newSite(t)
	s.connect(t, "ch_1")
	if _, _, err := s.l.ChangeChannel(t.Context(), by, hotel.Once{}, "ch_1", 0, func(c *hotel.Channel) error {
		c.Schedule = "@every 60s"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	b := s.as(t, "owner")
	b.post("/language", url.Values{"language": {"de"}, "back": {"/"}})
	at := s.path("rates/guards/ch_1")
	guard := func() hotel.PriceGuard {
		t.Helper()
		ch, err := s.l.Channel(t.Context(), "ch_1")
		if err != nil {
			t.Fatal(err)
		}
		return ch.Pricing.Guard
	}
	page := b.get(s.path("rates/guards")).body
	if r := b.post(at, url.Values{"revision": {field(t, page, "revision")}, "floor": {"40,50"}, "ceiling": {"1.234,50"}, "max_change": {"40.5"}, "too_high": {"hold"}}); !strings.Contains(r.path, "done=saved") {
		t.Fatalf("%d at %s\n%s", r.status, r.path, r.body)
	}
	if g := guard(); g.Floor.Amount() != "40.50" || g.Ceiling.Amount() != "1234.50" || g.MaxChangePct != "40.5" {
		t.Errorf("stored %+v", g)
	}
	page = b.get(s.path("rates/guards")).body
	shows(t, page, `name="floor" inputmode="decimal" value="40,50"`, `value="1234,50"`, `value="40,5"`)
	r := b.post(at, url.Values{"revision": {field(t, page, "revision")}, "floor": {"1.2.3"}, "too_high": {"hold"}})
	shows(t, r.body, "129,50", `value="1.2.3"`)
}
