package process

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ostler.example/connectors/connectortest"
	"ostler.example/connectors/process/wire"
	"ostler.example/connectors/process/wire/wiretest"
)

const schemaFile = "protocol.schema.json"

// runTeed runs the suite over a program and holds every frame that passes, in both
// directions, against the schema.
func runTeed(t *testing.T, preset string, command ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "frames")
	connectortest.Run(t, overPrograms(t, preset, append([]string{built, "tee", file}, command...)...))
	if n := wiretest.Frames(t, schemaFile, file); n < 200 {
		t.Errorf("only %d frames were looked at", n)
	}
}

// What the schema says of capabilities is what is read of them, member by member.
func TestSchemaHasTheCapabilitiesThatAreRead(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var read []string
	for field := range reflect.TypeFor[wire.Capabilities]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		read = append(read, name)
	}
	slices.Sort(read)
	if diff := cmp.Diff(read, slices.Sorted(maps.Keys(schema.Defs["capabilities"].Properties))); diff != "" {
		t.Errorf("-read +in the schema:\n%s", diff)
	}
}
