package alpinebits

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/simulator"
	"ostler.example/connectors/connectortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The settings that have more than counts told, of all categories that the kit asks for:
// prices, those of each number of guests too, restrictions, and all of it in whole plans.
const (
	priced   = "standard_guests = \"DBL=2, DBL2=2, TWN=2, NOROOM=2\"\n"
	occupied = priced + "occupancy_prices = true\n"
	ruled    = "booking_rules = true\n"
	whole    = "whole_plans = \"BAR=14, TWIN_BAR=14, no_such_rate=14\"\n"
)

// TestConformanceOfAPortalThatAsks for prices, and calls us with nothing else.
func TestConformanceOfAPortalThatAsks(t *testing.T) {
	h, err := connectortest.Simulated("alpinebits", "asks")
	if err != nil {
		t.Fatal(err)
	}
	connectortest.Run(t, h)
}

func TestConformance(t *testing.T) {
	for _, c := range []struct{ name, preset, prices string }{
		{"prices and rules", "2024-10", occupied + ruled},
		{"plans that we make", "2022-10", occupied + ruled + whole},
		{"prices", "2020-10", priced},
		{"counts", "2022-10", ""},
		{"rules", "push", ruled},
		{"wholes", "sets", priced + ruled + whole},
		{"wholes by guests", "sets", occupied + ruled + whole},
	} {
		t.Run(c.name, func(t *testing.T) {
			connectortest.Run(t, connectortest.Harness{
				Driver: "alpinebits",
				Start:  func(t connectortest.T) connectortest.FarSide { return startFarSide(t, c.preset, c.prices) },
			})
		})
	}
}

const testSecret = "correct horse battery staple"

// portal starts a simulator.
func portal(t connectortest.T, preset string) (*simulator.Simulator, string) {
	t.Helper()
	sim, err := simulator.Open(connectors.SimulatorOptions{
		Preset: preset, Hotel: "H1", Secret: testSecret,
		Products: []connectors.RemoteProduct{{Room: "DBL", RoomName: "Double", Rate: "BAR", RateName: "Best price"}},
	})
	if err != nil {
		t.Fatalf("open the simulator: %v", err)
	}
	server := httptest.NewServer(sim)
	t.Cleanup(func() {
		server.Close()
		if err := sim.Close(); err != nil {
			t.Errorf("close the simulator: %v", err)
		}
	})
	return sim, server.URL
}

// startFarSide starts a portal of which a channel with these settings is tried.
func startFarSide(t connectortest.T, preset, prices string) connectortest.FarSide {
	t.Helper()
	far := connectortest.StartSimulated(t, "alpinebits", preset)
	var own struct {
		URL string `json:"url"`
	}
	if err := json.Unmarshal(far.Settings, &own); err != nil {
		t.Fatalf("the settings of the simulator: %v", err)
	}
	far.Settings, far.Config = nil, fmt.Sprintf("url = %q\nuser = \"hotel\"\npassword = %q\nhotel = \"H1\"\n%s", own.URL, connectortest.SimulatedSecret, prices)
	if preset == "push" {
		far.Config += fmt.Sprintf("guest_requests = \"push\"\ninbound_user = \"portal\"\ninbound_password = %q\n", connectortest.SimulatedSecret)
	}
	return far
}
