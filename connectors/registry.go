package connectors

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"sync"

	"ostler.example/hotel"
)

// Config is a driver's settings: a plain struct with json tags, whose secrets,
// texts or maps of texts, carry the tag `secret:"true"`. What only the
// configuration file may say, and no channel, carries `operator:"true"`; what says
// where secrets go, such as an address, `origin:"true"`. Validate joins every mistake, each
// beginning with the key it is about.
type Config interface {
	Validate() error
}

// Driver is what a connector registers. Every field but Discover and Describe is
// required.
type Driver[C Config] struct {
	Name    string // lower case, as it stands in settings: "mock"
	Summary string // one phrase for lists

	// Capabilities says what a channel of these settings can do. It is pure. For
	// Defaults it must already say StockPer, Sellers and Acknowledges.
	Capabilities func(C, Discovered) Capabilities

	// Discover is the optional handshake that finds out more.
	Discover func(ctx context.Context, c C, env Env) (Discovered, error)

	// Account names whose limits and breaker the channel shares.
	Account func(C) string

	// Place names the far side and the property there, whoever asks and however.
	// What was told at one place says nothing about another.
	Place func(C) string

	// Describe answers in place of Capabilities, Account and Place once settings are
	// whole, where that takes asking a program on this machine. It calls no far side;
	// its error is one of the settings.
	Describe func(C) (Description, error)

	Defaults C      // what holds when nothing is said
	Example  string // every key with its default commented out, as TOML

	// Open opens one channel. It does not call the far side.
	Open func(ctx context.Context, c C, env Env) (Connector, error)
}

// Description is what a driver says of one channel's whole settings, in the words
// of its fields of the same names.
type Description struct {
	Capabilities   func(Discovered) Capabilities
	Account, Place string
}

// Registered is a driver found by name, its type of settings erased.
type Registered struct {
	name, summary, example string
	schema                 json.RawMessage
	capabilities           Capabilities // of the default settings

	configure func(layers []layer, secret secretSource) (*Settings, error)
	defaults  func() reflect.Value // a fresh copy that can be set
	secret    secretSource
}

var registry = struct {
	sync.RWMutex
	drivers    map[string]*Registered
	simulators map[string]Simulator
}{drivers: map[string]*Registered{}, simulators: map[string]Simulator{}}

var nameForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// Register makes a driver available by its name. It panics when the driver is
// incomplete or the name is taken: a mistake of the program, not of its user.
func Register[C Config](d Driver[C]) {
	if !nameForm.MatchString(d.Name) {
		panic(fmt.Sprintf("connectors: register %q: a name is lower-case letters, digits and underscores", d.Name))
	}
	for what, missing := range map[string]bool{
		"Summary": d.Summary == "", "Capabilities": d.Capabilities == nil, "Account": d.Account == nil, "Place": d.Place == nil,
		"Example": d.Example == "", "Open": d.Open == nil,
	} {
		if missing {
			panic(fmt.Sprintf("connectors: register %s: %s is missing", d.Name, what))
		}
	}
	if why := incomplete(d.Capabilities(d.Defaults, Discovered{}).Terms); why != "" {
		panic(fmt.Sprintf("connectors: register %s: the capabilities do not say %s, which has no default", d.Name, why))
	}
	r := &Registered{name: d.Name, summary: d.Summary, example: d.Example, schema: schemaOf(d.Defaults), capabilities: d.Capabilities(d.Defaults, Discovered{})}
	r.configure = func(layers []layer, secret secretSource) (*Settings, error) { return configure(d, r, layers, secret) }
	r.defaults = func() reflect.Value {
		c, _ := clone(d.Defaults) // that they can be cloned is shown by their schema
		return reflect.ValueOf(&c).Elem()
	}

	registry.Lock()
	defer registry.Unlock()
	if _, doubled := registry.drivers[d.Name]; doubled {
		panic(fmt.Sprintf("connectors: register %s: registered twice", d.Name))
	}
	registry.drivers[d.Name] = r
}

// incomplete names the first promise without a default that terms leave out.
func incomplete(t hotel.Terms) string {
	switch {
	case t.StockPer == 0:
		return "StockPer"
	case t.Sellers == 0:
		return "Sellers"
	case t.Acknowledges == 0:
		return "Acknowledges"
	}
	return ""
}

// Lookup returns the driver of that name.
func Lookup(name string) (*Registered, bool) {
	registry.RLock()
	defer registry.RUnlock()
	r, ok := registry.drivers[name]
	return r, ok
}

// Names lists the registered drivers in alphabetical order.
func Names() []string {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Sorted(maps.Keys(registry.drivers))
}

// Name returns the driver's name.
func (r *Registered) Name() string { return r.name }

// Summary returns the driver's one phrase about itself.
func (r *Registered) Summary() string { return r.summary }

// Example returns the driver's settings as commented TOML.
func (r *Registered) Example() string { return r.example }

// Capabilities says what a channel can do, as far as the default settings tell.
func (r *Registered) Capabilities() Capabilities { return r.capabilities.worked() }

// Configure decodes and checks a channel's settings: the driver's defaults,
// over them the operator's defaults (the table [connectors.<name>] of the
// configuration file, decoded; nil: none), over them the channel's own
// settings, a JSON object (empty: none). Later layers replace single keys. The
// error joins every mistake of every layer, unknown keys among them, each named
// by its path, and tells no secret.
func (r *Registered) Configure(defaults map[string]any, settings json.RawMessage) (*Settings, error) {
	var layers []layer
	if len(defaults) > 0 {
		raw, err := json.Marshal(defaults)
		if err != nil {
			return nil, fmt.Errorf("defaults of connector %s: %w", r.name, err)
		}
		layers = append(layers, layer{path: "connectors." + r.name, raw: raw, operator: true})
	}
	if len(settings) > 0 {
		layers = append(layers, layer{path: "settings", raw: settings})
	}
	return r.configure(layers, r.secret)
}

// CheckDefaults reports what is wrong with an operator's [connectors.<name>]
// table taken by itself: unknown keys and values of the wrong kind. What only
// whole settings can answer, such as a missing address, is left to Configure.
func (r *Registered) CheckDefaults(defaults map[string]any) error {
	if len(defaults) == 0 {
		return nil
	}
	raw, err := json.Marshal(defaults)
	if err != nil {
		return fmt.Errorf("defaults of connector %s: %w", r.name, err)
	}
	_, err = r.configure([]layer{{path: "connectors." + r.name, raw: raw, partial: true, operator: true}}, nil)
	return err
}
