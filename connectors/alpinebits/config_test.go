package alpinebits

import (
	"strings"
	"testing"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

func sound() Config {
	c := defaults
	c.URL, c.User, c.Password, c.Hotel = "https://portal.example/ab", "hotel", testSecret, "H1"
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
		{"an address of a file", func(c *Config) { c.URL = "file:///etc/passwd" }, "url: expected"},
		{"an address with a user", func(c *Config) { c.URL = "https://me:s@portal.example" }, "url: must not"},
		{"no user", func(c *Config) { c.User = "" }, "user: say"},
		{"a user whose name ends too early", func(c *Config) { c.User = "a:b" }, "user: say"},
		{"no password", func(c *Config) { c.Password = "" }, "password: say"},
		{"no hotel", func(c *Config) { c.Hotel = "" }, "hotel: say"},
		{"a code that no schema allows", func(c *Config) { c.Hotel = strings.Repeat("ä", 17) }, "hotel: say"},
		{"a name that no schema allows", func(c *Config) { c.HotelName = strings.Repeat("a", 129) }, "hotel_name: expected"},
		{"a version of long ago", func(c *Config) { c.Newest = "2014-04" }, "newest_version: expected"},
		{"a header in the name", func(c *Config) { c.ClientID = "a\r\nb: c" }, "client_id: expected"},
		{"no way", func(c *Config) { c.GuestRequests = "fax" }, "guest_requests: expected"},
		{"a password that nothing asks for", func(c *Config) { c.InboundPassword = "a" }, "inbound_user, inbound_password: they"},
		{"calls from anybody", func(c *Config) { c.GuestRequests, c.InboundUser = Push, "portal" }, "inbound_password: say"},
		{"calls from somebody without a name", func(c *Config) { c.GuestRequests, c.InboundPassword = Push, "a" }, "inbound_user: say"},
		{"a price for nobody", func(c *Config) { c.StandardGuests = Guests{"DBL": 0} }, "standard_guests: expected"},
		{"a price of no category", func(c *Config) { c.StandardGuests = Guests{"": 2} }, "standard_guests: expected"},
		{"other prices of no category", func(c *Config) { c.OccupancyPrices = true }, "occupancy_prices: say"},
		{"a whole plan without prices", func(c *Config) { c.WholePlans = Pairs{"BAR": "14"} }, "whole_plans: a whole"},
		{"meals of no known code", func(c *Config) { c.StandardGuests, c.WholePlans = Guests{"DBL": 2}, Pairs{"BAR": "2"} }, "whole_plans: expected"},
		{"prices that are asked for and told", func(c *Config) {
			c.StandardGuests, c.WholePlans, c.BaseRates, c.InboundUser, c.InboundPassword = Guests{"DBL": 2}, Pairs{"BAR": "14"}, Pairs{"BAR": "14"}, "portal", "s"
		}, "base_rates, whole_plans: a portal"},
		{"prices that nobody may ask for", func(c *Config) {
			c.StandardGuests, c.BaseRates, c.InboundUser = Guests{"DBL": 2}, Pairs{"BAR": "14"}, "portal"
		}, "inbound_password: say"},
		{"prices of no category that are asked for", func(c *Config) { c.BaseRates, c.InboundUser, c.InboundPassword = Pairs{"BAR": "14"}, "portal", "s" }, "base_rates: say"},
		{"fees of no plan", func(c *Config) { c.Fees = true }, "complete_plans, fees_as_supplements: they"},
		{"a complete set of no plans", func(c *Config) { c.CompletePlans = true }, "complete_plans, fees_as_supplements: they"},
		{"a language of many letters", func(c *Config) { c.Inventory = "Deutsch" }, "inventory_language: expected"},
		{"another far side", func(c *Config) { c.FarSide = "crs" }, "far_side: expected"},
		{"codes of a PMS at a portal", func(c *Config) { c.RoomCodes = Pairs{"DZ": "double"} }, "room_codes, rate_codes: they"},
		{"a PMS that is called", func(c *Config) { c.FarSide, c.InboundUser, c.InboundPassword = PMS, "pms", "s" }, "url, user, password: the"},
		{"a PMS without a password", func(c *Config) { c.FarSide, c.URL, c.User, c.Password, c.InboundUser = PMS, "", "", "", "pms" }, "inbound_password: say"},
		{"one room type for two categories", func(c *Config) {
			c.FarSide, c.URL, c.User, c.Password, c.InboundUser, c.InboundPassword = PMS, "", "", "", "pms", "s"
			c.RoomCodes = Pairs{"DZ": "double", "DX": "double"}
		}, "room_codes: \"double\" stands"},
		{"a horizon behind us", func(c *Config) { c.HorizonDays = -1 }, "horizon_days: expected"},
		{"a timeout without end", func(c *Config) { c.Timeout = connectors.Duration(time.Hour) }, "timeout: expected"},
	} {
		spoilt := sound()
		c.spoil(&spoilt)
		if err := spoilt.Validate(); err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

func TestGuests(t *testing.T) {
	for _, c := range []struct{ text, again string }{
		{"", ""}, {"DZ=2", "DZ=2"}, {" EZ = 1,DZ=2, ", "DZ=2, EZ=1"},
	} {
		var g Guests
		if err := g.UnmarshalText([]byte(c.text)); err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if again, err := g.MarshalText(); err != nil || string(again) != c.again {
			t.Errorf("%q is written as %q, %v", c.text, again, err)
		}
	}
	for _, text := range []string{"DZ", "DZ=", "DZ=two", "DZ=2, DZ=3"} {
		if err := new(Guests).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// TestCapabilitiesOfAPortalThatTakesLess: what cannot be told is not promised.
func TestCapabilitiesOfAPortalThatTakesLess(t *testing.T) {
	cfg := sound()
	cfg.StandardGuests, cfg.BookingRules = Guests{"DBL": 2}, true
	fields := []hotel.Field{hotel.FieldAvailable, hotel.FieldAmount, hotel.FieldClosedToArrival, hotel.FieldMinStayThrough}
	of := func(cfg Config, features ...string) (told [4]bool) {
		caps := capabilities(cfg, connectors.Discovered{Version: "2024-10", Features: features})
		for i, f := range fields {
			told[i] = caps.Fields[f].As == hotel.Exact
		}
		return told
	}
	all := []string{
		message.FreeRooms.Handshake, message.AcceptCategories, message.AcceptDeltas,
		message.RatePlans.Handshake, message.AcceptOverlay,
		message.AcceptCategoryRule, message.AcceptArrivalDays, message.AcceptDepartDays,
	}
	if told := of(cfg, all...); told != [4]bool{true, true, true, true} {
		t.Errorf("a portal that takes everything is told %v", told)
	}
	for i := range all {
		told := of(cfg, append(append([]string{}, all[:i]...), all[i+1:]...)...)
		if want := [4]bool{i >= 3, i < 3 || i >= 5, i < 3, i < 3}; told != want {
			t.Errorf("without %s there are promised %v, want %v", all[i], told, want)
		}
	}
	cfg.WholePlans = Pairs{"BAR": "14"}
	if told := of(cfg, message.FreeRooms.Handshake, message.AcceptCategories, message.AcceptCompleteSet, message.RatePlans.Handshake); told != [4]bool{true, true, false, false} {
		t.Errorf("a portal that takes everything as a whole is told %v", told)
	}
	caps := capabilities(sound(), connectors.Discovered{})
	if len(caps.Fields) != 1 || len(caps.Operations) != 1 {
		t.Errorf("more than counts is promised of plain settings: %v", caps.Fields)
	}
}

func TestPairs(t *testing.T) {
	for _, c := range []struct{ text, again string }{{"", ""}, {" HB = 12,BAR=14 ", "BAR=14, HB=12"}} {
		var m Pairs
		if err := m.UnmarshalText([]byte(c.text)); err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if again, err := m.MarshalText(); err != nil || string(again) != c.again {
			t.Errorf("%q is written as %q, %v", c.text, again, err)
		}
	}
	for _, text := range []string{"BAR", "BAR=1, BAR=3"} {
		if err := new(Pairs).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
