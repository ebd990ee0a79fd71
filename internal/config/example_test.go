package config_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"ostler.example/internal/config"
)

const exampleFile = "../../config.example.toml"

var commentedOut = regexp.MustCompile(`(?m)^# ([a-z_]+ = )`)

func TestExampleFileIsCurrent(t *testing.T) {
	want := config.Example("")
	if *update {
		if err := os.WriteFile(exampleFile, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("run go test ./internal/config -update:\n%s", diff)
	}
}

func TestExampleSaysNothingNew(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"as it stands", config.Example("")},
		{"with its defaults put in, those of connectors apart", func() string {
			text, _, _ := strings.Cut(config.Example(""), "[connectors.")
			text, _, _ = strings.Cut(text, "[secrets]") // what stands there is an example
			return commentedOut.ReplaceAllString(text, "$1")
		}()},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := config.Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			got.Connectors = map[string]map[string]any{}
			if diff := cmp.Diff(config.Default(), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestExampleHasEveryKey(t *testing.T) {
	whole := commentedOut.ReplaceAllString(config.Example(""), "$1")
	if _, err := config.Parse(whole); err != nil {
		t.Error(err)
	}
	var file map[string]any
	meta, err := toml.Decode(whole, &file)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range config.Keys() {
		if !meta.IsDefined(strings.Split(path, ".")...) {
			t.Errorf("%s is missing", path)
		}
	}
}

func TestExampleExplainsEveryKey(t *testing.T) {
	for block := range strings.SplitSeq(config.Example(""), "\n\n") {
		lines := strings.Split(strings.TrimSpace(block), "\n")
		for i, line := range lines {
			if commentedOut.MatchString(line) && (i == 0 || !strings.HasPrefix(lines[0], "# ") && !strings.HasPrefix(lines[1], "# ")) {
				t.Errorf("no sentence above %q", line)
			}
		}
	}
}

func TestExampleWithAFolder(t *testing.T) {
	for _, folder := range []string{"/srv/ostler", `/srv/a "quoted" folder`, "/srv/häuser"} {
		c, err := config.Parse(config.Example(folder))
		if err != nil || c.Data != folder {
			t.Errorf("%s became %s, %v", folder, c.Data, err)
		}
	}
}
