package ical

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/hotel/exposure"
)

func TestSettings(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   string
	}{
		"sound":                 {func(*Config) {}, ""},
		"nothing said":          {func(c *Config) { *c = defaults }, "site: say what site this is, in a word\nproperty: say which property this is at the site\ntime_zone: say the property's time zone, such as Europe/Vienna\ncalendars: say at least one room and its calendar\nkey: say a key of 20 to 200 letters, digits, - and _ that nobody can guess"},
		"a short key":           {func(c *Config) { c.Key = "hush" }, "key: say a key of 20 to 200 letters, digits, - and _ that nobody can guess"},
		"a zone that is none":   {func(c *Config) { c.TimeZone = "Atlantis" }, "time_zone: say the property's time zone, such as Europe/Vienna"},
		"a line without a room": {func(c *Config) { c.Calendars = "double -\nhttps://site.example/hush" }, "calendars: line 2: expected the code of a room and an address"},
		"an address that is none": {
			func(c *Config) { c.Calendars = "double webcal:hush" },
			"calendars: line 1: expected an address such as https://channel.example/calendar.ics, or -",
		},
		"too many lines": {func(c *Config) { c.Calendars = strings.Repeat("double -\n", maxListings+1) }, "calendars: expected at most 200 lines"},
		"words unknown":  {func(c *Config) { c.Unclear, c.Blocks = "x", "y" }, "unclear: expected reservation or block\nblocks: expected ignored or held"},
		"times out of bounds": {func(c *Config) {
			c.Every, c.TheirInterval, c.Timeout = connectors.Duration(25*time.Hour), 0, 0
		}, "every: expected between 0s and 24h\ntheir_interval: expected between 1m and 168h\ntimeout: expected between 100ms and 1m"},
	} {
		t.Run(name, func(t *testing.T) {
			s := settings()
			c.change(&s)
			said := ""
			if err := s.Validate(); err != nil {
				said = err.Error()
			}
			if diff := cmp.Diff(c.want, said); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if strings.Contains(said, "hush") {
				t.Errorf("a mistake tells a secret")
			}
		})
	}
}

// What a calendar promises is worth a room of its own, that comes back by being sold
// or cancelled, and no more.
func TestWhatACalendarPromises(t *testing.T) {
	caps := capabilities(settings(), connectors.Discovered{})
	if level := exposure.LevelOf(caps.Terms); level != exposure.OneWay {
		t.Errorf("the level is %s, want %s", level, exposure.OneWay)
	}
	if caps.Acknowledges != hotel.ByQueue || caps.SaleSettle != hotel.Never || caps.TheirPollInterval != 24*time.Hour || caps.ListsByDate {
		t.Errorf("more is promised than a calendar can keep: %+v", caps.Terms)
	}
	if got := caps.Fields[hotel.FieldAvailable]; got.Max != 2 || len(caps.Fields) != 1 {
		t.Errorf("it carries %+v, want as many rooms as the largest has listings, and nothing else", caps.Fields)
	}
}

func FuzzListings(f *testing.F) {
	for _, seed := range []string{settings().Calendars, "", "double -", "a b c", "a http://[::1]:x/", "\x00 -"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := listingsOf(text)
		if (err == nil) != (len(all) > 0) || len(all) > maxListings {
			t.Errorf("%d listings and %v", len(all), err)
		}
		names := map[string]bool{}
		for _, l := range all {
			if names[l.name()] || strings.ContainsAny(l.name(), "/ \n") {
				t.Errorf("two listings are called %q, or it cannot stand in an address", l.name())
			}
			names[l.name()] = true
		}
	})
}
