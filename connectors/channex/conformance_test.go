package channex

import (
	"testing"

	"go.uber.org/goleak"

	_ "ostler.example/connectors/channex/simulator" // the far side
	"ostler.example/connectors/connectortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	for _, preset := range []string{"both", "arrival", "through", "per_person", "mixed"} {
		t.Run(preset, func(t *testing.T) { connectortest.Run(t, harness("channex", preset)) })
	}
}

const testSecret = connectortest.SimulatedSecret

// harness runs the kit against the simulator.
func harness(driver, preset string) connectortest.Harness {
	return connectortest.Harness{
		Driver: driver,
		Start: func(t connectortest.T) connectortest.FarSide {
			return connectortest.StartSimulated(t, "channex", preset)
		},
	}
}
