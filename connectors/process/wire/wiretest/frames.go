// Package wiretest holds recorded frames of the process protocol against its JSON
// Schema. Tests alone import it.
package wiretest

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Frames fails the test unless every frame of the recording file.in, which a program was
// told, and of file.out, which it said, fits the schema at that path. It returns how many
// there are. Half a line at the end of a recording is that of a program that was killed.
func Frames(t testing.TB, schema, file string) int {
	t.Helper()
	read, err := os.Open(schema)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	text, err := jsonschema.UnmarshalJSON(read)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("protocol.json", text); err != nil {
		t.Fatal(err)
	}
	return fit(t, file+".in", c, "to_program") + fit(t, file+".out", c, "to_ostler")
}

// fit validates the frames of a file by a part of the schema and counts them.
func fit(t testing.TB, file string, c *jsonschema.Compiler, part string) int {
	t.Helper()
	s, err := c.Compile("protocol.json#/$defs/" + part)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range bytes.Lines(text) {
		frame, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil && !bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		if err != nil {
			t.Fatalf("a line is no frame: %v\n%.2000s", err, line)
		}
		seen++
		if err := s.Validate(frame); err != nil {
			t.Fatalf("%v\n%.2000s", err, line)
		}
	}
	return seen
}
