package main

import (
	"fmt"
	"os"
	"slices"

	"ostler.example/connectors/skeleton"
)

// connectorNew is `ostler connector new`.
type connectorNew struct {
	Name string `arg:"" help:"What it is called, which is its package too: lower-case letters and digits."`
	Into string `default:"." placeholder:"DIR" help:"The root of the Go module that it is written into; here by default."`
}

// Run writes the connector and says what comes next.
func (c connectorNew) Run() error {
	written, err := skeleton.Write(c.Into, c.Name)
	slices.Sort(written)
	for _, path := range written {
		fmt.Fprintln(os.Stdout, path)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, `
It passes the suite as it is. Next:
  go test ./connectors/%[1]s                     run the suite, now and after each piece that you change
  go run ./cmd/ostler connector test %[1]s       the same with a report
  go test ./connectors/all ./internal/config -update   write it into the matrix and the example of the configuration
`, c.Name)
	lines, err := skeleton.Linting(c.Into, c.Name)
	if err == nil && lines != "" {
		fmt.Fprintf(os.Stdout, "  .golangci.yml                                  say what its folders may import, until make lint passes:\n\n%s", lines)
	}
	return err
}
