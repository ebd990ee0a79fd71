package process

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ostler.example/internal/testkit"
)

// pythonExample returns where python3 and the example of docs/examples are.
func pythonExample(t *testing.T) (python, script string) {
	t.Helper()
	// What stands in the path may be a script that looks for the interpreter.
	found, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		testkit.Lacks(t, "python3")
	}
	if script, err = filepath.Abs("../../docs/examples/connector.py"); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(found)), script
}

// TestPythonExample runs the example of docs/examples through the suite.
func TestPythonExample(t *testing.T) {
	python, script := pythonExample(t)
	runTeed(t, "pull", python, "-S", script)
}
