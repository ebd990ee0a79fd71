package mock

import (
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

//go:embed example.toml
var example string

// Preset is the kind of far side.
type Preset string

// The presets. See the README for what tells them apart.
const (
	Push  Preset = "push"  // it calls us with every message
	Pull  Preset = "pull"  // we fetch its messages
	Hub   Preset = "hub"   // as pull, but it relays to many sellers
	Lean  Preset = "lean"  // as pull, but it knows few restrictions
	Blind Preset = "blind" // as pull, but it cannot be asked what it shows
	Total Preset = "total" // as pull, but a count is the most that it sells in all
	Slow  Preset = "slow"  // as pull, but what its guests do it tells a minute later
	Relay Preset = "relay" // as pull, but others sell, and it says how many or that it keeps the sum
	Plans Preset = "plans" // as pull, but each rate of a room has a count of its own

	Strict Preset = "strict" // as pull, but it has bounds: a year, a currency, and lengths that it reads on the day of departure too
)

// Config is the settings of a channel.
type Config struct {
	URL            string              `json:"url" origin:"true"`
	Preset         Preset              `json:"preset"`
	Hotel          string              `json:"hotel"`
	Secret         string              `json:"secret" secret:"true"`
	Timeout        connectors.Duration `json:"timeout"`
	CallsPerMinute int                 `json:"calls_per_minute"`
	Sellers        int                 `json:"sellers"`   // Relay: at how many a count is sold, at each by itself; 0: nobody knows
	CutOff         bool                `json:"cut_off"`   // the far side has a last minute of its own for arrivals
	KeepsSum       bool                `json:"keeps_sum"` // Relay: none sells what is not taken off its one count before
}

// published is how many calls a minute the far side allows for each operation.
const published = 300

// maxSellers is how many a relay may say that it has.
const maxSellers = 1000

// What the preset strict takes: nights up to so many days from today, and prices in one
// currency.
const (
	strictDays     = 365
	strictCurrency = hotel.Currency("EUR")
)

// lifetime is after how long a call that was not answered can no longer take
// effect.
const lifetime = 2 * time.Minute

// settles is how late a slow far side tells of what guests do.
const settles = time.Minute

var defaults = Config{
	Preset:         Push,
	Timeout:        connectors.Duration(10 * time.Second),
	CallsPerMinute: published,
}

// Validate joins every mistake.
func (c Config) Validate() error {
	var mistakes []error
	add := func(format string, args ...any) { mistakes = append(mistakes, fmt.Errorf(format, args...)) }
	if c.URL == "" {
		add("url: say where the far side listens")
	} else if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		add("url: expected an address such as https://channel.example/api")
	} else if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		add("url: must not carry a user, a query or a fragment; the secret has a key of its own")
	}
	switch c.Preset {
	case Push, Pull, Hub, Lean, Blind, Total, Slow, Relay, Plans, Strict:
	default:
		add("preset: expected push, pull, hub, lean, blind, total, slow, relay, plans or strict")
	}
	if c.Sellers < 0 || c.Sellers > maxSellers {
		add("sellers: expected between 0 and %d", maxSellers)
	}
	if c.Preset != Relay && (c.Sellers != 0 || c.KeepsSum) {
		add("sellers: only the preset relay has some, and keeps_sum")
	}
	if c.Hotel == "" {
		add("hotel: say which property this is at the far side")
	}
	if c.Secret == "" {
		add("secret: say what both sides know")
	}
	if t := time.Duration(c.Timeout); t < 100*time.Millisecond || t > time.Minute {
		add("timeout: expected between 100ms and 1m")
	}
	if c.CallsPerMinute < 1 || c.CallsPerMinute > published {
		add("calls_per_minute: expected between 1 and %d, which the far side publishes", published)
	}
	return errors.Join(mistakes...)
}

// account is the property: the far side counts its calls for each. It is also
// all that the far side tells one listing from another by.
func account(c Config) string { return c.URL + " " + c.Hotel }

