// Package profile opens pretend far sides of every connector for tests of the engine. It
// is apart from testkit, which the connectors' own tests use.
package profile

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"testing"

	"ostler.example/connectors"
	_ "ostler.example/connectors/all" // they, and what talks to them
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

// Request is what a guest of a far side asks for.
type Request = simkit.Request

// Part is one room of a booking of several.
type Part = simkit.Part

// Booking is one that a far side has sold.
type Booking = simkit.Booking

// Confirmed is the status of one that has not ended.
const Confirmed = simkit.Confirmed

// ErrNotSellable is what a guest is told who wants what is not on sale.
var ErrNotSellable = simkit.ErrNotSellable

// Profile is a kind of far side.
type Profile struct{ Connector, Preset string }

// FarSide is one that is open. What it shows and has sold is kept in memory.
type FarSide struct {
	simulator
	Profile
}

// simulator is what those of all connectors have.
type simulator interface {
	connectors.TriedSimulator
	Book() *simkit.Book
	Plant(f simkit.Fault) error
}

// Open opens one of that profile, which sells the products. What it has to call it calls
// through client at inbound: webhooks and messages, where it pushes any.
func Open(t testing.TB, p Profile, inbound string, client *http.Client, products []connectors.RemoteProduct) *FarSide {
	t.Helper()
	s, known := connectors.LookupSimulator(p.Connector)
	if !known {
		t.Fatalf("connector %s has no simulator", p.Connector)
	}
	instance, err := s.New(connectors.SimulatorOptions{
		Preset: p.Preset, Hotel: "H1", Secret: "s3cret", Products: products, Clock: hotel.SystemClock{}, Client: client,
		InboundURL: func() string { return inbound },
	})
	if err != nil {
		t.Fatal(err)
	}
	open, ok := instance.(simulator)
	if !ok {
		t.Fatalf("the simulator of %s has no book to look at", p.Connector)
	}
	t.Cleanup(func() {
		if err := open.Close(); err != nil {
			t.Errorf("close the far side of %s: %v", p.Connector, err)
		}
	})
	return &FarSide{open, p}
}

// SettingsWith returns the settings of the channel that talks to it at the address, and
// more over them.
func (f *FarSide) SettingsWith(t testing.TB, address string, more map[string]any) json.RawMessage {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal(f.Settings(address), &all); err != nil {
		t.Fatal(err)
	}
	maps.Copy(all, more)
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Reference returns the name under which messages tell of a booking.
func (f *FarSide) Reference(b Booking) string {
	if names, own := f.simulator.(interface {
		Reference(b simkit.Booking) string
	}); own {
		return names.Reference(b)
	}
	return b.Reference
}

// Ask has a far side ask for all that there is, where it does that, and reports whether it does.
func (f *FarSide) Ask() bool {
	asker, asks := f.simulator.(interface{ Ask() })
	if asks {
		asker.Ask()
	}
	return asks
}

// Visit lets a far side that comes to read what is published for it do so at the
// address; one that is told does nothing.
func (f *FarSide) Visit(ctx context.Context, address string) error {
	if visitor, comes := f.simulator.(interface {
		Fetch(ctx context.Context, address string) error
	}); comes {
		return visitor.Fetch(ctx, address)
	}
	return nil
}
