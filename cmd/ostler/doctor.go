package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"ostler.example/internal/app"
)

// doctorCommand is `ostler doctor`.
type doctorCommand struct {
	configFile
	JSON bool `name:"json" help:"Print the findings as JSON."`
}

// Run tells what is well, what is worth a look and what is a fault, each with
// what to do. It fails when there is a fault.
func (c doctorCommand) Run(ctx context.Context) error {
	findings := []app.Finding{}
	faults := 0
	app.Doctor(ctx, c.Config, func(f app.Finding) {
		findings = append(findings, f)
		if f.Level == app.Fault {
			faults++
		}
		if c.JSON {
			return
		}
		fmt.Printf("%-8s %s: %s\n", f.Level, f.Check, f.Says)
		if f.Do != "" {
			fmt.Printf("         -> %s\n", f.Do)
		}
	})
	if c.JSON {
		e := json.NewEncoder(os.Stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		if err := e.Encode(findings); err != nil {
			return err
		}
	}
	if faults > 0 {
		return errors.New(app.Count(faults, "fault"))
	}
	return nil
}
