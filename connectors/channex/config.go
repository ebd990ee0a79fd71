package channex

import (
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

//go:embed example.toml
var example string

// MinStayType says how the property at Channex reads its minimum stays.
type MinStayType string

// The types, as the property's settings at Channex have them.
const (
	Both    MinStayType = "both"    // on arrival, and another on every night
	Arrival MinStayType = "arrival" // on the day of arrival
	Through MinStayType = "through" // on every night
)

// SellMode says for whom prices are told.
type SellMode string

// The modes, as rate plans at Channex have them.
const (
	PerRoom   SellMode = "per_room"   // one for the room
	PerPerson SellMode = "per_person" // one for each number of guests
)

// Config is the settings of a channel.
type Config struct {
	URL            string              `json:"url" origin:"true"`
	APIKey         string              `json:"api_key" secret:"true"`
	Property       string              `json:"property"`
	Currency       hotel.Currency      `json:"currency"`
	SellMode       SellMode            `json:"sell_mode"`
	OtherMode      []string            `json:"other_sell_mode,omitempty"` // the rate plans that are in the other one
	MinStayType    MinStayType         `json:"min_stay_type"`
	WebhookSecret  string              `json:"webhook_secret" secret:"true"`
	Sites          int                 `json:"sites"`
	HorizonDays    int                 `json:"horizon_days"`
	CountsModify   bool                `json:"counts_modification"`
	CountsCancel   bool                `json:"counts_cancellation"`
	Timeout        connectors.Duration `json:"timeout"`
	CallsPerMinute int                 `json:"calls_per_minute"`
}

// published is how many calls a minute Channex takes of each operation for one
// property.
const published = 10

// The inventory of a property at Channex reaches this many days ahead, today
// included.
const (
	leastDays = 100
	mostDays  = 730
)

// settles is after how long a sale at an agency is in the list of Channex's bookings.
// Channex promises nothing; some agencies are asked for theirs.
const settles = 30 * time.Minute

var defaults = Config{
	URL:            "https://app.channex.io/api/v1",
	SellMode:       PerRoom,
	MinStayType:    Both,
	HorizonDays:    500,
	Timeout:        connectors.Duration(30 * time.Second),
	CallsPerMinute: published,
}

// Validate joins every mistake.
func (c Config) Validate() error {
	var mistakes []error
	add := func(format string, args ...any) { mistakes = append(mistakes, fmt.Errorf(format, args...)) }
	if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		add("url: expected an address such as https://app.channex.io/api/v1")
	} else if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		add("url: must not carry a user, a query or a fragment; the key has a setting of its own")
	} else if err := connectors.CheckPlain(u); err != nil {
		add("url: %w", err)
	}
	if c.APIKey == "" {
		add("api_key: say which key Channex gave for this property")
	}
	if c.Property == "" {
		add("property: say which property this is at Channex, by its id")
	}
	if !c.Currency.Known() {
		add("currency: say in which currency the rate plans at Channex are, such as EUR")
	}
	switch c.SellMode {
	case PerRoom, PerPerson:
	default:
		add("sell_mode: expected per_room or per_person")
	}
	if slices.Contains(c.OtherMode, "") {
		add("other_sell_mode: expected rate plans, by their ids")
	}
	switch c.MinStayType {
	case Both, Arrival, Through:
	default:
		add("min_stay_type: expected both, arrival or through")
	}
	if c.WebhookSecret != "" && len(c.WebhookSecret) < 16 {
		add("webhook_secret: expected at least 16 characters")
	}
	if c.Sites < 0 {
		add("sites: expected 0, for not known, or the number of agencies")
	}
	if c.HorizonDays < leastDays || c.HorizonDays > mostDays {
		add("horizon_days: expected between %d and %d", leastDays, mostDays)
	}
	if t := time.Duration(c.Timeout); t < 100*time.Millisecond || t > 2*time.Minute {
		add("timeout: expected between 100ms and 2m")
	}
	if c.CallsPerMinute < 1 || c.CallsPerMinute > published {
		add("calls_per_minute: expected between 1 and %d, which Channex publishes", published)
	}
	return errors.Join(mistakes...)
}

// mode is how prices of a rate plan are told.
func (c Config) mode(plan string) SellMode {
	if (c.SellMode == PerPerson) != slices.Contains(c.OtherMode, plan) {
		return PerPerson
	}
	return PerRoom
}

// account is the property: Channex counts calls for each, and takes those of one in
// the order in which they come. It is also the place.
func account(c Config) string { return c.URL + " " + c.Property }

// capabilities says what a channel of these settings can do.
func capabilities(c Config, _ connectors.Discovered) connectors.Capabilities {
	caps := connectors.Capabilities{
		Terms: hotel.Terms{
			StockPer: hotel.PerRoom,
			Fields: map[hotel.Field]hotel.Carriage{
				hotel.FieldAvailable:         {As: hotel.Exact},
				hotel.FieldClosed:            {As: hotel.Exact},
				hotel.FieldClosedToArrival:   {As: hotel.Exact},
				hotel.FieldClosedToDeparture: {As: hotel.Exact},
				hotel.FieldMinStayArrival:    {As: hotel.Exact},
				hotel.FieldMinStayThrough:    {As: hotel.Exact},
				hotel.FieldMaxStayArrival:    {As: hotel.Exact},
				hotel.FieldMaxStayThrough:    {As: hotel.Coarser},
				hotel.FieldMinAdvance:        {As: hotel.Coarser},
				hotel.FieldMaxAdvance:        {As: hotel.Coarser},
				hotel.FieldAmount:            {As: hotel.Exact},
			},
			Occupancies:  c.SellMode == PerPerson,
			Otherwise:    c.OtherMode,
			HorizonDays:  c.HorizonDays - 1,
			Sellers:      hotel.Many,
			Sites:        c.Sites,
			Acknowledges: hotel.ByQueue,
			AdjustsOn:    hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo},
			ListsByDate:  true,
			SaleSettle:   settles,
			BookingTime:  true,
			FeedOrder:    hotel.OrderTime,
		},
		Operations: takes,
		InOrder:    true,
		Reads:      true, ReadsWhole: true, Lists: true, Polls: true, HasCatalog: true, Rereads: true,
		Receives: c.WebhookSecret != "", Hints: c.WebhookSecret != "",
	}
	if c.Currency != "" {
		caps.Currencies = []string{string(c.Currency)}
	}
	switch c.MinStayType {
	case Arrival:
		caps.Fields[hotel.FieldMinStayThrough] = hotel.Carriage{As: hotel.Coarser}
	case Through:
		caps.Fields[hotel.FieldMinStayArrival] = hotel.Carriage{As: hotel.Coarser}
	case Both:
	}
	if c.CountsModify {
		caps.AdjustsOn.Modify = hotel.AdjustYes
	}
	if c.CountsCancel {
		caps.AdjustsOn.Cancel = hotel.AdjustYes
	}
	for _, o := range takes {
		caps.Buckets = append(caps.Buckets, connectors.Bucket{Operation: o.Name, Scope: connectors.PerProperty, N: c.CallsPerMinute, Per: time.Minute})
	}
	return caps
}
