package alpinebits

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/connectors/alpinebits/simulator"
	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The settings that have more than counts told, of all categories that the kit asks for:
// prices, those of each number of guests too, restrictions, and all of it in whole plans.
const (
	priced   = "standard_guests = \"DBL=2, DBL2=2, NOROOM=2\"\n"
	occupied = priced + "occupancy_prices = true\n"
	ruled    = "booking_rules = true\n"
	whole    = "whole_plans = \"BAR=14, no_such_rate=14\"\n"
)

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
func portal(t connectortest.T, preset string, inbound func() string) (*simulator.Simulator, string) {
	t.Helper()
	sim, err := simulator.Open(connectors.SimulatorOptions{
		Preset: preset, Hotel: "H1", Secret: testSecret, InboundURL: inbound,
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

func startFarSide(t connectortest.T, preset, prices string) connectortest.FarSide {
	inbound := ""
	sim, url := portal(t, preset, func() string { return inbound })
	book := sim.Book()
	config := fmt.Sprintf("url = %q\nuser = \"hotel\"\npassword = %q\nhotel = \"H1\"\n%s", url, testSecret, prices)
	if preset == "push" {
		config += fmt.Sprintf("guest_requests = \"push\"\ninbound_user = \"portal\"\ninbound_password = %q\n", testSecret)
	}
	return connectortest.FarSide{
		Config:  config,
		Secrets: []string{testSecret},
		Room:    "DBL", Rate: "BAR", Currency: "EUR",
		Shown: book.Shown,
		Book: func(t connectortest.T, stay hotel.Stay) string {
			b, err := book.Sell(simkit.Request{Room: "DBL", Rate: "BAR", CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, Children: []int{4, 9}, LastName: "Lovelace"})
			if err != nil {
				t.Fatalf("book: %v", err)
			}
			return b.Reference
		},
		Offers: func(stay hotel.Stay) bool {
			return book.Sellable(simkit.Request{Room: "DBL", Rate: "BAR", CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2}) == nil
		},
		RefuseCall: func(t connectortest.T) {
			if err := sim.Plant(simkit.Fault{Kind: simkit.Reject}); err != nil {
				t.Fatalf("plant a fault: %v", err)
			}
		},
		Waiting: func() int { return book.State().Waiting },
		Modify: func(t connectortest.T, ref string, stay hotel.Stay) {
			if _, err := book.Modify(simkit.Request{Reference: ref, CheckIn: stay.CheckIn, CheckOut: stay.CheckOut}); err != nil {
				t.Fatalf("modify: %v", err)
			}
		},
		Cancel: func(t connectortest.T, ref string) {
			if _, err := book.Cancel(ref); err != nil {
				t.Fatalf("cancel: %v", err)
			}
		},
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
	}
}
