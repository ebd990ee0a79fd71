// Package simulator is a pretend booking site that shares availability by calendars:
// it publishes what it has sold of each room in the habits of a real site, and reads
// our calendars to see what else is taken. It writes and reads iCalendar with code of
// its own and imports nothing of the connector, so that one misreading is not made
// on both sides.
package simulator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// The presets, named by the site whose habits they have.
const (
	airbnb  = "airbnb"  // numbers of reservations, a block that slides from day to day, what is over vanishes
	booking = "booking" // reservations and blocks alike, no numbers, no DTSTAMP
	vrbo    = "vrbo"    // first names, durations, what is over stays
	rotates = "rotates" // times of day with zones of Windows, another UID at each reading, bare line feeds
)

var presets = []string{airbnb, booking, vrbo, rotates}

func init() {
	connectors.RegisterSimulator(connectors.Simulator{
		Name:    "ical",
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

// readsEvery is how often the site reads our calendars. Real ones take hours.
const readsEvery = 10 * time.Second

// Simulator is one pretend site.
type Simulator struct {
	o      connectors.SimulatorOptions
	kit    simkit.Kit
	server http.Handler

	mu       sync.Mutex
	tags     map[string]string              // of our calendars, by room
	taken    map[string]map[hotel.Date]bool // what they said
	readings int                            // of its own calendars, by us
}

var _ connectors.SimulatorInstance = (*Simulator)(nil)

// Open opens the site with the book that it had.
func Open(o connectors.SimulatorOptions) (*Simulator, error) {
	if err := simkit.Prepare(&o, "ical", presets); err != nil {
		return nil, err
	}
	o.Products = rooms(o.Products)
	yes := hotel.AdjustYes
	book, err := simkit.Open(simkit.Options{
		Dir: o.Dir, Prefix: "HM", Products: o.Products, Opening: prices(o.Products, o.Clock), Clock: o.Clock,
		Adjusts: hotel.Adjusts{Book: yes, Modify: yes, Cancel: yes},
	})
	if err != nil {
		return nil, fmt.Errorf("open simulator ical: %w", err)
	}
	s := &Simulator{
		o: o, tags: map[string]string{}, taken: map[string]map[hotel.Date]bool{},
		kit: simkit.Kit{
			Latency: o.Latency,
			Book:    book, Faults: simkit.NewFaults(o.Clock),
			Limits: simkit.NewLimits(nil, func(*http.Request) string { return "" }, o.Clock),
		},
	}
	s.server = s.kit.Handler(s.protocol())
	return s, nil
}

// rooms are the products of a site whose calendars know no rates.
func rooms(products []connectors.RemoteProduct) []connectors.RemoteProduct {
	var out []connectors.RemoteProduct
	for _, p := range products {
		if !slices.ContainsFunc(out, func(known connectors.RemoteProduct) bool { return known.Room == p.Room }) {
			out = append(out, connectors.RemoteProduct{Room: p.Room, RoomName: p.RoomName})
		}
	}
	return out
}

// The prices of a site are its own: calendars do not tell them.
const (
	pricedDays = 800
	nightly    = 12000 // in minor units
)

func prices(products []connectors.RemoteProduct, clock hotel.Clock) []connectors.Change {
	today := hotel.DateIn(clock.Now(), time.UTC)
	var out []connectors.Change
	for _, p := range products {
		for night := today - 2; night < today+pricedDays; night++ {
			out = append(out, connectors.Change{
				Key:   connectors.Key{Room: p.Room, Rate: p.Rate, Group: hotel.Price, Night: night},
				Offer: hotel.Offer{Amount: hotel.Money{Minor: nightly, Currency: "EUR"}},
			})
		}
	}
	return out
}

// ServeHTTP implements [http.Handler].
func (s *Simulator) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.server.ServeHTTP(w, r) }

// Run implements [connectors.SimulatorInstance].
func (s *Simulator) Run(ctx context.Context) error { return s.kit.Run(ctx, s.o, s.fetchAll) }

// fetchAll reads our calendars again and again.
func (s *Simulator) fetchAll(ctx context.Context) error {
	timer := time.NewTicker(readsEvery)
	defer timer.Stop()
	for {
		if base := s.o.InboundURL(); base != "" {
			if err := s.Fetch(ctx, base); err != nil && ctx.Err() == nil {
				s.o.Log.Debug("reading the hotel's calendars did not go well", zap.Error(err))
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
	}
}

// Settings implements [connectors.SimulatorInstance].
func (s *Simulator) Settings(baseURL string) json.RawMessage {
	var calendars strings.Builder
	for _, room := range s.rooms() {
		fmt.Fprintf(&calendars, "%s %s/calendar/%s.ics?s=%s\n", room, strings.TrimSuffix(baseURL, "/"), room, s.secret("theirs"))
	}
	settings := map[string]string{
		"site": s.o.Preset, "property": s.o.Hotel, "time_zone": "UTC", "calendars": calendars.String(), "key": s.secret("ours"), "every": "0s",
	}
	if s.o.Preset == airbnb { // every guest has a number here, and the block of each day is the site's own
		settings["blocks"] = "ignored"
	}
	text, _ := json.Marshal(settings) // text only: nothing that can fail
	return text
}

// secret derives one of the two secrets that stand in addresses.
func (s *Simulator) secret(whose string) string {
	sum := sha256.Sum256([]byte(whose + s.o.Hotel + s.o.Secret))
	return hex.EncodeToString(sum[:16])
}

// rooms lists the rooms, of which each is one unit.
func (s *Simulator) rooms() []string {
	var codes []string
	for _, p := range s.kit.Book.Products() {
		codes = append(codes, p.Room)
	}
	return codes
}

// Secrets lists what stands in addresses and nobody is to read.
func (s *Simulator) Secrets() []string { return []string{s.secret("theirs"), s.secret("ours")} }

// Reference returns what a booking is known by in the site's calendar.
func (s *Simulator) Reference(b simkit.Booking) string {
	if s.o.Preset == airbnb {
		return number(b)
	}
	return s.uid(b)
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
