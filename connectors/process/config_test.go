package process

import (
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"ostler.example/connectors"
)

func TestValidate(t *testing.T) {
	sound := func() Config {
		return Config{Programs: map[string]Program{"a": {Command: []string{"/usr/bin/true"}}}, Program: "a"}
	}
	if err := sound().Validate(); err != nil {
		t.Errorf("sound settings are refused: %v", err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Config)
		want  string
	}{
		{"a program that is not there", func(c *Config) { c.Program = "b" }, "program: expected one of those of the configuration; there is a"},
		{"no programs at all", func(c *Config) { c.Programs = nil }, "program: expected one of those of the configuration; there is none"},
		{"a program that the path would have to find", func(c *Config) { c.Programs["a"] = Program{Command: []string{"true"}} }, "programs.a.command: "},
		{"no command", func(c *Config) { c.Programs["a"] = Program{} }, "programs.a.command: "},
		{"a silence that is none", func(c *Config) {
			c.Programs["a"] = Program{Command: []string{"/x"}, Silence: connectors.Duration(time.Millisecond)}
		}, "programs.a.silence: "},
		{"less than no memory", func(c *Config) { c.Programs["a"] = Program{Command: []string{"/x"}, MemoryMiB: -1} }, "programs.a.memory_mib: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := sound()
			c.spoil(&config)
			if err := config.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("it says %v, want %q", err, c.want)
			}
		})
	}
}

// The configuration file says which programs there are; a channel cannot.
func TestOnlyTheOperatorNamesPrograms(t *testing.T) {
	driver, _ := connectors.Lookup("process")
	_, err := driver.Configure(nil, []byte(`{"programs":{"x":{"command":["/bin/sh"]}},"program":"x"}`))
	if err == nil || !strings.Contains(err.Error(), "settings.programs: is said in the configuration file alone") {
		t.Errorf("a channel that names a program: %v", err)
	}
	if strings.Contains(string(driver.Schema()), "programs") {
		t.Errorf("the schema of a channel's settings offers programs: %s", driver.Schema())
	}
	if err := driver.CheckDefaults(map[string]any{"programs": map[string]any{"x": map[string]any{"comand": []string{"/bin/sh"}}}}); err == nil {
		t.Error("a misspelt key of a program is taken")
	}
}

// TestExample reads the example with its defaults as the configuration file would.
func TestExample(t *testing.T) {
	var table map[string]any
	if _, err := toml.Decode(strings.ReplaceAll(example, "\n# p", "\np"), &table); err != nil {
		t.Fatal(err)
	}
	driver, _ := connectors.Lookup("process")
	if err := driver.CheckDefaults(table); err != nil || table["programs"] == nil {
		t.Errorf("the example is refused: %v, %v", err, table)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	driver, _ := connectors.Lookup("process")
	s, err := driver.WithSecrets(func(name string) (string, error) { return "revealed " + name, nil }).
		Configure(programs(built, "crash"), []byte(`{"program":"tried","secrets":{"token":"secret:t"},"settings":{"url":"u"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if shown := string(s.Redacted()); shown != `{"program":"tried","secrets":{"token":"***"},"settings":{"url":"u"}}` {
		t.Errorf("shown is %s", shown)
	}
	if got := string(s.Conceal([]byte("x revealed t y"))); got != "x *** y" {
		t.Errorf("concealed is %q", got)
	}
}
