package config

import (
	"fmt"
	"strings"
)

// Mistake is one thing that is wrong.
type Mistake struct {
	Key  string // its path in the file; "" for the file as a whole
	What string // what was expected, and what to do
}

// Error tells the mistake in one line.
func (m Mistake) Error() string {
	if m.Key == "" {
		return m.What
	}
	return m.Key + ": " + m.What
}

// Mistakes is everything that is wrong.
type Mistakes []Mistake

// Error tells every mistake, each in a line of its own when there are several.
func (m Mistakes) Error() string {
	if len(m) == 1 {
		return m[0].Error()
	}
	lines := make([]string, 1, len(m)+1)
	lines[0] = fmt.Sprintf("%d mistakes:", len(m))
	for _, mistake := range m {
		lines = append(lines, "  "+mistake.Error())
	}
	return strings.Join(lines, "\n")
}
