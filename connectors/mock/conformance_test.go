package mock

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/mock/simulator"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	for _, preset := range []Preset{Push, Pull, Hub, Lean, Blind, Total} {
		t.Run(string(preset), func(t *testing.T) { connectortest.Run(t, harness("mock", preset)) })
	}
}

const testSecret = "correct horse battery staple"

// harness runs the kit against the simulator.
func harness(driver string, preset Preset) connectortest.Harness {
	return connectortest.Harness{
		Driver: driver,
		Start:  func(t connectortest.T) connectortest.FarSide { return startFarSide(t, preset) },
	}
}

func startFarSide(t connectortest.T, preset Preset) connectortest.FarSide {
	inbound := ""
	sim, err := simulator.Open(connectors.SimulatorOptions{
		Preset: string(preset), Hotel: "H1", Secret: testSecret,
		Products:   []connectors.RemoteProduct{{Room: "DBL", RoomName: "Double", Rate: "BAR", RateName: "Best price"}},
		InboundURL: func() string { return inbound },
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
	book := sim.Book()
	return connectortest.FarSide{
		Config:  fmt.Sprintf("url = %q\npreset = %q\nhotel = \"H1\"\nsecret = %q\n", server.URL, preset, testSecret),
		Secrets: []string{testSecret},
		Room:    "DBL", Rate: "BAR", Currency: "EUR",
		Shown: book.Shown,
		Book: func(t connectortest.T, stay hotel.Stay) string {
			b, err := book.Sell(simkit.Request{Room: "DBL", Rate: "BAR", CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, LastName: "Lovelace"})
			if err != nil {
				t.Fatalf("book: %v", err)
			}
			return b.Reference
		},
		Waiting: func() int { return book.State().Waiting },
		Push: func(t connectortest.T, url string) bool {
			inbound = url
			pushed, err := sim.PushOldest(t.Context())
			t.Logf("push: %v", err)
			return pushed && err == nil
		},
		Garble: func(t connectortest.T) {
			if err := sim.Plant(simkit.Fault{Kind: simkit.Garble}); err != nil {
				t.Fatalf("plant a fault: %v", err)
			}
		},
		Signed: true,
	}
}
