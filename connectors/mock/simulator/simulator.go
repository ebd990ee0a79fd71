// Package simulator is the pretend channel that the connector mock talks to: a
// server of the protocol in connectors/mock/README.md, with guests who buy,
// change and cancel by themselves. It has wire types of its own and imports
// nothing of the connector, so that one misreading of the protocol is not made
// on both sides.
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

// The presets.
const (
	push = "push" // it calls the hotel's side with every message
	pull = "pull" // it keeps its messages until they are fetched
	hub  = "hub"  // as pull; changes and cancellations leave its counts alone
	lean = "lean" // as pull; lengths are read on arrival, departures and advance days are free

	blind = "blind" // as pull; it tells nobody what it shows
	total = "total" // as pull; a count is the most that it sells in all, and it shows what is left
	slow  = "slow"  // as pull; what guests do is in its feed and its list a minute later
	relay = "relay" // as pull; its counts are sold by several, or it keeps the sum
	plans = "plans" // as pull; each rate of a room has a count of its own

	strict = "strict" // as pull; it takes a year and one currency, and reads lengths on the day of departure too
)

var presets = []string{push, pull, hub, lean, blind, total, slow, relay, plans, strict}

func init() {
	connectors.RegisterSimulator(connectors.Simulator{
		Name:    "mock",
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

// callsPerMinute is the published limit of each update.
const callsPerMinute = 300

// Simulator is one pretend channel.
type Simulator struct {
	o      connectors.SimulatorOptions
	kit    simkit.Kit
	server http.Handler
}

var _ connectors.SimulatorInstance = (*Simulator)(nil)

// Open opens the channel with the book that it had.
func Open(o connectors.SimulatorOptions) (*Simulator, error) {
	if err := simkit.Prepare(&o, "mock", presets); err != nil {
		return nil, err
	}
	if o.Sellers < 0 || o.Sellers > 0 && o.Preset != relay {
		return nil, fmt.Errorf("open simulator mock: %d sellers: a relay alone has some", o.Sellers)
	}
	adjusts := hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes}
	if o.Preset == hub {
		adjusts.Modify, adjusts.Cancel = hotel.AdjustNo, hotel.AdjustNo
	}
	book, err := simkit.Open(simkit.Options{
		Dir: o.Dir, Prefix: strings.ToUpper(o.Preset), Products: o.Products, Opening: o.Opening,
		Adjusts: adjusts, Total: o.Preset == total, PerRate: o.Preset == plans, Leaving: o.Preset == strict, Sites: o.Sellers, Settles: settles(o.Preset), Clock: o.Clock,
	})
	if err != nil {
		return nil, fmt.Errorf("open simulator mock: %w", err)
	}
	s := &Simulator{
		o: o,
		kit: simkit.Kit{
			Latency: o.Latency,
			Book:    book,
			Faults:  simkit.NewFaults(o.Clock),
			Limits: simkit.NewLimits([]connectors.Bucket{
				{Operation: "availability", Scope: connectors.PerProperty, N: callsPerMinute, Per: time.Minute},
				{Operation: "rates", Scope: connectors.PerProperty, N: callsPerMinute, Per: time.Minute},
				{Operation: "action", Scope: connectors.PerProperty, N: callsPerMinute, Per: time.Minute},
			}, operation, o.Clock),
		},
	}
	s.server = s.kit.Handler(s.protocol())
	return s, nil
}

// settles is how late a channel of the preset tells of what guests do.
func settles(preset string) time.Duration {
	if preset == slow {
		return time.Minute
	}
	return 0
}

// operation names what a limit counts.
func operation(r *http.Request) string {
	if r.Method != http.MethodPost {
		return ""
	}
	if strings.Contains(r.URL.Path, "/bookings/") {
		return "action"
	}
	return r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
}

// ServeHTTP implements [http.Handler].
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.server.ServeHTTP(w, r) }

// Run implements [connectors.SimulatorInstance].
func (s *Simulator) Run(ctx context.Context) error {
	if s.o.Preset == push {
		return s.kit.Run(ctx, s.o, s.pusher().Run)
	}
	return s.kit.Run(ctx, s.o)
}

// Settings implements [connectors.SimulatorInstance].
func (s *Simulator) Settings(baseURL string) json.RawMessage {
	settings := map[string]any{"url": baseURL, "preset": s.o.Preset, "hotel": s.o.Hotel, "secret": s.o.Secret}
	switch {
	case s.o.Sellers > 0:
		settings["sellers"] = s.o.Sellers
	case s.o.Preset == relay:
		settings["keeps_sum"] = true
	}
	written, _ := json.Marshal(settings) // text and numbers: nothing that can fail
	return written
}

// Book returns what it shows and has sold.
func (s *Simulator) Book() *simkit.Book { return s.kit.Book }

// Plant adds a fault.
func (s *Simulator) Plant(f simkit.Fault) error { return s.kit.Faults.Plant(f) }

// Calm forgets the planted faults that have not come yet, or are not over.
func (s *Simulator) Calm() { s.kit.Faults.Clear() }

// Products implements [connectors.SimulatorInstance].
func (s *Simulator) Products() []connectors.RemoteProduct { return s.kit.Book.Products() }

// Close implements [connectors.SimulatorInstance].
func (s *Simulator) Close() error { return s.kit.Close(s.o) }
