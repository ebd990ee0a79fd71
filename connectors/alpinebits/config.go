package alpinebits

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/message"
	"ostler.example/hotel"
)

//go:embed example.toml
var example string

// Way is how reservations reach us.
type Way string

// The ways. See the README.
const (
	Pull Way = "pull" // we ask for them
	Push Way = "push" // the portal sends them
)

// FarSide is what is at the other end.
type FarSide string

// The far sides: a portal that sells rooms, which we call, or the hotel's own system,
// which calls us.
const (
	Portal FarSide = "portal"
	PMS    FarSide = "pms"
)

// Config is the settings of a channel.
type Config struct {
	URL             string              `json:"url" origin:"true"`
	User            string              `json:"user"`
	Password        string              `json:"password" secret:"true"`
	Hotel           string              `json:"hotel"`
	HotelName       string              `json:"hotel_name"`
	Newest          message.Version     `json:"newest_version"`
	ClientID        string              `json:"client_id"`
	GuestRequests   Way                 `json:"guest_requests"`
	InboundUser     string              `json:"inbound_user"`
	InboundPassword string              `json:"inbound_password" secret:"true"`
	HorizonDays     int                 `json:"horizon_days"`
	StandardGuests  Guests              `json:"standard_guests"`
	OccupancyPrices bool                `json:"occupancy_prices"`
	BookingRules    bool                `json:"booking_rules"`
	WholePlans      Pairs               `json:"whole_plans"`
	CompletePlans   bool                `json:"complete_plans"`
	BaseRates       Pairs               `json:"base_rates"`
	Fees            bool                `json:"fees_as_supplements"`
	Inventory       string              `json:"inventory_language"`
	FarSide         FarSide             `json:"far_side"`
	RoomCodes       Pairs               `json:"room_codes"`
	RateCodes       Pairs               `json:"rate_codes"`
	Timeout         connectors.Duration `json:"timeout"`
}

var defaults = Config{
	Newest:        message.V2024,
	ClientID:      "Ostler",
	GuestRequests: Pull,
	FarSide:       Portal,
	Timeout:       connectors.Duration(30 * time.Second),
}

// The longest codes and names that the schemas allow.
const (
	maxHotel = 16
	maxName  = 128
)

// Validate joins every mistake.
func (c Config) Validate() error {
	var mistakes []error
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			mistakes = append(mistakes, fmt.Errorf(format, args...))
		}
	}
	add(c.Hotel == "" || len([]rune(c.Hotel)) > maxHotel, "hotel: say the property's code at the far side, of at most %d characters", maxHotel)
	add(len([]rune(c.HotelName)) > maxName, "hotel_name: expected at most %d characters", maxName)
	switch c.FarSide {
	case PMS:
		c.checkPMS(add)
	case Portal:
		c.checkPortal(add)
	default:
		add(true, "far_side: expected portal or pms")
	}
	return errors.Join(mistakes...)
}

// checkPMS checks the settings of a channel to the hotel's own system.
func (c Config) checkPMS(add func(wrong bool, format string, args ...any)) {
	add(c.URL != "" || c.User != "" || c.Password != "", "url, user, password: the hotel's own system calls us")
	add(c.OccupancyPrices || c.BookingRules || len(c.WholePlans) > 0 || c.CompletePlans || len(c.BaseRates) > 0 || c.Fees || len(c.StandardGuests) > 0 || c.Inventory != "",
		"standard_guests, occupancy_prices, booking_rules, whole_plans, complete_plans, base_rates, fees_as_supplements, inventory_language: they are for portals")
	c.checkInbound(add)
	for _, of := range []struct {
		key   string
		codes Pairs
	}{{"room_codes", c.RoomCodes}, {"rate_codes", c.RateCodes}} {
		seen := map[string]bool{}
		for _, code := range slices.Sorted(maps.Keys(of.codes)) {
			add(seen[of.codes[code]], "%s: %q stands there for two codes", of.key, of.codes[code])
			seen[of.codes[code]] = true
		}
	}
}

