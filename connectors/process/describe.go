package process

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/singleflight"

	"ostler.example/connectors"
	"ostler.example/connectors/process/wire"
	"ostler.example/hotel"
)

// described is what a program said of one channel's settings.
type described struct {
	said   wire.Description
	digest [sha256.Size]byte // of what was said
	caps   connectors.Capabilities
}

// descriptions keeps what programs said, so that looking at a channel does not
// start one each time.
var descriptions = memory{kept: map[[sha256.Size]byte]remembered{}}

type memory struct {
	asking singleflight.Group // one question about the same settings at a time

	mu   sync.Mutex
	kept map[[sha256.Size]byte]remembered
}

type remembered struct {
	described
	err   error
	until time.Time // of an error
}

const (
	mostKept     = 1000             // descriptions, and then all are forgotten
	errorIsKept  = 10 * time.Second // so that a broken program is not started all the time
	startTimeout = 8 * time.Second  // the engine gives a channel 10 s to open
)

// ask returns what the program says of the settings, and of what a handshake found.
func (m *memory) ask(c Config, after connectors.Discovered) (described, error) {
	text, err := json.Marshal(struct {
		Config     Config
		Discovered connectors.Discovered
	}{c, after}) // maps are written in the order of their keys
	if err != nil {
		return described{}, fmt.Errorf("settings: %w", err)
	}
	key := sha256.Sum256(text)
	if r, known := m.recall(key); known {
		return r.described, r.err
	}
	asked, _, _ := m.asking.Do(string(key[:]), func() (any, error) { // the error is in what is remembered
		r := remembered{until: clock.Now().Add(errorIsKept)}
		r.described, r.err = askProgram(c, after)
		m.remember(key, r)
		return r, nil
	})
	r, _ := asked.(remembered)
	return r.described, r.err
}

func (m *memory) recall(key [sha256.Size]byte) (remembered, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, known := m.kept[key]
	return r, known && (r.err == nil || clock.Now().Before(r.until))
}

func (m *memory) remember(key [sha256.Size]byte, r remembered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.kept) >= mostKept {
		clear(m.kept)
	}
	m.kept[key] = r
}

// askProgram starts a program only to hear what it can do.
func askProgram(c Config, after connectors.Discovered) (described, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	s := alone(c, connectors.Env{Log: zap.NewNop(), Clock: hotel.SystemClock{}, Found: after})
	defer s.close()
	said, err := s.describe(ctx)
	if err != nil {
		return described{}, fmt.Errorf("program: %w", err)
	}
	return read(said)
}

// alone is a program that is started for one question.
func alone(c Config, env connectors.Env) *supervised {
	return &supervised{config: c, env: env, conceal: connectors.Conceal(slices.Collect(maps.Values(c.Secrets)))}
}

// discover implements the driver's Discover: a program that claims to have a handshake
// is started for it.
func discover(ctx context.Context, c Config, env connectors.Env) (connectors.Discovered, error) {
	known, err := descriptions.ask(c, connectors.Discovered{})
	if err != nil || !known.said.Capabilities.Discovers {
		return connectors.Discovered{}, err
	}
	s := alone(c, env)
	defer s.close()
	var said wire.Discovered
	if err := s.call(ctx, wire.Discover, struct{}{}, &said, nil); err != nil {
		return connectors.Discovered{}, err
	}
	return connectors.Discovered(said), nil
}

// found is what a program is told of a handshake; nil: there was none.
func found(d connectors.Discovered) *wire.Discovered {
	if d.Version == "" && len(d.Features) == 0 {
		return nil
	}
	told := wire.Discovered(d)
	return &told
}

// read checks a description.
func read(said wire.Description) (described, error) {
	var mistakes []error
	if said.Protocol != wire.Version {
		mistakes = append(mistakes, fmt.Errorf("it speaks version %d of the protocol, want %d", said.Protocol, wire.Version))
	}
	if said.Account == "" || said.Place == "" {
		mistakes = append(mistakes, errors.New("it names no account or no place"))
	}
	caps, wrong := said.Capabilities.Read()
	if err := errors.Join(append(mistakes, wrong...)...); err != nil {
		return described{}, fmt.Errorf("program: what it says of itself: %w", err)
	}
	return described{said: said, digest: digest(said), caps: caps}, nil
}

func digest(said wire.Description) [sha256.Size]byte {
	text, _ := json.Marshal(said) // it was read from text
	return sha256.Sum256(text)
}

// describe implements the driver's Describe.
func describe(c Config) (connectors.Description, error) {
	d, err := descriptions.ask(c, connectors.Discovered{})
	if err != nil {
		return connectors.Description{}, err
	}
	return connectors.Description{
		Capabilities: func(after connectors.Discovered) connectors.Capabilities {
			known, err := descriptions.ask(c, after)
			if err != nil {
				return d.caps // opening the channel tells why
			}
			return known.caps
		},
		Account: c.Program + " " + d.said.Account, Place: c.Program + " " + d.said.Place,
	}, nil
}