// capabilities says what a channel of these settings can do.
func capabilities(c Config, _ connectors.Discovered) connectors.Capabilities {
	caps := connectors.Capabilities{
		Terms: hotel.Terms{
			StockPer: hotel.PerRoom,
			Fields: map[hotel.Field]hotel.Carriage{
				hotel.FieldAvailable:         {As: hotel.Exact, Max: maxAvailable},
				hotel.FieldClosed:            {As: hotel.Exact},
				hotel.FieldClosedToArrival:   {As: hotel.Exact},
				hotel.FieldClosedToDeparture: {As: hotel.Exact},
				hotel.FieldMinStayArrival:    {As: hotel.Exact, Max: maxLength},
				hotel.FieldMinStayThrough:    {As: hotel.Exact, Max: maxLength},
				hotel.FieldMaxStayArrival:    {As: hotel.Exact, Max: maxLength},
				hotel.FieldMaxStayThrough:    {As: hotel.Exact, Max: maxLength},
				hotel.FieldMinAdvance:        {As: hotel.Exact, Max: maxAdvance},
				hotel.FieldMaxAdvance:        {As: hotel.Exact, Max: maxAdvance},
				hotel.FieldAmount:            {As: hotel.Exact},
			},
			Occupancies:  true,
			CutOff:       c.CutOff,
			Sellers:      hotel.One,
			Acknowledges: hotel.BySeller,
			AdjustsOn:    hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
			ListsByDate:  true,
			BookingTime:  true,
			FeedOrder:    hotel.OrderRevisionCount,
		},
		Operations: c.takes(),
		// Push refuses calls that others overtook, and the rest would let an older one
		// win: either way they go one after the other.
		InOrder: true,
		Reads:   true, Lists: true, HasCatalog: true, Rereads: true,
	}
	for _, operation := range []string{updateAvailability, updateRates, actOperation} {
		caps.Buckets = append(caps.Buckets, connectors.Bucket{
			Operation: operation, Scope: connectors.PerProperty, N: c.CallsPerMinute, Per: time.Minute,
		})
	}
	switch c.Preset {
	case Push:
		caps.Receives = true
		caps.AtMostOnce, caps.Versions, caps.RepeatKey = true, true, true
	case Pull, Blind:
		caps.Polls, caps.Reads = true, c.Preset == Pull
		caps.AtMostOnce, caps.Lifetime = true, lifetime
	case Plans:
		caps.Polls, caps.AtMostOnce, caps.Lifetime = true, true, lifetime
		caps.StockPer = hotel.PerProduct
	case Slow:
		caps.Polls, caps.AtMostOnce, caps.Lifetime, caps.SaleSettle = true, true, lifetime, settles
	case Total:
		caps.Polls, caps.TotalLimit, caps.Lifetime = true, true, lifetime
	case Relay:
		caps.Polls, caps.AtMostOnce, caps.Lifetime = true, true, lifetime
		caps.Sellers, caps.Acknowledges = hotel.Many, hotel.ByRelay
		caps.Sites, caps.KeepsSum = c.Sellers, c.KeepsSum
	case Strict:
		caps.Polls, caps.AtMostOnce, caps.Lifetime = true, true, lifetime
		caps.HorizonDays, caps.Currencies = strictDays, []string{string(strictCurrency)}
		for f, c := range caps.Fields {
			c.ResetsWhenOmitted = f.Group() == hotel.Lengths
			c.ThroughIncludesDeparture = f == hotel.FieldMinStayThrough || f == hotel.FieldMaxStayThrough
			caps.Fields[f] = c
		}
	case Hub:
		caps.Polls = true
		caps.Sellers, caps.Acknowledges = hotel.Many, hotel.ByRelay
		caps.AdjustsOn = hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo}
	case Lean:
		caps.Polls = true
		for _, f := range []hotel.Field{hotel.FieldClosedToDeparture, hotel.FieldMinStayThrough, hotel.FieldMaxStayThrough, hotel.FieldMinAdvance} {
			caps.Fields[f] = hotel.Carriage{As: hotel.Coarser}
		}
		for _, f := range []hotel.Field{hotel.FieldMinStayArrival, hotel.FieldMaxStayArrival} {
			caps.Fields[f] = hotel.Carriage{As: hotel.Exact, Min: 1, Max: leanLength}
		}
		delete(caps.Fields, hotel.FieldMaxAdvance) // the hotel sets it there
	}
	switch c.Preset {
	case Push:
		caps.Actions = everyAction
	case Pull, Hub, Lean, Total, Slow, Relay, Plans, Strict:
		caps.Actions = someActions
	case Blind:
	}
	return caps
}