// checkInbound checks by whom we are called.
func (c Config) checkInbound(add func(wrong bool, format string, args ...any)) {
	add(c.InboundUser == "" || strings.Contains(c.InboundUser, ":"), "inbound_user: say as whom the far side calls us; it has no colon")
	add(c.InboundPassword == "", "inbound_password: say the password by which the far side calls us")
}

// checkPortal checks the settings of a channel to a portal.
func (c Config) checkPortal(add func(wrong bool, format string, args ...any)) {
	add(len(c.RoomCodes)+len(c.RateCodes) > 0, `room_codes, rate_codes: they are for far_side = "pms"; what a portal calls rooms and rates is in the mapping`)
	u, err := url.Parse(c.URL)
	switch {
	case c.URL == "":
		add(true, "url: say where the portal listens")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		add(true, "url: expected an address such as https://portal.example/alpinebits")
	default:
		add(u.User != nil || u.Fragment != "", "url: must not carry a user or a fragment; user and password have keys of their own")
		if err := connectors.CheckPlain(u); err != nil {
			add(true, "url: %w", err)
		}
	}
	add(c.User == "" || strings.Contains(c.User, ":"), "user: say as whom the portal knows the hotel; it has no colon")
	add(c.Password == "", "password: say the password that goes with the user")
	add(!c.Newest.Known(), "newest_version: expected one of %v", message.Versions)
	add(c.ClientID == "" || strings.ContainsFunc(c.ClientID, func(r rune) bool { return r < ' ' || r > '~' }), "client_id: expected plain text without accents")
	called := c.GuestRequests == Push || len(c.BaseRates) > 0
	switch c.GuestRequests {
	case Pull, Push:
		add(!called && (c.InboundUser != "" || c.InboundPassword != ""), `inbound_user, inbound_password: they are for guest_requests = "push" and for base_rates`)
		if called {
			c.checkInbound(add)
		}
	default:
		add(true, "guest_requests: expected pull or push")
	}
	for _, category := range slices.Sorted(maps.Keys(c.StandardGuests)) {
		n := c.StandardGuests[category]
		add(n < 1 || n > maxGuests || !categoryForm(category), "standard_guests: expected categories of 1 to %d characters with 1 to %d guests each, not %q with %d", maxCategory, maxGuests, category, n)
	}
	add(c.OccupancyPrices && len(c.StandardGuests) == 0, "occupancy_prices: say in standard_guests which categories have prices")
	for _, of := range []struct {
		key   string
		plans Pairs
	}{{"whole_plans", c.WholePlans}, {"base_rates", c.BaseRates}} {
		for _, plan := range slices.Sorted(maps.Keys(of.plans)) {
			add(!planForm(plan) || !slices.Contains(mealCodes, of.plans[plan]), "%s: expected rate plans with one of %v each, not %q with %q", of.key, mealCodes, plan, of.plans[plan])
		}
	}
	add(len(c.WholePlans) > 0 && len(c.StandardGuests) == 0, "whole_plans: a whole plan has prices; say in standard_guests which categories have them")
	add(len(c.BaseRates) > 0 && len(c.StandardGuests) == 0, "base_rates: say in standard_guests which categories have prices")
	add(len(c.BaseRates) > 0 && len(c.WholePlans) > 0, "base_rates, whole_plans: a portal asks for prices or is told them, not both")
	add((c.CompletePlans || c.Fees) && len(c.WholePlans) == 0, "complete_plans, fees_as_supplements: they are about whole plans; say in whole_plans which we make")
	add(c.Inventory != "" && !language(c.Inventory), "inventory_language: expected two small letters, such as de, not %q", c.Inventory)
	add(c.HorizonDays < 0 || c.HorizonDays > 3650, "horizon_days: expected between 0 and 3650")
	add(time.Duration(c.Timeout) < 100*time.Millisecond || time.Duration(c.Timeout) > 5*time.Minute, "timeout: expected between 100ms and 5m")
}

