package sync

import (
	"context"
	"slices"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/contain"
)

// Connectors lists what is compiled in, in alphabetical order.
func (e *Engine) Connectors() []hotel.Connector {
	var list []hotel.Connector
	for _, name := range connectors.Names() {
		driver, _ := connectors.Lookup(name)
		_, simulated := connectors.LookupSimulator(name)
		list = append(list, hotel.Connector{
			Name: name, Summary: driver.Summary(), Abilities: abilities(driver.Capabilities(), nil), Settings: driver.Schema(), Simulator: simulated,
		})
	}
	return list
}

// Configure checks a channel's own settings, a JSON object, over those of the
// configuration. The error is a refusal that names every mistake.
func (e *Engine) Configure(connector string, settings []byte) (hotel.Configured, error) {
	if _, ok := connectors.Lookup(connector); !ok {
		return hotel.Configured{}, hotel.Invalid("/connector", "enum", "this program has no such connector; GET /connectors lists those it has")
	}
	d, err := e.describe(context.Background(), connector, settings, nil)
	if err != nil {
		return hotel.Configured{}, err
	}
	return hotel.Configured{
		Account: connector + ":" + d.settings.Account(), Place: connector + ":" + d.settings.Place(), Shown: d.settings.Redacted(),
		Abilities: abilities(d.caps, nil),
	}, nil
}

// Abilities tells what a channel can do with its settings, as far as its last handshake
// found out. Its limits are those that are published.
func (e *Engine) Abilities(ctx context.Context, c hotel.Channel) (hotel.Abilities, error) {
	d, err := e.describe(ctx, c.Connector, c.Settings, func(ctx context.Context, s *connectors.Settings) (connectors.Discovered, error) {
		found, _, err := e.found(ctx, c, s)
		return found, err
	})
	if err != nil {
		return hotel.Abilities{}, err
	}
	return abilities(d.caps, nil), nil
}

// CheckKept refuses settings that would have a secret go where it has not been without
// being given. See [connectors.Registered.CheckKept].
func (e *Engine) CheckKept(connector string, was, is, given []byte) error {
	driver, ok := connectors.Lookup(connector)
	if !ok {
		return nil // as Configure says
	}
	if err := driver.CheckKept(e.o.Defaults[connector], was, is, given); err != nil {
		return mistakes(err)
	}
	return nil
}

// Seal returns a channel's own settings as they are kept, with the secrets in them sealed.
// See [connectors.Registered.Seal].
func (e *Engine) Seal(connector string, was, is []byte) ([]byte, error) {
	driver, ok := connectors.Lookup(connector)
	if !ok || e.o.Seal == nil {
		return is, nil
	}
	sealed, err := driver.Seal(e.o.Seal, was, is)
	if err != nil {
		return nil, mistakes(err)
	}
	return sealed, nil
}

// Link tells how a channel's way out stands.
func (e *Engine) Link(id string) hotel.Link {
	r := e.runner(id)
	if r == nil {
		return hotel.Link{}
	}
	c, f := r.state()
	if c == nil {
		if f.err == nil {
			return hotel.Link{}
		}
		clock := e.o.Clock
		return hotel.Link{Failure: f.err.Error(), RetryAt: clock.Now().Add(f.retryAt.Sub(clock.Steady()))}
	}
	s := c.gate.Status()
	return hotel.Link{
		Open: true, Circuit: string(s.Breaker), ProbeAt: s.RetryAt, Cause: s.Cause, Since: s.Since, Words: s.Words,
		HeldUntil: s.HeldUntil, Abilities: abilities(c.caps, c),
	}
}

// Published tells when a channel last read what it comes to read, nil of one that is
// told instead, that does not say, or that nobody has opened.
func (e *Engine) Published(ctx context.Context, id string) ([]hotel.Published, error) {
	c := e.running(id)
	if c == nil {
		return nil, nil
	}
	visited, ok := c.connector.(connectors.Visited)
	if !ok || !c.caps.Publishes {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	return contain.Call(ctx, c.box, "receive", visited.Visits)
}

// abilities tells a driver's capabilities in the words of the trade; with the
// limits of an open channel's account as they stand, those too that only another channel
// of the account knows of.
func abilities(caps connectors.Capabilities, open *channel) hotel.Abilities {
	a := hotel.Abilities{
		Terms: caps.Terms, InOrder: caps.InOrder,
		Reads: caps.Reads, Lists: caps.Lists, Polls: caps.Polls, Receives: caps.Receives, Serves: caps.Serves, Catalog: caps.HasCatalog,
	}
	for _, b := range caps.Buckets {
		a.Limits = append(a.Limits, hotel.Limit{Operation: b.Operation, PerProperty: b.Scope == connectors.PerProperty, N: b.N, Per: b.Per, Remaining: b.N})
	}
	if open == nil {
		return a
	}
	for _, s := range open.gate.Status().Buckets {
		if s.Property != "" && s.Property != open.PropertyID {
			continue
		}
		kept := hotel.Limit{Operation: s.Operation, PerProperty: s.Property != "", N: s.Limit, Per: s.Per, Remaining: s.Remaining}
		i := slices.IndexFunc(a.Limits, func(l hotel.Limit) bool {
			l.Remaining = kept.Remaining
			return l == kept
		})
		if i < 0 {
			a.Limits = append(a.Limits, kept)
			continue
		}
		a.Limits[i] = kept
	}
	return a
}
