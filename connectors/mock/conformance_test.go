package mock

import (
	"testing"

	"go.uber.org/goleak"

	"ostler.example/connectors/connectortest"
	_ "ostler.example/connectors/mock/simulator" // the far side
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	for _, preset := range []Preset{Push, Pull, Hub, Lean, Blind, Total, Slow, Relay, Plans, Strict} {
		t.Run(string(preset), func(t *testing.T) { connectortest.Run(t, harness("mock", preset)) })
	}
}

// harness runs the kit against the simulator.
func harness(driver string, preset Preset) connectortest.Harness {
	return connectortest.Harness{
		Driver: driver,
		Start: func(t connectortest.T) connectortest.FarSide {
			return connectortest.StartSimulated(t, "mock", string(preset))
		},
	}
}
