package ical

import (
	_ "embed"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

//go:embed example.toml
var example string

// Holding says what is made of nights that a site shows as taken without saying by
// whom.
type Holding string

// As a reservation each event is a booking of its own. As a block its nights take a
// room for as long as the site shows them, and nobody is expected.
const (
	AsReservation Holding = "reservation"
	AsBlock       Holding = "block"
)

// Blocks says what nights come to that the site itself calls blocked, or free.
type Blocks string

// Ignored, they stay on sale elsewhere. Held, they take a room like a reservation, for
// as long as the site shows them.
const (
	Ignored Blocks = "ignored"
	Held    Blocks = "held"
)

// Config is the settings of a channel. Free is what events come to that are marked as time
// that stays free.
type Config struct {
	Site          string              `json:"site"`
	Property      string              `json:"property"`
	TimeZone      string              `json:"time_zone"`
	Calendars     string              `json:"calendars" secret:"true"`
	Key           string              `json:"key" secret:"true"`
	Unclear       Holding             `json:"unclear"`
	Blocks        Blocks              `json:"blocks"`
	Free          Blocks              `json:"free"`
	Every         connectors.Duration `json:"every"`
	TheirInterval connectors.Duration `json:"their_interval"`
	Timeout       connectors.Duration `json:"timeout"`
	AllowCIDRs    []string            `json:"allow_cidrs,omitempty" operator:"true"` // networks of the house in which calendars may lie
}

// networks are those that calendars may lie in, beside the public ones.
func (c Config) networks() ([]netip.Prefix, error) {
	var all []netip.Prefix
	for _, text := range c.AllowCIDRs {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("%q: expected a network such as 10.1.0.0/16", text)
		}
		all = append(all, network.Masked())
	}
	return all, nil
}

var defaults = Config{
	Unclear:       AsReservation,
	Blocks:        Held,
	Free:          Ignored,
	Every:         connectors.Duration(15 * time.Minute),
	TheirInterval: connectors.Duration(24 * time.Hour),
	Timeout:       connectors.Duration(30 * time.Second),
}

// keyForm is what a key is made of: it stands in addresses.
var keyForm = regexp.MustCompile(`^[A-Za-z0-9_-]{20,200}$`)

// Validate joins every mistake.
func (c Config) Validate() error {
	var mistakes []error
	add := func(format string, args ...any) { mistakes = append(mistakes, fmt.Errorf(format, args...)) }
	if c.Site == "" {
		add("site: say what site this is, in a word")
	}
	if c.Property == "" {
		add("property: say which property this is at the site")
	}
	if _, err := time.LoadLocation(c.TimeZone); c.TimeZone == "" || err != nil {
		add("time_zone: say the property's time zone, such as Europe/Vienna")
	}
	if _, err := listingsOf(c.Calendars); err != nil {
		add("calendars: %w", err)
	}
	if !keyForm.MatchString(c.Key) {
		add("key: say a key of 20 to 200 letters, digits, - and _ that nobody can guess")
	}
	if !slices.Contains([]Holding{AsReservation, AsBlock}, c.Unclear) {
		add("unclear: expected reservation or block")
	}
	if !slices.Contains([]Blocks{Ignored, Held}, c.Blocks) {
		add("blocks: expected ignored or held")
	}
	if !slices.Contains([]Blocks{Ignored, Held}, c.Free) {
		add("free: expected ignored or held")
	}
	if _, err := c.networks(); err != nil {
		add("allow_cidrs: %w", err)
	}
	if t := time.Duration(c.Every); t < 0 || t > 24*time.Hour {
		add("every: expected between 0s and 24h")
	}
	if t := time.Duration(c.TheirInterval); t < time.Minute || t > 7*24*time.Hour {
		add("their_interval: expected between 1m and 168h")
	}
	if t := time.Duration(c.Timeout); t < 100*time.Millisecond || t > time.Minute {
		add("timeout: expected between 100ms and 1m")
	}
	return errors.Join(mistakes...)
}

// place is the property at the site. The addresses of its calendars are no part of
// it: they are secret, and change.
func place(c Config) string { return strings.ToLower(c.Site) + " " + c.Property }

// horizon is how many days ahead nights are told.
const horizon = 730

// capabilities says what a channel of these settings can do. A site shows what it
// has read last, and tells nobody when that was: that a value is taken means that
// it lies ready. Its own stays it takes off by itself.
func capabilities(c Config, _ connectors.Discovered) connectors.Capabilities {
	listings, _ := listingsOf(c.Calendars) // mistakes are Validate's
	most := 1
	for _, l := range listings {
		most = max(most, l.number)
	}
	return connectors.Capabilities{
		Terms: hotel.Terms{
			StockPer:          hotel.PerRoom,
			Fields:            map[hotel.Field]hotel.Carriage{hotel.FieldAvailable: {As: hotel.Exact, Max: most}},
			HorizonDays:       horizon,
			Sellers:           hotel.One,
			Acknowledges:      hotel.ByQueue,
			AdjustsOn:         hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
			Versions:          true,
			SaleSettle:        hotel.Never,
			TheirPollInterval: time.Duration(c.TheirInterval),
			FeedOrder:         hotel.OrderRevisionNumber,
		},
		Operations: takes,
		InOrder:    true,
		PullTime:   time.Duration(c.Timeout) * 100 / readingShare,
		Lists:      true, Polls: true, Publishes: true, HasCatalog: true,
	}
}
