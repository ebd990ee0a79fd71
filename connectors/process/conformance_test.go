package process

import (
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
	for _, preset := range []string{"push", "pull", "hub", "lean", "blind", "total", "slow", "relay", "plans", "strict"} {
		t.Run(preset, func(t *testing.T) { runTeed(t, preset, built, "mock") })
	}
}

// overPrograms is the harness of a program that connects to the mock's simulator.
func overPrograms(t *testing.T, preset string, command ...string) connectortest.Harness {
	t.Helper()
	h, err := connectortest.Simulated("mock", preset)
	if err != nil {
		t.Fatal(err)
	}
	return h.ByProgram(command...)
}
