package skeleton

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// root is that of this module.
const root = "../.."

// TestSkeletonPasses writes a connector into a copy of the module that shares its files,
// registers it, builds the program with it, and runs its suite.
func TestSkeletonPasses(t *testing.T) {
	dir := t.TempDir()
	for _, shared := range []string{"go.mod", "connectors/all/all.go"} {
		text, err := os.ReadFile(filepath.Join(root, shared))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, shared)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, shared), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	written, err := Write(dir, "seaside")
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(written, "connectors/all/all.go") {
		overlay.Replace[filepath.Join(here, path)] = filepath.Join(dir, path)
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(in, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = in
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	suite, program := filepath.Join(dir, "suite"), filepath.Join(dir, "ostler")
	run(here, "go", "test", "-vet=off", "-c", "-o", suite, "-overlay", file, "ostler.example/connectors/seaside")
	out := run(dir, suite, "-test.v")
	for _, want := range []string{"SendShows", "PartialRejection", "PollNotAckedUntilDurable", "PollKeepsWhatItCannotRead", "RevisionsAreOrdered", "ChildrenKeepTheirAges", "RoomsOfABookingStayApart", "RandomWalk"} {
		if !strings.Contains(out, "--- PASS: TestConformance/"+want) {
			t.Errorf("%s did not pass:\n%s", want, out)
		}
	}
	run(here, "go", "build", "-tags", "sqlite_omit_load_extension", "-o", program, "-overlay", file, "./cmd/ostler")
	if out := run(dir, program, "connector", "test", "seaside", "--json"); !strings.Contains(out, `"failed": 0`) {
		t.Errorf("the program with the connector in it:\n%s", out)
	}
	// A program in another language is tried at its simulator, as this one is.
	if out := run(dir, program, "connector", "test", "seaside", "--json", "--", program, "connector", "serve", "seaside"); !strings.Contains(out, `"failed": 0`) {
		t.Errorf("a program in its place:\n%s", out)
	}
	unformatted, err := exec.Command("gofmt", "-l", filepath.Join(dir, "connectors")).CombinedOutput()
	if err != nil || len(unformatted) > 0 {
		t.Errorf("gofmt: %v\n%s", err, unformatted)
	}
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Write(dir, "hello"); err == nil || !strings.Contains(err.Error(), "name one with --into") {
		t.Errorf("a folder without a module: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x.example\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "Hello", "func", "a-b", "1st"} {
		if _, err := Write(dir, name); err == nil || !strings.Contains(err.Error(), "the name of a connector") {
			t.Errorf("the name %q: %v", name, err)
		}
	}
	if _, err := Write(dir, "hello"); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, "hello"); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("the same once more: %v", err)
	}
}

// TestLinting: what a connector is told to add to the linter's settings is what the mock has
// there, line by line.
func TestLinting(t *testing.T) {
	lines, err := Linting(root, "mock")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(lines, "\n\n") {
		place, rules, _ := strings.Cut(part, "\n")
		if !strings.HasPrefix(place, "# under rules") {
			t.Errorf("%q says nowhere", place)
		}
		for block := range strings.SplitSeq(rules, "        mock") {
			if !strings.Contains(string(text), strings.TrimSpace(strings.ReplaceAll(block, "\n\n", "\n"))) {
				t.Errorf("the linter's settings have no\n%s", block)
			}
		}
	}
	if lines, err := Linting(t.TempDir(), "mock"); lines != "" || err != nil {
		t.Errorf("where there is no linter: %q, %v", lines, err)
	}
}
