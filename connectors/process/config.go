package process

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ostler.example/connectors"
)

//go:embed example.toml
var example string

// Config is the settings of a channel. Which programs there are is said by the
// operator alone: whoever may make channels may not run what they please.
type Config struct {
	Programs map[string]Program `json:"programs" operator:"true"`
	Program  string             `json:"program" origin:"true"`
	Settings map[string]any     `json:"settings" origin:"true"` // any of them may say where it calls
	Secrets  map[string]string  `json:"secrets" secret:"true"`
}

// Program is one program that is a connector.
type Program struct {
	Command   []string            `json:"command"`    // the program's full path, and its arguments
	Silence   connectors.Duration `json:"silence"`    // how long a call may go on without a word; 0: a minute
	MemoryMiB int                 `json:"memory_mib"` // of all its processes together; 0: 512
}

// What holds where a program's table says nothing.
const (
	usualSilence = time.Minute
	usualMemory  = 512
)

func (p Program) silence() time.Duration {
	if p.Silence == 0 {
		return usualSilence
	}
	return time.Duration(p.Silence)
}

func (p Program) memory() uint64 {
	if p.MemoryMiB == 0 {
		return usualMemory << 20
	}
	return uint64(p.MemoryMiB) << 20
}

// Validate joins every mistake.
func (c Config) Validate() error {
	var mistakes []error
	add := func(format string, args ...any) { mistakes = append(mistakes, fmt.Errorf(format, args...)) }
	for _, name := range slices.Sorted(maps.Keys(c.Programs)) {
		at, p := "programs."+name, c.Programs[name]
		if len(p.Command) == 0 || !filepath.IsAbs(p.Command[0]) {
			add("%s.command: expected the program's full path and its arguments, such as [\"/usr/bin/python3\", \"/opt/ostler/hello.py\"]", at)
		}
		if s := p.silence(); s < time.Second || s > time.Hour {
			add("%s.silence: expected between 1s and 1h", at)
		}
		if p.MemoryMiB < 0 || p.MemoryMiB > 64<<10 {
			add("%s.memory_mib: expected up to 65536", at)
		}
	}
	if _, known := c.Programs[c.Program]; !known {
		names := strings.Join(slices.Sorted(maps.Keys(c.Programs)), ", ")
		if names == "" {
			names = "none: name it in [connectors.process] of the configuration"
		}
		add("program: expected one of those of the configuration; there is %s", names)
	}
	return errors.Join(mistakes...)
}
