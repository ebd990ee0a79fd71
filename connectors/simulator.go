package connectors

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"go.uber.org/zap"

	"ostler.example/hotel"
)

// Simulator pretends to be the far side of a connector, for trials, the sandbox
// and tests.
type Simulator struct {
	Name    string   // the connector that talks to it
	Presets []string // the kinds of far side that it can be, the first being the default

	// New opens one with the state that its folder holds.
	New func(SimulatorOptions) (SimulatorInstance, error)
}

// SimulatorOptions say what is simulated.
type SimulatorOptions struct {
	Preset string // one of Presets; "" is the first
	Dir    string // where its book is kept; "": in memory only
	Hotel  string // the property's code at the far side
	Secret string // what both sides know: bearer token and signing key

	// Of the property there, where the far side keeps them; "": euros, and a date that has
	// begun everywhere.
	Currency hotel.Currency
	TimeZone string

	Sellers  int             // of a relay: at so many sellers a count is sold, at each by itself; 0: it keeps the sum
	Products []RemoteProduct // what can be sold
	Opening  []Change        // what a new book shows before the first call

	// InboundURL returns where messages are to be pushed to; nil or "": nowhere yet.
	InboundURL func() string

	// Client makes the calls to that address; nil: one of its own.
	Client *http.Client

	Latency time.Duration // how long its answers take, once what they are about has been done

	Pace  time.Duration // mean time between two bookings by its guests; 0: they stand still
	Seed  uint64        // of what its guests do
	Clock hotel.Clock   // nil: the machine's
	Log   *zap.Logger   // nil: none
}

// SimulatorInstance is one running far side: a server of its protocol and, under
// /_sim/, of what lets anybody look inside, play the guest and plant faults.
type SimulatorInstance interface {
	http.Handler

	// Run lets guests act and pushes messages until ctx ends, then returns nil.
	Run(ctx context.Context) error

	// Settings returns the settings of a channel that talks to it at that address.
	Settings(baseURL string) json.RawMessage

	// Products returns what can be mapped.
	Products() []RemoteProduct

	// Close ends hanging requests and closes the book. Run must have returned.
	Close() error
}

// SimulatedBooking is how a far side has one of its bookings.
type SimulatedBooking struct {
	Stay      hotel.Stay
	Live      bool // a guest is expected
	Confirmed bool // the property has confirmed it
	NoShow    bool // the property says that nobody came
	Revision  int  // rises with every change that guests would see
}

// SimulatedRoom is one room of a booking of several that guests make.
type SimulatedRoom struct {
	Room, Rate string
	Stay       hotel.Stay
	Adults     int
	Children   []int // their ages
}

// RegisterSimulator makes a simulator available by the name of its connector. It
// panics when it is incomplete or the name is taken.
func RegisterSimulator(s Simulator) {
	if !nameForm.MatchString(s.Name) || len(s.Presets) == 0 || s.New == nil {
		panic(fmt.Sprintf("connectors: register simulator %q: it is incomplete", s.Name))
	}
	registry.Lock()
	defer registry.Unlock()
	if _, doubled := registry.simulators[s.Name]; doubled {
		panic(fmt.Sprintf("connectors: register simulator %s: registered twice", s.Name))
	}
	registry.simulators[s.Name] = s
}

// LookupSimulator returns the simulator of the connector of that name.
func LookupSimulator(name string) (Simulator, bool) {
	registry.RLock()
	defer registry.RUnlock()
	s, ok := registry.simulators[name]
	return s, ok
}

// SimulatorNames lists the connectors that have a simulator, in alphabetical
// order.
func SimulatorNames() []string {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Sorted(maps.Keys(registry.simulators))
}
