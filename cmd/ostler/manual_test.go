package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"ostler.example/internal/testkit"
)

func model(t *testing.T) *kong.Application {
	t.Helper()
	k, err := kong.New(&commands, kong.Name("ostler"), kong.Description("A channel manager."))
	if err != nil {
		t.Fatal(err)
	}
	return k.Model
}

// TestManual: the page names every command and flag, and man's own formatter has no
// complaints.
func TestManual(t *testing.T) {
	var page bytes.Buffer
	if err := writeManual(&page, model(t)); err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(`\-`, "-", `\e`, `\`).Replace(page.String())
	for path, list := range words(model(t)) {
		for _, w := range list {
			if !strings.Contains(text, w.text) {
				t.Errorf("the page does not have %s of %q", w.text, path)
			}
		}
	}
	groff := exec.CommandContext(t.Context(), testkit.Tool(t, "groff"), "-man", "-ww", "-Tutf8")
	groff.Stdin = &page
	var complaints bytes.Buffer
	groff.Stderr = &complaints
	if out, err := groff.Output(); err != nil || complaints.Len() > 0 || len(out) == 0 {
		t.Errorf("%v: %s", err, complaints.String())
	}
}

// TestCompletion asks a bash what it would complete.
func TestCompletion(t *testing.T) {
	var script bytes.Buffer
	if err := writeBash(&script, model(t)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ostler")
	if err := os.WriteFile(path, script.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{
		"ostler back":               "backup",
		"ostler channel act":        "activate",
		"ostler channel map --conf": "--config",
		"ostler restore --config x": "",
		"ostler manu":               "",
	} {
		ask := `source "$1"; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ostler; echo "${COMPREPLY[*]}"`
		out, err := exec.CommandContext(t.Context(), "bash", "-c", ask, "bash", path, typed).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s: %q, want %q (%v)", typed, got, want, err)
		}
	}
	for name, write := range map[string]func(*bytes.Buffer) error{
		"zsh":  func(b *bytes.Buffer) error { return writeZsh(b, model(t)) },
		"fish": func(b *bytes.Buffer) error { return writeFish(b, model(t)) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil || !strings.Contains(b.String(), "activate") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
