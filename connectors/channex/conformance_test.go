package channex

import (
	"encoding/json"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"go.uber.org/goleak"

	"ostler.example/connectors"
	"ostler.example/connectors/channex/simulator"
	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/simkit"
	"ostler.example/hotel"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	for _, preset := range []string{"both", "arrival", "through", "per_person"} {
		t.Run(preset, func(t *testing.T) { connectortest.Run(t, harness("channex", preset)) })
	}
}

const testSecret = "correct horse battery staple"

// harness runs the kit against the simulator.
func harness(driver, preset string) connectortest.Harness {
	return connectortest.Harness{
		Driver: driver,
		Start:  func(t connectortest.T) connectortest.FarSide { return startFarSide(t, preset) },
	}
}

// clock is the machine's, set ahead.
type clock struct {
	hotel.SystemClock
	by atomic.Int64
}

// Now implements [hotel.Clock].
func (c *clock) Now() time.Time { return c.SystemClock.Now().Add(time.Duration(c.by.Load())) }

func startFarSide(t connectortest.T, preset string) connectortest.FarSide {
	inbound, ahead := "", &clock{}
	sim, err := simulator.Open(connectors.SimulatorOptions{
		Preset: preset, Hotel: "P1", Secret: testSecret,
		Products:   []connectors.RemoteProduct{{Room: "TWIN", RoomName: "Twin Room", Rate: "T-BAR", RateName: "Best Available Rate"}},
		InboundURL: func() string { return inbound }, Clock: ahead,
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
	var settings map[string]string
	if err := json.Unmarshal(sim.Settings(server.URL), &settings); err != nil {
		t.Fatalf("settings of the simulator: %v", err)
	}
	config, err := toml.Marshal(settings)
	if err != nil {
		t.Fatalf("settings of the simulator: %v", err)
	}
	book := sim.Book()
	return connectortest.FarSide{
		Config:  string(config),
		Secrets: []string{testSecret, settings["webhook_secret"]},
		Room:    "TWIN", Rate: "T-BAR", Currency: "EUR",
		Shown: book.Shown,
		Book: func(t connectortest.T, stay hotel.Stay) string {
			b, err := book.Sell(simkit.Request{Room: "TWIN", Rate: "T-BAR", CheckIn: stay.CheckIn, CheckOut: stay.CheckOut, Adults: 2, LastName: "Lovelace"})
			if err != nil {
				t.Fatalf("book: %v", err)
			}
			return b.Reference
		},
		Pass:    func(d time.Duration) { ahead.by.Add(int64(d)) },
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
			called, err := sim.CallOldest(t.Context())
			t.Logf("webhook: %v", err)
			return called && err == nil
		},
		Garble: func(t connectortest.T) {
			if err := sim.Plant(simkit.Fault{Kind: simkit.Garble}); err != nil {
				t.Fatalf("plant a fault: %v", err)
			}
		},
	}
}
