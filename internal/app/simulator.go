package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// SimulatorOptions configures one pretend far side that runs by itself.
type SimulatorOptions struct {
	Connector, Preset string
	Listen, Dir       string
	Hotel, Secret     string
	Inbound           string        // where it pushes to; "": nowhere
	Latency           time.Duration // of its answers
	Speed             float64
	Log               *zap.Logger
}

// RunningSimulator is one that serves.
type RunningSimulator struct {
	URL string
	far *farSide
}

// StartSimulator starts a pretend far side with the sample hotel's products.
func StartSimulator(o SimulatorOptions) (*RunningSimulator, error) {
	simulator, ok := connectors.LookupSimulator(o.Connector)
	if !ok {
		return nil, fmt.Errorf("there is no simulator for %q; there is one for: %s", o.Connector, strings.Join(connectors.SimulatorNames(), ", "))
	}
	if o.Preset != "" && !slices.Contains(simulator.Presets, o.Preset) {
		return nil, fmt.Errorf("simulator %s has no preset %q; it has: %s", o.Connector, o.Preset, strings.Join(simulator.Presets, ", "))
	}
	if o.Speed < 0 {
		return nil, fmt.Errorf("--speed %v: expected 0 or more", o.Speed)
	}
	clock := hotel.SystemClock{}
	options := connectors.SimulatorOptions{
		Preset: o.Preset, Dir: o.Dir, Hotel: o.Hotel, Secret: o.Secret, Products: sampleChannels[0].products(demoHotel),
		InboundURL: func() string { return o.Inbound }, Latency: o.Latency, Seed: uint64(clock.Now().UnixNano()), Clock: clock, Log: o.Log,
	}
	if o.Speed > 0 {
		options.Pace = time.Duration(float64(bookingEvery) / o.Speed)
	}
	f, err := startFarSide(simulator, options, func(f *farSide) (err error) {
		f.server, err = serve(o.Listen, f.instance, usualConnections, complaintsTo(o.Log))
		return err
	})
	if err != nil {
		return nil, err
	}
	return &RunningSimulator{URL: f.server.url(), far: f}, nil
}

// Stop ends it.
func (s *RunningSimulator) Stop() error { return s.far.stop() }

// farSide is one pretend channel: a real HTTP server with its guests.
type farSide struct {
	instance connectors.SimulatorInstance
	server   *server
	cancel   context.CancelFunc
	ended    chan error
}

// startFarSide opens a simulator, lets listen give it a server, and sets its
// guests going.
func startFarSide(s connectors.Simulator, o connectors.SimulatorOptions, listen func(*farSide) error) (*farSide, error) {
	instance, err := s.New(o)
	if err != nil {
		return nil, err
	}
	f := &farSide{instance: instance, ended: make(chan error, 1)}
	if err := listen(f); err != nil {
		return nil, errors.Join(err, instance.Close())
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	go func() { f.ended <- instance.Run(ctx) }()
	return f, nil
}

// stop ends the guests first, then the book, with which requests that hang on
// purpose end, then the server.
func (f *farSide) stop() error {
	f.cancel()
	return errors.Join(<-f.ended, f.instance.Close(), f.server.stop())
}
