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

// ask returns what the program says of the settings.
func (m *memory) ask(c Config) (described, error) {
	text, err := json.Marshal(c) // maps are written in the order of their keys
	if err != nil {
		return described{}, fmt.Errorf("settings: %w", err)
	}
	key := sha256.Sum256(text)
	if r, known := m.recall(key); known {
		return r.described, r.err
	}
	asked, _, _ := m.asking.Do(string(key[:]), func() (any, error) { // the error is in what is remembered
		r := remembered{until: clock.Now().Add(errorIsKept)}
		r.described, r.err = askProgram(c)
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
func askProgram(c Config) (described, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	s := &supervised{
		config: c, env: connectors.Env{Log: zap.NewNop(), Clock: hotel.SystemClock{}},
		conceal: connectors.Conceal(slices.Collect(maps.Values(c.Secrets))),
	}
	defer s.close()
	said, err := s.describe(ctx)
	if err != nil {
		return described{}, fmt.Errorf("program: %w", err)
	}
	return read(said)
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
	d, err := descriptions.ask(c)
	if err != nil {
		return connectors.Description{}, err
	}
	return connectors.Description{
		Capabilities: func(connectors.Discovered) connectors.Capabilities { return d.caps },
		Account:      c.Program + " " + d.said.Account, Place: c.Program + " " + d.said.Place,
	}, nil
}
