package ical

import (
	"testing"

	"go.uber.org/goleak"

	"ostler.example/connectors/connectortest"
	_ "ostler.example/connectors/ical/simulator" // the far side
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestConformance runs the suite. The bookings of rotates have no name that stays, so
// that the cases about bookings are left to TestPollTellsWhatHasChanged.
func TestConformance(t *testing.T) {
	for _, preset := range []string{"airbnb", "booking", "vrbo", "rotates"} {
		t.Run(preset, func(t *testing.T) { connectortest.Run(t, harness("ical", preset)) })
	}
}

// harness runs the kit against the simulator.
func harness(driver, preset string) connectortest.Harness {
	return connectortest.Harness{
		Driver: driver,
		Start: func(t connectortest.T) connectortest.FarSide {
			return connectortest.StartSimulated(t, "ical", preset)
		},
	}
}
