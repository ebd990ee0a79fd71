// Package simulator is a pretend portal that speaks AlpineBits HotelData: a server of
// the protocol, with guests who book, change and cancel by themselves. It keeps the
// rules of the standard and refuses what a real portal refuses. It has wire types of
// its own and imports nothing of the connector, so that one misreading of the
// standard is not made on both sides.
package simulator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

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
	sets   = "sets"    // as newest, and it takes complete sets of free rooms alone
)

var presets = []string{newest, middle, oldest, push, sets}

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

	mu   sync.Mutex
	told int64 // the last event that was read
}

var _ connectors.SimulatorInstance = (*Simulator)(nil)

// Open opens the portal with the book that it had.
func Open(o connectors.SimulatorOptions) (*Simulator, error) {
	if o.Preset == "" {
		o.Preset = newest
	}
	if !slices.Contains(presets, o.Preset) {
		return nil, fmt.Errorf("open simulator alpinebits: preset %q is not one of %s", o.Preset, strings.Join(presets, ", "))
	}
	if o.Hotel == "" || o.Secret == "" {
		return nil, errors.New("open simulator alpinebits: it needs the code of a hotel and a secret")
	}
	if o.Clock == nil {
		o.Clock = hotel.SystemClock{}
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	if o.InboundURL == nil {
		o.InboundURL = func() string { return "" }
	}
	if o.Client == nil {
		o.Client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 10 * time.Second}
	}
	book, err := simkit.Open(simkit.Options{
		Dir: o.Dir, Prefix: "AB", Products: o.Products, Opening: o.Opening, Clock: o.Clock,
		Adjusts: hotel.Adjusts{Book: hotel.AdjustYes, Modify: hotel.AdjustYes, Cancel: hotel.AdjustYes},
	})
	if err != nil {
		return nil, fmt.Errorf("open simulator alpinebits: %w", err)
	}
	s := &Simulator{o: o, kit: simkit.Kit{
		Book:   book,
		Faults: simkit.NewFaults(o.Clock),
		Limits: simkit.NewLimits(nil, func(*http.Request) string { return "" }, o.Clock),
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
	var running errgroup.Group
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running.Go(func() error {
		defer cancel() // the rest goes with the guests
		return simkit.Guests{Book: s.kit.Book, Pace: s.o.Pace, Seed: s.o.Seed, Log: s.o.Log}.Run(ctx)
	})
	if s.o.Preset == push {
		running.Go(func() error { return s.push(ctx) })
	}
	return running.Wait()
}

// Settings implements [connectors.SimulatorInstance].
func (s *Simulator) Settings(baseURL string) json.RawMessage {
	of := map[string]string{"url": baseURL, "user": hotelUser, "password": s.o.Secret, "hotel": s.o.Hotel}
	if s.o.Preset == push {
		of["guest_requests"], of["inbound_user"], of["inbound_password"] = push, portalUser, s.o.Secret
	}
	settings, _ := json.Marshal(of) // text only: nothing that can fail
	return settings
}

// Book returns what it shows and has sold.
func (s *Simulator) Book() *simkit.Book { return s.kit.Book }

// Plant adds a fault.
func (s *Simulator) Plant(f simkit.Fault) error { return s.kit.Faults.Plant(f) }

// Products implements [connectors.SimulatorInstance].
func (s *Simulator) Products() []connectors.RemoteProduct { return s.kit.Book.Products() }

// Close implements [connectors.SimulatorInstance].
func (s *Simulator) Close() error {
	s.kit.Faults.Close()
	s.o.Client.CloseIdleConnections()
	return s.kit.Book.Close()
}
