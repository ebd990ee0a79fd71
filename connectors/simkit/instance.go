package simkit

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// clientTimeout bounds a simulator's own calls.
const clientTimeout = 10 * time.Second

// Prepare checks the options of a simulator of that name and fills in what holds where
// they say nothing: the first preset, the machine's clock, no log, no address.
func Prepare(o *connectors.SimulatorOptions, name string, presets []string) error {
	if o.Preset == "" {
		o.Preset = presets[0]
	}
	if !slices.Contains(presets, o.Preset) {
		return fmt.Errorf("open simulator %s: preset %q is not one of %s", name, o.Preset, strings.Join(presets, ", "))
	}
	if o.Hotel == "" || o.Secret == "" {
		return fmt.Errorf("open simulator %s: it needs the code of a hotel and a secret", name)
	}
	if o.Latency < 0 {
		return fmt.Errorf("open simulator %s: no answer comes before it was asked for: latency %v", name, o.Latency)
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
		o.Client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: clientTimeout}
	}
	return nil
}

// Run lets guests act, and the simulator do what it does beside that, until ctx ends
// or the book can take nothing more.
func (k Kit) Run(ctx context.Context, o connectors.SimulatorOptions, beside ...func(ctx context.Context) error) error {
	var running errgroup.Group
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	running.Go(func() error {
		defer cancel() // the rest goes with the guests
		return Guests{Book: k.Book, Pace: o.Pace, Seed: o.Seed, Log: o.Log}.Run(ctx)
	})
	for _, f := range beside {
		running.Go(func() error { return f(ctx) })
	}
	return running.Wait()
}

// Close ends the faults and closes the book.
func (k Kit) Close(o connectors.SimulatorOptions) error {
	k.Faults.Close()
	o.Client.CloseIdleConnections()
	return k.Book.Close()
}
