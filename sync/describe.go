package sync

import (
	"context"
	"crypto/sha256"
	"sync"

	"ostler.example/connectors"
	"ostler.example/hotel"
	"ostler.example/sync/contain"
)

// described is what a connector makes of a channel's settings, and what a channel of
// them can do.
type described struct {
	settings *connectors.Settings
	caps     connectors.Capabilities
}

// describeOperation names the call in errors.
const describeOperation = "read settings"

// describe has a connector read settings and say what they stand for. All of that is its
// own code, which may break off or not end. Of what a handshake found it is told by found;
// nil: nothing is known.
func describe(ctx context.Context, box *contain.Box, configure func() (*connectors.Settings, error), found func(context.Context, *connectors.Settings) (connectors.Discovered, error)) (described, error) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	return contain.Call(ctx, box, describeOperation, func(ctx context.Context) (d described, err error) {
		if d.settings, err = configure(); err != nil {
			return d, err
		}
		var of connectors.Discovered
		if found != nil {
			if of, err = found(ctx, d.settings); err != nil {
				return d, err
			}
		}
		d.caps = d.settings.Capabilities(of)
		return d, nil
	})
}

// describe has a connector of this program read a channel's own settings. The error is a
// refusal that names every mistake of theirs, or says how the connector broke the rules.
func (e *Engine) describe(ctx context.Context, connector string, own []byte, found func(context.Context, *connectors.Settings) (connectors.Discovered, error)) (described, error) {
	d, err := describe(ctx, e.readings.box(connector, own), func() (*connectors.Settings, error) {
		s, err := e.settings(connector, own)
		if err != nil {
			return nil, mistakes(err)
		}
		return s, nil
	}, found)
	if fault, broken := contain.FaultOf(err); broken {
		r := hotel.Refuse("channel_error", "connector %s cannot read these settings: %s; nothing was stored. Other settings, or another version of the connector, may help", connector, fault.Words)
		r.Members = map[string]any{"kind": string(connectors.AsError(err).Kind)}
		return d, r
	}
	return d, err
}

// readings is what connectors read settings in: settings over which one does not end are
// not handed to it without end, and keep it from no others.
type readings struct {
	mu sync.Mutex
	of map[[sha256.Size]byte]*contain.Box // by connector and settings
}

// mostReadings is how many settings are told apart, and then all are forgotten.
const mostReadings = 1000

func (r *readings) box(connector string, own []byte) *contain.Box {
	key := sha256.Sum256(append([]byte(connector+"\n"), own...))
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.of == nil || len(r.of) >= mostReadings && r.of[key] == nil {
		r.of = map[[sha256.Size]byte]*contain.Box{}
	}
	if r.of[key] == nil {
		r.of[key] = new(contain.Box)
	}
	return r.of[key]
}