// language reports whether a code names a language as the schemas want it.
func language(code string) bool {
	return len(code) == 2 && !strings.ContainsFunc(code, func(r rune) bool { return r < 'a' || r > 'z' })
}

// account is whom the portal knows us as, with whatever hotels.
func account(c Config) string {
	if c.FarSide == PMS {
		return "pms " + c.InboundUser + " " + c.Hotel
	}
	return c.URL + " " + c.User
}

// place is the property at the portal.
func place(c Config) string { return c.URL + " " + c.Hotel }

// maxRooms is the most rooms of a category that are told.
const maxRooms = 9999

// capabilities says what a channel of these settings can do. What the portal does
// with its own count when it sells is not said by the standard, so nothing is
// promised of it.
func capabilities(c Config, found connectors.Discovered) connectors.Capabilities {
	if c.FarSide == PMS {
		return connectors.Capabilities{Terms: hotel.Terms{StockPer: hotel.PerRoom, Sellers: hotel.One, Acknowledges: hotel.ByRelay}, Serves: true}
	}
	caps := connectors.Capabilities{
		Terms: hotel.Terms{
			StockPer:     hotel.PerRoom,
			Fields:       map[hotel.Field]hotel.Carriage{hotel.FieldAvailable: {As: hotel.Exact, Max: maxRooms, Level: hotel.PerRoomType}},
			HorizonDays:  c.HorizonDays,
			Sellers:      hotel.One,
			Acknowledges: hotel.ByRelay,
			BookingTime:  true,
			FeedOrder:    hotel.OrderNone,
		},
		Operations: takes(c),
		InOrder:    true,                    // an older message would win over a newer one that it overtakes
		Polls:      c.GuestRequests == Pull, // whatever a handshake says today: that none come in is to be seen
		Receives:   c.GuestRequests == Push || len(c.BaseRates) > 0,
		Lists:      hands(found),
		Rereads:    true, // nobody is asked for that
	}
	if len(c.StandardGuests) > 0 {
		caps.Fields[hotel.FieldAmount] = hotel.Carriage{As: hotel.Exact}
		caps.Occupancies = c.OccupancyPrices
	}
	if c.BookingRules {
		maps.Copy(caps.Fields, restrictions)
	}
	for _, o := range caps.Operations {
		if found.Version == "" || missing(c, o.Name, found) == "" {
			continue
		}
		maps.DeleteFunc(caps.Fields, func(f hotel.Field, _ hotel.Carriage) bool { return o.Tells(f.Group()) })
	}
	return caps
}

// hands reports whether reservations can be asked for, as far as anybody knows: some
// portals only send them, or have none.
func hands(found connectors.Discovered) bool {
	return found.Version == "" || slices.Contains(found.Features, message.ReadRequests.Handshake)
}

// maxLength is the longest length of stay that is told.
const maxLength = 999

// restrictions are what booking rules say, all fields of a night in one of them. How
// long somebody stays is looked at from arrival to departure, both included.
var restrictions = map[hotel.Field]hotel.Carriage{
	hotel.FieldClosed:            {As: hotel.Exact},
	hotel.FieldClosedToArrival:   {As: hotel.Exact},
	hotel.FieldClosedToDeparture: {As: hotel.Exact},
	hotel.FieldMinStayArrival:    {As: hotel.Exact, Max: maxLength},
	hotel.FieldMaxStayArrival:    {As: hotel.Exact, Max: maxLength},
	hotel.FieldMinStayThrough:    {As: hotel.Exact, Max: maxLength, ThroughIncludesDeparture: true},
	hotel.FieldMaxStayThrough:    {As: hotel.Exact, Max: maxLength, ThroughIncludesDeparture: true},
}
