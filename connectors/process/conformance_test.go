package process

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"ostler.example/connectors/connectortest"
	_ "ostler.example/connectors/mock/simulator" // the far side
)

// built is the program of testdata.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "program")
	if err != nil {
		panic(err)
	}
	built = filepath.Join(dir, "program")
	if said, err := exec.Command("go", "build", "-o", built, "./testdata/program").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("build the program: %v\n%s", err, said))
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		_ = os.RemoveAll(dir)
		os.Exit(code)
	}))
}

// programs is what the configuration file says.
func programs(command ...string) map[string]any {
	return map[string]any{"programs": map[string]any{"tried": map[string]any{"command": command}}}
}

// TestConformance runs the mock connector as a program of its own through every case
// that it passes inside of this one.
func TestConformance(t *testing.T) {
	t.Run("push", func(t *testing.T) { runTeed(t, "push", built, "mock") })
	t.Run("pull", func(t *testing.T) { runTeed(t, "pull", built, "mock") })
	t.Run("lean", func(t *testing.T) { connectortest.Run(t, overPrograms("lean", built, "mock")) })
	t.Run("blind", func(t *testing.T) { connectortest.Run(t, overPrograms("blind", built, "mock")) })
}

// overPrograms is the harness of a program that connects to the mock's simulator.
func overPrograms(preset string, command ...string) connectortest.Harness {
	return connectortest.Harness{
		Driver: "process", StandIn: true,
		Start: func(t connectortest.T) connectortest.FarSide {
			far := connectortest.StartSimulated(t, "mock", preset)
			far.Defaults = programs(command...)
			far.Settings = asProgram(t, far.Settings)
			return far
		},
		Skip: map[string]string{"ExampleDecodes": "the example names a program that is not installed; TestExample reads it"},
	}
}

// asProgram splits settings of mock into what a program is told and its credentials.
func asProgram(t connectortest.T, settings json.RawMessage) json.RawMessage {
	var own map[string]any
	if err := json.Unmarshal(settings, &own); err != nil {
		t.Fatalf("the settings are no object: %v", err)
	}
	secret := own["secret"]
	delete(own, "secret")
	raw, err := json.Marshal(map[string]any{"program": "tried", "settings": own, "secrets": map[string]any{"secret": secret}})
	if err != nil {
		t.Fatalf("write the settings: %v", err)
	}
	return raw
}
