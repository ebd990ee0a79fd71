package process

import (
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ostler.example/connectors"
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

// TestPythonExampleAsksTheHouse: its handshake says what is sold that the channel does not have.
func TestPythonExampleAsksTheHouse(t *testing.T) {
	t.Parallel()
	python, script := pythonExample(t)
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"products":[{"room":"DBL","rate":"BAR"}]}`))
	}))
	t.Cleanup(far.Close)
	config := Config{
		Programs: map[string]Program{"tried": {Command: []string{python, "-S", script}}}, Program: "tried",
		Settings: map[string]any{"url": far.URL, "hotel": "1"}, Secrets: map[string]string{"secret": "hunter2hunter2"},
	}
	for name, c := range map[string]struct {
		sold []connectors.SoldRoom
		want []string
	}{
		"all of it is there":   {[]connectors.SoldRoom{{Room: "DBL", Rates: []string{"BAR"}}}, nil},
		"some of it is gone":   {[]connectors.SoldRoom{{Room: "DBL", Rates: []string{"BAR", "NRF"}}, {Room: "SGL", Rates: []string{"BAR"}}}, []string{"the channel does not have DBL at NRF, SGL at BAR: map them to what it has"}},
		"nothing is sold here": {},
	} {
		env := furnished(c.sold)
		env.Client = far.Client()
		found, err := discover(t.Context(), config, env)
		if err != nil || !slices.Equal(found.Doubts, c.want) {
			t.Errorf("%s: %q, %v", name, found.Doubts, err)
		}
	}
}

// TestPythonExample runs the example of docs/examples through the suite.
func TestPythonExample(t *testing.T) {
	python, script := pythonExample(t)
	runTeed(t, "pull", python, "-S", script)
}
