package channex

import (
	"strings"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

func sound() Config {
	c := defaults
	c.APIKey, c.Property, c.Currency = "k", "P1", "EUR"
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
		{"no address", func(c *Config) { c.URL = "" }, "url: expected"},
		{"an address with a user", func(c *Config) { c.URL = "https://me:s@app.channex.io" }, "url: must not"},
		{"no key", func(c *Config) { c.APIKey = "" }, "api_key: say"},
		{"no property", func(c *Config) { c.Property = "" }, "property: say"},
		{"no currency", func(c *Config) { c.Currency = "" }, "currency: say"},
		{"an unknown mode", func(c *Config) { c.SellMode = "per_bed" }, "sell_mode: expected"},
		{"a plan without an id", func(c *Config) { c.OtherMode = []string{""} }, "other_sell_mode: expected"},
		{"an unknown type of minimum stay", func(c *Config) { c.MinStayType = "departure" }, "min_stay_type: expected"},
		{"a secret that is guessed", func(c *Config) { c.WebhookSecret = "s" }, "webhook_secret: expected"},
		{"fewer sites than none", func(c *Config) { c.Sites = -1 }, "sites: expected"},
		{"a short horizon", func(c *Config) { c.HorizonDays = 99 }, "horizon_days: expected"},
		{"a long horizon", func(c *Config) { c.HorizonDays = 731 }, "horizon_days: expected"},
		{"a timeout without end", func(c *Config) { c.Timeout = connectors.Duration(time.Hour) }, "timeout: expected"},
		{"more calls than published", func(c *Config) { c.CallsPerMinute = 11 }, "calls_per_minute: expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := sound()
			c.spoil(&config)
			if err := config.Validate(); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// What the property at Channex does not read is not told it, and Encode refuses it.
func TestMinStayType(t *testing.T) {
	for kind, carried := range map[MinStayType][2]bool{Both: {true, true}, Arrival: {true, false}, Through: {false, true}} {
		config := sound()
		config.MinStayType = kind
		caps, c := capabilities(config, connectors.Discovered{}), &conn{cfg: config}
		for i, f := range []hotel.Field{hotel.FieldMinStayArrival, hotel.FieldMinStayThrough} {
			if got := caps.Fields[f].As == hotel.Exact; got != carried[i] {
				t.Errorf("%s is carried with %s: %t", f, kind, got)
			}
			lengths := []hotel.LengthLimits{{MinStayArrival: 2}, {MinStayThrough: 2}}[i]
			_, refused := c.Encode([]connectors.Change{{Key: connectors.Key{Room: "R", Rate: "P", Group: hotel.Lengths, Night: 1}, Offer: hotel.Offer{Lengths: lengths}}})
			if (len(refused) == 0) != carried[i] {
				t.Errorf("%+v with %s: refused %v", lengths, kind, refused)
			}
		}
	}
}
