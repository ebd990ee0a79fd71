package connectortest

import (
	"context"
	"fmt"
	"net/http/httptest"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

// Trial is what a simulator offers besides, so that the kit can look at what it
// shows and play its guests.
type Trial interface {
	connectors.SimulatorInstance

	// Shown returns what guests see for a key; false: it has never been set.
	Shown(k connectors.Key) (hotel.Offer, bool)

	// Sell lets a guest book the first of its products for two adults and returns the
	// reference.
	Sell(stay hotel.Stay) (string, error)

	// Modify and Cancel let the guest change a booking's stay and cancel it.
	Modify(ref string, stay hotel.Stay) error
	Cancel(ref string) error

	// Waiting counts the messages about bookings that we have not acknowledged.
	Waiting() int

	// PushOldest sends the oldest message that waits, once, and reports whether there
	// was one; an error says that it still waits. One that never pushes has none.
	PushOldest(ctx context.Context) (bool, error)

	// Garble makes the message about the next booking one that nobody can read.
	Garble() error
}

// ActingTrial is the trial of a simulator that can be asked to do something with its
// bookings.
type ActingTrial interface {
	Trial

	// Booked returns how it has a booking, by its reference.
	Booked(ref string) connectors.SimulatedBooking

	// Refuse has it refuse the next action.
	Refuse() error
}

// What simulators are opened with. The secret is what both sides know.
const (
	simulatedHotel  = "H1"
	SimulatedSecret = "correct horse battery staple"
)

// Simulated returns the harness of a connector that is tried against its simulator,
// of the given preset; "" is the first. An error says why that cannot be.
func Simulated(driver, preset string) (Harness, error) {
	simulator, ok := connectors.LookupSimulator(driver)
	if !ok {
		return Harness{}, fmt.Errorf("connector %s has no simulator", driver)
	}
	probe, err := open(simulator, preset, nil)
	if err != nil {
		return Harness{}, err
	}
	defer func() { _ = probe.Close() }() // of memory
	if _, ok := probe.(Trial); !ok {
		return Harness{}, fmt.Errorf("the simulator of connector %s does not let the kit look inside: it is no connectortest.Trial", driver)
	}
	return Harness{Driver: driver, Start: func(t T) FarSide { return StartSimulated(t, driver, preset) }}, nil
}

func open(simulator connectors.Simulator, preset string, inbound func() string) (connectors.SimulatorInstance, error) {
	return simulator.New(connectors.SimulatorOptions{
		Preset: preset, Hotel: simulatedHotel, Secret: SimulatedSecret, InboundURL: inbound,
		Products: []connectors.RemoteProduct{{Room: "DBL", RoomName: "Double", Rate: "BAR", RateName: "Best price"}},
	})
}

// StartSimulated starts the simulator of a connector for one case.
func StartSimulated(t T, driver, preset string) FarSide {
	t.Helper()
	inbound := ""
	simulator, _ := connectors.LookupSimulator(driver)
	instance, err := open(simulator, preset, func() string { return inbound })
	if err != nil {
		t.Fatalf("open the simulator: %v", err)
	}
	sim, ok := instance.(Trial)
	if !ok {
		t.Fatalf("the simulator of %s is no connectortest.Trial", driver)
	}
	server := httptest.NewServer(sim)
	t.Cleanup(func() {
		server.Close()
		if err := sim.Close(); err != nil {
			t.Errorf("close the simulator: %v", err)
		}
	})
	product := sim.Products()[0]
	far := FarSide{
		Settings: sim.Settings(server.URL), Secrets: []string{SimulatedSecret},
		Room: product.Room, Rate: product.Rate, Currency: "EUR",
		Shown: sim.Shown, Waiting: sim.Waiting,
		Book: func(t T, stay hotel.Stay) string {
			t.Helper()
			ref, err := sim.Sell(stay)
			if err != nil {
				t.Fatalf("book: %v", err)
			}
			return ref
		},
		Modify: func(t T, ref string, stay hotel.Stay) {
			t.Helper()
			if err := sim.Modify(ref, stay); err != nil {
				t.Fatalf("modify %s: %v", ref, err)
			}
		},
		Cancel: func(t T, ref string) {
			t.Helper()
			if err := sim.Cancel(ref); err != nil {
				t.Fatalf("cancel %s: %v", ref, err)
			}
		},
		Push: func(t T, url string) bool {
			inbound = url
			pushed, err := sim.PushOldest(t.Context())
			t.Logf("push: %v", err)
			return pushed && err == nil
		},
		Garble: func(t T) {
			if err := sim.Garble(); err != nil {
				t.Fatalf("garble: %v", err)
			}
		},
		Signed: true,
	}
	if acting, ok := sim.(ActingTrial); ok {
		far.Booking = acting.Booked
		far.Refuse = func(t T) {
			if err := acting.Refuse(); err != nil {
				t.Fatalf("refuse: %v", err)
			}
		}
	}
	return far
}
