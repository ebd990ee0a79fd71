package main_test

import (
	"encoding/json"
	"strings"
	"testing"

	"ostler.example/internal/app"
)

// TestVersionListsWhatItIsBuiltFrom: the built program knows its modules.
func TestVersionListsWhatItIsBuiltFrom(t *testing.T) {
	t.Parallel()
	if out, code := run(t, "version"); code != 0 || out != "ostler "+app.Version+"\n" {
		t.Errorf("code %d, %q", code, out)
	}
	out, code := run(t, "version", "--sbom")
	var doc struct {
		Components []struct {
			Name       string
			Properties []struct{ Name, Value string }
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 {
		t.Fatalf("code %d, %v:\n%s", code, err, out)
	}
	pinned := map[string]bool{}
	for _, c := range doc.Components {
		pinned[c.Name] = len(c.Properties) == 1 && strings.HasPrefix(c.Properties[0].Value, "h1:")
	}
	for _, name := range []string{"github.com/mattn/go-sqlite3", "github.com/alecthomas/kong", "go.uber.org/zap"} {
		if !pinned[name] {
			t.Errorf("%s is not listed with its sum:\n%s", name, out)
		}
	}
	for _, name := range []string{"std", "sqlite"} {
		if _, listed := pinned[name]; !listed {
			t.Errorf("%s is not listed", name)
		}
	}
}
