package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"

	"ostler.example/internal/app"
)

// supportCommand is `ostler support-bundle`.
type supportCommand struct {
	configFile
	To   string `arg:"" placeholder:"FILE" help:"A new file, such as ostler-support.tar.gz."`
	Unit string `default:"ostler" help:"The unit whose log is read (${default})."`
}

// logLines is how many lines of the log go into a bundle.
const logLines = "2000"

// Run writes the bundle, and says what it could not have.
func (c supportCommand) Run(ctx context.Context) error {
	err := app.Bundle(ctx, app.BundleOptions{
		File: c.Config, To: c.To,
		Journal: func(ctx context.Context) ([]byte, error) {
			out, err := exec.CommandContext(ctx, "journalctl", "--unit="+c.Unit, "--lines="+logLines, "--output=cat", "--quiet").Output() //nolint:gosec // the operator names a unit, and no shell reads it
			if err == nil && len(out) == 0 {
				err = errors.New("it has no line of the unit, or is another user's to read")
			}
			if err != nil {
				return nil, fmt.Errorf("read the journal: %w", err)
			}
			return out, nil
		},
		Added: func(name string, err error) {
			if err != nil {
				fmt.Printf("  without %s: %v\n", name, err)
			}
		},
	})
	if err != nil {
		return err
	}
	fmt.Printf("%s has no guest, no booking and no secret in it; look into it before you send it all the same: tar -xzOf %s | less\n", c.To, c.To)
	return nil
}
