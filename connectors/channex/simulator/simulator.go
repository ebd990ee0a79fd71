// Package simulator is a pretend Channex with one property, for whatever talks to
// Channex as its documents say: it takes what Channex takes, warns of what Channex
// warns of, and refuses the rest. Guests buy, change and cancel by themselves. It has
// wire types of its own and imports nothing of the connector, so that one misreading
// of the protocol is not made on both sides.
package simulator

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// The presets: how the property reads minimum stays, its rate plans having one price
// for the room; or both ways, with a price for each number of guests of every plan, or of
// every other one.
const (
	both      = "both"
	arrival   = "arrival"
	through   = "through"
	perPerson = "per_person"
	mixed     = "mixed"
)

var presets = []string{both, arrival, through, perPerson, mixed}

func init() {
	connectors.RegisterSimulator(connectors.Simulator{
		Name:    "channex",
		Presets: presets,
		New: func(o connectors.SimulatorOptions) (connectors.SimulatorInstance, error) {
			s, err := Open(o)
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	})
}

const (
	callsPerMinute = 10  // of each update
	stateLength    = 500 // nights that the property has, today's included; see [Simulator.last]
)

// Simulator is one pretend Channex.
type Simulator struct {
	o      connectors.SimulatorOptions
	zone   *time.Location
	plans  []plan
	kit    simkit.Kit
	feed   feed
	queue  simkit.Queue // of updates that are confirmed and not in force yet
	server http.Handler
}

var _ connectors.SimulatorInstance = (*Simulator)(nil)

// Open opens it with the book that it had.
func Open(o connectors.SimulatorOptions) (*Simulator, error) {
	if err := simkit.Prepare(&o, "channex", presets); err != nil {
		return nil, err
	}
	zone := time.FixedZone("where it is earliest", -12*60*60)
	if o.TimeZone != "" {
		var err error
		if zone, err = time.LoadLocation(o.TimeZone); err != nil {
			return nil, fmt.Errorf("open simulator channex: %w", err)
		}
	}
	if o.Currency == "" {
		o.Currency = "EUR"
	}
	if !o.Currency.Known() {
		return nil, fmt.Errorf("open simulator channex: there is no currency %q", o.Currency)
	}
	s := &Simulator{o: o, zone: zone, plans: plansOf(o.Products, o.Preset)}
	var products []connectors.RemoteProduct
	for _, p := range s.plans {
		products = append(products, p.RemoteProduct)
	}
	book, err := simkit.Open(simkit.Options{
		Dir: o.Dir, Prefix: "BDC", Products: products, Opening: o.Opening, Clock: o.Clock,
		Adjusts: hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustNo, Cancel: hotel.AdjustNo},
	})
	if err != nil {
		return nil, fmt.Errorf("open simulator channex: %w", err)
	}
	s.kit = simkit.Kit{
		Latency: o.Latency,
		Book:    book,
		Faults:  simkit.NewFaults(o.Clock),
		Limits: simkit.NewLimits([]connectors.Bucket{
			{Operation: "availability", Scope: connectors.PerProperty, N: callsPerMinute, Per: time.Minute},
			{Operation: "restrictions", Scope: connectors.PerProperty, N: callsPerMinute, Per: time.Minute},
		}, operation, o.Clock),
	}
	s.kit.Limits.Refuse = func(w http.ResponseWriter, _ *http.Request) { // it does not say for how long
		problem(w, http.StatusTooManyRequests, "http_too_many_requests", "Too Many Requests", nil)
	}
	s.server = s.kit.Handler(s.protocol())
	return s, nil
}

// operation names what a limit counts.
func operation(r *http.Request) string {
	if r.Method != http.MethodPost {
		return ""
	}
	return strings.TrimPrefix(r.URL.Path, base)
}

// ServeHTTP implements [http.Handler].
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.server.ServeHTTP(w, r) }

// Run implements [connectors.SimulatorInstance].
func (s *Simulator) Run(ctx context.Context) error { return s.kit.Run(ctx, s.o, s.callHooks) }

// webhookSecret is what the hotel's side has asked to be told with every webhook.
func (s *Simulator) webhookSecret() string { return "webhooks of " + s.o.Secret }

// Settings implements [connectors.SimulatorInstance].
func (s *Simulator) Settings(baseURL string) json.RawMessage {
	all := map[string]any{
		"url": baseURL + strings.TrimSuffix(base, "/"), "api_key": s.o.Secret, "property": s.o.Hotel, "currency": s.o.Currency,
		"min_stay_type": s.minStayType(), "sell_mode": "per_room", "webhook_secret": s.webhookSecret(),
	}
	switch s.o.Preset {
	case perPerson:
		all["sell_mode"] = perPerson
	case mixed:
		var others []string
		for _, p := range s.plans {
			if p.perPerson {
				others = append(others, p.Rate)
			}
		}
		all["other_sell_mode"] = others
	}
	settings, _ := json.Marshal(all) // text only: nothing that can fail
	return settings
}

// minStayType is how the property reads minimum stays.
func (s *Simulator) minStayType() string {
	if s.o.Preset == perPerson || s.o.Preset == mixed {
		return both
	}
	return s.o.Preset
}

// Book returns what it shows and has sold.
func (s *Simulator) Book() *simkit.Book { return s.kit.Book }

// Plant adds a fault.
func (s *Simulator) Plant(f simkit.Fault) error { return s.kit.Faults.Plant(f) }

// Resend tells the newest revision of a booking once more, of a room and rate that
// somebody has mapped meanwhile.
func (s *Simulator) Resend(b simkit.Booking) error {
	s.kit.Faults.Maps(b.Number)
	return s.kit.Book.Resend(b.Reference)
}

// OverLimit counts the updates that came beyond the limits.
func (s *Simulator) OverLimit() int { return s.kit.Limits.Refused() }

// Products implements [connectors.SimulatorInstance].
func (s *Simulator) Products() []connectors.RemoteProduct { return s.kit.Book.Products() }

// Close implements [connectors.SimulatorInstance].
func (s *Simulator) Close() error {
	s.queue.Flush()
	return s.kit.Close(s.o)
}
