package connectortest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"time"

	"ostler.example/connectors"
	"ostler.example/hotel"
)

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
	probe, err := open(simulator, preset, nil, nil)
	if err != nil {
		return Harness{}, err
	}
	defer func() { _ = probe.Close() }() // of memory
	if _, ok := probe.(connectors.TriedSimulator); !ok {
		return Harness{}, fmt.Errorf("the simulator of connector %s does not let the kit look inside: it is no connectors.TriedSimulator", driver)
	}
	return Harness{Driver: driver, Start: func(t T) FarSide { return StartSimulated(t, driver, preset) }}, nil
}

func open(simulator connectors.Simulator, preset string, clock hotel.Clock, inbound func() string) (connectors.SimulatorInstance, error) {
	return simulator.New(connectors.SimulatorOptions{
		Preset: preset, Hotel: simulatedHotel, Secret: SimulatedSecret, InboundURL: inbound, Clock: clock,
		Products: []connectors.RemoteProduct{
			{Room: "DBL", RoomName: "Double", Rate: "BAR", RateName: "Best price"},
			{Room: "TWN", RoomName: "Twin", Rate: "TWIN_BAR", RateName: "Best price of a twin"},
		},
	})
}

// aheadClock is the machine's, set ahead, so that limits allow another call.
type aheadClock struct {
	hotel.SystemClock
	by atomic.Int64
}

// Now implements [hotel.Clock].
func (c *aheadClock) Now() time.Time { return c.SystemClock.Now().Add(time.Duration(c.by.Load())) }

// StartSimulated starts the simulator of a connector for one case.
func StartSimulated(t T, driver, preset string) FarSide {
	t.Helper()
	inbound, clock := "", &aheadClock{}
	simulator, _ := connectors.LookupSimulator(driver)
	instance, err := open(simulator, preset, clock, func() string { return inbound })
	if err != nil {
		t.Fatalf("open the simulator: %v", err)
	}
	sim, ok := instance.(connectors.TriedSimulator)
	if !ok {
		t.Fatalf("the simulator of %s is no connectors.TriedSimulator", driver)
	}
	server := httptest.NewServer(sim)
	t.Cleanup(func() {
		server.Close()
		if err := sim.Close(); err != nil {
			t.Errorf("close the simulator: %v", err)
		}
	})
	trial, product := sim.Trial(), sim.Products()[0]
	far := FarSide{
		Defaults: trial.Defaults,
		Settings: overlaid(t, sim.Settings(server.URL), trial.Settings), Secrets: append([]string{SimulatedSecret}, trial.Secrets...),
		Room: product.Room, Rate: product.Rate, Currency: trial.Currency, Bare: trial.Bare, Signed: trial.Signed, Places: trial.Places, Twice: trial.Twice,
		Shown: trial.Shown, Waiting: trial.Waiting, Booking: trial.Booking,
		Pass: func(d time.Duration) {
			clock.by.Add(int64(d))
			if trial.Passed != nil {
				trial.Passed()
			}
		},
	}
	if i := slices.IndexFunc(sim.Products(), func(p connectors.RemoteProduct) bool { return p.Room != product.Room }); i >= 0 {
		far.OtherRoom, far.OtherRate = sim.Products()[i].Room, sim.Products()[i].Rate
	}
	far.plays(trial, func(url string) { inbound = url })
	return far
}

// plays lets the far side do what the trial can.
func (far *FarSide) plays(trial connectors.Trial, pushTo func(url string)) {
	if trial.Sell != nil {
		far.Sell = func(t T, stay hotel.Stay) string {
			t.Helper()
			ref, err := trial.Sell(stay)
			must(t, "book", err)
			return ref
		}
		far.Book = func(t T, stay hotel.Stay) string {
			t.Helper()
			ref := far.Sell(t, stay)
			far.Pass(trial.Settles)
			return ref
		}
	}
	far.playsParties(trial)
	if trial.Offered != nil {
		far.Offers = func(stay hotel.Stay) bool { return trial.Offered(stay) == nil }
	}
	if trial.RefuseCall != nil {
		far.RefuseCall = func(t T) { must(t, "refuse the next call", trial.RefuseCall()) }
	}
	if trial.Late != nil {
		far.Late = func(t T) { must(t, "put off the next call", trial.Late()) }
	}
	if trial.Modify != nil {
		far.Modify = func(t T, ref string, stay hotel.Stay) {
			must(t, "modify "+ref, trial.Modify(ref, stay))
			far.Pass(trial.Settles)
		}
	}
	if trial.Cancel != nil {
		far.Cancel = func(t T, ref string) {
			must(t, "cancel "+ref, trial.Cancel(ref))
			far.Pass(trial.Settles)
		}
	}
	if trial.Push != nil {
		far.Push = func(t T, url string) bool {
			pushTo(url)
			pushed, err := trial.Push(t.Context())
			t.Logf("push: %v", err)
			return pushed && err == nil
		}
	}
	if trial.Fetch != nil {
		far.Fetch = func(t T, url string) bool {
			err := trial.Fetch(t.Context(), url)
			t.Logf("fetch: %v", err)
			return err == nil
		}
	}
	if trial.Garble != nil {
		far.Garble = func(t T) { must(t, "garble", trial.Garble()) }
	}
	if trial.Refuse != nil {
		far.Refuse = func(t T) { must(t, "refuse", trial.Refuse()) }
	}
}

// playsParties lets guests come with children, and book several rooms.
func (far *FarSide) playsParties(trial connectors.Trial) {
	if trial.Family != nil {
		far.Family = func(t T, stay hotel.Stay, ages []int) string {
			ref, err := trial.Family(stay, ages)
			must(t, "book for a family", err)
			far.Pass(trial.Settles)
			return ref
		}
	}
	if trial.Group != nil {
		far.Group = func(t T, rooms []connectors.SimulatedRoom) string {
			ref, err := trial.Group(rooms)
			must(t, "book several rooms", err)
			far.Pass(trial.Settles)
			return ref
		}
	}
	if trial.GiveUp != nil {
		far.GiveUp = func(t T, ref string, place int) {
			must(t, "give up a room of "+ref, trial.GiveUp(ref, place))
			far.Pass(trial.Settles)
		}
	}
}

// must ends a case in which the far side does not do what it is asked for.
func must(t T, doing string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", doing, err)
	}
}

// overlaid lays what a tried channel needs besides over settings.
func overlaid(t T, settings json.RawMessage, besides map[string]any) json.RawMessage {
	t.Helper()
	if len(besides) == 0 {
		return settings
	}
	var all map[string]any
	if err := json.Unmarshal(settings, &all); err != nil {
		t.Fatalf("the simulator's settings are no object: %v", err)
	}
	maps.Copy(all, besides)
	out, err := json.Marshal(all)
	if err != nil {
		t.Fatalf("the simulator's settings cannot be written: %v", err)
	}
	return out
}
