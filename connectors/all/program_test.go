package all

import (
	"os/exec"
	"path/filepath"
	"testing"

	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/process/wire/wiretest"
)

// TestConformanceOverPrograms runs connectors as programs of their own through the cases
// that they pass inside of this one: calendars that are published and kept on the shelf,
// a handshake with a portal, a feed and hints. That of the mock is tried beside the
// protocol itself.
func TestConformanceOverPrograms(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if said, err := exec.Command("go", "build", "-o", program, "./testdata/program").CombinedOutput(); err != nil {
		t.Fatalf("build the program: %v\n%s", err, said)
	}
	for _, c := range []struct{ connector, preset string }{{"ical", "airbnb"}, {"channex", "both"}, {"alpinebits", "2024-10"}} {
		t.Run(c.connector, func(t *testing.T) {
			h, err := connectortest.Simulated(c.connector, c.preset)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "frames")
			connectortest.Run(t, h.ByProgram(program, c.connector, file))
			if n := wiretest.Frames(t, "../process/protocol.schema.json", file); n < 200 {
				t.Errorf("only %d frames were looked at", n)
			}
		})
	}
}
