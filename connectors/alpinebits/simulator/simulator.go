// Package simulator is a pretend portal that speaks AlpineBits HotelData: a server of
// the protocol, with guests who book, change and cancel by themselves. It keeps the
// rules of the standard and refuses what a real portal refuses. It has wire types of
// its own and imports nothing of the connector, so that one misreading of the
// standard is not made on both sides.
package simulator

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// The presets.
const (
	newest = "2024-10" // it speaks all versions and keeps its reservations until they are asked for
	middle = "2022-10" // as newest, without the latest version
	oldest = "2020-10" // as newest, in the first version alone
	push   = "push"    // as newest, and it sends its reservations by itself
	sets   = "sets"    // as newest, and it takes complete sets of free rooms and whole rate plans alone
	asks   = "asks"    // as newest, and it asks what rooms cost
)

var presets = []string{newest, middle, oldest, push, sets, asks}

// versions are those of the standard, the newest first.
var versions = []string{newest, middle, oldest}

func init() {
	connectors.RegisterSimulator(connectors.Simulator{
		Name:    "alpinebits",
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

// The users of both sides; the secret is the password of both.
const (
	hotelUser  = "hotel"
	portalUser = "portal"
)

// Simulator is one pretend portal.
type Simulator struct {
	o      connectors.SimulatorOptions
	kit    simkit.Kit
	server http.Handler

	mu        sync.Mutex
	told      int64 // the last event that was read
	described map[string]Category
	shut      map[hotel.Date]bool     // nights of closing seasons
	beside    map[string][]Supplement // by rate plan
	wishes    map[string]bool         // what it asks for
	whole     time.Time               // when it was last told a complete set of free rooms
}

var _ connectors.SimulatorInstance = (*Simulator)(nil)

// Open opens the portal with the book that it had.
func Open(o connectors.SimulatorOptions) (*Simulator, error) {
	if err := simkit.Prepare(&o, "alpinebits", presets); err != nil {
		return nil, err
	}
	book, err := simkit.Open(simkit.Options{
		Dir: o.Dir, Prefix: "AB", Products: o.Products, Opening: o.Opening, Clock: o.Clock, Leaving: true,
		Adjusts: hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
	})
	if err != nil {
		return nil, fmt.Errorf("open simulator alpinebits: %w", err)
	}
	s := &Simulator{o: o, kit: simkit.Kit{
		Latency: o.Latency,
		Book:    book,
		Faults:  simkit.NewFaults(o.Clock),
		Limits:  simkit.NewLimits(nil, func(*http.Request) string { return "" }, o.Clock),
	}}
	s.server = s.kit.Handler(http.HandlerFunc(s.serve))
	return s, nil
}

// speaks lists the versions that this portal knows.
func (s *Simulator) speaks() []string {
	if at := slices.Index(versions, s.o.Preset); at > 0 {
		return versions[at:]
	}
	return versions
}

// ServeHTTP implements [http.Handler].
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.server.ServeHTTP(w, r) }

// Run implements [connectors.SimulatorInstance].
func (s *Simulator) Run(ctx context.Context) error {
	switch s.o.Preset {
	case push:
		return s.kit.Run(ctx, s.o, s.pusher().Run)
	case asks:
		return s.kit.Run(ctx, s.o, s.ask)
	}
	return s.kit.Run(ctx, s.o)
}

// Settings implements [connectors.SimulatorInstance].
func (s *Simulator) Settings(baseURL string) json.RawMessage {
	of := map[string]string{"url": baseURL, "user": hotelUser, "password": s.o.Secret, "hotel": s.o.Hotel}
	switch products := s.kit.Book.Products(); s.o.Preset {
	case push:
		of["guest_requests"], of["inbound_user"], of["inbound_password"] = push, portalUser, s.o.Secret
	case asks:
		of["inbound_user"], of["inbound_password"] = portalUser, s.o.Secret
		of["standard_guests"], of["base_rates"] = guestsOf(products), mealsOf(products)
	case sets:
		of["standard_guests"], of["whole_plans"] = guestsOf(products), mealsOf(products)
	}
	settings, _ := json.Marshal(of) // text only: nothing that can fail
	return settings
}

// addTo adds a code and its value to a list of such, unless the code is in it.
func addTo(list, code, value string) string {
	for part := range strings.SplitSeq(list, ", ") {
		if of, _, _ := strings.Cut(part, "="); of == code {
			return list
		}
	}
	return strings.TrimPrefix(list+", "+code+"="+value, ", ")
}

// Book returns what it shows and has sold.
func (s *Simulator) Book() *simkit.Book { return s.kit.Book }

// Plant adds a fault.
func (s *Simulator) Plant(f simkit.Fault) error { return s.kit.Faults.Plant(f) }

// Products implements [connectors.SimulatorInstance].
func (s *Simulator) Products() []connectors.RemoteProduct { return s.kit.Book.Products() }

// Close implements [connectors.SimulatorInstance].
func (s *Simulator) Close() error { return s.kit.Close(s.o) }
