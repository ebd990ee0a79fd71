package mock

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func sound() Config {
	c := defaults
	c.URL, c.Hotel, c.Secret = "https://channel.example/api", "H1", "s"
	return c
}

func TestValidate(t *testing.T) {
	if err := sound().Validate(); err != nil {
		t.Errorf("sound settings are refused: %v", err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Config)
		want  string
	}{
		{"no address", func(c *Config) { c.URL = "" }, "url: say where"},
		{"an address without a scheme", func(c *Config) { c.URL = "channel.example" }, "url: expected"},
		{"an address of a file", func(c *Config) { c.URL = "file:///etc/passwd" }, "url: expected"},
		{"an address with a user", func(c *Config) { c.URL = "https://me:s@channel.example" }, "url: must not"},
		{"an unknown preset", func(c *Config) { c.Preset = "pigeon" }, "preset: expected"},
		{"sellers of one that sells itself", func(c *Config) { c.Sellers = 2 }, "sellers: only"},
		{"fewer sellers than none", func(c *Config) { c.Preset, c.Sellers = Relay, -1 }, "sellers: expected"},
		{"no hotel", func(c *Config) { c.Hotel = "" }, "hotel: say"},
		{"no secret", func(c *Config) { c.Secret = "" }, "secret: say"},
		{"a timeout that nothing meets", func(c *Config) { c.Timeout = 1 }, "timeout: expected"},
		{"a timeout without end", func(c *Config) { c.Timeout = connectors.Duration(time.Hour) }, "timeout: expected"},
		{"no calls", func(c *Config) { c.CallsPerMinute = 0 }, "calls_per_minute: expected"},
		{"more calls than published", func(c *Config) { c.CallsPerMinute = 301 }, "calls_per_minute: expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := sound()
			c.spoil(&config)
			if err := config.Validate(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("it says %v, want %q", err, c.want)
			}
		})
	}
	if err := (Config{}).Validate(); err == nil || strings.Count(err.Error(), "\n") != 5 {
		t.Errorf("not every mistake is named: %v", err)
	}
}

func TestCapabilitiesOfPresets(t *testing.T) {
	type facts struct {
		Sellers              hotel.Sellers
		Acknowledges         hotel.Acknowledge
		AdjustsOn            hotel.Adjusts
		Versions, Repeat     bool
		AtMostOnce           bool
		Polls, Receives      bool
		CallsPerMinute, Kept int
	}
	y, n := hotel.AdjustYes, hotel.AdjustNo
	for preset, want := range map[Preset]facts{
		Push: {hotel.One, hotel.BySeller, hotel.Adjusts{Book: y, Modify: y, Cancel: y}, true, true, true, false, true, 30, 3},
		Pull: {hotel.One, hotel.BySeller, hotel.Adjusts{Book: y, Modify: y, Cancel: y}, false, false, true, true, false, 30, 3},
		Hub:  {hotel.Many, hotel.ByRelay, hotel.Adjusts{Book: y, Modify: n, Cancel: n}, false, false, false, true, false, 30, 3},
	} {
		c := sound()
		c.Preset, c.CallsPerMinute = preset, 30
		caps := capabilities(c, connectors.Discovered{})
		got := facts{
			caps.Sellers, caps.Acknowledges, caps.AdjustsOn, caps.Versions, caps.RepeatKey, caps.AtMostOnce,
			caps.Polls, caps.Receives, caps.Buckets[0].N, len(caps.Buckets),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", preset, diff)
		}
	}
}
