package process

import (
	"bytes"
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ostler.example/connectors/connectortest"
)

//go:embed protocol.schema.json
var schemaText []byte

// schema compiles the part of the protocol's schema of that name.
func schema(t *testing.T, part string) *jsonschema.Schema {
	t.Helper()
	read, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemaText))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("protocol.json", read); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("protocol.json#/$defs/" + part)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runTeed runs the suite over a program and holds every frame that passes, in both
// directions, against the schema.
func runTeed(t *testing.T, preset string, command ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "frames")
	connectortest.Run(t, overPrograms(t, preset, append([]string{built, "tee", file}, command...)...))
	if n := fits(t, file+".in", schema(t, "to_program")) + fits(t, file+".out", schema(t, "to_ostler")); n < 200 {
		t.Errorf("only %d frames were looked at", n)
	}
}

// fits validates the frames of a file and counts them.
func fits(t *testing.T, file string, s *jsonschema.Schema) int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range bytes.Lines(text) {
		frame, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			continue // the last one of a program that was killed
		}
		seen++
		if err := s.Validate(frame); err != nil {
			t.Fatalf("%v\n%.2000s", err, line)
		}
	}
	return seen
}
