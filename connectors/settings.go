package connectors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// Settings are one channel's decoded and checked settings, bound to the driver
// that understands them.
type Settings struct {
	driver       *Registered
	capabilities func(Discovered) Capabilities
	discover     func(context.Context, Env) (Discovered, error)
	account      string
	place        string
	open         func(context.Context, Env) (Connector, error)
	whole        json.RawMessage
	redacted     json.RawMessage
	conceal      *strings.Replacer
}

// Driver returns the driver that the settings belong to.
func (s *Settings) Driver() *Registered { return s.driver }

// Capabilities says what a channel of these settings can do, given what a
// handshake found; without one, the zero Discovered.
func (s *Settings) Capabilities(found Discovered) Capabilities { return s.capabilities(found).worked() }

// Account names whose limits and breaker the channel shares, unique within the
// driver.
func (s *Settings) Account() string { return s.account }

// Place names what the channel is joined to, unique within the driver.
func (s *Settings) Place() string { return s.place }

// Discovers reports whether the driver has a handshake.
func (s *Settings) Discovers() bool { return s.discover != nil }

// Discover performs the driver's handshake; a driver without one finds nothing.
func (s *Settings) Discover(ctx context.Context, env Env) (Discovered, error) {
	if s.discover == nil {
		return Discovered{}, nil
	}
	return s.discover(ctx, env)
}

// Open opens the channel.
func (s *Settings) Open(ctx context.Context, env Env) (Connector, error) { return s.open(ctx, env) }

// JSON returns all settings of all layers, secrets included, those that are only
// named by their names: for storing, never for showing.
func (s *Settings) JSON() json.RawMessage { return s.whole }

// Redacted returns all settings with every secret that is set shown as "***".
func (s *Settings) Redacted() json.RawMessage { return s.redacted }

// Conceal returns text with "***" in place of every secret of the settings.
func (s *Settings) Conceal(text []byte) []byte { return []byte(s.conceal.Replace(string(text))) }

// Duration is a time.Duration written as text, such as "10s", in settings.
type Duration time.Duration

// MarshalText writes the duration as [time.Duration.String] does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads what [time.ParseDuration] reads.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return errors.New("expected a duration such as 10s")
	}
	*d = Duration(v)
	return nil
}

// layer is one source of settings, a JSON object. Partial settings are decoded
// but not validated as a whole.
type layer struct {
	path    string
	raw     json.RawMessage
	partial bool

	operator bool // it is the configuration file's
}

// configure lays the layers over the driver's defaults and binds the result.
func configure[C Config](d Driver[C], r *Registered, layers []layer, secret secretSource) (*Settings, error) {
	c, err := clone(d.Defaults)
	if err != nil {
		return nil, fmt.Errorf("defaults of connector %s: %w", d.Name, err)
	}
	var mistakes []error
	partial := false
	for _, l := range layers {
		mistakes = append(mistakes, overlay(reflect.ValueOf(&c).Elem(), l.raw, l.path, l.operator)...)
		partial = partial || l.partial
	}
	// What is stored and shown names a secret; what opens the channel has it.
	revealed, err := clone(c)
	if err != nil {
		return nil, fmt.Errorf("settings of connector %s: %w", d.Name, err)
	}
	if len(mistakes) == 0 && !partial {
		mistakes = reveal(reflect.ValueOf(&revealed).Elem(), "", secret)
	}
	if len(mistakes) == 0 && !partial {
		if err := revealed.Validate(); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	said := Description{}
	if len(mistakes) == 0 && !partial {
		if said, err = d.describe(revealed); err != nil {
			mistakes = append(mistakes, err)
		}
	}
	if len(mistakes) > 0 {
		return nil, errors.Join(mistakes...)
	}
	s := &Settings{
		driver:       r,
		capabilities: said.Capabilities,
		account:      said.Account,
		place:        said.Place,
		conceal:      Conceal(secretsOf(reflect.ValueOf(revealed))),
		open:         func(ctx context.Context, env Env) (Connector, error) { return d.Open(ctx, revealed, env) },
	}
	if d.Discover != nil {
		s.discover = func(ctx context.Context, env Env) (Discovered, error) { return d.Discover(ctx, revealed, env) }
	}
	if s.whole, err = json.Marshal(c); err != nil {
		return nil, fmt.Errorf("settings of connector %s: %w", d.Name, err)
	}
	if s.redacted, err = json.Marshal(redact(reflect.ValueOf(c))); err != nil {
		return nil, fmt.Errorf("settings of connector %s: %w", d.Name, err)
	}
	return s, nil
}

// describe says what a channel of whole settings can do and is joined to.
func (d Driver[C]) describe(c C) (Description, error) {
	if d.Describe != nil {
		return d.Describe(c)
	}
	return Description{
		Capabilities: func(found Discovered) Capabilities { return d.Capabilities(c, found) },
		Account:      d.Account(c), Place: d.Place(c),
	}, nil
}

// clone copies settings deeply, so that no channel shares a map with another.
func clone[C Config](c C) (C, error) {
	var out C
	raw, err := json.Marshal(c)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(raw, &out)
}
