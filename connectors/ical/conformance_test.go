package ical

import (
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/ical/simulator"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	for _, preset := range []string{"airbnb", "booking", "vrbo"} {
		t.Run(preset, func(t *testing.T) { connectortest.Run(t, harness("ical", preset)) })
	}
	t.Run("rotates", func(t *testing.T) {
		h := harness("ical", "rotates")
		h.Skip = map[string]string{}
		for _, c := range connectortest.Cases() {
			if strings.HasPrefix(c, "Poll") || strings.HasPrefix(c, "List") {
				h.Skip[c] = "its bookings have no name that stays: TestReconcile has them"
			}
		}
		connectortest.Run(t, h)
	})
}

// harness runs the kit against the simulator.
func harness(driver, preset string) connectortest.Harness {
	return connectortest.Harness{
		Driver: driver,
		Start:  func(t connectortest.T) connectortest.FarSide { return startFarSide(t, preset) },
	}
}

func startFarSide(t connectortest.T, preset string) connectortest.FarSide {
	sim, err := simulator.Open(connectors.SimulatorOptions{
		Preset: preset, Hotel: "H1", Secret: "correct horse",
		Products: []connectors.RemoteProduct{{Room: "DBL", RoomName: "Double"}},
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
		Settings: sim.Settings(server.URL),
		Secrets:  sim.Secrets(),
		Room:     "DBL", Currency: "EUR", Bare: true,
		Shown: book.Shown,
		Fetch: func(t connectortest.T, url string) {
			if err := sim.Fetch(t.Context(), url); err != nil {
				t.Errorf("the site cannot read what is published: %v", err)
			}
		},
		Book: func(t connectortest.T, stay hotel.Stay) string {
			// Whoever asks for one unit many times gets it many times.
			one := 1
			if err := book.Edit(simkit.Edit{Room: "DBL", From: stay.CheckIn, To: stay.CheckOut, Available: &one}); err != nil {
				t.Fatalf("put the nights on sale: %v", err)
			}
			b, err := book.Sell(simkit.Request{Room: "DBL", CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, FirstName: "Ada"})
			if err != nil {
				t.Fatalf("book: %v", err)
			}
			return sim.Reference(b)
		},
	}
}
